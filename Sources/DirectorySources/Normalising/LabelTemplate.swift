/// A label template as the row loop uses it: a text in front of each column, and one behind the last.
///
/// A text stands only beside columns that are filled: the one between two columns where both are, the one in front of
/// all where the first is, the one behind all where the last is. Where that parts two filled columns, one space is
/// between them. A template without columns is its text.
struct LabelTemplate: Sendable {
  /// For each column, in order, the text between it and the column before.
  let before: [[UInt8]]
  /// The text behind the last column.
  let tail: [UInt8]
  /// The bytes of all texts, with a space for each column.
  let byteCount: Int

  init(_ pieces: [LabelPiece]) {
    var before: [[UInt8]] = []
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let more): text += more
      case .column:
        before.append(Self.cleaned(text))
        text = ""
      }
    }
    self.before = before
    tail = Self.cleaned(text)
    byteCount = before.reduce(tail.count) { $0 + $1.count + 1 }
  }

  private static func cleaned(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
      bytes.withUnsafeBytes { count = LabelText.writeCleaned($0, to: UnsafeMutableRawBufferPointer(target)) }
    }
  }
}

// MARK: Labels of several columns

extension RowIntake {
  /// The label that the source's template gives a row, trimmed, and the first column that has control characters, or
  /// nil. Requires: the source has a template.
  @inline(never)
  mutating func templateLabel(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, line: Int
  ) throws(ReadingFailure) -> (label: UnsafeRawBufferPointer, controls: Int?) {
    guard let template = plan.template else { return (UnsafeRawBufferPointer(start: nil, count: 0), nil) }
    var most = template.byteCount
    for position in templateColumns where position < count { most += fields[position].bytes.count }
    let target = try room(most, in: labelScratch)
    var written = 0
    func write(_ text: [UInt8]) {
      for byte in text {
        target[written] = byte
        written += 1
      }
    }
    var controls: Int?
    var isPreviousFilled = false
    for (index, position) in templateColumns.enumerated() {
      let cell =
        position < count
        ? LabelText.trimmed(try text(of: fields[position], in: cellScratch))
        : UnsafeRawBufferPointer(start: nil, count: 0)
      guard let start = cell.baseAddress, !cell.isEmpty else {
        isPreviousFilled = false
        continue
      }
      switch LabelText.condition(of: cell) {
      case .clean: break
      case .hasControls: controls = controls ?? position
      case .invalid(let offset): throw invalidText(fields[position], offset: offset, column: position, line: line)
      }
      if index == 0 || isPreviousFilled {
        write(template.before[index])
      } else if written > 0 {
        write([Byte.space])
      }
      UnsafeMutableRawBufferPointer(rebasing: target[written...]).baseAddress?.copyMemory(
        from: start, byteCount: cell.count)
      written += cell.count
      isPreviousFilled = true
    }
    if isPreviousFilled || templateColumns.isEmpty { write(template.tail) }
    return (LabelText.trimmed(UnsafeRawBufferPointer(rebasing: target[..<written])), controls)
  }
}
