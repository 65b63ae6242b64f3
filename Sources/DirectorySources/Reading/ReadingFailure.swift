/// What stops a run, with its place in the order of rows: of several, the first one counts, whichever thread met it
/// first.
struct ReadingFailure: Error {
  /// The chunk it was met in, or would have been.
  var chunk: UInt32
  /// The line within the chunk, from 0.
  var line: Int
  /// The error; its line number is filled in when the lines before the chunk are known.
  var error: SourceError
  /// Whether the error is about a line of the chunk.
  var isAtLine = false
  /// Whether `error.column` counts characters from the start of the line, or of the chunk on its first line.
  var countsCharacters = false

  /// Whether this one comes before `other`.
  func isBefore(_ other: ReadingFailure) -> Bool { (chunk, line) < (other.chunk, other.line) }

  /// The error with the number of its line.
  func located(in chunks: [ChunkPlace]) -> SourceError {
    guard isAtLine, Int(chunk) < chunks.count else { return error }
    var error = error
    error.line = chunks[Int(chunk)].firstLine + line
    if countsCharacters, line == 0 { error.column = error.column.map { $0 + chunks[Int(chunk)].firstColumn - 1 } }
    return error
  }
}
