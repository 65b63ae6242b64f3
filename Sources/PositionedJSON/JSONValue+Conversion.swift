internal import NameSuggestion

extension JSONValue {
  /// The text of a string, escapes resolved; nil for any other kind.
  public var string: String? { kind == .string ? tape.string(index) : nil }

  /// The value of `true` and `false`; nil for any other kind.
  public var bool: Bool? { kind == .bool ? verbatimBytes.first == 0x74 : nil }

  /// The value of a number written without fraction and exponent that fits; nil otherwise.
  public var integer: Int? {
    guard kind == .number else { return nil }
    var digits = verbatimBytes
    let isNegative = digits.first == 0x2D
    if isNegative { digits.removeFirst() }
    var value = 0
    for byte in digits {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int(byte - 0x30)
      let (sum, overflow) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if tooLarge || overflow { return nil }
      value = sum
    }
    return value
  }

  /// The nearest double to a number; nil for any other kind and for a number beyond the range of doubles.
  public var double: Double? {
    guard kind == .number, let value = Double(verbatim), value.isFinite else { return nil }
    return value
  }

  /// The text of a string.
  public func asString() throws(JSONError) -> String {
    guard let string else { throw mismatch("a string") }
    return string
  }

  /// `true` or `false`.
  public func asBool() throws(JSONError) -> Bool {
    guard let bool else { throw mismatch("true or false") }
    return bool
  }

  /// A whole number within `range`.
  public func asInt(in range: ClosedRange<Int> = Int.min...Int.max) throws(JSONError) -> Int {
    guard let integer, range.contains(integer) else { throw mismatch(JSONValue.name(of: range)) }
    return integer
  }

  /// A number within `range`.
  public func asDouble(
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  ) throws(JSONError) -> Double {
    guard let double, range.contains(double) else {
      let isOpen = range.upperBound == .greatestFiniteMagnitude
      throw mismatch(isOpen ? "a number" : "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return double
  }

  /// The elements of an array.
  public func asArray() throws(JSONError) -> JSONElements {
    guard kind == .array else { throw mismatch("an array") }
    return elements
  }

  /// The texts of an array of strings.
  public func asStrings() throws(JSONError) -> [String] {
    guard kind == .array else { throw mismatch("an array of strings") }
    var texts: [String] = []
    for element in elements { texts.append(try element.asString()) }
    return texts
  }

  /// A reader of an object's members.
  public func asObject() throws(JSONError) -> JSONObjectReader { try JSONObjectReader(self) }

  /// One of the cases of `type`, by its raw value; the error lists them and names the nearest.
  public func asCase<Choice: RawRepresentable & CaseIterable>(
    of type: Choice.Type
  ) throws(JSONError) -> Choice where Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue)
    guard let string, let choice = Choice(rawValue: string) else {
      throw mismatch(JSONValue.list(names), hint: JSONValue.suggestion(for: string, among: names))
    }
    return choice
  }

  /// `"a", "b" or "c"`.
  package static func list(_ names: [String]) -> String {
    let quoted = names.map(JSONExcerpt.quoted)
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
    return quoted.dropLast().joined(separator: ", ") + " or \(last)"
  }

  /// `did you mean "…"?`, where one of `names` is near to `text`.
  package static func suggestion(for text: String?, among names: [String]) -> String? {
    text.flatMap { NearestName.find($0, among: names) }.map { "did you mean \(JSONExcerpt.quoted($0))?" }
  }

  private static func name(of range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (let lower, Int.max): "a whole number from \(lower)"
    case (let lower, let upper): "a whole number from \(lower) to \(upper)"
    }
  }
}
