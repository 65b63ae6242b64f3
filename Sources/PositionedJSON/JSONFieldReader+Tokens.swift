extension JSONFieldReader {
  /// Behind the blanks at `position`.
  @inline(__always)
  package static func skipBlanks(_ position: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer {
    var position = position
    while position < end {
      let byte = position.load(as: UInt8.self)
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      position += 1
    }
    return position
  }

  /// The offset behind the blanks at `position`.
  package static func skipBlanks(_ bytes: UnsafeRawBufferPointer, from position: Int, to end: Int) -> Int {
    guard let base = bytes.baseAddress else { return end }
    return skipBlanks(base + position, base + end) - base
  }

  /// The quote that closes a string whose text begins at `start`; nil when the string is broken.
  @inline(__always)
  static func stringEnd(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ hasEscapes: inout Bool
  ) -> UnsafeRawPointer? {
    var position = start
    while position < end {
      let word = JSONWord.load(position)
      let hits = JSONWord.special(word)
      if hits == 0 {
        position += 8
        continue
      }
      position += hits.trailingZeroBitCount >> 3
      guard position < end else { return nil }
      let byte = position.load(as: UInt8.self)
      if byte == 0x22 { return position }
      if byte >= 0x80 {
        guard let next = skipText(position, end) else { return nil }
        position = next
      } else if byte == 0x5C {
        hasEscapes = true
        guard let next = escapeEnd(position, end) else { return nil }
        position = next
      } else {
        return nil
      }
    }
    return nil
  }

  /// Behind the characters at `position` that are not ASCII; nil when they are not UTF-8.
  @inline(__always)
  private static func skipText(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer? {
    var position = start
    while end - position >= 8, JSONWord.isFourPairs(JSONWord.load(position)) { position += 8 }
    while position < end, position.load(as: UInt8.self) >= 0x80 {
      let bytes = UnsafeRawBufferPointer(start: position, count: min(end - position, 4))
      let length = bytes.withMemoryRebound(to: UInt8.self) { UTF8Validation.sequenceLength(in: $0, at: 0) }
      guard length > 0 else { return nil }
      position += length
    }
    return position
  }

  /// Behind the escape at `position`; a pair of surrogates is one. Nil when it is broken.
  @inline(never)
  private static func escapeEnd(_ position: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard end - position >= 2 else { return nil }
    let letter = position.load(fromByteOffset: 1, as: UInt8.self)
    if letter != 0x75 { return JSONEscapes.simple(letter) == nil ? nil : position + 2 }
    guard let unit = unit(position, end) else { return nil }
    if unit & 0xF800 != 0xD800 { return position + 6 }
    guard unit & 0xFC00 == 0xD800, let low = self.unit(position + 6, end), low & 0xFC00 == 0xDC00 else { return nil }
    return position + 12
  }

  /// The code unit of the escape `\uXXXX` at `position`.
  private static func unit(_ position: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UInt32? {
    guard end - position >= 6, position.load(as: UInt8.self) == 0x5C,
      position.load(fromByteOffset: 1, as: UInt8.self) == 0x75
    else { return nil }
    var value: UInt32 = 0
    for index in 2..<6 {
      guard let digit = JSONEscapes.hexadecimal(position.load(fromByteOffset: index, as: UInt8.self)) else {
        return nil
      }
      value = value << 4 | digit
    }
    return value
  }

  /// Behind the number at `position`; nil when it is broken.
  static func numberEnd(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer? {
    var position = start
    if byte(position, end) == 0x2D { position += 1 }
    let first = byte(position, end)
    guard isDigit(first) else { return nil }
    position += 1
    if first == 0x30 {
      if isDigit(byte(position, end)) { return nil }
    } else {
      while isDigit(byte(position, end)) { position += 1 }
    }
    if byte(position, end) == 0x2E {
      position += 1
      guard isDigit(byte(position, end)) else { return nil }
      while isDigit(byte(position, end)) { position += 1 }
    }
    if byte(position, end) | 0x20 == 0x65 {
      position += 1
      let sign = byte(position, end)
      if sign == 0x2B || sign == 0x2D { position += 1 }
      guard isDigit(byte(position, end)) else { return nil }
      while isDigit(byte(position, end)) { position += 1 }
    }
    return position < end && JSONParser.isWordByte(position.load(as: UInt8.self)) ? nil : position
  }

  /// Behind the word at `position`; nil when it is another one.
  static func wordEnd(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ word: StaticString
  ) -> UnsafeRawPointer? {
    let count = word.utf8CodeUnitCount
    guard end - start >= count else { return nil }
    for index in 0..<count where start.load(fromByteOffset: index, as: UInt8.self) != word.utf8Start[index] {
      return nil
    }
    let stop = start + count
    return stop < end && JSONParser.isWordByte(stop.load(as: UInt8.self)) ? nil : stop
  }

  /// The byte at `position`; 0 at the end.
  @inline(__always)
  private static func byte(_ position: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UInt8 {
    position < end ? position.load(as: UInt8.self) : 0
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// A hash of a key. Behind its end at least 8 bytes can be read.
  @inline(__always)
  static func hash(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    var position = start
    var left = count
    while left >= 8 {
      hash = (hash ^ JSONWord.load(position)) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash >> 32
      position += 8
      left -= 8
    }
    if left > 0 {
      let word = JSONWord.load(position) & (~0 >> UInt64(64 - left * 8))
      hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash >> 32
    }
    return hash
  }
}

extension JSONEscapes {
  /// Writes the text of a string with its escapes resolved; it is never longer than the string. Returns the bytes
  /// written. Requires: the escapes have been checked.
  static func write(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) -> Int {
    var position = start
    var written = 0
    func put(_ byte: UInt32) {
      target.storeBytes(of: UInt8(truncatingIfNeeded: byte), toByteOffset: written, as: UInt8.self)
      written += 1
    }
    func unit(_ position: UnsafeRawPointer) -> UInt32 {
      (2..<6).reduce(0) { $0 << 4 | (hexadecimal(position.load(fromByteOffset: $1, as: UInt8.self)) ?? 0) }
    }
    while position < end {
      let byte = position.load(as: UInt8.self)
      guard byte == 0x5C, end - position >= 2 else {
        put(UInt32(byte))
        position += 1
        continue
      }
      let letter = position.load(fromByteOffset: 1, as: UInt8.self)
      guard letter == 0x75, end - position >= 6 else {
        put(UInt32(simple(letter) ?? letter))
        position += 2
        continue
      }
      var scalar = unit(position)
      position += 6
      if scalar & 0xFC00 == 0xD800, end - position >= 6 {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(position) & 0x3FF)
        position += 6
      }
      switch scalar {
      case 0..<0x80: put(scalar)
      case 0x80..<0x800:
        put(0xC0 | scalar >> 6)
        put(0x80 | scalar & 0x3F)
      case 0x800..<0x10000:
        put(0xE0 | scalar >> 12)
        put(0x80 | scalar >> 6 & 0x3F)
        put(0x80 | scalar & 0x3F)
      default:
        put(0xF0 | scalar >> 18)
        put(0x80 | scalar >> 12 & 0x3F)
        put(0x80 | scalar >> 6 & 0x3F)
        put(0x80 | scalar & 0x3F)
      }
    }
    return written
  }
}
