extension JSONValue {
  /// An error at this value, with its key path.
  public func error(_ message: String, hint: String? = nil) -> JSONError {
    JSONError(file: tape.file, at: position, keyPath: keyPath, message: message, hint: hint)
  }

  /// An error within a string, `offset` bytes into its UTF-8 text with escapes resolved.
  package func error(atByte offset: Int, _ message: String, hint: String? = nil) -> JSONError {
    let content = tape.slice(index).dropFirst().dropLast()
    let start = content.startIndex + JSONEscapes.sourceOffset(of: offset, in: content)
    return JSONError(
      file: tape.file, at: JSONPosition(offset: start, in: tape.bytes), keyPath: keyPath, message: message, hint: hint)
  }

  /// `expected …, found …`, with what this value is.
  public func mismatch(_ expectation: String, hint: String? = nil) -> JSONError {
    error("expected \(expectation), found \(summary)", hint: hint)
  }

  /// What the value is, for messages: `"abc"`, `12`, `true`, `null`, `an array`, `an object`.
  public var summary: String {
    switch kind {
    case .null, .bool: verbatim
    case .number: String(verbatim.prefix(40))
    case .string: JSONExcerpt.quoted(tape.string(index))
    case .array: elements.count == 0 ? "an empty array" : "an array"
    case .object: members.count == 0 ? "an empty object" : "an object"
    }
  }
}

extension JSONMember {
  /// An error at the key, with the key path of its value.
  public func keyError(_ message: String, hint: String? = nil) -> JSONError {
    JSONError(file: value.file, at: keyPosition, keyPath: value.keyPath, message: message, hint: hint)
  }

  /// The error for a key that is none of `known`; its hint is `hint`, else the nearest known key, else all of them.
  public func unknownKeyError(known: [String], hint: String? = nil) -> JSONError {
    let hint =
      hint ?? JSONValue.suggestion(for: key, among: known) ?? "known keys: \(known.joined(separator: ", "))"
    return keyError("unknown key \(JSONExcerpt.quoted(key))", hint: hint)
  }
}
