import CSDL2TTF
package import Scene
internal import System

/// Letters of the system's fonts, laid out and drawn at the window's scale.
///
/// Main thread. Fontconfig starts on a thread of its own when this is made; the first text waits for it. Runs of letters are
/// drawn once and kept, 8 MB at most. Without any font everything else is drawn and `problem` says so.
package final class Fonts {
  private struct FaceKey: Hashable {
    var file: FontFile
    /// In 64ths of a device pixel.
    var size: Int
  }
  private struct RunKey: Hashable {
    var face: ObjectIdentifier
    var text: String
    var script: Script?
    var phase: Int
  }
  private struct LineKey: Hashable {
    var text: String
    var style: TextStyle
  }
  /// A letter's font: the primary one, another, or none that has it.
  private enum Home {
    case primary
    case fallback(FontFile, isColoured: Bool)
    case nowhere
  }

  private let catalog = FontCatalog()
  private var hasLibrary: Bool?
  private var faces: [FaceKey: Face] = [:]
  private var homes: [Character: Home] = [:]
  private var fallbacks: [FontFile] = []
  private var runs = BoundedCache<RunKey, GlyphRun>(limit: 8 << 20)
  private var lines = BoundedCache<LineKey, TextLine>(limit: 2 << 20)
  /// Why text cannot be drawn, as a sentence; known after the first text.
  package private(set) var problem: String?

  /// Device pixels for one logical pixel.
  package var scale: Float = 1 {
    didSet { if scale != oldValue { forgetSizes() } }
  }

  /// SDL_ttf, once started, stays: set lines hold faces, and a face must not outlive it.
  package init() {}

  /// The name of the font for plain text; nil on a system without fonts.
  package var family: String? { catalog.primary(.regular)?.family }

  /// How wide a text is in logical pixels.
  ///
  /// About 0.1 µs for a text that was asked for lately, else 10 to 50 µs.
  package func measure(_ text: String, _ style: TextStyle) -> Float {
    Float(line(text, style).width) / Float(Face.steps) / scale
  }

  private func forgetSizes() {
    lines.removeAll()
    runs.removeAll()
    faces = [:]
  }

  /// The font file at a style's size; nil when it cannot be opened.
  private func face(_ file: FontFile, _ style: TextStyle, isColoured: Bool = false) -> Face? {
    if hasLibrary == nil { hasLibrary = TTF_Init() == 0 }
    guard hasLibrary == true else { return nil }
    let pixels = max(style.size * scale, 1)
    let key = FaceKey(file: file, size: Int(pixels * 64))
    if let face = faces[key] { return face }
    // Sizes are few; more than this means that something else went through them all.
    if faces.count >= 96 { forgetSizes() }
    let face = Face(file, pixels: pixels, isColoured: isColoured)
    faces[key] = face
    return face
  }

  private func primary(_ style: TextStyle) -> Face? {
    guard let file = catalog.primary(style.weight), let face = face(file, style) else {
      problem = "No font was found, so text cannot be shown: install the package fonts-inter or fonts-dejavu-core."
      return nil
    }
    return face
  }
}

// MARK: - layout

extension Fonts {
  /// A text cut into runs of one font each, in the order in which they are drawn.
  func line(_ text: String, _ style: TextStyle) -> TextLine {
    lines.value(LineKey(text: text, style: style), cost: { 200 + text.utf8.count + $0.pieces.count * 96 }) {
      layOut(text, style)
    }
  }

  /// Where a line's baseline lies, in device pixels below the top of its box: the same whatever fonts the line needs.
  func baseline(_ style: TextStyle) -> Int {
    guard let face = primary(style) else { return 0 }
    let box = Int((style.size * 1.2).rounded(.up) * scale)
    return ((box - face.ascent - face.descent) >> 1) + face.ascent
  }

  /// The picture of one piece of a line for a pen that stands `phase` steps right of a pixel's edge.
  func run(_ piece: TextLine.Piece, phase: Int) -> GlyphRun {
    let key = RunKey(face: ObjectIdentifier(piece.face), text: piece.text, script: piece.script, phase: phase)
    return runs.value(key, cost: \.cost) { piece.face.draw(piece.text, piece.script, phase: phase) }
  }

  private func layOut(_ text: String, _ style: TextStyle) -> TextLine {
    guard let primary = primary(style) else { return TextLine(pieces: [], width: 0) }
    var clusters = text.map { cluster($0, primary, style) }
    TextLine.resolveNeutrals(&clusters)
    var pieces = TextLine.pieces(clusters, digitsApart: style.isTabular)
    TextLine.reorder(&pieces)
    let cell = style.isTabular ? digitCell(primary) : 0
    var x = 0
    for i in pieces.indices {
      let width = pieces[i].face.width(pieces[i].text, pieces[i].script)
      if pieces[i].isDigit {
        pieces[i].x = x + (cell - width) / 2
        x += cell
      } else {
        pieces[i].x = x
        x += width
      }
    }
    return TextLine(pieces: pieces, width: x)
  }

  /// The width of the widest digit, in steps.
  private func digitCell(_ face: Face) -> Int { "0123456789".map { face.width(String($0), nil) }.max() ?? 0 }

  /// A letter with its marks, in the font that has it.
  private func cluster(_ character: Character, _ primary: Face, _ style: TextStyle) -> TextLine.Cluster {
    let script = character.unicodeScalars.lazy.compactMap { Script($0) }.first
    if character.isASCII {
      let shown = character.unicodeScalars.first!.value < 0x20 ? " " : String(character)
      return TextLine.Cluster(text: shown, face: primary, script: script)
    }
    switch home(character, primary, style) {
    case .primary: return TextLine.Cluster(text: String(character), face: primary, script: script)
    case .fallback(let file, let isColoured):
      if let face = face(file, style, isColoured: isColoured) {
        return TextLine.Cluster(text: String(character), face: face, script: script)
      }
    case .nowhere: break
    }
    return TextLine.Cluster(text: primary.has("\u{FFFD}") ? "\u{FFFD}" : "?", face: primary, script: nil)
  }

  private func home(_ character: Character, _ primary: Face, _ style: TextStyle) -> Home {
    if let home = homes[character] { return home }
    // A folder of unusual names must not fill the memory.
    if homes.count > 8192 { homes = [:] }
    let home = findHome(character, primary, style)
    homes[character] = home
    return home
  }

  private func findHome(_ character: Character, _ primary: Face, _ style: TextStyle) -> Home {
    let scalars = character.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    guard let first = scalars.first else { return .primary }
    let isEmoji = first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
    if isEmoji, let file = catalog.font(for: first, style.weight, inColour: true), file.family.contains("Emoji") {
      return .fallback(file, isColoured: true)
    }
    if scalars.allSatisfy(primary.has) { return .primary }
    // Those already in use come first, so that a line keeps to few fonts.
    for file in fallbacks {
      if let face = face(file, style), scalars.allSatisfy(face.has) { return .fallback(file, isColoured: false) }
    }
    let missing = scalars.first { !primary.has($0) } ?? first
    guard let file = catalog.font(for: missing, style.weight, inColour: false) else { return .nowhere }
    if !fallbacks.contains(file) { fallbacks.append(file) }
    return .fallback(file, isColoured: false)
  }
}
