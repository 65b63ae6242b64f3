/// How rows and fields are told apart in a file. The one place that knows; whoever cuts chunks and whoever parses them
/// must agree on where a row ends.
struct TableSyntax: Sendable {
  /// The byte between two fields; nil when a line is one field.
  var separator: UInt8?
  /// Whether a field that begins with `"` runs to the closing one, line ends included (RFC 4180).
  var hasQuotes: Bool
  /// Which lines are comments.
  var comments: CommentRule
  /// What ends a line.
  var lineEnd: LineEnd

  /// The syntax of a format; `fieldSeparator` is for `.csv` alone.
  init(_ format: SourceFormat, fieldSeparator: FieldSeparator, lineEnd: LineEnd) {
    self.lineEnd = lineEnd
    switch format {
    case .tsv: (separator, hasQuotes, comments) = (Byte.tab, false, .none)
    case .csv: (separator, hasQuotes, comments) = (fieldSeparator.byte, true, .none)
    case .patterns: (separator, hasQuotes, comments) = (nil, false, .hashAndBlank)
    default: (separator, hasQuotes, comments) = (nil, false, .hash)
    }
  }
}

extension TableSyntax {
  /// The end (behind the line end) of the last row that ends within `bytes`, which begin with a row; nil when none does.
  func lastRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard hasQuotes else {
      return bytes.lastIndex(of: lineEnd.byte).map { $0 + 1 }
    }
    return lastUnquotedRowEnd(in: bytes)
  }

  /// The end of the first row in `bytes`; nil when it does not end there.
  func firstRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = 0
    while position < bytes.count {
      guard let end = ByteSearch.first(lineEnd.byte, in: bytes, from: position) else { return nil }
      guard hasQuotes, let close = quotedFieldEnd(in: bytes, from: position, before: end) else { return end + 1 }
      guard close < bytes.count else { return nil }
      position = close
    }
    return nil
  }

  /// Hops from quote to quote; between two quoted fields, only the last line end before the next one matters.
  private func lastUnquotedRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    var last: Int?
    var position = 0
    while position < bytes.count {
      let opening = nextOpeningQuote(in: bytes, from: position)
      if let end = bytes[position..<(opening ?? bytes.count)].lastIndex(of: lineEnd.byte) { last = end + 1 }
      guard let opening else { break }
      guard let close = Self.closingQuote(in: bytes, from: opening + 1) else { break }
      position = close + 1
    }
    return last
  }

  /// The position behind the first quoted field that begins in `from..<before`; nil when none begins there.
  private func quotedFieldEnd(in bytes: UnsafeRawBufferPointer, from: Int, before: Int) -> Int? {
    guard let opening = nextOpeningQuote(in: bytes, from: from), opening < before else { return nil }
    guard let close = Self.closingQuote(in: bytes, from: opening + 1) else { return bytes.count }
    return close + 1
  }

  /// The first quote at or behind `from` that begins a field: at the start of the bytes, behind a separator or behind a
  /// line end. All other quotes are text.
  private func nextOpeningQuote(in bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
    var position = from
    while let quote = ByteSearch.first(Byte.quote, in: bytes, from: position) {
      if quote == 0 || bytes[quote - 1] == separator || bytes[quote - 1] == lineEnd.byte { return quote }
      position = quote + 1
    }
    return nil
  }

  /// The quote that closes a field whose text begins at `from`: the first one that is not doubled.
  static func closingQuote(in bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
    var position = from
    while let quote = ByteSearch.first(Byte.quote, in: bytes, from: position) {
      if quote + 1 < bytes.count, bytes[quote + 1] == Byte.quote {
        position = quote + 2
      } else {
        return quote
      }
    }
    return nil
  }
}
