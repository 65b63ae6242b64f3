/// Text that comes from elsewhere – files, libraries, command lines – made safe to print: a control character in it would
/// move a terminal's cursor, forge a line or change its settings.
public enum PrintableText {
  /// `text` with every control character but line feed and tab written as `\u{1B}`. O(n); the same text when there is
  /// none.
  public static func escapingControls(_ text: String) -> String { escaping(text) { $0 != "\n" && $0 != "\t" } }

  /// As `escapingControls`, with line feeds and tabs escaped too: what has to stay on one line.
  public static func oneLine(_ text: String) -> String { escaping(text) { _ in true } }

  /// The first `limit` characters, with an ellipsis when there are more.
  public static func limited(_ text: String, to limit: Int = 2_000) -> String {
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex else {
      return text
    }
    return text[..<end] + "…"
  }

  private static func escaping(_ text: String, _ isUnwanted: (Unicode.Scalar) -> Bool) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)) && isUnwanted(scalar)
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if !isControl(scalar) {
        result.unicodeScalars.append(scalar)
      } else if scalar == "\n" {
        result += "\\n"
      } else if scalar == "\t" {
        result += "\\t"
      } else if scalar == "\r" {
        result += "\\r"
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }
}
