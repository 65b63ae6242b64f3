/// What a text field looks like byte by byte.
enum TextCondition: Equatable {
  /// Valid UTF-8 without control characters.
  case clean
  /// Valid UTF-8 with control characters or line ends.
  case hasControls
  /// Not UTF-8; the offset is that of the first byte that cannot be.
  case invalid(offset: Int)
}

/// Text fields of rows: their blanks, their validity and what is not shown on a screen. Bytes all the way.
enum LabelText {
  /// Checks `text`. O(bytes); ASCII and two-byte letters, as Cyrillic and Greek are, go eight bytes at a time.
  static func condition(of text: UnsafeRawBufferPointer) -> TextCondition {
    guard let base = text.baseAddress else { return .clean }
    let count = text.count
    var controls: UInt64 = 0
    // The top bit of the first byte, when the word before ended within a character.
    var open: UInt64 = 0
    var index = 0
    while index < count {
      if count >= 8 {
        let rest = count - index
        var word: UInt64
        if rest >= 8 {
          word = UInt64(littleEndian: (base + index).loadUnaligned(as: UInt64.self))
        } else {
          // The last bytes, and blanks behind them.
          word = UInt64(littleEndian: (base + (count - 8)).loadUnaligned(as: UInt64.self)) &>> UInt64(64 - 8 * rest)
          word |= ByteSearch.repeated(Byte.space) &<< UInt64(8 * rest)
        }
        if let leads = twoByteLeads(in: word, open: open) {
          controls |= ByteSearch.control(word) | ByteSearch.equal(word, ByteSearch.repeated(0x7F))
          open = leads >> 56
          index += min(rest, 8)
          continue
        }
        if open != 0 { index -= 1 }
        open = 0
      }
      let lead = text[index]
      if lead < 0x80 {
        if lead < 0x20 || lead == 0x7F { controls = 1 }
        index += 1
        continue
      }
      let length = sequenceLength(text, at: index)
      if length == 0 { return .invalid(offset: index) }
      if isControl(text, at: index, length: length) { controls = 1 }
      index += length
    }
    if open != 0 { return .invalid(offset: count - 1) }
    return controls == 0 ? .clean : .hasControls
  }

  /// `text` without blanks and control characters at its ends. A mark U+FEFF counts as a blank.
  static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = text.count
    while start < end {
      let length = blankLength(text, at: start, before: end)
      if length == 0 { break }
      start += length
    }
    while end > start {
      let last = text[end - 1]
      if last <= 0x20 || last == 0x7F {
        end -= 1
      } else if last < 0x80 || last >= 0xC0 {
        break
      } else if end - 2 >= start, blankLength(text, at: end - 2, before: end) == 2 {
        end -= 2
      } else if end - 3 >= start, blankLength(text, at: end - 3, before: end) == 3 {
        end -= 3
      } else {
        break
      }
    }
    return UnsafeRawBufferPointer(rebasing: text[start..<end])
  }

  /// Writes `text` with every run of control characters, and the blanks beside it, made one space (B-132). `target` has
  /// room for as many bytes as `text`. Returns the bytes written. Requires: `text` is valid UTF-8.
  static func writeCleaned(_ text: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) -> Int {
    var written = 0
    var index = 0
    while index < text.count {
      let length = max(1, sequenceLength(text, at: index))
      if isControl(text, at: index, length: length) {
        while written > 0, target[written - 1] == Byte.space { written -= 1 }
        target[written] = Byte.space
        written += 1
        index += length
        while index < text.count {
          let next = max(1, sequenceLength(text, at: index))
          guard text[index] == Byte.space || isControl(text, at: index, length: next) else { break }
          index += next
        }
      } else {
        for offset in 0..<length { target[written + offset] = text[index + offset] }
        written += length
        index += length
      }
    }
    return written
  }

  /// The top bits of the first bytes of two-byte characters, where the word holds nothing but ASCII and whole characters
  /// from U+0100 to U+07FF, the last of which may end in the next word; nil where it holds anything else. `open` is the
  /// top bit of the first byte where that ends a character of the word before.
  @inline(__always)
  private static func twoByteLeads(in word: UInt64, open: UInt64) -> UInt64? {
    let high = ByteSearch.high(word)
    let isLead = high & word << 1
    let leads = isLead & ~(word << 2)
    let longer = isLead & word << 2
    // 0xC0 … 0xC3 begin characters that are too short, control characters or Latin-1: for the slow way.
    let low = leads & ~(word << 3 | word << 4 | word << 5)
    let following = high & ~isLead
    return longer | low | (following ^ (leads << 8 | open)) == 0 ? leads : nil
  }

  /// The bytes of the character at `index` (RFC 3629, section 4); 0 when there is none.
  @inline(__always)
  private static func sequenceLength(_ text: UnsafeRawBufferPointer, at index: Int) -> Int {
    let lead = text[index]
    if lead < 0x80 { return 1 }
    guard lead >= 0xC2, lead <= 0xF4, index + 1 < text.count else { return 0 }
    let second = text[index + 1]
    if lead < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
    let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let most: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= least, second <= most, index + 2 < text.count, text[index + 2] & 0xC0 == 0x80 else { return 0 }
    if lead < 0xF0 { return 3 }
    return index + 3 < text.count && text[index + 3] & 0xC0 == 0x80 ? 4 : 0
  }

  /// Whether the character is a control character (C0, DEL, C1) or a line or paragraph separator.
  @inline(__always)
  private static func isControl(_ text: UnsafeRawBufferPointer, at index: Int, length: Int) -> Bool {
    switch length {
    case 1: text[index] < 0x20 || text[index] == 0x7F
    case 2: text[index] == 0xC2 && text[index + 1] < 0xA0
    case 3: text[index] == 0xE2 && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8
    default: false
    }
  }

  /// The bytes of the blank or control character at `index`; 0 when there is none before `end`.
  @inline(__always)
  private static func blankLength(_ text: UnsafeRawBufferPointer, at index: Int, before end: Int) -> Int {
    let first = text[index]
    if first < 0x80 { return first <= 0x20 || first == 0x7F ? 1 : 0 }
    guard first == 0xC2 || first >= 0xE1 && first <= 0xE3 || first == 0xEF, index + 1 < end else { return 0 }
    let second = text[index + 1]
    if first == 0xC2 { return second <= 0xA0 ? 2 : 0 }
    guard index + 2 < end else { return 0 }
    let third = text[index + 2]
    switch (first, second) {
    case (0xE1, 0x9A): return third == 0x80 ? 3 : 0
    // U+2000 … U+200B, line and paragraph separator, narrow no-break space.
    case (0xE2, 0x80): return third <= 0x8B || third & 0xFE == 0xA8 || third == 0xAF ? 3 : 0
    // U+205F.
    case (0xE2, 0x81): return third == 0x9F ? 3 : 0
    // U+3000.
    case (0xE3, 0x80): return third == 0x80 ? 3 : 0
    // U+FEFF.
    case (0xEF, 0xBB): return third == 0xBF ? 3 : 0
    default: return 0
    }
  }
}
