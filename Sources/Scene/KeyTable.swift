package import Control
internal import Sound

/// What a key does.
package enum KeyAction: Hashable, Sendable {
  case send(PlayerCommand)
  case window(WindowCommand)
  /// Steps of zoom; positive comes closer.
  case zoom(Int)
  /// Columns of the waveform on the screen.
  case seekByColumns(Int)
  /// Decibels of the level that starts a recording.
  case threshold(Int)
  case wholeSong, follow, toggleTime, spectrumScale
  case browse, record, demo, goTo, help, settings, close
  case focus(Int)
  case press
}

/// One line of the table of keys, which dispatches them and draws the help, so that the help cannot be wrong.
package struct KeyBinding: Hashable, Sendable {
  package enum Group: String, Hashable, Sendable, CaseIterable {
    case playing = "Playing"
    case looking = "Looking"
    case sound = "Sound"
    case files = "Files"
    case window = "Window"
  }

  package struct Chord: Hashable, Sendable {
    package var key: Key
    package var modifiers: Modifiers
    package var action: KeyAction
    /// Another way to press what the help already shows.
    package var isAlias = false
  }

  package var group: Group
  package var help: String
  /// Holding the key down does it again and again.
  package var repeats: Bool
  package var chords: [Chord]

  init(_ group: Group, _ help: String, repeats: Bool = false, _ chords: [Chord]) {
    self.group = group
    self.help = help
    self.repeats = repeats
    self.chords = chords
  }

  /// What the help shows for the keys: "Space, K", "← →", "0 … 9".
  package var caption: String {
    let shown = chords.filter { !$0.isAlias }
    if shown.count > 4, let first = shown.first, let last = shown.last { return "\(first.name) … \(last.name)" }
    var text = ""
    for (index, chord) in shown.enumerated() {
      if index > 0 { text += shown[index - 1].action == chord.action ? ", " : " " }
      text += chord.name
    }
    return text
  }
}

extension KeyBinding.Chord {
  static func on(_ key: Key, _ action: KeyAction) -> Self { Self(key: key, modifiers: [], action: action) }
  static func on(_ key: Key, _ modifiers: Modifiers, _ action: KeyAction) -> Self {
    Self(key: key, modifiers: modifiers, action: action)
  }
  var alias: Self {
    var copy = self
    copy.isAlias = true
    return copy
  }

