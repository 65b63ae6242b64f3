/// An error or a warning as it is printed: where, what, and what to do about it.
public struct Diagnostic: Error, Hashable, Sendable {
  /// One of several things that are wrong at once.
  public struct Finding: Hashable, Sendable {
    /// As ``Diagnostic/place``.
    public var place: String
    /// As ``Diagnostic/what``.
    public var what: String

    /// A finding at `place`.
    public init(_ place: String, _ what: String) {
      self.place = place
      self.what = what
    }
  }

  /// File, position, key path, option or number; empty when there is no place.
  public var place: String
  /// What is wrong, in one clause or several lines.
  public var what: String
  /// What else is wrong, in the order it is printed.
  public var others: [Finding] = []
  /// What to do, one line each.
  public var hints: [String]
  /// The exit status it leads to.
  public var status: ExitStatus

  /// An error at `place`.
  public init(_ place: String, _ what: String, hint: String? = nil, status: ExitStatus) {
    self.init(place, what, hints: hint.map { [$0] } ?? [], status: status)
  }

  /// An error at `place` with several hints.
  public init(_ place: String, _ what: String, hints: [String], status: ExitStatus) {
    self.place = place
    self.what = what
    self.hints = hints
    self.status = status
  }

  /// An error that found several things wrong, with their hints. Requires: `findings` is not empty.
  public init(_ findings: [Finding], hints: [String], status: ExitStatus) {
    self.init(findings.first?.place ?? "", findings.first?.what ?? "", hints: hints, status: status)
    others = Array(findings.dropFirst())
  }

  /// `tool: where: what` for each thing that is wrong, and a line `hint: …` for each hint, every line ended. Control characters are escaped, and parts
  /// that are very long are cut: input may have found its way into them.
  public func text(tool: String) -> String {
    var text = ""
    for finding in [Finding(place, what)] + others {
      let parts = finding.place.isEmpty ? [finding.what] : [finding.place, finding.what]
      text += "\(tool): \(parts.map { PrintableText.limited($0) }.joined(separator: ": "))\n"
    }
    for hint in hints { text += "hint: \(PrintableText.limited(hint))\n" }
    return PrintableText.escapingControls(text)
  }

  /// One JSON object on a line: `schema`, `code`, `where`, `message`, `hints`; where several things are wrong, `others` too,
  /// an array of objects with `where` and `message`.
  public func json(tool: String) -> String {
    let hints = hints.map(Self.quoted).joined(separator: ",")
    let others = others.map { "{\"where\":\(Self.quoted($0.place)),\"message\":\(Self.quoted($0.what))}" }
    return "{\"schema\":\(Self.quoted("\(tool).error/1")),\"code\":\(status.rawValue),"
      + "\"where\":\(Self.quoted(place)),\"message\":\(Self.quoted(what)),\"hints\":[\(hints)]"
      + (others.isEmpty ? "" : ",\"others\":[\(others.joined(separator: ","))]") + "}\n"
  }

  /// A remark as one JSON object on a line: `schema`, `message`.
  static func json(note: String, tool: String) -> String {
    "{\"schema\":\(quoted("\(tool).note/1")),\"message\":\(quoted(note))}\n"
  }

  private static func quoted(_ text: String) -> String {
    let hex = Array("0123456789abcdef")
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{0}"..."\u{1f}": result += "\\u00\(hex[Int(scalar.value >> 4)])\(hex[Int(scalar.value & 15)])"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
