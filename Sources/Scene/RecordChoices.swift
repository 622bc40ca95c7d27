internal import Control
internal import Sound

/// One line of the settings of recording: what it is about, and what there is to choose from.
struct RecordLine {
  struct Choice {
    var word: String
    var command: RecorderCommand
    var isChosen: Bool
  }
  var heading: String
  var choices: [Choice]
  /// False for what an open take has fixed.
  var isEnabled = true

  init(_ heading: String, _ choices: [Choice], isEnabled: Bool = true) {
    self.heading = heading
    self.choices = choices
    self.isEnabled = isEnabled
  }

  /// Numbers to choose from; the one that is set is among them, whoever set it.
  init(
    _ heading: String, _ numbers: [Double], chosen: Double, isEnabled: Bool = true, word: (Double) -> String,
    command: (Double) -> RecorderCommand
  ) {
    let all = numbers.contains(chosen) ? numbers : (numbers + [chosen]).sorted()
    self.init(
      heading, all.map { Choice(word: word($0), command: command($0), isChosen: $0 == chosen) }, isEnabled: isEnabled)
  }

  /// Every line there is, for what is set now.
  static func all(_ recording: RecordingSnapshot) -> [RecordLine] {
    let options = recording.options
    let isFree = !recording.hasTake
    var lines = [device(recording)]
    lines.append(
      RecordLine(
        "Format",
        TakeCoding.allCases.map {
          Choice(word: RecordText.coding($0), command: .setCoding($0), isChosen: $0 == options.coding)
        }, isEnabled: isFree))
    if !options.coding.widths.isEmpty {
      let width = TakeFormat(coding: options.coding, width: options.width, rate: SampleRate(hertz: 1), channelCount: 1)
        .width
      lines.append(
        RecordLine(
          "Sample width",
          options.coding.widths.map {
            Choice(word: RecordText.width($0), command: .setWidth($0), isChosen: $0 == width)
          }, isEnabled: isFree))
    }
    lines.append(
      RecordLine(
        "Rate", [0, 44_100, 48_000, 96_000], chosen: Double(options.rate?.hertz ?? 0), isEnabled: isFree,
        word: { $0 == 0 ? "As the microphone" : RecordText.rate(SampleRate(hertz: Int($0))) },
        command: { .setRate($0 == 0 ? nil : SampleRate(hertz: Int($0))) }))
    lines.append(
      RecordLine(
        "Channels",
        ChannelChoice.allCases.map {
          Choice(word: RecordText.channels($0), command: .setChannels($0), isChosen: $0 == options.channels)
        }, isEnabled: isFree))
    lines.append(
      RecordLine(
        "Buffer", [5, 10, 20, 50, 100, 200], chosen: Double(options.bufferMilliseconds), isEnabled: isFree,
        word: { "\(Int($0)) ms" }, command: { .setBuffer(milliseconds: Int($0)) }))
    return lines + sound(options) + timer(options, isFree: isFree) + [headphones(options)]
  }

  private static func device(_ recording: RecordingSnapshot) -> RecordLine {
    let wanted = recording.options.device
    var names = recording.input.names
    if let wanted, !names.contains(wanted) { names.append(wanted) }
    let system = Choice(word: "As the system chooses", command: .setDevice(nil), isChosen: wanted == nil)
    let choices = names.map { name in
      let isThere = recording.input.names.contains(name)
      return Choice(
        word: isThere ? name : "\(name) (not there now)", command: .setDevice(name), isChosen: name == wanted)
    }
    return RecordLine("Microphone", [system] + choices)
  }

  /// What is kept from before the start, and how sound starts and rests a recording.
  private static func sound(_ options: RecorderOptions) -> [RecordLine] {
    let trigger = options.trigger
    var lines = [
      RecordLine(
        "Keep from before", [0, 2, 5, 10, 30], chosen: options.preRollSeconds,
        word: { $0 == 0 ? "Nothing" : seconds($0) }, command: { .setPreRoll(seconds: $0) }),
      // Silence stands for a recorder that does not listen for sound.
      RecordLine(
        "Start by sound", [-.infinity, -60, -50, -40, -30, -20, -10],
        chosen: trigger.map { Double($0.threshold) } ?? -.infinity,
        word: { $0 == -.infinity ? "Off" : NumberText.fixed($0, decimals: 0) + " dB" },
        command: { level in
          .setTrigger(
            level == -.infinity
              ? nil
              : SoundTrigger(threshold: Float(level), holdSeconds: (trigger ?? SoundTrigger()).holdSeconds))
        }),
    ]
    if let trigger {
      lines.append(
        RecordLine(
          "Rest after quiet", [1, 2, 3, 5, 10, 30], chosen: trigger.holdSeconds, word: seconds,
          command: { .setTrigger(SoundTrigger(threshold: trigger.threshold, holdSeconds: $0)) }))
    }
    return lines
  }

  private static func headphones(_ options: RecorderOptions) -> RecordLine {
    RecordLine(
      "Headphones",
      [false, true].map {
        Choice(
          word: $0 ? "Hear the microphone" : "Silent", command: .setMonitoring($0), isChosen: $0 == options.isMonitoring
        )
      })
  }

  private static func timer(_ options: RecorderOptions, isFree: Bool) -> [RecordLine] {
    let timer = options.timer
    return [
      RecordLine(
        "Begin", [0, 3, 10, 60, 600], chosen: timer.startInSeconds, isEnabled: isFree,
        word: { $0 == 0 ? "At once" : "In " + seconds($0) },
        command: { .setTimer(RecordingTimer(startInSeconds: $0, stopAfterSeconds: timer.stopAfterSeconds)) }),
      RecordLine(
        "End", [0, 60, 300, 1800, 3600], chosen: timer.stopAfterSeconds ?? 0, isEnabled: isFree,
        word: { $0 == 0 ? "By hand" : "After " + seconds($0) },
        command: {
          .setTimer(RecordingTimer(startInSeconds: timer.startInSeconds, stopAfterSeconds: $0 == 0 ? nil : $0))
        }),
    ]
  }

  private static func seconds(_ value: Double) -> String {
    if value >= 3600, value.truncatingRemainder(dividingBy: 3600) == 0 { return "\(Int(value / 3600)) h" }
    if value >= 60, value.truncatingRemainder(dividingBy: 60) == 0 { return "\(Int(value / 60)) min" }
    return NumberText.fixed(value, decimals: value == value.rounded() ? 0 : 1) + " s"
  }
}
