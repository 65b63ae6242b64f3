/// Warnings counted by kind: bounded however many there are.
struct WarningTally {
  private var byKind: [LoadWarning?] = Array(repeating: nil, count: LoadWarning.Kind.allCases.count)

  mutating func add(
    _ kind: LoadWarning.Kind, count: Int = 1, first: LoadWarning.Position? = nil, detail: String = ""
  ) {
    if byKind[kind.rawValue] == nil {
      byKind[kind.rawValue] = LoadWarning(kind, count: count, first: first, detail: detail)
    } else {
      byKind[kind.rawValue]?.count += count
    }
  }

  /// Ordered by kind.
  var warnings: [LoadWarning] { byKind.compactMap { $0 } }
}
