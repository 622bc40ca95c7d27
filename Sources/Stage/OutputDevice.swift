import CSDL2
internal import Sound

/// An open output device, which asks the feed for sound from the moment it is made until it is gone.
///
/// Made and destroyed on the speaker's thread: either may take as long as the sound server likes.
struct OutputDevice: ~Copyable {
  /// 1024 frames: 21 ms at 48 kHz, so that a seek or Stop is heard 20 to 40 ms after the key.
  static let fewestFrames = 1024
  /// With twice as many, a busy machine breaks the sound a fifth as often; so many at most.
  static let mostFrames = 4096

  let id: SDL_AudioDeviceID
  let rate: SampleRate
  let bufferFrames: Int
  private let feed: UnsafeMutablePointer<Feed>

  /// Opens the device of this name (nil is the default) at its own rate, with a buffer of so many frames, and sets it going.
  init(name: String?, feed: UnsafeMutablePointer<Feed>, wantedFrames: Int) throws(SpeakerError) {
    SoundSystem.opens()
    var wanted = SDL_AudioSpec()
    wanted.freq = Self.ownRate(of: name)
    wanted.format = SDL_AudioFormat(AUDIO_F32SYS)
    wanted.channels = 2
    wanted.samples = UInt16(wantedFrames)
    wanted.callback = speakerCallback
    wanted.userdata = UnsafeMutableRawPointer(feed)
    var got = SDL_AudioSpec()
    let changes = SDL_AUDIO_ALLOW_FREQUENCY_CHANGE | SDL_AUDIO_ALLOW_SAMPLES_CHANGE
    feed.pointee.attach()
    let opened = SDL_OpenAudioDevice(name, 0, &wanted, &got, changes)
    guard opened != 0 else {
      let reason = SDLLibrary.lastError
      feed.pointee.detach()
      SoundSystem.closed()
      throw .cannotOpen(device: name, reason: reason)
    }
    let rate = SampleRate(hertz: Int(got.freq))
    feed.pointee.setRate(rate)
    SDL_PauseAudioDevice(opened, 0)
    id = opened
    self.feed = feed
    self.rate = rate
    bufferFrames = Int(got.samples)
  }

  deinit {
    SDL_CloseAudioDevice(id)
    feed.pointee.detach()
    SoundSystem.closed()
  }

  /// The rate at which a device runs by itself, so that nobody resamples a second time; 48 kHz where nobody tells.
  private static func ownRate(of name: String?) -> Int32 {
    var spec = SDL_AudioSpec()
    var found = false
    if let name {
      for i in 0..<SDL_GetNumAudioDevices(0) where SDL_GetAudioDeviceName(i, 0).map({ String(cString: $0) }) == name {
        found = SDL_GetAudioDeviceSpec(i, 0, &spec) == 0
      }
    } else {
      var defaultName: UnsafeMutablePointer<CChar>?
      found = SDL_GetDefaultAudioInfo(&defaultName, &spec, 0) == 0
      SDL_free(defaultName)
    }
    return found && 8000...384_000 ~= spec.freq ? spec.freq : 48_000
  }
}
