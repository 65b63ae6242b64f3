internal import CallDirectory

/// The rows of one number merged, per family, after the cuts of `allow` and `remove`.
struct MergedNumber {
  /// What one family of the number comes to.
  struct Family {
    /// Rows that contribute an entry to the family.
    var rows = 0
    /// Clauses whose area key holds for one of the rows.
    var areas = ClauseSet.none
    /// Clauses whose source key holds for one of the rows.
    var sources = ClauseSet.none
  }

  var blocking = Family()
  var identification = Family()
  /// Index of the first identification row that has a label, or nil.
  var labelRow: Int?
  /// Whether a row asks to cut the number out of every block.
  var isAllowed = false
  /// Whether a row asks to cut the number out altogether.
  var isRemoved = false

  /// Merges `rows`, which all are of one number and in the order of `SourceRow`. O(rows), no allocation.
  @inline(__always)
  init(_ rows: UnsafeBufferPointer<SourceRow>, _ matcher: borrowing ClaimMatcher) {
    for index in rows.indices {
      let row = rows[index]
      switch row.action {
      case .identify: identify(row, index, matcher)
      case .block: block(row, matcher)
      case .both:
        identify(row, index, matcher)
        block(row, matcher)
      case .allow: isAllowed = true
      case .remove: isRemoved = true
      }
    }
  }

  /// Whether the blocking family keeps its entry.
  var isBlocked: Bool { blocking.rows > 0 && !isAllowed && !isRemoved }

  /// Whether the identification family keeps its entry.
  var isIdentified: Bool { labelRow != nil && !isRemoved }

  /// Whether rows identify the number and none has a label: all of them are refused (B-133).
  var isUnlabelled: Bool { labelRow == nil && identification.rows > 0 && !isRemoved }

  @inline(__always)
  private mutating func identify(_ row: SourceRow, _ index: Int, _ matcher: borrowing ClaimMatcher) {
    identification.rows += 1
    identification.areas.formUnion(matcher.areas[Int(row.area.rawValue)])
    identification.sources.formUnion(matcher.sources[row.source])
    if labelRow == nil, !row.label.isEmpty { labelRow = index }
  }

  @inline(__always)
  private mutating func block(_ row: SourceRow, _ matcher: borrowing ClaimMatcher) {
    blocking.rows += 1
    blocking.areas.formUnion(matcher.areas[Int(row.area.rawValue)])
    blocking.sources.formUnion(matcher.sources[row.source])
  }
}
