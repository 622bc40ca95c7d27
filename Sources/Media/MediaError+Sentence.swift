internal import Sound

/// The one place where the room's facts become English.
extension MediaError: CustomStringConvertible {
  package var description: String {
    let name = "“\(path.lastComponent.shown)”"
    switch self {
    case .notFound: return "Can’t find \(name): it may have been moved or deleted."
    case .isFolder: return "Can’t play \(name): it is a folder."
    case .notARegularFile: return "Can’t play \(name): it is a pipe or a device, not a file."
    case .unreadable(_, let reason): return "Can’t read \(name): \(reason)."
    case .empty: return "Can’t play \(name): the file is empty."
    case .noSamples: return "Can’t play \(name): there is no sound behind its header."
    case .notSound(_, let thing): return "Can’t play \(name): it holds \(thing), not audio."
    case .playlist: return "Can’t play \(name): it is a list of other files, which are not followed."
    case .noAudio(_, let container): return "Can’t play \(name): there is no audio in this \(container) file."
    case .unknownFormat: return "Can’t play \(name): it is not in a known audio format."
    case .unsupportedCodec(_, let codec): return "Can’t play \(name): its coding (\(codec)) is not supported."
    case .encrypted: return "Can’t play \(name): it is encrypted."
    case .rateOutOfRange(_, let hertz):
      return "Can’t play \(name): its sample rate of \(hertz) Hz is outside 100 Hz to 1 MHz."
    case .tooManyChannels(_, let count): return "Can’t play \(name): it has \(count) channels; 1 to 64 can be played."
    case .nothingDecodes(_, let codec): return "Can’t play \(name): nothing in it can be decoded as \(codec)."
    case .broken(_, let reason): return "Can’t play \(name): \(reason)."
    case .endless: return "Can’t play \(name): its structure is damaged, and opening it finds no end."
    case .noAnswer(_, let seconds): return "Passed over \(name): its disk has not answered for \(seconds) seconds."
    case .cutShort: return "\(name) was cut short while it was open: the rest of it is gone."
    case .cancelled: return "Opening \(name) was cancelled."
    }
  }
}
