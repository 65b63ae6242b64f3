internal import CallDirectory
internal import PhoneNumbering
internal import SystemSupport

/// What a row says of all its numbers.
struct RowCommon {
  /// Which optional parts there are, for `RowRecord`.
  var flags: UInt64 = 0
  var score = 0.0
  var area: UInt32 = 0
  var label = UnsafeRawBufferPointer(start: nil, count: 0)
}

// MARK: Cells

// What is called for each row is `mutating`, even where it changes nothing: a call that borrows would be given a copy of
// the whole structure.
extension RowIntake {
  /// The position of the numbers, for reports.
  var numberField: Int { columns.number }

  /// Score, label and area of a row, in this order, so that a row with several faults is refused for the first of them.
  /// Nil when the row is refused, with all of its `weight` occurrences that are left.
  @inline(__always)
  mutating func common(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, weight: Int, line: Int
  ) throws(ReadingFailure) -> RowCommon? {
    let layout = columns
    var common = RowCommon()
    if layout.score >= 0, layout.score < count {
      let cell = LabelText.trimmed(try text(of: fields[layout.score], in: cellScratch))
      if !cell.isEmpty {
        guard let value = ScoreText.value(of: cell) else {
          counts[source].refusedRows += 1
          try refuse(
            .scoreNotANumber, weight: weight, field: layout.score, raw: fields[layout.score].bytes, line: line)
          return nil
        }
        common.score = value
        common.flags |= RowRecord.scoreFlag
      }
    }

    var controls: Int?
    if layout.label >= 0, layout.label < count {
      common.label = LabelText.trimmed(try text(of: fields[layout.label], in: labelScratch))
      let condition = LabelText.condition(of: common.label)
      if condition != .clean {
        common.label = try cleaned(common.label, condition, field: fields[layout.label], line: line)
        controls = layout.label
      }
    } else if plan.hasTemplate {
      (common.label, controls) = try templateLabel(fields, count: count, line: line)
      if controls != nil { common.label = try cleaned(common.label) }
    }
    let isCut = common.label.count > plan.maxLabelBytes
    if isCut { common.label = try cut(common.label) }

    if layout.area >= 0, layout.area < count {
      let cell = LabelText.trimmed(try text(of: fields[layout.area], in: cellScratch))
      if !cell.isEmpty {
        common.area =
          plan.hasAreaMap
          ? try mappedAreaNumber(cell, field: fields[layout.area], line: line)
          : try areaNumber(cell, field: fields[layout.area], line: line)
        common.flags |= RowRecord.areaFlag
      }
    }
    if let controls { note(.labelControlCharacters, field: controls, raw: fields[controls].bytes, line: line) }
    if isCut { noteCut(fields, count: count, line: line) }
    return common
  }

  /// The action of a row, and whether its cell says something else than the plan lists.
  @inline(__always)
  mutating func action(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, line: Int
  ) throws(ReadingFailure) -> (EntryAction, isUnlisted: Bool) {
    guard columns.action >= 0, columns.action < count else { return (plan.action, false) }
    return try action(of: fields[columns.action], line: line)
  }

  /// The action a cell stands for: listed cells have theirs, all others identify. One that says something else is to be
  /// noted, since it may be a listed one misspelt.
  mutating func action(
    of field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> (action: EntryAction, isUnlisted: Bool) {
    let cell = LabelText.trimmed(try text(of: field, in: cellScratch))
    for listed in plan.cases where listed.text.count == cell.count {
      if listed.text.withUnsafeBytes({ ByteSearch.isEqual($0, cell) }) { return (listed.action, false) }
    }
    if case .invalid(let offset) = LabelText.condition(of: cell) {
      throw invalidText(field, offset: offset, column: columns.action, line: line)
    }
    return (plan.action, !cell.isEmpty)
  }

  /// The text of a field; a quoted one with doubled quotes is written to `scratch` without them.
  @inline(__always)
  mutating func text(of field: FieldSpan, in scratch: ChunkBuffer) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    field.isEscaped ? try unescaped(field, in: scratch) : field.bytes
  }

  @inline(never)
  mutating func unescaped(_ field: FieldSpan, in scratch: ChunkBuffer) throws(ReadingFailure) -> UnsafeRawBufferPointer
  {
    let bytes = field.bytes
    let target = try room(bytes.count, in: scratch)
    var written = 0
    var index = 0
    while index < bytes.count {
      target[written] = bytes[index]
      written += 1
      index += bytes[index] == Byte.quote && index + 1 < bytes.count && bytes[index + 1] == Byte.quote ? 2 : 1
    }
    return UnsafeRawBufferPointer(rebasing: target[..<written])
  }

  @inline(never)
  mutating func cleaned(
    _ label: UnsafeRawBufferPointer, _ condition: TextCondition, field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    if case .invalid(let offset) = condition {
      throw invalidText(field, offset: offset, column: columns.label, line: line)
    }
    return try cleaned(label)
  }

  @inline(never)
  mutating func cleaned(_ label: UnsafeRawBufferPointer) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    let target = try room(label.count, in: cleanScratch)
    let written = LabelText.writeCleaned(label, to: target)
    return UnsafeRawBufferPointer(rebasing: target[..<written])
  }

  /// A label that is longer than the source's labels may be, cut. It may stand in the scratch memory that the result is
  /// written to: there is room for it then.
  @inline(never)
  mutating func cut(_ label: UnsafeRawBufferPointer) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    let target = try room(plan.maxLabelBytes, in: cleanScratch)
    let written = LabelText.writeCut(label, limit: plan.maxLabelBytes, to: target)
    return UnsafeRawBufferPointer(rebasing: target[..<written])
  }

  /// The number of the area that the source's map puts in the place of `cell`; of the cell itself, noted, where it lists
  /// none.
  @inline(never)
  mutating func mappedAreaNumber(
    _ cell: UnsafeRawBufferPointer, field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> UInt32 {
    guard let map = plan.areaMap else { return try areaNumber(cell, field: field, line: line) }
    var isListed = false
    let mapped = map.withArea(of: cell) { area -> UInt32? in
      guard let area else { return nil }
      isListed = true
      return areas.known(area) ?? areas.number(of: area)
    }
    if let mapped { return mapped }
    if isListed { throw tooManyAreas(line: line) }
    let number = try areaNumber(cell, field: field, line: line)
    note(.areaNotInMap, field: columns.area, raw: field.bytes, line: line)
    return number
  }

  mutating func areaNumber(
    _ cell: UnsafeRawBufferPointer, field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> UInt32 {
    if let known = areas.known(cell) { return known }
    if case .invalid(let offset) = LabelText.condition(of: cell) {
      throw invalidText(field, offset: offset, column: columns.area, line: line)
    }
    guard let number = areas.number(of: cell) else { throw tooManyAreas(line: line) }
    return number
  }

  func room(_ count: Int, in scratch: ChunkBuffer) throws(ReadingFailure) -> UnsafeMutableRawBufferPointer {
    do {
      try scratch.reserve(count)
      return scratch.bytes
    } catch {
      throw ReadingFailure(
        chunk: chunk.index, line: 0, error: SourceError(.io, "cannot \(error.operation): \(error.reason)"))
    }
  }
}
