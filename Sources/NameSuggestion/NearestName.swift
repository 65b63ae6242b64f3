/// Which of some known names a mistyped one was probably meant to be.
public enum NearestName {
  /// The name nearest to `text`, the first of equals; nil when none is near: further than a third of its length, at
  /// least one edit. Case does not count; a swap of neighbours is one edit (optimal string alignment).
  ///
  /// Costs O(k·l²) for k names of length l: for messages.
  public static func find(_ text: String, among names: some Sequence<String>) -> String? {
    let wanted = folded(text)
    guard wanted.count <= 256 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = folded(name)
      let allowed = max(1, max(wanted.count, candidate.count) / 3)
      guard candidate.count <= 256, abs(candidate.count - wanted.count) <= allowed else { continue }
      let distance = distance(wanted, candidate)
      if distance <= allowed, distance < best?.distance ?? Int.max { best = (name, distance) }
    }
    return best?.name
  }

  private static func folded(_ text: String) -> [Unicode.Scalar] { Array(text.lowercased().unicodeScalars) }

  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (scalar == other ? 0 : 1))
        if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
