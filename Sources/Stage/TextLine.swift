/// A line of text ready to be drawn: runs of one font each, from left to right.
struct TextLine {
  struct Piece {
    var text: String
    var face: Face
    var script: Script?
    /// A digit that stands alone in a cell.
    var isDigit: Bool
    /// Where the pen starts, in steps (`Face.steps`) from the left edge of the line.
    var x = 0
  }

  /// A letter with its marks.
  struct Cluster {
    var text: String
    var face: Face
    /// Nil for what is neutral: signs, digits, spaces.
    var script: Script?
  }

  var pieces: [Piece]
  /// In steps.
  var width: Int

  /// Gives signs and spaces the script of their neighbours: between two letters that run from right to left they run so
  /// too, else they go with the letter before.
  ///
  /// The parts of the Unicode bidirectional algorithm (UAX 9, rules N1 and N2) that a line of a name needs.
  static func resolveNeutrals(_ clusters: inout [Cluster]) {
    var before: Script?
    var i = 0
    while i < clusters.count {
      if let script = clusters[i].script {
        before = script
        i += 1
        continue
      }
      var end = i
      while end < clusters.count, clusters[end].script == nil { end += 1 }
      let after = end < clusters.count ? clusters[end].script : nil
      let hasDigit = clusters[i..<end].contains { $0.text.first?.isNumber == true }
      var script = before?.isRightToLeft == true && (after?.isRightToLeft != true || hasDigit) ? nil : before
      if script == nil, before == nil, after?.isRightToLeft == false { script = after }
      for place in i..<end { clusters[place].script = script }
      i = end
    }
  }

  /// Joins neighbours of the same font and script; digits stay alone where they are to stand in cells.
  static func pieces(_ clusters: [Cluster], digitsApart: Bool) -> [Piece] {
    var pieces: [Piece] = []
    for cluster in clusters {
      let isDigit = digitsApart && cluster.text.utf8.count == 1 && cluster.text.first!.isNumber
      if !isDigit, let last = pieces.last, !last.isDigit, last.face === cluster.face, last.script == cluster.script {
        pieces[pieces.count - 1].text += cluster.text
      } else {
        pieces.append(Piece(text: cluster.text, face: cluster.face, script: cluster.script, isDigit: isDigit))
      }
    }
    return pieces
  }

  /// Turns round the order of neighbouring pieces that run from right to left.
  static func reorder(_ pieces: inout [Piece]) {
    var i = 0
    while i < pieces.count {
      var end = i
      while end < pieces.count, pieces[end].script?.isRightToLeft == true { end += 1 }
      if end > i + 1 { pieces[i..<end].reverse() }
      i = max(end, i + 1)
    }
  }
}
