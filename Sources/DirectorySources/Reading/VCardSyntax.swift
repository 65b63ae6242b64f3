/// How a file of vCards is cut into cards, and which of their properties are wanted.
///
/// A line `BEGIN:VCARD` begins a card and a line `END:VCARD` ends one, whatever stands before it and in whatever letter
/// case: so a card that is not closed, or is cut within a quoted-printable text, costs none of the cards behind it, and
/// where chunks are cut has no influence on what is read.
struct VCardSyntax: Sendable {
  /// What ends a line.
  var lineEnd: LineEnd
  /// Names of the properties that are looked at, in capital letters. The first one is that of the numbers.
  var properties: [[UInt8]]
  /// What each field of a row but the first is made of: the first of these that is not blank.
  var fields: [[VCardColumn]]
  /// The encoding of quoted-printable texts that do not state theirs; nil for UTF-8.
  var encoding: TextEncoding?
  /// Whether the file was converted to UTF-8 before it is cut into cards, so that only encoded texts are in the
  /// character set that a property states.
  var isConverted: Bool

  /// The end (behind the line end) of the last card that ends within `bytes`; nil when none does.
  func lastRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var stop = bytes.lastIndex(of: lineEnd.byte)
    while let end = stop {
      stop = UnsafeRawBufferPointer(rebasing: bytes[..<end]).lastIndex(of: lineEnd.byte)
      if Self.marks(base + (stop.map { $0 + 1 } ?? 0), base + end) == .end { return end + 1 }
    }
    return nil
  }

  /// Bytes in which a line is recognised that ends a card, with any blanks that one would put behind it.
  static let leastWindow = 4096

  /// How much of `bytes`, which stand within a card that is passed over, to pass, and whether the card ends there. The
  /// line end before a line that is not whole is looked at again.
  func passed(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> (bytes: Int, isEnd: Bool) {
    guard let base = bytes.baseAddress else { return (0, true) }
    var last: Int?
    var position = 0
    while let end = ByteSearch.first(lineEnd.byte, in: bytes, from: position) {
      if let last, Self.marks(base + last + 1, base + end) == .end { return (end + 1, true) }
      last = end
      position = end + 1
    }
    if isWhole { return (bytes.count, true) }
    return (last.flatMap { $0 > 0 ? $0 : nil } ?? bytes.count, false)
  }

  /// What a line says about cards.
  enum Mark {
    case begin
    case end
    case none
  }

  /// What the line from `start` to `stop` says about cards. A byte order mark, as joining files leaves it before a card,
  /// and blanks behind are passed over.
  @inline(__always)
  static func marks(_ start: UnsafeRawPointer, _ stop: UnsafeRawPointer) -> Mark {
    guard stop - start >= 9 else { return .none }
    switch start.load(as: UInt8.self) {
    case 0x42, 0x62: return isText("BEGIN:VCARD", start, stop) ? .begin : .none
    case 0x45, 0x65: return isText("END:VCARD", start, stop) ? .end : .none
    case 0xEF:
      guard stop - start > 3, (start + 1).loadUnaligned(as: UInt16.self) == UInt16(littleEndian: 0xBFBB) else {
        return .none
      }
      return marks(start + 3, stop)
    default: return .none
    }
  }

  /// Whether the line is `text` in any letter case, with nothing but blanks behind it.
  private static func isText(_ text: StaticString, _ start: UnsafeRawPointer, _ stop: UnsafeRawPointer) -> Bool {
    let count = text.utf8CodeUnitCount
    guard stop - start >= count else { return false }
    for index in 0..<count where VCardText.capital((start + index).load(as: UInt8.self)) != text.utf8Start[index] {
      return false
    }
    var rest = start + count
    while rest < stop {
      guard rest.load(as: UInt8.self) <= Byte.space else { return false }
      rest += 1
    }
    return true
  }
}

/// A column of a vCard: a property, or a part of one.
struct VCardColumn: Hashable, Sendable {
  /// Which part of the value counts.
  enum Part: Hashable, Sendable {
    /// A value that has no parts.
    case text
    /// All parts that are not blank, in their order, with `", "` between them.
    case parts
    /// The part at a position, from 0.
    case part(Int)
    /// The parts of a name in the order in which they are said: prefix, given name, further names, family name, suffix.
    case spokenName
  }

  /// Position among the syntax's `properties`.
  var property: Int
  var part: Part
}
