import CFFmpeg
internal import Sound

/// Interleaved stereo frames from one rate to another.
///
/// One thread at a time. Output frame k since the start or `reset` sounds at input frame k · `input` / `output` exactly: the
/// filter's delay is made up for. What the filter waits for comes out with the next frames or with `flush`.
final class StereoResampler {
  private var library: OpaquePointer?
  private var output = StereoBuffer()

  /// Taps of the filter at equal rates: twice the library's usual, for a clean top octave.
  private static let filterTaps: Int64 = 64

  /// Nil for rates with which the library cannot reckon.
  init?(from input: SampleRate, to output: SampleRate) {
    var stereo = AVChannelLayout()
    av_channel_layout_default(&stereo, 2)
    var same = stereo
    let status = swr_alloc_set_opts2(
      &library, &stereo, AV_SAMPLE_FMT_FLT, Int32(output.hertz), &same, AV_SAMPLE_FMT_FLT, Int32(input.hertz), 0, nil)
    if status >= 0 { av_opt_set_int(UnsafeMutableRawPointer(library), "filter_size", Self.filterTaps, 0) }
    guard status >= 0, swr_init(library) >= 0 else { return nil }
  }

  deinit { swr_free(&library) }

  /// Takes frames and gives out those that are ready, in one call of `body` (frames, their count) or none.
  func process(_ frames: UnsafePointer<Float>, count: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    var input: UnsafePointer<UInt8>? = UnsafeRawPointer(frames).assumingMemoryBound(to: UInt8.self)
    convert(&input, count, into: body)
  }

  /// Gives out what is still in the filter at the end of the sound; `reset` comes before the next frames.
  func flush(into body: (UnsafePointer<Float>, Int) -> Void) { convert(nil, 0, into: body) }

  /// Forgets all that was put in, for a new beginning.
  func reset() {
    swr_close(library)
    swr_init(library)
  }

  private func convert(
    _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int, into body: (UnsafePointer<Float>, Int) -> Void
  ) {
    let expected = Int(max(swr_get_out_samples(library, Int32(count)), 0)) + 32
    let frames = output.room(for: expected)
    var bytes: UnsafeMutablePointer<UInt8>? = UnsafeMutableRawPointer(frames).assumingMemoryBound(to: UInt8.self)
    let got = swr_convert(library, &bytes, Int32(expected), input, Int32(count))
    if got > 0 { body(frames, Int(got)) }
  }
}

/// Interleaved stereo frames in memory that grows with what is asked for.
struct StereoBuffer: ~Copyable {
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0

  init() { storage = .allocate(capacity: 1) }

  deinit { storage.deallocate() }

  /// Room for so many frames; what was there before is gone when it has to grow.
  mutating func room(for frames: Int) -> UnsafeMutablePointer<Float> {
    if frames > capacity {
      storage.deallocate()
      storage = .allocate(capacity: frames * 2)
      capacity = frames
    }
    return storage
  }
}
