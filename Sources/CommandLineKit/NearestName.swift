/// The known word closest to a mistyped one.
public enum NearestName {
  /// The first of `names` with the least edit distance (insert, delete, replace, swap neighbours), or nil when even
  /// that one differs in more than a third of its letters (at least one, at most three). O(names × length²).
  public static func of(_ word: String, among names: [String]) -> String? {
    let typed = Array(word.utf8)
    guard typed.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let known = Array(name.utf8)
      let allowed = min(3, max(1, known.count / 3))
      guard known.count <= 64, abs(known.count - typed.count) <= allowed else { continue }
      let distance = distance(typed, known)
      if distance <= allowed, distance < best?.distance ?? Int.max { best = (name, distance) }
    }
    return best?.name
  }

  /// The optimal string alignment distance.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1], row[j]) + 1
        cost = min(cost, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
