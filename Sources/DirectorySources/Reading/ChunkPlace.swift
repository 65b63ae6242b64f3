/// Where a chunk of rows comes from. Chunks are numbered in the order source, file, position.
struct ChunkPlace: Sendable {
  /// Position of the source in the plan.
  var source: UInt32
  /// Position of the file among all files.
  var file: UInt32
  /// Offset of the chunk's first byte in the file.
  var offset: Int
  /// Lines in the chunk.
  var lines: Int
  /// The number of its first line, from 1; known when the whole file has been parsed.
  var firstLine: Int
  /// Characters behind the chunk's last line end, for formats whose rows are no lines.
  var charactersOnLastLine = 0
  /// The column of its first character, from 1; known when the whole file has been parsed.
  var firstColumn = 1
}
