/// What is wrong in a JSON text, where, and what to do about it.
///
/// Thrown for malformed JSON and for well-formed JSON whose values are not what the reader expects.
public struct JSONError: Error, Hashable, Sendable {
  /// The file, as the caller named it; nil when the text came from elsewhere.
  public var file: String?
  /// Line, from 1.
  public var line: Int
  /// Column, from 1, in Unicode scalars.
  public var column: Int
  /// Bytes from the beginning of the text.
  public var offset: Int
  /// The value the error is about, as `sources[2].number`; empty for the document itself.
  public var keyPath: String
  /// What was expected and what was found, or what contradicts what.
  public var message: String
  /// What to do; nil when the message says it.
  public var hint: String?

  /// An error at `position`.
  public init(
    file: String? = nil, at position: JSONPosition, keyPath: String = "", message: String, hint: String? = nil
  ) {
    self.file = file
    line = position.line
    column = position.column
    offset = position.offset
    self.keyPath = keyPath
    self.message = message
    self.hint = hint
  }
}

extension JSONError: CustomStringConvertible {
  /// `plan.json:12:5: sources[2].number: expected …, found …`, without the hint; file and key path only where known.
  public var description: String {
    var text = ""
    if let file { text += "\(file):" }
    text += "\(line):\(column): "
    if !keyPath.isEmpty { text += "\(keyPath): " }
    return text + message
  }
}

extension JSONError: Comparable {
  /// By position, then by text: the order in which several errors of one file are reported.
  public static func < (left: JSONError, right: JSONError) -> Bool {
    left.offset != right.offset ? left.offset < right.offset : left.message < right.message
  }
}
