// MARK: Cutting

extension LabelText {
  /// What stands where a label was cut.
  static let ellipsis: [UInt8] = Array("…".utf8)

  /// The least number of bytes that labels may be limited to.
  static let leastLimit = 8

  /// Writes as much of the beginning of `text` to `target` as fits into `limit` bytes with an ellipsis behind it, and
  /// returns the bytes written. Never cuts inside a character as people see it, and leaves no blank before the
  /// ellipsis (B-129, B-131). `target` may be `text` itself. O(limit), no allocation.
  ///
  /// Requires: `text` is valid UTF-8 and longer than `limit`; `target` has room for `limit` bytes, of which there are at
  /// least as many as the ellipsis has.
  static func writeCut(
    _ text: UnsafeRawBufferPointer, limit: Int, to target: UnsafeMutableRawBufferPointer
  ) -> Int {
    let end = characterEnd(in: text, limit: limit - ellipsis.count)
    let kept = trimmed(UnsafeRawBufferPointer(rebasing: text[..<end]))
    var written = 0
    if let source = kept.baseAddress, let start = target.baseAddress {
      start.copyMemory(from: source, byteCount: kept.count)
      written = kept.count
    }
    for byte in ellipsis {
      target[written] = byte
      written += 1
    }
    return written
  }

  /// The greatest offset of at most `limit` at which a character ends. Requires: `limit` is less than the bytes of
  /// `text`.
  private static func characterEnd(in text: UnsafeRawBufferPointer, limit: Int) -> Int {
    var end = scalarStart(in: text, at: limit)
    while end > 0, !isBoundary(in: text, at: end) { end = scalarStart(in: text, at: end - 1) }
    return end
  }

  /// Whether a character may end before the scalar at `index`: the rules of UAX #29, section 3.1.1, where in doubt no.
  private static func isBoundary(in text: UnsafeRawBufferPointer, at index: Int) -> Bool {
    if text[index] < 0x80, text[index - 1] < 0x80 { return true }
    let next = scalar(in: text, at: index)
    let previous = scalar(in: text, at: scalarStart(in: text, at: index - 1))
    if continuesCharacter(next) || joinsNext(previous) { return false }
    // A virama joins the letter behind it.
    if previous.properties.canonicalCombiningClass.rawValue == 9, next.properties.isAlphabetic { return false }
    if isRegionalIndicator(previous), isRegionalIndicator(next) {
      // Two of them are a flag.
      var count = 0
      var position = index
      while position > 0 {
        position = scalarStart(in: text, at: position - 1)
        guard isRegionalIndicator(scalar(in: text, at: position)) else { break }
        count += 1
      }
      return count % 2 == 0
    }
    return !isSyllable(previous, next)
  }

  /// Combining marks, variation selectors, joiners, skin tones, tags.
  private static func continuesCharacter(_ scalar: Unicode.Scalar) -> Bool {
    // Thai and Lao AM are letters by category.
    if scalar.value == 0x200D || scalar.value == 0x0E33 || scalar.value == 0x0EB3 { return true }
    let properties = scalar.properties
    return properties.isGraphemeExtend || properties.isEmojiModifier || properties.generalCategory == .spacingMark
      || properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark
  }

  /// The zero width joiner, and the few marks that stand in front of what they belong to.
  private static func joinsNext(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x0D4E, 0x110BD, 0x110CD, 0x111C2...0x111C3,
      0x113D1, 0x1193F, 0x11941, 0x11A3A, 0x11A84...0x11A89, 0x11D46, 0x11F02:
      true
    default: false
    }
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Whether two Korean letters belong to one syllable.
  private static func isSyllable(_ previous: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    func isLeading(_ value: UInt32) -> Bool {
      (0x1100...0x115F).contains(value) || (0xA960...0xA97C).contains(value)
    }
    func isFollowing(_ value: UInt32) -> Bool {
      (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
    }
    let isWhole = (0xAC00...0xD7A3).contains(next.value)
    if isLeading(previous.value) { return isLeading(next.value) || isFollowing(next.value) || isWhole }
    return isFollowing(next.value) && (isFollowing(previous.value) || (0xAC00...0xD7A3).contains(previous.value))
  }

  private static func scalarStart(in text: UnsafeRawBufferPointer, at index: Int) -> Int {
    var start = index
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  /// The scalar that begins at `index`. Requires: valid UTF-8.
  private static func scalar(in text: UnsafeRawBufferPointer, at index: Int) -> Unicode.Scalar {
    let lead = text[index]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = UInt32(lead) & (length == 1 ? 0x7F : 0xFF >> UInt32(length + 1))
    for offset in 1..<max(length, 1) where index + offset < text.count {
      value = value << 6 | UInt32(text[index + offset] & 0x3F)
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
