/// The known name that a mistyped one most likely meant.
enum NearestName {
  /// The name in `names` with the fewest edits to `text`, the first of several; nil when every name differs in more than
  /// a third of its characters. O(names × length²).
  static func of(_ text: String, in names: [String]) -> String? {
    let wanted = Array(text.lowercased())
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(wanted, Array(name.lowercased()))
      if distance <= max(1, max(wanted.count, name.count) / 3), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// Levenshtein distance.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (left == right ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
