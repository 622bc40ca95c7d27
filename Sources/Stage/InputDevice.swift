import CSDL2
internal import Control
internal import Sound

/// An open microphone, which hands what it hears to the intake from the moment it is made until it is gone.
///
/// Made and destroyed on the microphone's thread: either may take as long as the sound server likes.
struct InputDevice: ~Copyable {
  let id: SDL_AudioDeviceID
  let rate: SampleRate
  let channelCount: Int
  let bufferFrames: Int

  /// More channels than this nobody has asked for.
  private static let mostChannels: UInt8 = 8

  /// Opens the microphone of this name (nil is the default) and sets it going.
  ///
  /// At the rate that is wished, else at its own; with its own channels, since those that are not there would be made up.
  init(name: String?, wish: InputWish, intake: UnsafeMutablePointer<Intake>) throws(MicrophoneError) {
    SoundSystem.opens()
    let own = Self.ownSpec(of: name)
    var wanted = SDL_AudioSpec()
    wanted.freq = wish.rate.map { Int32($0.hertz) } ?? (8000...384_000 ~= own.freq ? own.freq : 48_000)
    wanted.format = SDL_AudioFormat(AUDIO_F32SYS)
    wanted.channels = own.channels == 0 ? 2 : min(own.channels, Self.mostChannels)
    let frames = Int(wanted.freq) * wish.bufferMilliseconds / 1000
    wanted.samples = UInt16(min(max(frames, 32), 65_535))
    wanted.callback = microphoneCallback
    wanted.userdata = UnsafeMutableRawPointer(intake)
    var got = SDL_AudioSpec()
    let opened = SDL_OpenAudioDevice(name, 1, &wanted, &got, SDL_AUDIO_ALLOW_SAMPLES_CHANGE)
    guard opened != 0 else {
      let reason = SDLLibrary.lastError
      SoundSystem.closed()
      throw .cannotOpen(device: name, reason: reason)
    }
    id = opened
    rate = SampleRate(hertz: Int(got.freq))
    channelCount = Int(got.channels)
    bufferFrames = Int(got.samples)
    intake.pointee.begin(channelCount: channelCount, rate: rate)
    SDL_PauseAudioDevice(opened, 0)
  }

  deinit {
    SDL_CloseAudioDevice(id)
    SoundSystem.closed()
  }

  /// How the device runs by itself; all zero where nobody tells.
  private static func ownSpec(of name: String?) -> SDL_AudioSpec {
    var spec = SDL_AudioSpec()
    if let name {
      for i in 0..<max(SDL_GetNumAudioDevices(1), 0) {
        guard let found = SDL_GetAudioDeviceName(i, 1), String(cString: found) == name else { continue }
        if SDL_GetAudioDeviceSpec(i, 1, &spec) != 0 { spec = SDL_AudioSpec() }
      }
    } else {
      var defaultName: UnsafeMutablePointer<CChar>?
      if SDL_GetDefaultAudioInfo(&defaultName, &spec, 1) != 0 { spec = SDL_AudioSpec() }
      SDL_free(defaultName)
    }
    return spec
  }
}

/// What SDL calls on its own thread when the microphone has heard something; `context` is the intake.
func microphoneCallback(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) {
  acceptSound(context, bytes, count)
}

/// Takes the device's buffer in; takes no lock, allocates and retains nothing, which the compiler checks.
@_noLocks
private func acceptSound(
  _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) {
  let entered = shim_callback_nanoseconds()
  guard let context, let bytes else { return }
  let intake = context.assumingMemoryBound(to: Intake.self)
  let samples = UnsafeRawPointer(bytes).assumingMemoryBound(to: Float.self)
  intake.pointee.accept(samples, sampleCount: Int(count) / 4, at: entered)
}
