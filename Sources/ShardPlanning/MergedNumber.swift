internal import CallDirectory

extension EntryAction {
  var isIdentifying: Bool { self == .identify || self == .both }
  var isBlocking: Bool { self == .block || self == .both }
}

/// The rows of one number merged, per family, after the cuts of `allow` and `remove`.
struct MergedNumber {
  /// What one family of the number comes to.
  struct Family {
    /// Rows that contribute an entry to the family.
    var rows = 0
    /// Area and source of the first of them.
    var area = AreaID(rawValue: 0)
    var source = 0
    /// Whether all of them have that area and that source.
    var isUniform = true

    @inline(__always)
    mutating func add(_ row: SourceRow) {
      if rows == 0 {
        area = row.area
        source = row.source
      } else if row.area != area || row.source != source {
        isUniform = false
      }
      rows += 1
    }
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
  init(_ rows: UnsafeBufferPointer<SourceRow>) {
    for index in rows.indices {
      let row = rows[index]
      switch row.action {
      case .identify: identify(row, index)
      case .block: blocking.add(row)
      case .both:
        identify(row, index)
        blocking.add(row)
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
  private mutating func identify(_ row: SourceRow, _ index: Int) {
    identification.add(row)
    if labelRow == nil, !row.label.isEmpty { labelRow = index }
  }
}
