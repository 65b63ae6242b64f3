import Foundation

/// A second reader, written from FileFormat.md alone and as plainly as possible: it trusts the file, reads it whole and
/// shares no code with the module it checks.
struct NaiveShard {
  struct Row: Equatable {
    var number: Int64
    var isBlocked: Bool
    var label: String?
  }

  struct Section: Equatable {
    var id: UInt32
    var flags: UInt32
    var offset: Int
    var length: Int
    var checksum: UInt32
  }

  struct Malformed: Error { var what: String }

  let bytes: [UInt8]
  var dataSet = ""
  var sections: [Section] = []
  var rows: [Row] = []

  init(_ path: String) throws { try self.init(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))) }

  init(bytes: [UInt8]) throws {
    self.bytes = bytes
    guard Array(bytes[0..<8]) == Array("SHARD\r\n\0".utf8) else { throw Malformed(what: "magic") }
    guard integer(at: 8, bytes: 2) == 1, bytes[12] == 1, [1, 2].contains(bytes[13]) else {
      throw Malformed(what: "version")
    }
    dataSet = String(decoding: bytes[16..<48].prefix { $0 != 0 }, as: UTF8.self)
    let trailer = bytes.count - 192
    guard Array(bytes[(trailer + 184)...]) == Array("SHARDEND".utf8) else { throw Malformed(what: "end") }
    guard integer(at: trailer, bytes: 8) == bytes.count else { throw Malformed(what: "size") }
    guard
      Self.checksum(bytes[0..<64] + bytes[trailer..<(trailer + 180)]) == UInt32(integer(at: trailer + 180, bytes: 4))
    else { throw Malformed(what: "checksum of head and trailer") }
    let table = integer(at: trailer + 8, bytes: 8)
    let count = integer(at: trailer + 16, bytes: 4)
    guard Self.checksum(bytes[table..<(table + 32 * count)]) == UInt32(integer(at: trailer + 20, bytes: 4)) else {
      throw Malformed(what: "checksum of the table")
    }
    for index in 0..<count {
      let at = table + 32 * index
      let section = Section(
        id: UInt32(integer(at: at, bytes: 4)), flags: UInt32(integer(at: at + 4, bytes: 4)),
        offset: integer(at: at + 8, bytes: 8), length: integer(at: at + 16, bytes: 8),
        checksum: UInt32(integer(at: at + 24, bytes: 4)))
      guard Self.checksum(bytes[section.offset..<(section.offset + section.length)]) == section.checksum else {
        throw Malformed(what: "checksum of section \(section.id)")
      }
      sections.append(section)
    }
    let rowCount = integer(at: trailer + 32, bytes: 8)
    if bytes[13] == 1 { try readBlocks(rows: rowCount) } else { rows = try NaiveCodes(self).rows(rowCount) }
    let rowCounts = (rows.count, Set(rows.map(\.number)).count)
    try readRuns()
    let numbers = Set(rows.map(\.number)).count
    let stored = (0..<4).map { integer(at: trailer + 32 + 8 * $0, bytes: 8) }
    let counted = [rowCounts.0, numbers, rows.count { $0.isBlocked }, rows.count { $0.label != nil }]
    guard stored == counted else { throw Malformed(what: "counts") }
    guard integer(at: trailer + 64, bytes: 8) == rows.first?.number ?? 0,
      integer(at: trailer + 72, bytes: 8) == rows.last?.number ?? 0
    else { throw Malformed(what: "first and last") }
    guard integer(at: trailer + 24, bytes: 4) == (rowCounts.0 > rowCounts.1 ? 1 : 0) else {
      throw Malformed(what: "flags")
    }
    guard integer(at: trailer + 144, bytes: 8) == rows.reduce(0, { $0 + ($1.label?.utf8.count ?? 0) }) else {
      throw Malformed(what: "label bytes")
    }
  }

  private mutating func readBlocks(rows count: Int) throws {
    guard let numbers = sections.first(where: { $0.id == 1 }), let offsets = sections.first(where: { $0.id == 2 }),
      let blocks = sections.first(where: { $0.id == 3 })
    else { throw Malformed(what: "sections") }
    for block in 0..<((count + 127) / 128) {
      let first = integer(at: numbers.offset + 8 * block, bytes: 8)
      var at = blocks.offset + integer(at: offsets.offset + 8 * block, bytes: 8)
      let (rowCount, width, endWidth, families) = (
        Int(bytes[at]), Int(bytes[at + 1]), Int(bytes[at + 2]), bytes[at + 3]
      )
      let blocked = families & 3
      at += 4
      let bitmap = at
      if blocked == 2 { at += (rowCount + 7) / 8 }
      let ends = at + rowCount * width
      let labels = ends + rowCount * endWidth
      var start = 0
      for row in 0..<rowCount {
        let isBlocked = blocked == 1 || (blocked == 2 && bytes[bitmap + row / 8] >> (row % 8) & 1 == 1)
        let end = endWidth == 0 ? 0 : integer(at: ends + row * endWidth, bytes: endWidth)
        let label = end > start ? String(decoding: bytes[(labels + start)..<(labels + end)], as: UTF8.self) : nil
        start = end
        rows.append(
          Row(number: Int64(first + integer(at: at + row * width, bytes: width)), isBlocked: isBlocked, label: label))
      }
    }
  }

  /// Expands the runs and puts their numbers between the rows.
  private mutating func readRuns() throws {
    guard let section = sections.first(where: { $0.id == 7 }) else { return }
    guard section.flags == 1 else { throw Malformed(what: "runs that may be skipped") }
    let labels = section.offset + 8 + 24 * integer(at: section.offset, bytes: 8)
    for at in stride(from: section.offset + 8, to: labels, by: 24) {
      let (length, start) = (integer(at: at + 14, bytes: 2), labels + integer(at: at + 16, bytes: 8))
      guard integer(at: at + 12, bytes: 2) <= 1, start + length <= section.offset + section.length else {
        throw Malformed(what: "run")
      }
      let label = length == 0 ? nil : String(decoding: bytes[start..<(start + length)], as: UTF8.self)
      for index in 0..<integer(at: at + 8, bytes: 4) {
        rows.append(
          Row(number: Int64(integer(at: at, bytes: 8) + index), isBlocked: bytes[at + 12] == 1, label: label))
      }
    }
    let before = rows.count
    rows.sort { $0.number < $1.number }
    guard Set(rows.map(\.number)).count == before else { throw Malformed(what: "a number in two places") }
  }

  func integer(at offset: Int, bytes count: Int) -> Int {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return Int(truncatingIfNeeded: value)
  }

  /// CRC32C bit by bit.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return ~crc
  }
}
