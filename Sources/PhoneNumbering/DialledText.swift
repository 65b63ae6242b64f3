/// Takes a written number apart: the digits that are dialled, whether a `+` stood in front, the extension.
///
/// One pass, no allocation; the digits go into a buffer of the caller's.
struct DialledText {
  /// Bytes that the buffer must have: 64 for the digits, 64 for the extension.
  static let bufferSize = 128

  /// A `+` stood in front.
  private(set) var plus = false
  /// Words behind the number were left out.
  private(set) var remark = false
  /// White space or a divider stands between runs that could each be a number.
  private(set) var isSuspect = false

  private let text: UTF8Reader
  private let stripsRemarks: Bool
  private let buffer: UnsafeMutablePointer<UInt8>
  private var tally = Tally()
  private var extensionCount = 0
  /// What held at the opening bracket that stands behind seven digits or more, until it closes.
  private var beforeBracket: Tally?

  /// The digits so far and how they fall into runs (between white space) and parts (between dividers).
  private struct Tally {
    var count = 0
    var runStart = 0
    var partStart = 0
    var longRuns = 0
    var longParts = 0
  }

  /// Digits that can be a whole number, and so make several numbers when there are two such runs.
  private static let longRun = 7
  private static let extensionLimit = 20

  init(_ text: UnsafeRawBufferPointer, stripsRemarks: Bool, buffer: UnsafeMutablePointer<UInt8>) {
    self.text = UTF8Reader(text)
    self.stripsRemarks = stripsRemarks
    self.buffer = buffer
  }

  /// The digits that are dialled. Valid after a scan that found no fault.
  var digits: DigitRun { DigitRun(start: UnsafePointer(buffer), count: tally.count) }

  /// The extension, or no digits.
  var extensionDigits: DigitRun { DigitRun(start: UnsafePointer(buffer + 64), count: extensionCount) }

  /// Reads the whole text. Returns what is wrong with it, or nil.
  mutating func scan() -> NumberRefusal? {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte &- 48 < 10 {
        if let refusal = append(byte &- 48) { return refusal }
        index &+= 1
        continue
      }
      guard let (scalar, length) = text.character(at: index) else { return .invalidText }
      switch scalar.isASCII ? ScalarClass(ascii: byte) : ScalarClass(scalar) {
      case .digit(let digit):
        if let refusal = append(digit) { return refusal }
      case .separator:
        if byte == UInt8(ascii: ")") { beforeBracket = nil }
      case .space:
        endRun()
      case .opening:
        if tally.count >= Self.longRun { beforeBracket = beforeBracket ?? tally }
      case .plus:
        guard tally.count == 0 else { return tally.count >= Self.longRun ? .severalNumbers : .symbol }
        plus = true
      case .extensionMark:
        if tally.count >= Self.longRun {
          if isComment(scalar, from: index + length) { return leaveOutRemark() }
          return readExtension(at: index + length, orElse: .extensionMalformed)
        }
        // `8~10`: a tilde marks the wait for a second dialling tone.
        guard scalar.value != 0x23, scalar.value != 0xFF03, tally.count > 0 else { return .symbol }
      case .divider:
        if let end = dividerEnd(at: index, length) { return end.refusal }
      case .letter:
        switch letters(at: index) {
        case .finished(let refusal): return refusal ?? finish()
        case .continueAt(let next):
          index = next
          continue
        }
      case .symbol:
        // `="0495…"` is how a spreadsheet keeps zeros.
        guard byte == UInt8(ascii: "="), tally.count == 0 else { return .symbol }
      }
      index += length
    }
    return finish()
  }

  @inline(__always)
  private mutating func append(_ digit: UInt8) -> NumberRefusal? {
    guard tally.count < NumberResolver.maximumDialledDigits else {
      return tally.longParts > 0 ? .severalNumbers : .tooLong
    }
    buffer[tally.count] = digit &+ 48
    tally.count &+= 1
    return nil
  }

  private mutating func endRun() {
    if tally.count - tally.runStart >= Self.longRun { tally.longRuns += 1 }
    tally.runStart = tally.count
  }

  private mutating func endPart() {
    endRun()
    if tally.count - tally.partStart >= Self.longRun { tally.longParts += 1 }
    tally.partStart = tally.count
  }

  /// What holds once everything is read.
  private mutating func finish() -> NumberRefusal? {
    let lastPart = tally.count - tally.partStart
    let divided = tally.partStart > 0
    endPart()
    if tally.count == 0 { return hasVisibleCharacter ? .noDigits : .empty }
    if tally.longParts > 1 || tally.longRuns > 1 { return .severalNumbers }
    // `621-19-63/64`: the ending of a second number.
    if divided, tally.longParts == 1, lastPart > 0, lastPart <= 3 { return .severalNumbers }
    isSuspect = divided && tally.longParts == 1
    if let refusal = decimalFraction { return refusal }
    return nil
  }

  private var hasVisibleCharacter: Bool {
    var index = 0
    while let (scalar, length) = text.character(at: index) {
      switch ScalarClass(scalar) {
      case .space: break
      case .divider where scalar.properties.isWhitespace: break
      case .separator where scalar.properties.generalCategory == .format: break
      default: return true
      }
      index += length
    }
    return false
  }

  /// `74951234567.0`: the number went through a spreadsheet or a data frame as a decimal.
  private var decimalFraction: NumberRefusal? {
    var index = text.count - 1
    while index > 0, text[index] == UInt8(ascii: "0") { index -= 1 }
    guard index > 0, index < text.count - 1, text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ","),
      text.count - 1 - index <= 2
    else { return nil }
    var run = 0
    while run < index, text[index - 1 - run] &- 48 < 10 { run += 1 }
    return run >= Self.longRun && run == index ? .decimalFraction : nil
  }
}