  /// How the chord is written: "Ctrl+L", "⇧←".
  package var name: String {
    let prefix = (modifiers.contains(.control) ? "Ctrl+" : "") + (modifiers.contains(.shift) ? "⇧" : "")
    return prefix + key.name
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  package init(extendedGraphemeClusterLiteral value: Character) { self = .character(value) }
}

extension Key {
  /// How the key is written in the help and in tooltips.
  var name: String {
    switch self {
    case .character("-"): "\u{2212}"
    case .character(let character): character.uppercased()
    case .space: "Space"
    case .enter: "Enter"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Delete"
    case .tab: "Tab"
    case .left: "←"
    case .right: "→"
    case .up: "↑"
    case .down: "↓"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "Page Up"
    case .pageDown: "Page Down"
    case .function(let number): "F\(number)"
    case .mediaPlayPause: "Play"
    case .mediaStop: "Stop"
    case .mediaNext: "Next"
    case .mediaPrevious: "Previous"
    }
  }
}

package enum KeyTable {
  /// Every key there is, in the order of the help.
  package static let bindings: [KeyBinding] = playing + looking + sound + files + window

  /// What a key asks for, and whether holding it down asks again.
  ///
  /// Shift is looked at only where it says nothing about which sign is typed: with letters, arrows and the like.
  package static func action(for key: Key, _ modifiers: Modifiers) -> (action: KeyAction, repeats: Bool)? {
    table[Press(key: key, modifiers: meant(key, modifiers))]
  }

  /// The first of the shown keys for an action: "Space".
  package static func name(of action: KeyAction) -> String? {
    bindings.lazy.flatMap(\.chords).first { $0.action == action && !$0.isAlias }?.name
  }

  private struct Press: Hashable {
    var key: Key
    var modifiers: Modifiers
  }

  private static let table: [Press: (action: KeyAction, repeats: Bool)] = {
    var table: [Press: (action: KeyAction, repeats: Bool)] = [:]
    for binding in bindings {
      for chord in binding.chords {
        let press = Press(key: chord.key, modifiers: meant(chord.key, chord.modifiers))
        precondition(table[press] == nil, "two meanings for \(chord.name)")
        table[press] = (chord.action, binding.repeats)
      }
    }
    return table
  }()

  private static func meant(_ key: Key, _ modifiers: Modifiers) -> Modifiers {
    guard case .character(let character) = key, !character.isLetter else { return modifiers }
    return modifiers.subtracting(.shift)
  }

  private static let playing: [KeyBinding] = [
    KeyBinding(
      .playing, "play or pause",
      [.on(.space, .send(.playPause)), .on("k", .send(.playPause)), .on(.mediaPlayPause, .send(.playPause)).alias]),
    KeyBinding(.playing, "stop playing or recording", [.on("s", .send(.stop)), .on(.mediaStop, .send(.stop)).alias]),
    seeking("5 seconds back, on", 5, .left, .right),
    seeking("1 second back, on", 1, .left, .right, .shift),
    seeking("10 seconds back, on", 10, .character("j"), .character("l")),
    seeking("1 minute back, on", 60, .left, .right, .control),
    KeyBinding(
      .playing, "one pixel back, on", repeats: true, [.on(",", .seekByColumns(-1)), .on(".", .seekByColumns(1))]),
    KeyBinding(
      .playing, "start, end", [.on(.home, .send(.seek(to: .zero))), .on(.end, .send(.seekToFraction(1)))]),
    KeyBinding(
      .playing, "tenths of the song",
      "0123456789".map { .on(.character($0), .send(.seekToFraction(Double($0.wholeNumberValue!) / 10))) }),
    KeyBinding(.playing, "go to a time", [.on("g", .goTo)]),
    KeyBinding(.playing, "loop off, track, queue", [.on("l", .control, .send(.cycleLoop))]),
    KeyBinding(.playing, "loop from here, to here; ⇧ drag", [.on("[", .send(.setFlagA)), .on("]", .send(.setFlagB))]),
    KeyBinding(.playing, "clear that loop", [.on("\\", .send(.setFlags(RegionFlags())))]),
    KeyBinding(
      .playing, "slower, faster, the pitch kept", repeats: true,
      [.on("<", .send(.stepSpeed(-1))), .on(">", .send(.stepSpeed(1)))]),
    KeyBinding(.playing, "normal speed", [.on("x", .send(.setSpeed(.normal)))]),
  ]

  private static let looking: [KeyBinding] = [
    KeyBinding(
      .looking, "zoom in, out", repeats: true, [.on("+", .zoom(1)), .on("=", .zoom(1)).alias, .on("-", .zoom(-1))]),
    KeyBinding(.looking, "whole song and back", [.on("z", .wholeSong)]),
    KeyBinding(.looking, "follow the playhead", [.on("c", .follow)]),
    KeyBinding(.looking, "spectrum logarithmic, linear", [.on("v", .spectrumScale)]),
    KeyBinding(.looking, "remaining time or position", [.on("t", .toggleTime)]),
    KeyBinding(
      .looking, "full screen", [.on("f", .window(.toggleFullScreen)), .on(.function(11), .window(.toggleFullScreen))]),
  ]

  private static let sound: [KeyBinding] = [
    KeyBinding(
      .sound, "louder, softer", repeats: true, [.on(.up, .send(.stepVolume(1))), .on(.down, .send(.stepVolume(-1)))]),
    KeyBinding(.sound, "mute", [.on("m", .send(.toggleMute))]),
    KeyBinding(
      .sound, "threshold of recording up, down", repeats: true,
      [.on(.up, .control, .threshold(1)), .on(.down, .control, .threshold(-1))]),
  ]

  private static let files: [KeyBinding] = [
    KeyBinding(.files, "open", [.on("o", .browse)]),
    KeyBinding(
      .files, "next, previous",
      [
        .on("n", .send(.next)), .on("p", .send(.previous)), .on(.mediaNext, .send(.next)).alias,
        .on(.mediaPrevious, .send(.previous)).alias,
      ]),
    KeyBinding(.files, "record: ready, start, pause, resume", [.on("r", .record)]),
    KeyBinding(.files, "the demo, when nothing is loaded", [.on("d", .demo)]),
  ]

  private static let window: [KeyBinding] = [
    KeyBinding(.window, "these keys", [.on("?", .help), .on(.function(1), .help)]),
    KeyBinding(.window, "settings", [.on(",", .control, .settings)]),
    KeyBinding(
      .window, "larger, smaller, as the display",
      [
        .on("+", .control, .window(.stepScale(1))), .on("=", .control, .window(.stepScale(1))).alias,
        .on("-", .control, .window(.stepScale(-1))), .on("0", .control, .window(.stepScale(0))),
      ]),
    KeyBinding(.window, "next, previous control", [.on(.tab, .focus(1)), .on(.tab, .shift, .focus(-1))]),
    KeyBinding(.window, "press the control", [.on(.enter, .press)]),
    KeyBinding(.window, "close or leave; clear A-B", [.on(.escape, .close)]),
    KeyBinding(.window, "quit", [.on("q", .control, .window(.quit)), .on("w", .control, .window(.quit))]),
  ]

  private static func seeking(
    _ help: String, _ seconds: Double, _ back: Key, _ on: Key, _ modifiers: Modifiers = []
  ) -> KeyBinding {
    KeyBinding(
      .playing, help, repeats: true,
      [
        .on(back, modifiers, .send(.seekBy(seconds: -seconds))), .on(on, modifiers, .send(.seekBy(seconds: seconds))),
      ])
  }
}
