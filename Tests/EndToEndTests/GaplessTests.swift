import Foundation
import Sound
import TestSupport
import Testing

extension EndToEnd {
  /// Sound cut in two and heard whole again, as the device is given it: by SDL's driver that writes a file.
  struct Gapless: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// Files of a queue, and what the device must be given for them.
    private struct Album {
      var files: [PathBytes] = []
      var sound: [Float] = []
      /// Where the files begin, and whether they are the sound bit for bit.
      var starts: [(frame: Int, isExact: Bool)] = []
    }

    private static let codings: [(ending: String, arguments: [String])] = [
      ("wav", ["-c:a", "pcm_s16le"]), ("flac", ["-sample_fmt", "s16"]), ("mp3", ["-b:a", "256k"]),
      ("m4a", ["-c:a", "aac", "-b:a", "256k", "-movie_timescale", "48000"]),
      ("opus", ["-c:a", "libopus", "-b:a", "256k"]),
    ]

    /// Noise that codings with loss keep well: white noise through a mean of eight samples, in steps of 16 bits.
    private func noise(_ seed: UInt64, _ frames: Int) -> [Float] {
      let white = Signal.noise(seed: seed, frames: frames + 7, amplitude: 0.9)
      return (0..<frames).map { i in (white[i..<(i + 8)].reduce(0, +) / 8 * 32_768).rounded() / 32_768 }
    }

    private func album() throws -> Album {
      var album = Album()
      for (number, coding) in Self.codings.enumerated() {
        let sound = noise(UInt64(number), 60_000)
        // Nowhere near the bounds of a coding's blocks.
        for part in [sound[..<27_777], sound[27_777...]] {
          let name = String(format: "%02d.%@", album.files.count, coding.ending)
          let source = try folder.write(waveFile([Array(part), Array(part)]), to: name + ".source")
          let file = folder.path.appending(name)
          _ = try Child.run(
            "ffmpeg", ["-v", "error", "-y", "-i", source.shown] + coding.arguments + [file.shown],
            environment: desk.environment, atMost: 20)
          album.starts.append((album.sound.count, ["wav", "flac"].contains(coding.ending)))
          album.files.append(file)
          album.sound += part
        }
      }
      // Another rate and another number of channels, and back.
      let slow = Signal.sine(hertz: 700, rate: 44_100, frames: 22_050, amplitude: 0.5)
      album.files.append(try folder.write(waveFile([slow], rate: 44_100), to: "98.wav"))
      album.starts.append((album.sound.count, false))
      album.sound += Signal.sine(hertz: 700, rate: 48_000, frames: 24_000, amplitude: 0.5)
      let last = noise(99, 20_000)
      album.files.append(try folder.write(waveFile([last, last]), to: "99.wav"))
      album.starts.append((album.sound.count, true))
      album.sound += last
      return album
    }

    /// By how many frames what was heard around a place must be moved to fit the sound best.
    private func lag(_ heard: [Float], _ sound: [Float], at place: Int) -> Int {
      let window = place..<(place + 3_000)
      func likeness(_ lag: Int) -> Float { window.reduce(0) { $0 + sound[$1] * heard[$1 + lag] } }
      return (-60...60).max { likeness($0) < likeness($1) }!
    }

    @Test func `an album is heard without a missing or added sample, in one opening of the device`() throws {
      let album = try album()
      let output = folder.path.appending("device.raw")
      try inThreeTries {
        let program = try Program(
          album.files, home: Home(), environment: ["SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": output.shown])
        try program.waitForTitle(containing: "99", atMost: 60)
        // The file is written a buffer at a time; silence behind the sound says that all of it is there.
        let all = try eventually("the end of the sound", atMost: 20) { () -> [Float]? in
          let heard = try left(of: output)
          return heard.count > album.sound.count && heard.suffix(9_600).allSatisfy { $0 == 0 } ? heard : nil
        }
        #expect(try program.quit() == .status(0))
        return complaints(all, album)
      }
    }

    private func left(of file: PathBytes) throws -> [Float] {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.shown))
      return data.withUnsafeBytes { bytes in
        (0..<(bytes.count / 8)).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Float.self) }
      }
    }

    private func complaints(_ all: [Float], _ album: Album) -> [String] {
      guard let start = all.firstIndex(where: { $0 != 0 }), let end = all.lastIndex(where: { $0 != 0 }) else {
        return ["nothing was heard"]
      }
      let heard = Array(all[start...end])
      var complaints: [String] = []
      if heard.count != album.sound.count { complaints.append("\(heard.count) frames, not \(album.sound.count)") }
      guard heard.count > album.sound.count - 2_000 else { return complaints }
      let padded = heard + Array(repeating: 0, count: 4_000)
      for (number, file) in album.starts.enumerated() {
        let next = number + 1 < album.starts.count ? album.starts[number + 1].frame : album.sound.count
        // At the very start the gate opens.
        let from = max(file.frame, 500)
        if file.isExact, heard.count >= next, Array(heard[from..<next]) != Array(album.sound[from..<next]) {
          complaints.append("file \(number) is not what it was")
        }
        for place in [from + 300, next - 3_300] where lag(padded, album.sound, at: place) != 0 {
          complaints.append("file \(number) is off by \(lag(padded, album.sound, at: place)) at \(place)")
        }
      }
      return complaints
    }
  }
}