// MARK: Extensions, parameters and words

extension DialledText {
  private enum Continuation {
    case finished(NumberRefusal?)
    case continueAt(Int)
  }

  /// A divider at `index`: ends a part, or begins an extension or the parameters of a URI, which end the text.
  private mutating func dividerEnd(at index: Int, _ length: Int) -> (refusal: NumberRefusal?, Void)? {
    let byte = text[index]
    if byte == UInt8(ascii: ";"), let first = text.character(at: index + 1)?.scalar, first.properties.isAlphabetic {
      return (parameters(at: index) ?? finish(), ())
    }
    endPart()
    guard byte == UInt8(ascii: ";") || byte == UInt8(ascii: ","), tally.count >= Self.longRun else { return nil }
    // Up to six digits behind a comma are an extension; more are a second number.
    var digits = 0
    var position = index + length
    while let (scalar, length) = text.character(at: position) {
      switch ScalarClass(scalar) {
      case .digit: digits += 1
      case .space, .separator, .opening: break
      case .divider where digits == 0: break
      case .extensionMark where digits > 0: break
      default: return nil
      }
      position += length
    }
    guard digits > 0 else { return nil }
    guard digits < Self.longRun else { return (.severalNumbers, ()) }
    return (readExtension(at: index + length, orElse: .severalNumbers), ())
  }

  /// Reads an extension and whatever may stand between its mark and its digits; it must end the text.
  private mutating func readExtension(at start: Int, orElse refusal: NumberRefusal) -> NumberRefusal? {
    var index = start
    var ended = false
    while let (scalar, length) = text.character(at: index) {
      switch ScalarClass(scalar) {
      case .digit(let digit):
        guard !ended, extensionCount < Self.extensionLimit else { return refusal }
        buffer[64 + extensionCount] = digit + 48
        extensionCount += 1
      case .space, .separator, .opening:
        ended = extensionCount > 0
      case .divider:
        guard extensionCount == 0 else { return refusal }
      case .extensionMark:
        ended = extensionCount > 0
      case .symbol:
        guard extensionCount == 0, text[index] == UInt8(ascii: "=") else { return refusal }
      case .letter, .plus:
        guard stripsRemarks, extensionCount > 0 else { return refusal }
        remark = true
        return finish()
      }
      index += length
    }
    guard index == text.count else { return .invalidText }
    return finish()
  }

