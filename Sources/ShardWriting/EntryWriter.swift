internal import CallDirectory
internal import SystemSupport

/// Writes single entries in the formats of `ShardExport`.
struct EntryWriter: ~Copyable {
  private let writer: FileWriter
  private let digits = UnsafeMutableRawBufferPointer.allocate(byteCount: 20, alignment: 1)

  init(_ writer: FileWriter) { self.writer = writer }

  deinit { digits.deallocate() }

  func tsv(_ entry: DirectoryEntry) throws(SystemError) {
    try write(entry.number)
    try writer.write(UInt8(ascii: "\t"))
    if let label = entry.label {
      try write(label) { byte throws(SystemError) in
        guard let letter = TabSeparatedField.letter(for: byte) else { return false }
        try writer.write(UInt8(ascii: "\\"))
        try writer.write(letter)
        return true
      }
    }
    try writer.write(UInt8(ascii: "\t"))
    try writer.write(Self.action(entry))
    try writer.write(UInt8(ascii: "\n"))
  }

  func csv(_ entry: DirectoryEntry) throws(SystemError) {
    try writer.write(UInt8(ascii: "+"))
    try write(entry.number)
    try writer.write(UInt8(ascii: ","))
    if let label = entry.label {
      // A blank at either end is quoted, too: readers differ about those.
      let isQuoted =
        label.first == 0x20 || label.last == 0x20
        || label.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
      if isQuoted { try writer.write(UInt8(ascii: "\"")) }
      try write(label) { byte throws(SystemError) in
        guard byte == UInt8(ascii: "\"") else { return false }
        try writer.write("\"\"")
        return true
      }
      if isQuoted { try writer.write(UInt8(ascii: "\"")) }
    }
    try writer.write(UInt8(ascii: ","))
    try writer.write(Self.action(entry))
    try writer.write("\r\n")
  }

  func jsonl(_ entry: DirectoryEntry) throws(SystemError) {
    try writer.write("{\"number\":\"+")
    try write(entry.number)
    try writer.write("\",\"label\":\"")
    if let label = entry.label {
      try write(label) { byte throws(SystemError) in
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return false }
        try writer.write(UInt8(ascii: "\\"))
        if byte < 0x20 {
          try writer.write("u00")
          try writer.write(Self.hexadecimal(byte >> 4))
          try writer.write(Self.hexadecimal(byte & 15))
        } else {
          try writer.write(byte)
        }
        return true
      }
    }
    try writer.write("\",\"action\":\"")
    try writer.write(Self.action(entry))
    try writer.write("\"}\n")
  }

  func twoGIS(_ entry: DirectoryEntry) throws {
    let label = try label(of: entry, "the format 2gis")
    guard label.count <= Int(UInt16.max) - 8 else {
      throw ShardExport.Refusal(
        number: entry.number, what: "its label has \(label.count) bytes, and a record holds \(Int(UInt16.max) - 8)")
    }
    try writer.write(UInt16(8 + label.count))
    try writer.write(UInt64(bitPattern: entry.number.rawValue))
    try writer.write(label)
  }

  func vcard(_ entry: DirectoryEntry) throws {
    let label = try label(of: entry, "a vCard")
    try writer.write("BEGIN:VCARD\r\nVERSION:3.0\r\n")
    try property("FN", label)
    try property("N", label)
    try writer.write("TEL:+")
    try write(entry.number)
    try writer.write("\r\nEND:VCARD\r\n")
  }

  /// A line of a card, folded before it exceeds 75 bytes, between characters (RFC 2426, section 2.6).
  private func property(_ name: StaticString, _ text: UnsafeRawBufferPointer) throws(SystemError) {
    try writer.write(name)
    try writer.write(UInt8(ascii: ":"))
    var column = name.utf8CodeUnitCount + 1
    var index = 0
    while index < text.count {
      let byte = text[index]
      var length = 1
      while index + length < text.count, text[index + length] & 0xC0 == 0x80 { length += 1 }
      if byte == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A {
        index += 1
        continue
      }
      let isLineEnd = byte == 0x0A || byte == 0x0D
      let isEscaped = byte == 0x5C || byte == 0x2C || byte == 0x3B || isLineEnd
      let size = length + (isEscaped ? 1 : 0)
      if column + size > 75 {
        try writer.write("\r\n ")
        column = 1
      }
      if isEscaped { try writer.write(UInt8(ascii: "\\")) }
      if isLineEnd {
        try writer.write(UInt8(ascii: "n"))
      } else {
        try writer.write(UnsafeRawBufferPointer(rebasing: text[index..<index + length]))
      }
      column += size
      index += length
    }
    // The family name alone; the other four parts of a name are empty.
    try writer.write(name.utf8CodeUnitCount == 1 ? ";;;;\r\n" : "\r\n")
  }

  /// The label, where the format can hold the entry.
  private func label(
    of entry: DirectoryEntry, _ format: StaticString
  ) throws(ShardExport.Refusal) -> UnsafeRawBufferPointer {
    guard let label = entry.label, !entry.isBlocked else {
      throw ShardExport.Refusal(number: entry.number, what: "it is blocked, and \(format) cannot say so")
    }
    return label
  }

  /// Writes `text`, asking `escape` for each byte whether it has written something in its place.
  @inline(__always)
  private func write(
    _ text: UnsafeRawBufferPointer, escape: (UInt8) throws(SystemError) -> Bool
  ) throws(SystemError) {
    var start = 0
    for index in 0..<text.count {
      // What may have to be escaped is ASCII; most bytes of a label stand for themselves without being asked about.
      let byte = text[index]
      guard byte < 0x30 || byte == 0x5C else { continue }
      if start < index { try writer.write(UnsafeRawBufferPointer(rebasing: text[start..<index])) }
      start = try escape(byte) ? index + 1 : index
    }
    try writer.write(UnsafeRawBufferPointer(rebasing: text[start...]))
  }

  private func write(_ number: PhoneNumber) throws(SystemError) {
    var at = digits.count
    var rest = number.rawValue.magnitude
    repeat {
      at -= 1
      digits[at] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    try writer.write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[at...]))
  }

  private static func action(_ entry: DirectoryEntry) -> StaticString {
    entry.label == nil ? "block" : entry.isBlocked ? "both" : "identify"
  }

  private static func hexadecimal(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension FileWriter {
  /// Appends the bytes of a text that is part of the program.
  @inline(__always)
  fileprivate func write(_ text: StaticString) throws(SystemError) {
    try write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
