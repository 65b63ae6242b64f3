/// Strict RFC 8259 parser: one pass over the bytes, an explicit stack, no recursion.
///
/// Beyond the grammar it refuses duplicate keys, invalid UTF-8, lone surrogates and nesting deeper than the limit, and
/// it accepts a UTF-8 byte order mark at the start. Over 400 lines because the grammar, its mistakes and their hints are
/// one thing, read together.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String?
  private let maximumDepth: Int
  /// Whether the bytes are a part of a text, so that positions in them mean nothing to people.
  private let isPart: Bool
  /// Whether messages name offsets in the bytes; not where their caller does.
  private var namesOffsets = true
  private var position: Int
  private var nodes: [JSONTape.Node] = []
  /// Node indices of the containers that are open, outermost first.
  private var open: [Int] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String?, maximumDepth: Int, isPart: Bool = false) {
    self.bytes = bytes
    self.file = file
    self.maximumDepth = maximumDepth
    self.isPart = isPart
    position = isPart ? 0 : JSONPosition.markLength(bytes)
    nodes.reserveCapacity(min(bytes.count / 16 + 8, 1 << 16))
  }

  /// The nodes of the whole text, or the first error.
  mutating func parse() throws(JSONError) -> [JSONTape.Node] {
    guard bytes.count < Int(UInt32.max) else {
      throw error(at: 0, "expected a text of less than 4 GiB, found \(bytes.count) bytes")
    }
    skipWhitespace()
    repeat {
      try beginValue()
      while try !endValue() {}
    } while !open.isEmpty
    skipWhitespace()
    guard position == bytes.count else {
      throw unexpected("the end of the text after the document")
    }
    return nodes
  }

  /// A part of a text that can be read by itself.
  enum Part {
    case value
    /// A key, a colon and a value.
    case member
  }

  /// The first mistake in the part that begins at `start`, with its offset in `bytes`; what stands behind the part is not
  /// looked at.
  static func firstFault(
    in bytes: UnsafeRawBufferPointer, from start: Int = 0, _ part: Part, maximumDepth: Int, isPart: Bool = true
  ) -> JSONFault? {
    UnsafeRawBufferPointer(rebasing: bytes[start...]).withMemoryRebound(to: UInt8.self) { bytes in
      var parser = JSONParser(bytes, file: nil, maximumDepth: maximumDepth, isPart: isPart)
      parser.namesOffsets = false
      do throws(JSONError) {
        if part == .member { try parser.readKey() }
        repeat {
          try parser.beginValue()
          while try !parser.endValue() {}
        } while !parser.open.isEmpty
        return nil
      } catch {
        return JSONFault(offset: start + error.offset, message: error.message, hint: error.hint)
      }
    }
  }

  // MARK: Structure

  /// Reads a scalar, or opens a container and reads up to its first value.
  private mutating func beginValue() throws(JSONError) {
    while true {
      guard position < bytes.count else { throw unexpected("a value") }
      switch bytes[position] {
      case 0x7B:
        try openContainer(.object)
        if peek() == 0x7D { return closeContainer() }
        try readKey()
      case 0x5B:
        try openContainer(.array)
        if peek() == 0x5D { return closeContainer() }
      case 0x22: return try readString()
      case 0x2D, 0x30...0x39: return try readNumber()
      case 0x74: return try readLiteral("true", .bool)
      case 0x66: return try readLiteral("false", .bool)
      case 0x6E: return try readLiteral("null", .null)
      default: throw unexpected("a value")
      }
    }
  }

  /// Behind a value: true when another value begins here or the document is complete, false when a container ended and
  /// the question stands again for it.
  private mutating func endValue() throws(JSONError) -> Bool {
    guard let container = open.last else { return true }
    nodes[container].count += 1
    let isObject = nodes[container].kind == .object
    skipWhitespace()
    let byte = position < bytes.count ? bytes[position] : 0
    if byte == 0x2C {
      let comma = position
      position += 1
      skipWhitespace()
      if let next = peek(), next == 0x7D || next == 0x5D {
        throw error(
          at: comma, "expected no comma after the last \(isObject ? "member" : "element"), found ','",
          hint: "remove the comma")
      }
      if isObject { try readKey() }
      return true
    }
    guard byte == (isObject ? 0x7D : 0x5D) else { throw unexpected(isObject ? "',' or '}'" : "',' or ']'") }
    closeContainer()
    if isObject { try refuseDuplicateKeys(of: container) }
    return false
  }

  private mutating func openContainer(_ kind: JSONValue.Kind) throws(JSONError) {
    guard open.count < maximumDepth else {
      throw error(at: position, "expected at most \(maximumDepth) levels of nesting, found more")
    }
    open.append(nodes.count)
    nodes.append(JSONTape.Node(start: UInt32(position), kind: kind))
    position += 1
    skipWhitespace()
  }

  private mutating func closeContainer() {
    position += 1
    guard let container = open.popLast() else { return }
    nodes[container].end = UInt32(position)
    nodes[container].next = UInt32(nodes.count)
  }

  private mutating func readKey() throws(JSONError) {
    guard peek() == 0x22 else { throw unexpected("a key in double quotes") }
    try readString()
    skipWhitespace()
    guard peek() == 0x3A else { throw unexpected("':' after the key") }
    position += 1
    skipWhitespace()
  }

  /// Keys are compared by code points with escapes resolved. Costs O(n log n) for n members, so that no chosen keys can
  /// make a large object slow.
  private func refuseDuplicateKeys(of container: Int) throws(JSONError) {
    let count = Int(nodes[container].count)
    guard count > 1 else { return }
    var keys: [Int] = []
    keys.reserveCapacity(count)
    var index = container + 1
    for _ in 0..<count {
      keys.append(index)
      index = Int(nodes[index + 1].next)
    }
    var duplicate: (first: Int, second: Int)?
    if count <= 8 {
      for (place, key) in keys.enumerated() where duplicate == nil {
        if let first = keys[..<place].first(where: { compareKeys($0, key) == 0 }) { duplicate = (first, key) }
      }
    } else {
      keys.sort {
        let order = compareKeys($0, $1)
        return order == 0 ? $0 < $1 : order < 0
      }
      for (first, second) in zip(keys, keys.dropFirst()) where compareKeys(first, second) == 0 {
        if duplicate.map({ second < $0.second }) ?? true { duplicate = (first, second) }
      }
    }
    guard let duplicate else { return }
    let key = String(decoding: content(of: duplicate.second), as: UTF8.self)
    let earlier = JSONPosition(offset: Int(nodes[duplicate.first].start), in: bytes)
    throw error(
      at: Int(nodes[duplicate.second].start),
      "expected each key once, found \(JSONExcerpt.quoted(key)) again" + (isPart ? "" : " (first at \(earlier))"))
  }

  /// Negative, zero or positive as the bytes of one key come before, equal or follow those of the other.
  private func compareKeys(_ left: Int, _ right: Int) -> Int {
    if nodes[left].count == 0 && nodes[right].count == 0 {
      let a = raw(of: left)
      let b = raw(of: right)
      for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
      return a.count - b.count
    }
    let a = content(of: left)
    let b = content(of: right)
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count - b.count
  }

  private func raw(of string: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    bytes[Int(nodes[string].start) + 1..<Int(nodes[string].end) - 1]
  }

  private func content(of string: Int) -> [UInt8] {
    let raw = Array(raw(of: string))
    return nodes[string].count == 0 ? raw : JSONEscapes.resolve(raw[...])
  }

  // MARK: Scalars

  private mutating func readLiteral(_ literal: StaticString, _ kind: JSONValue.Kind) throws(JSONError) {
    let end = position + literal.utf8CodeUnitCount
    guard end <= bytes.count,
      UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount).elementsEqual(
        bytes[position..<end]),
      end == bytes.count || !Self.isWordByte(bytes[end])
    else { throw unexpected("a value") }
    appendScalar(kind, to: end)
  }

  private mutating func readNumber() throws(JSONError) {
    var index = position
    if bytes[index] == 0x2D { index += 1 }
    guard let first = byte(at: index), isDigit(first) else {
      throw error(at: position, "expected a digit after '-', found \(JSONExcerpt.found(at: index, in: bytes))")
    }
    index += 1
    if first == 0x30 {
      if let next = byte(at: index), isDigit(next) {
        throw error(
          at: position, "expected a number without leading zeros, found \(JSONExcerpt.found(at: position, in: bytes))",
          hint: "put digits that are a name, such as a phone number, in double quotes")
      }
    } else {
      while let next = byte(at: index), isDigit(next) { index += 1 }
    }
    if byte(at: index) == 0x2E { index = try readDigits(at: index + 1, after: "'.'") }
    if let next = byte(at: index), next == 0x65 || next == 0x45 {
      let sign = byte(at: index + 1)
      index = try readDigits(at: index + (sign == 0x2B || sign == 0x2D ? 2 : 1), after: "the exponent mark")
    }
    if let next = byte(at: index), Self.isWordByte(next) {
      throw error(at: position, "expected a number, found \(JSONExcerpt.found(at: position, in: bytes))")
    }
    appendScalar(.number, to: index)
  }

  private func readDigits(at start: Int, after what: String) throws(JSONError) -> Int {
    var index = start
    while let next = byte(at: index), isDigit(next) { index += 1 }
    guard index > start else {
      throw error(at: position, "expected a digit after \(what), found \(JSONExcerpt.found(at: index, in: bytes))")
    }
    return index
  }

  private mutating func readString() throws(JSONError) {
    let start = position
    var index = start + 1
    var hasEscapes = false
    while true {
      guard index < bytes.count else {
        throw error(
          at: start, "expected '\"' at the end of the string, found the end of the text",
          hint: "the text may have been cut off")
      }
      let byte = bytes[index]
      if byte == 0x22 { break }
      if byte == 0x5C {
        hasEscapes = true
        index = try readEscape(at: index)
      } else if byte < 0x20 {
        throw controlCharacter(byte, at: index)
      } else if byte < 0x80 {
        index += 1
      } else {
        let length = UTF8Validation.sequenceLength(in: bytes, at: index)
        guard length > 0 else { throw invalidUTF8(at: index) }
        index += length
      }
    }
    appendScalar(.string, to: index + 1)
    nodes[nodes.count - 1].count = hasEscapes ? 1 : 0
  }

  /// Checks the escape at `start` and returns the offset behind it; a surrogate pair is one escape.
  private func readEscape(at start: Int) throws(JSONError) -> Int {
    guard let letter = byte(at: start + 1) else { return start + 1 }
    guard letter == 0x75 else {
      guard JSONEscapes.simple(letter) != nil else {
        throw error(
          at: start,
          "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found \(JSONExcerpt.found(at: start, in: bytes))",
          hint: "write a backslash as \\\\")
      }
      return start + 2
    }
    let unit = try readUnit(at: start)
    if unit & 0xF800 != 0xD800 { return start + 6 }
    let begins = unit & 0xFC00 == 0xD800 && byte(at: start + 6) == 0x5C && byte(at: start + 7) == 0x75
    guard begins, try readUnit(at: start + 6) & 0xFC00 == 0xDC00 else {
      throw error(
        at: start, "expected a pair of surrogates, found half of one in \(JSONExcerpt.found(at: start, in: bytes))")
    }
    return start + 12
  }

  private func readUnit(at start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for index in start + 2..<start + 6 {
      guard let digit = byte(at: index).flatMap(JSONEscapes.hexadecimal) else {
        throw error(
          at: start, "expected four hexadecimal digits after \\u, found \(JSONExcerpt.found(at: start, in: bytes))")
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  private mutating func appendScalar(_ kind: JSONValue.Kind, to end: Int) {
    nodes.append(
      JSONTape.Node(start: UInt32(position), end: UInt32(end), next: UInt32(nodes.count + 1), kind: kind))
    position = end
  }

  // MARK: Bytes

  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private func peek() -> UInt8? { byte(at: position) }

  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
      || byte == 0x2B || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  // MARK: Errors

  private func error(at offset: Int, _ message: String, hint: String? = nil) -> JSONError {
    JSONError(file: file, at: JSONPosition(offset: offset, in: bytes), message: message, hint: hint)
  }

  private func controlCharacter(_ byte: UInt8, at offset: Int) -> JSONError {
    let expectation = "expected no control character in a string"
    let number = JSONExcerpt.hexadecimal(byte)
    if byte == 0x0A || byte == 0x0D {
      return error(
        at: offset, "\(expectation), found the end of the line", hint: "close the string with '\"', or write \\n")
    }
    return error(at: offset, "\(expectation), found byte 0x\(number)", hint: "write it as \\u00\(number)")
  }

  private func invalidUTF8(at offset: Int) -> JSONError {
    error(
      at: offset,
      "expected UTF-8, found the invalid byte 0x\(JSONExcerpt.hexadecimal(bytes[offset]))"
        + (namesOffsets ? " at offset \(offset)" : ""), hint: JSONFault.encodingHint)
  }

  /// The error for what stands at the current position, with a hint where the mistake is a well-known one.
  private func unexpected(_ expectation: String) -> JSONError {
    if position < bytes.count, bytes[position] >= 0x80 {
      if bytes.count >= 2, position == 0, [[0xFF, 0xFE], [0xFE, 0xFF]].contains([bytes[0], bytes[1]]) {
        return error(
          at: 0, "expected UTF-8, found a UTF-16 byte order mark" + (namesOffsets ? " at offset 0" : ""),
          hint: JSONFault.encodingHint)
      }
      if UTF8Validation.sequenceLength(in: bytes, at: position) == 0 { return invalidUTF8(at: position) }
    }
    return error(
      at: position, "expected \(expectation), found \(JSONExcerpt.found(at: position, in: bytes))", hint: hint())
  }

  private func hint() -> String? {
    guard position < bytes.count else {
      guard let container = open.last else { return bytes.isEmpty ? "the text is empty" : nil }
      let kind = nodes[container].kind == .object ? "object" : "array"
      let begin = isPart ? "" : " begun at \(JSONPosition(offset: Int(nodes[container].start), in: bytes))"
      return "the \(kind)\(begin) is not closed; the text may have been cut off"
    }
    let rest = String(decoding: bytes[position..<min(position + 8, bytes.count)], as: UTF8.self)
    if rest.hasPrefix("//") || rest.hasPrefix("/*") || rest.hasPrefix("#") {
      return "JSON has no comments; use a \"comment\" key"
    }
    if let first = rest.first, "'`“”„«‘’".contains(first) { return "use straight double quotes" }
    for (wrong, right) in [("True", "true"), ("False", "false"), ("None", "null"), ("nil", "null"), ("NaN", "null")]
    where rest.hasPrefix(wrong) {
      return "write \(right)"
    }
    if open.isEmpty, nodes.isEmpty, let brace = bytes[position...].firstIndex(where: { $0 == 0x7B || $0 == 0x5B }) {
      return "remove what stands before '\(Unicode.Scalar(bytes[brace]))'"
    }
    if rest.hasPrefix("\"") || rest.hasPrefix("{") || rest.hasPrefix("["), !open.isEmpty {
      return "is a comma missing?"
    }
    return nil
  }
}
