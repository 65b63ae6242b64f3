/// What texts look like that may be telephone numbers, before a country is known.
enum NumberShape {
  /// The digits of a text, of any script.
  static func digits(in text: String) -> Int {
    text.unicodeScalars.count { $0.properties.numericType == .decimal }
  }

  /// Whether the text may be a number: 5 to 15 digits and little else, and no coordinate, date or amount.
  static func isNumber(_ text: String) -> Bool {
    let digits = digits(in: text)
    guard digits >= 5, digits <= 40, !isDecimal(text), !isDate(text) else { return false }
    let letters = text.unicodeScalars.count { $0.properties.isAlphabetic }
    return letters <= 4 || text.hasPrefix("+") || text.lowercased().hasPrefix("tel:")
      || text.contains("(") && digits >= 10 && text.first?.isNumber ?? false
  }

  /// Whether the text is a pattern of numbers or a range of two.
  static func isPattern(_ text: String) -> Bool {
    let text = text.trimmedBlanks
    guard let first = text.first, first == "+" || first.isNumber, digits(in: text) >= 1 else { return false }
    if let sign = text.firstIndex(of: "#") {
      // `+1 202 555 0123 #136` is a number with an extension.
      let isExtension =
        !text.contains("##") && digits(in: String(text[..<sign])) >= 7 && digits(in: String(text[sign...])) > 0
      return !isExtension && !text.contains(where: \.isLetter)
    }
    if text.hasSuffix("*") { return !text.contains(where: \.isLetter) }
    let ends = text.split(separator: "-", omittingEmptySubsequences: true)
    return ends.count == 2 && ends.allSatisfy { (8...15).contains(digits(in: String($0))) && !$0.contains(" ") }
  }

  private static func isDecimal(_ text: String) -> Bool {
    let parts = text.split(separator: text.contains(".") ? "." : ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let whole = parts.first, whole.count <= 4, parts[1].count >= 3 else { return false }
    return (whole.first == "-" ? whole.dropFirst() : whole).allSatisfy(\.isNumber) && parts[1].allSatisfy(\.isNumber)
  }

  private static func isDate(_ text: String) -> Bool {
    let parts = text.split { "-/.:T ".contains($0) }
    guard parts.count >= 3, let first = parts.first, text.contains(where: { "-/.:".contains($0) }) else { return false }
    return parts[0..<3].allSatisfy { $0.allSatisfy(\.isNumber) } && first.count == 4
      && (first.hasPrefix("19") || first.hasPrefix("20")) && parts[1].count == 2 && parts[2].count == 2
  }
}
