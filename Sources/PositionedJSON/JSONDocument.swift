/// A parsed JSON text (RFC 8259), strictly: no duplicate keys, no trailing commas, no comments, valid UTF-8.
public struct JSONDocument: Sendable {
  /// The value of the whole text.
  public let root: JSONValue

  /// Levels of nesting accepted unless the caller says otherwise.
  public static let defaultMaximumDepth = 64

  /// Parses `bytes` in one pass: O(n) time for n bytes plus O(k log k) for an object of k members, 20 bytes of memory
  /// per value beside the text itself.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark, below 4 GiB.
  ///   - file: The name that errors carry.
  ///   - maximumDepth: Levels of nesting, 1 or more, above which the text is refused.
  /// - Throws: The first error in the order of the text; a duplicate key counts at the end of its object.
  public init(
    _ bytes: [UInt8], file: String? = nil, maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    let nodes = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> [JSONTape.Node] in
      var parser = JSONParser(buffer, file: file, maximumDepth: maximumDepth)
      return try parser.parse()
    }
    root = JSONValue(tape: JSONTape(file: file, bytes: bytes, nodes: nodes), index: 0)
  }

  /// Parses a text given as a string.
  public init(text: String, file: String? = nil) throws(JSONError) {
    try self.init(Array(text.utf8), file: file)
  }
}
