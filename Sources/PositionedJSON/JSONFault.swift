/// What is wrong in a part of a JSON text, before its lines are counted.
package struct JSONFault: Error, Hashable, Sendable {
  /// Offset in the part.
  package var offset: Int
  /// What was expected and what was found.
  package var message: String
  /// What to do; nil when the message says it.
  package var hint: String?
  /// Whether the text is right so far, but not what the path to the rows says.
  package var isPath = false

  /// What to do about bytes that are not UTF-8, in files that have no other encoding.
  static let encodingHint = "save the file as UTF-8"

  /// Whether the text is not UTF-8: of a source the encoding can be stated.
  package var isEncoding: Bool { hint == Self.encodingHint }

  /// Whether more bytes could mend it: a token that the part cuts looks like a mistake at its end.
  package func mayBeCut(_ count: Int) -> Bool {
    offset + JSONExcerpt.longestFound > count || message.hasSuffix("found the end of the text")
  }

  init(offset: Int, message: String, hint: String? = nil, isPath: Bool = false) {
    self.offset = offset
    self.message = message
    self.hint = hint
    self.isPath = isPath
  }
}
