import CFontconfig
internal import Scene
internal import System

/// A font of the system's: its file, and which of the fonts in that file.
struct FontFile: Hashable, Sendable {
  /// The path's bytes, with their terminating zero.
  var path: [CChar]
  var index: Int
  var family: String
}

/// The fonts of the system, by fontconfig.
///
/// Reading fontconfig's configuration takes 10 to 40 ms, so a thread does it while the window opens. Questions wait for it.
final class FontCatalog: Sendable {
  /// What is looked for, best first: the fonts of PRODUCT's look.
  static let families = ["Inter", "Noto Sans", "DejaVu Sans"]

  private struct Loaded: @unchecked Sendable {
    var configuration: OpaquePointer?
    var primary: [TextStyle.Weight: FontFile] = [:]
  }
  private let loaded = Monitor<Loaded?>(nil)
  private let thread: Thread

  init() {
    let loaded = loaded
    thread = Thread(name: "fonts") {
      let configuration = FcInitLoadConfigAndFonts()
      var result = Loaded(configuration: configuration)
      for weight in [TextStyle.Weight.regular, .medium, .semibold] {
        result.primary[weight] = Self.primary(weight, configuration)
      }
      loaded.withLock { $0 = result }
    }
  }

  deinit {
    thread.join()
    if let configuration = loaded.withLock({ $0?.configuration }) { FcConfigDestroy(configuration) }
  }

  /// The font for plain text; nil on a system without fonts.
  func primary(_ weight: TextStyle.Weight) -> FontFile? { ready.primary[weight] }

  /// A font that has this letter; nil when there is none.
  ///
  /// About 1 ms.
  func font(for scalar: Unicode.Scalar, _ weight: TextStyle.Weight, inColour: Bool) -> FontFile? {
    guard let letters = FcCharSetCreate() else { return nil }
    defer { FcCharSetDestroy(letters) }
    FcCharSetAddChar(letters, scalar.value)
    return Self.match(family: "sans-serif", weight, ready.configuration) { pattern in
      FcPatternAddCharSet(pattern, FC_CHARSET, letters)
      if inColour { FcPatternAddBool(pattern, FC_COLOR, FcBool(1)) }
    } accepting: { found in
      var has: OpaquePointer?
      guard FcPatternGetCharSet(found, FC_CHARSET, 0, &has) == FcResultMatch, let has else { return false }
      return FcCharSetHasChar(has, scalar.value) != 0
    }
  }

  private var ready: Loaded { loaded.wait { $0 }! }

  private static func primary(_ weight: TextStyle.Weight, _ configuration: OpaquePointer?) -> FontFile? {
    for family in families {
      if let file = match(family: family, weight, configuration), file.family == family { return file }
    }
    return match(family: "sans-serif", weight, configuration)
  }

  /// What fontconfig takes for the closest font.
  private static func match(
    family: String, _ weight: TextStyle.Weight, _ configuration: OpaquePointer?,
    adding: (OpaquePointer) -> Void = { _ in }, accepting: (OpaquePointer) -> Bool = { _ in true }
  ) -> FontFile? {
    guard let configuration, let pattern = FcPatternCreate() else { return nil }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, family)
    FcPatternAddInteger(pattern, FC_WEIGHT, fontconfigWeight(weight))
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
    adding(pattern)
    FcConfigSubstitute(configuration, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var result = FcResultMatch
    guard let found = FcFontMatch(configuration, pattern, &result) else { return nil }
    defer { FcPatternDestroy(found) }
    guard accepting(found) else { return nil }
    var path: UnsafeMutablePointer<FcChar8>?
    guard FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch, let path else { return nil }
    var index: Int32 = 0
    _ = FcPatternGetInteger(found, FC_INDEX, 0, &index)
    let bytes = UnsafeBufferPointer(start: path, count: length(path)).map { CChar(bitPattern: $0) }
    return FontFile(path: bytes + [0], index: Int(index), family: self.family(of: found, wanted: family))
  }

  private static func length(_ text: UnsafePointer<FcChar8>) -> Int {
    var count = 0
    while text[count] != 0 { count += 1 }
    return count
  }

  /// The wanted name if the font has it among its names, else its first.
  private static func family(of pattern: OpaquePointer, wanted: String) -> String {
    var names: [String] = []
    var name: UnsafeMutablePointer<FcChar8>?
    while FcPatternGetString(pattern, FC_FAMILY, Int32(names.count), &name) == FcResultMatch, let found = name {
      names.append(String(cString: found))
    }
    return names.contains(wanted) ? wanted : names.first ?? ""
  }

  private static func fontconfigWeight(_ weight: TextStyle.Weight) -> Int32 {
    switch weight {
    case .regular: FC_WEIGHT_REGULAR
    case .medium: FC_WEIGHT_MEDIUM
    case .semibold: FC_WEIGHT_DEMIBOLD
    }
  }
}