  /// `;ext=12;phone-context=+7;isub=3` (RFC 3966, section 3).
  private mutating func parameters(at start: Int) -> NumberRefusal? {
    var index = start
    while index < text.count {
      guard text[index] == UInt8(ascii: ";") else { return .letters }
      let name = index + 1
      var value = name
      while value < text.count, text[value] != UInt8(ascii: "="), text[value] != UInt8(ascii: ";") { value += 1 }
      var end = value
      while end < text.count, text[end] != UInt8(ascii: ";") { end += 1 }
      if ExtensionWord.isAt(name, "ext=", in: text) {
        for position in (value + 1)..<max(end, value + 1) where text[position] != UInt8(ascii: "-") {
          guard text[position] &- 48 < 10, extensionCount < Self.extensionLimit else { return .extensionMalformed }
          buffer[64 + extensionCount] = text[position]
          extensionCount += 1
        }
        guard extensionCount > 0 else { return .extensionMalformed }
      } else if ExtensionWord.isAt(name, "phone-context=", in: text) {
        if let refusal = prepend(contextAt: value + 1, end) { return refusal }
      } else if !ExtensionWord.isAt(name, "isub=", in: text) {
        return .letters
      }
      index = end
    }
    return nil
  }

  /// A context that begins with `+` goes in front of the digits; a domain name says nothing about them.
  private mutating func prepend(contextAt start: Int, _ end: Int) -> NumberRefusal? {
    guard start < end, text[start] == UInt8(ascii: "+"), !plus else { return nil }
    var length = 0
    for position in (start + 1)..<end where text[position] &- 48 < 10 { length += 1 }
    guard tally.count + length <= NumberResolver.maximumDialledDigits else { return .tooLong }
    for position in stride(from: tally.count - 1, through: 0, by: -1) { buffer[position + length] = buffer[position] }
    var target = 0
    for position in (start + 1)..<end where text[position] &- 48 < 10 {
      buffer[target] = text[position]
      target += 1
    }
    tally.count += length
    plus = true
    return nil
  }

  /// Letters at `index`: `tel:`, an extension word, an exponent, a remark, or a fault.
  private mutating func letters(at index: Int) -> Continuation {
    if tally.count == 0, ExtensionWord.isAt(index, "tel:", in: text) { return .continueAt(index + 4) }
    if isExponent(at: index) { return .finished(.exponent) }
    if tally.count >= 3, let end = ExtensionWord.end(in: text, at: index), hasDigit(from: end) {
      let end = readExtension(at: end, orElse: .extensionMalformed)
      return .finished(end)
    }
    let apart = index > 0 && text[index - 1] &- 48 >= 10
    if let beforeBracket { tally = beforeBracket }
    guard apart, tally.count >= Self.longRun else { return .finished(hasDigit(from: 0) ? .letters : .noDigits) }
    guard stripsRemarks else { return .finished(.remark) }
    remark = true
    return .finished(nil)
  }

  /// Whether `mark` begins words as in lists, `+12025550123 # asks for codes`, and no extension.
  private func isComment(_ mark: Unicode.Scalar, from start: Int) -> Bool {
    guard mark.value == 0x23 || mark.value == 0xFF03 else { return false }
    var index = start
    while let (scalar, length) = text.character(at: index) {
      switch ScalarClass(scalar) {
      case .space, .separator, .opening, .divider, .extensionMark: index += length
      case .digit: return false
      case .letter, .symbol, .plus: return true
      }
    }
    return false
  }

  private mutating func leaveOutRemark() -> NumberRefusal? {
    guard stripsRemarks else { return .remark }
    remark = true
    return finish()
  }

  private func hasDigit(from start: Int) -> Bool {
    var index = start
    while let (scalar, length) = text.character(at: index) {
      if case .digit = ScalarClass(scalar) { return true }
      index += length
    }
    return false
  }

  /// `7.4951E+10`: digits, `E`, an optional sign, digits, end.
  private func isExponent(at index: Int) -> Bool {
    guard tally.count > 0, text[index] | 0x20 == UInt8(ascii: "e"), text[index - 1] &- 48 < 10 else { return false }
    var position = index + 1
    if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
      position += 1
    }
    let first = position
    while position < text.count, text[position] &- 48 < 10 { position += 1 }
    return position > first && position == text.count
  }
}
