internal import NameSuggestion

/// What stands around the rows of a large JSON text: the way through objects to the value that holds them, and what
/// follows behind. Checked as strictly as the rows.
package struct JSONWay: Sendable {
  /// Whether the rows are members of an object rather than elements of an array.
  package let rowsAreMembers: Bool
  /// Offset of the first row: behind the bracket that opens the rows, or of that which closes them.
  package let rowsOffset: Int
  /// Levels of nesting that the rows stand in.
  package var depth: Int { keys.count + 1 }
  /// Keys met on each level on the way, outermost first.
  private let keys: [Set<[UInt8]>]

  /// Finds the rows in the first bytes of a text, which begin at `start`: those that `path` leads to. Nil when more
  /// bytes are needed; `isWhole` says that there are no more. Behind the bytes at least 8 more can be read.
  ///
  /// Throws the first mistake, or what is missing on the way. O(bytes).
  package init?(
    _ bytes: UnsafeRawBufferPointer, from start: Int, isWhole: Bool, path: [String]
  ) throws(JSONFault) {
    do throws(JSONFault) {
      var walk = JSONWalk(bytes, position: start)
      var keys: [Set<[UInt8]>] = []
      for (level, name) in path.enumerated() {
        try walk.open(path: path[..<level], needs: "an object")
        let found = try walk.findMember(name, path: path[..<level], depth: level + 1)
        keys.append(found)
      }
      rowsAreMembers = try walk.open(path: path[...], needs: "an array or an object") == 0x7B
      rowsOffset = walk.position
      self.keys = keys
    } catch {
      if !isWhole, error.mayBeCut(bytes.count) { return nil }
      throw error
    }
  }

  /// Checks what stands behind the rows, from the bracket that closes them on, to the end of the text.
  package func checkRest(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(JSONFault) {
    var walk = JSONWalk(bytes, position: start)
    try walk.close(isObject: rowsAreMembers)
    for (level, known) in keys.enumerated().reversed() {
      var known = known
      while try walk.hasNext(isObject: true) { try walk.skipMember(&known, depth: level + 1) }
      try walk.close(isObject: true)
    }
    try walk.finish()
  }
}

/// Steps over the values around the rows.
private struct JSONWalk {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  init(_ bytes: UnsafeRawBufferPointer, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Enters the container that is to stand here, up to its first value; returns its bracket.
  @discardableResult
  mutating func open(path: ArraySlice<String>, needs: String) throws(JSONFault) -> UInt8 {
    skipBlanks()
    guard position < bytes.count else { throw unexpected(needs) }
    let byte = bytes[position]
    guard byte == 0x7B || byte == 0x5B && needs != "an object" else {
      // A value that is broken is a mistake of the text; one that is right is the wrong place. A number is taken for
      // right: it may go on behind the bytes at hand.
      let isNumber = byte == 0x2D || 0x30...0x39 ~= byte
      if byte != 0x5B, !isNumber, let fault = mistake(.value, depth: path.count, isPart: !path.isEmpty) { throw fault }
      let place = path.isEmpty ? "" : " at \(JSONExcerpt.quoted(JSONFieldPath.text(Array(path))))"
      throw JSONFault(
        offset: position, message: "expected \(needs)\(place), found \(found())",
        hint: "\"records\" is the way to the array or object that holds the rows", isPath: true)
    }
    position += 1
    skipBlanks()
    guard position < bytes.count else { throw unexpected(byte == 0x7B ? "a key or '}'" : "a value or ']'") }
    return byte
  }

  /// Steps to the value of member `name` of the object entered; returns the keys up to it.
  mutating func findMember(
    _ name: String, path: ArraySlice<String>, depth: Int
  ) throws(JSONFault) -> Set<[UInt8]> {
    let wanted = Array(name.utf8)
    var keys: Set<[UInt8]> = []
    var names: [String] = []
    let start = position
    var isFirst = true
    while isFirst ? bytes[position] != 0x7D : try hasNext(isObject: true) {
      isFirst = false
      let key = try readKey(&keys)
      if key == wanted { return keys }
      names.append(String(decoding: key, as: UTF8.self))
      try skipValue(depth: depth)
    }
    guard position < bytes.count, bytes[position] == 0x7D else { throw unexpected("',' or '}'") }
    let place = path.isEmpty ? "" : " in \(JSONExcerpt.quoted(JSONFieldPath.text(Array(path))))"
    let found = names.prefix(20).map(JSONExcerpt.quoted).joined(separator: ", ")
    throw JSONFault(
      offset: start,
      message: "there is no member \(JSONExcerpt.quoted(name))\(place); there "
        + (names.isEmpty ? "is none" : "is \(found)") + (names.count > 20 ? ", …" : ""),
      hint: NearestName.find(name, among: names).map { "did you mean \(JSONExcerpt.quoted($0))?" }
        ?? "\"records\" is the way to the array or object that holds the rows", isPath: true)
  }

  mutating func skipMember(_ keys: inout Set<[UInt8]>, depth: Int) throws(JSONFault) {
    _ = try readKey(&keys)
    try skipValue(depth: depth)
  }

  /// Behind a value: steps over a comma before the next one, or stays before the closing bracket.
  mutating func hasNext(isObject: Bool) throws(JSONFault) -> Bool {
    skipBlanks()
    guard position < bytes.count, bytes[position] == 0x2C else { return false }
    position += 1
    skipBlanks()
    return true
  }

  mutating func close(isObject: Bool) throws(JSONFault) {
    skipBlanks()
    guard position < bytes.count, bytes[position] == (isObject ? 0x7D : 0x5D) else {
      throw unexpected(isObject ? "',' or '}'" : "',' or ']'")
    }
    position += 1
  }

  mutating func finish() throws(JSONFault) {
    skipBlanks()
    guard position == bytes.count else { throw unexpected("the end of the text after the document") }
  }

  private mutating func readKey(_ keys: inout Set<[UInt8]>) throws(JSONFault) -> [UInt8] {
    let start = position
    let (key, end) =
      bytes.withUnsafePointers { (base, end) -> ([UInt8], Int)? in
        var hasEscapes = false
        guard position < bytes.count, bytes[position] == 0x22,
          let close = JSONFieldReader.stringEnd(base + position + 1, end, &hasEscapes)
        else { return nil }
        let raw = UnsafeRawBufferPointer(start: base + start + 1, count: close - base - start - 1)
        let key = hasEscapes ? JSONEscapes.resolve(Array(raw)[...]) : Array(raw)
        let colon = JSONFieldReader.skipBlanks(close + 1, end)
        guard colon < end, colon.load(as: UInt8.self) == 0x3A else { return nil }
        return (key, JSONFieldReader.skipBlanks(colon + 1, end) - base)
      } ?? ([], -1)
    guard end >= 0 else { throw mistake(.member, depth: 1) ?? unexpected("a key in double quotes") }
    position = end
    guard keys.insert(key).inserted else {
      throw JSONFault(
        offset: start,
        message: "expected each key once, found \(JSONExcerpt.quoted(String(decoding: key, as: UTF8.self))) again")
    }
    return key
  }

  private mutating func skipValue(depth: Int) throws(JSONFault) {
    let reader = JSONFieldReader(
      JSONFieldTree([]), severalSlot: -1, maximumDepth: JSONDocument.defaultMaximumDepth - depth)
    let stop = withUnsafeTemporaryAllocation(byteCount: bytes.count - position + 16, alignment: 8) { scratch -> Int? in
      guard let base = bytes.baseAddress, let target = scratch.baseAddress else { return nil }
      return reader.read(from: base + position, to: base + bytes.count, scratch: target).map { $0 - base }
    }
    guard let stop else { throw mistake(.value, depth: depth) ?? unexpected("a value") }
    position = stop
  }

  private mutating func skipBlanks() {
    position = bytes.withUnsafePointers { base, end in JSONFieldReader.skipBlanks(base + position, end) - base } ?? 0
  }

  /// The first mistake in the part that begins here; nil when it is right.
  private func mistake(_ part: JSONParser.Part, depth: Int, isPart: Bool = true) -> JSONFault? {
    JSONParser.firstFault(
      in: bytes, from: position, part, maximumDepth: JSONDocument.defaultMaximumDepth - depth, isPart: isPart)
  }

  private func found() -> String {
    bytes.withMemoryRebound(to: UInt8.self) { JSONExcerpt.found(at: position, in: $0) }
  }

  private func unexpected(_ what: String) -> JSONFault {
    let hint = position < bytes.count ? nil : "the text may have been cut off"
    return JSONFault(offset: position, message: "expected \(what), found \(found())", hint: hint)
  }
}

extension JSONFault {
  /// What is wrong where a row, or what stands between two, does not go on as it must. `expected` is said where the
  /// value itself is right. O(row).
  package static func inRow(
    _ bytes: UnsafeRawBufferPointer, at position: Int, isMember: Bool, maximumDepth: Int
  ) -> JSONFault {
    JSONParser.firstFault(in: bytes, from: position, isMember ? .member : .value, maximumDepth: maximumDepth)
      ?? unexpected(isMember ? "a member" : "a value", in: bytes, at: position)
  }

  /// The fault that something else than `what` stands at `position`.
  package static func unexpected(_ what: String, in bytes: UnsafeRawBufferPointer, at position: Int) -> JSONFault {
    let found = bytes.withMemoryRebound(to: UInt8.self) { JSONExcerpt.found(at: position, in: $0) }
    return JSONFault(
      offset: position, message: "expected \(what), found \(found)",
      hint: position < bytes.count ? nil : "the text may have been cut off")
  }

  /// The fault of a comma that no value follows: at the bracket behind it.
  package static func trailingComma(_ what: String, in bytes: UnsafeRawBufferPointer, at position: Int) -> JSONFault {
    var fault = unexpected("the next \(what) after ','", in: bytes, at: position)
    fault.hint = "remove the comma"
    return fault
  }

  /// The fault of a text that may be right but is more than is read.
  package static func unreadable(_ message: String, at position: Int) -> JSONFault {
    JSONFault(
      offset: position, message: message,
      hint: "check that \"records\" leads to the rows, and that brackets and quotes close")
  }
}

extension UnsafeRawBufferPointer {
  /// Calls `body` with the ends of the bytes; nil where there are none.
  fileprivate func withUnsafePointers<Result>(
    _ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result?
  ) -> Result? {
    baseAddress.flatMap { body($0, $0 + count) }
  }
}
