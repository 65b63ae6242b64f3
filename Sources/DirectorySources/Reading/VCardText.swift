/// A value of a vCard as it stands in the file.
struct VCardValue {
  /// The character set that a property states.
  enum Charset {
    case unstated
    case utf8
    case other(TextEncoding)
    case unread
  }

  /// The position of a line that is no property.
  static let stray = -1

  /// Position among the properties that are looked at.
  var property: Int
  /// The line of the property within the chunk.
  var line: Int
  /// The property with its name and parameters.
  var row: UnsafeRawPointer
  /// The value, line ends of a folded one included.
  var start: UnsafeRawPointer
  var end: UnsafeRawPointer
  var charset = Charset.unstated
  var isQuotedPrintable = false
  /// Base64 or an encoding of a later time.
  var hasOtherEncoding = false
  /// The value stands on several lines.
  var isFolded = false

  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: end - start) }
}

/// Undoes what a vCard does to text. Bytes in, bytes out: no function writes more than it says.
enum VCardText {
  @inline(__always)
  static func capital(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte }

  /// Whether `text` is `name`, which is in capital letters, in any letter case.
  @inline(__always)
  static func isName(_ text: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    guard text.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<text.count where capital(text[index]) != name.utf8Start[index] { return false }
    return true
  }

  /// The character set with the given name. ASCII is read as the part of UTF-8 that it is, the older Chinese sets as the
  /// parts of GB 18030 that they are.
  static func charset(_ name: UnsafeRawBufferPointer) -> VCardValue.Charset {
    if isName(name, "UTF-8") || isName(name, "UTF8") || isName(name, "US-ASCII") || isName(name, "ASCII") {
      return .utf8
    }
    if isName(name, "WINDOWS-1251") || isName(name, "CP1251") { return .other(.windows1251) }
    if isName(name, "WINDOWS-1252") || isName(name, "CP1252") { return .other(.windows1252) }
    if isName(name, "ISO-8859-1") || isName(name, "ISO8859-1") || isName(name, "LATIN1") { return .other(.latin1) }
    if isName(name, "KOI8-R") { return .other(.koi8r) }
    if isName(name, "GB18030") || isName(name, "GBK") || isName(name, "GB2312") { return .other(.gb18030) }
    return .unread
  }

  /// Joins the lines of a folded value, and decodes a quoted-printable one (RFC 2045, section 6.7). `target` has room for
  /// as many bytes as `text`. Returns the bytes written.
  ///
  /// `keepsBlank`: vCard 2.1 folds before a blank that is part of the text; later versions put the blank there, as some
  /// writers of 2.1 do as well, which shows where it would stand within a character.
  static func unfold(
    _ text: UnsafeRawBufferPointer, lineEnd: LineEnd, isQuotedPrintable: Bool, keepsBlank: Bool,
    to target: UnsafeMutableRawBufferPointer
  ) -> Int {
    var written = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == lineEnd.byte {
        if lineEnd == .lineFeed, written > 0, target[written - 1] == Byte.carriageReturn { written -= 1 }
        index += 1
        if index < text.count, !keepsBlank || isWithinCharacter(text, blankAt: index) { index += 1 }
        continue
      }
      if byte == equals, isQuotedPrintable {
        if index + 2 < text.count, let high = nibble(text[index + 1]), let low = nibble(text[index + 2]) {
          target[written] = high << 4 | low
          written += 1
          index += 3
          continue
        }
        // A soft break; at the end of the value, one whose next line is missing.
        var next = index + 1
        if next < text.count, text[next] == Byte.carriageReturn, lineEnd == .lineFeed { next += 1 }
        if next == text.count || text[next] == lineEnd.byte {
          index = next + 1
          continue
        }
      }
      target[written] = byte
      written += 1
      index += 1
    }
    return written
  }

  /// Writes the wanted part of `text` without its escapes. `target` has room for twice the bytes of `text`. Returns the
  /// bytes written.
  static func write(
    _ part: VCardColumn.Part, of text: UnsafeRawBufferPointer, keepsLineEscape: Bool,
    to target: UnsafeMutableRawBufferPointer
  ) -> Int {
    var written = 0
    let append = { (piece: UnsafeRawBufferPointer, separator: StaticString) in
      let piece = LabelText.trimmed(piece)
      if piece.isEmpty { return }
      if written > 0 {
        for index in 0..<separator.utf8CodeUnitCount { target[written + index] = separator.utf8Start[index] }
        written += separator.utf8CodeUnitCount
      }
      written = unescape(piece, keepsLineEscape: keepsLineEscape, to: target, at: written)
    }
    switch part {
    case .text: append(text, "")
    case .part(let index): if let piece = piece(index, of: text) { append(piece, "") }
    case .parts:
      var next = 0
      while let piece = piece(of: text, from: &next) { append(piece, ", ") }
    case .spokenName:
      for index in spokenOrder { if let piece = piece(index, of: text) { append(piece, " ") } }
    }
    return written
  }

  private static let spokenOrder = [3, 1, 2, 0, 4]
  private static let equals: UInt8 = 0x3D
  private static let backslash: UInt8 = 0x5C

  /// The part at `index` of a value; nil when it has fewer.
  private static func piece(_ index: Int, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var next = 0
    for _ in 0..<index {
      guard piece(of: text, from: &next) != nil else { return nil }
    }
    return piece(of: text, from: &next)
  }

  /// The part of a value that begins at `next`, which then stands where the one behind it begins; nil behind the last.
  private static func piece(of text: UnsafeRawBufferPointer, from next: inout Int) -> UnsafeRawBufferPointer? {
    guard next <= text.count else { return nil }
    let start = next
    var position = start
    while position < text.count, text[position] != Byte.semicolon { position += text[position] == backslash ? 2 : 1 }
    let end = min(position, text.count)
    next = end + 1
    return UnsafeRawBufferPointer(rebasing: text[start..<end])
  }

  /// `\,`, `\;`, `\:` and `\\` are the second character, `\n` is a line end, other backslashes are text.
  private static func unescape(
    _ text: UnsafeRawBufferPointer, keepsLineEscape: Bool, to target: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var written = start
    var index = 0
    while index < text.count {
      var byte = text[index]
      if byte == backslash, index + 1 < text.count {
        switch text[index + 1] {
        case Byte.comma, Byte.semicolon, 0x3A, backslash:
          byte = text[index + 1]
          index += 1
        case 0x6E, 0x4E:
          if !keepsLineEscape {
            byte = Byte.lineFeed
            index += 1
          }
        default: break
        }
      }
      target[written] = byte
      written += 1
      index += 1
    }
    return written
  }

  /// Whether the blank at `index` stands between two bytes of one character.
  private static func isWithinCharacter(_ text: UnsafeRawBufferPointer, blankAt index: Int) -> Bool {
    index + 1 < text.count && text[index + 1] & 0xC0 == 0x80
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
