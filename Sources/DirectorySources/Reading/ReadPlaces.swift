/// What is known of chunks and files when all has been read.
struct ReadPlaces {
  /// The chunks, with the numbers of their first lines.
  var chunks: [ChunkPlace]
  /// Bytes, lines and rows of each file.
  var bytes: [Int]
  var lines: [Int]
  var rows: [Int]
  /// The layout of each file; nil of one that was not begun.
  var layouts: [FileLayout?]
  /// What separates the fields of each file, where that was found out.
  var separators: [FieldSeparator?]
}
