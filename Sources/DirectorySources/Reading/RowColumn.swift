/// Tells on which character of its line a row begins, for formats whose rows may share a line. Rows are asked about in
/// ascending order, so that a chunk is counted once at most, whatever the number of its rows.
struct RowColumn {
  private var counted = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
  private var characters = 0
  private var lineEnd: LineEnd?

  /// The rows that come next lie in `chunk`, whose bytes begin at `base`.
  mutating func begin(_ syntax: RowSyntax, at base: UnsafeRawPointer) {
    counted = base
    characters = 0
    lineEnd = if case .json(let rows) = syntax { rows.lineEnd } else { nil }
  }

  /// The characters before `row` on its line, as far as they lie in the chunk; nil in formats whose rows are lines. Each
  /// call costs the bytes since the last one.
  mutating func characters(before row: UnsafeRawBufferPointer) -> Int? {
    guard let lineEnd, let address = row.baseAddress, address >= counted else { return nil }
    let extent = TextExtent(UnsafeRawBufferPointer(start: counted, count: address - counted), lineEnd: lineEnd)
    characters = extent.charactersOnLastLine + (extent.lines > 0 ? 0 : characters)
    counted = address
    return characters
  }
}
