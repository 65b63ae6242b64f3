import CallDirectory
import Digests
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

/// What a damaged file may do: give a typed error. Never a trap, never a wrong answer after `verify`.
@Suite struct ShardCorruptionTests {
  let folder: TemporaryFolder
  let rows: [Row]
  let sound: [UInt8]
  let sections: [NaiveShard.Section]

  init() throws {
    folder = try TemporaryFolder()
    // Three blocks: some rows in each family, blocks only, labels only.
    let mixed = (Int64(0)..<128).map { index -> Row in
      let label = index % 6 == 0 ? nil : "ж\(index % 10)"
      return Row(number: index * index + 1, isBlocked: index % 3 == 0, label: label)
    }
    let refused = (Int64(0)..<128).map { Row(number: 20_000 + $0, isBlocked: true, label: nil) }
    let named = (Int64(0)..<9).map { Row(number: 1_000_000_000_000 + 3 * $0, isBlocked: false, label: "n\($0)") }
    rows = mixed + refused + named
    var options = ShardWriter.Options()
    options.isDurable = false
    options.dataSet = "set"
    _ = try write(rows, to: folder.path("sound"), options: options)
    sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("sound"))))
    sections = try NaiveShard(bytes: sound).sections
  }

  /// Opens, walks, searches and verifies `bytes`; gives the rows when all of that succeeds.
  private func examine(_ bytes: [UInt8]) throws -> [Row] {
    let shard = try Shard(folder.write(bytes, to: "damaged"))
    var walked: [Row] = []
    let cursor = shard.makeCursor()
    // Damage ends a block, not the walk; the walk itself has to end.
    for _ in 0..<10_000 {
      do {
        guard let entry = try cursor.next() else { break }
        walked.append(Row(entry))
      } catch {}
    }
    for row in rows.enumerated() where row.offset % 16 == 0 {
      _ = shard.find(PhoneNumber(row.element.number))
      shard.forEachLabel(of: PhoneNumber(row.element.number)) { _ = $0.reduce(0, &+) }
      try? cursor.seek(to: PhoneNumber(row.element.number))
      _ = try? cursor.next()
    }
    try shard.verify()
    return walked
  }

  private func outcome(_ bytes: [UInt8]) throws -> [Row]? {
    do { return try examine(bytes) } catch let error as ShardError {
      #expect(!error.what.isEmpty && !error.expectation.isEmpty && !error.fix.isEmpty)
      return nil
    }
  }

  @Test func `Undamaged it is what was written`() throws {
    #expect(try examine(sound) == rows)
  }

  @Test(arguments: [UInt8(0x01), 0xFF]) func `Each byte flipped is found`(_ mask: UInt8) throws {
    for offset in sound.indices {
      var bytes = sound
      bytes[offset] ^= mask
      #expect(try outcome(bytes) == nil, "byte \(offset)")
    }
  }

  @Test func `Cut short at any length, or added to, it does not open`() throws {
    for length in sound.indices {
      let path = try folder.write(Array(sound[..<length]), to: "short")
      #expect(throws: ShardError.self, "\(length) bytes") { try Shard(path) }
    }
    for added in [1, 64, 192, 4096] {
      let path = try folder.write(sound + [UInt8](repeating: 0, count: added), to: "long")
      #expect(throws: ShardError.self) { try Shard(path) }
    }
    let twice = try folder.write(sound + sound, to: "twice")
    #expect(throws: ShardError.self) { try Shard(twice) }
  }

  private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.withUnsafeBytes { CRC32C.checksum(of: $0) } }

  /// Makes all checksums right again, so that what is behind them is reached.
  private func resealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let trailer = sound.count - 192
    func put(_ value: UInt32, at offset: Int) {
      for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
    let table = trailer - 128
    for (index, section) in sections.enumerated() {
      put(checksum(bytes[section.offset..<(section.offset + section.length)]), at: table + 32 * index + 24)
    }
    put(checksum(bytes[table..<(table + 32 * sections.count)]), at: trailer + 20)
    put(checksum(bytes[0..<64] + bytes[trailer..<(trailer + 180)]), at: trailer + 180)
    return bytes
  }

  @Test func `Damage with right checksums is found or says the same`() throws {
    var random = SeededGenerator(seed: 51)
    #expect(resealed(sound) == sound)
    for round in 0..<2000 {
      var bytes = sound
      let offset = Int.random(in: 0..<sound.count, using: &random)
      switch round % 4 {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
      case 2:
        for index in offset..<min(offset + 8, sound.count) { bytes[index] = 0xFF }
      default:
        for _ in 0..<4 {
          bytes[Int.random(in: 0..<sound.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      if let found = try outcome(resealed(bytes)) { #expect(found == rows, "round \(round)") }
    }
  }

  @Test func `Every field of the trailer with an extreme value and right checksums is survived`() throws {
    let trailer = sound.count - 192
    let extremes: [[UInt8]] = [
      [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0xFF, count: 7) + [0x7F],
      [UInt8](repeating: 0, count: 7) + [0x80], [0xC0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ]
    for field in stride(from: trailer - 128, to: sound.count - 16, by: 8) {
      for value in extremes {
        var bytes = sound
        bytes.replaceSubrange(field..<(field + 8), with: value)
        if let found = try outcome(resealed(bytes)) { #expect(found == rows, "field \(field - trailer)") }
      }
    }
  }

  @Test func `A newer major version, an unknown profile, kind, flag or needed section is told apart from damage`()
    throws
  {
    let trailer = sound.count - 192
    for (offset, value) in [(8, UInt8(2)), (12, 2), (13, 2), (trailer + 24, 2)] {
      var bytes = sound
      bytes[offset] = value
      let path = try folder.write(resealed(bytes), to: "newer")
      let error = #expect(throws: ShardError.self) { try Shard(path) }
      #expect(error?.code == .unsupported, "byte \(offset)")
      #expect(error?.fix.contains("newer") == true)
    }
  }

  @Test func `A newer minor version, an unknown informative flag and a section that may be skipped are read`() throws {
    let trailer = sound.count - 192
    var bytes = sound
    bytes[10] = 7
    bytes[trailer + 27] = 0x80
    #expect(try examine(resealed(bytes)) == rows)

    let naive = try NaiveShard(bytes: sound)
    let extra = NaiveShard.Section(
      id: 99, flags: 0, offset: trailer - 128, length: 5, checksum: NaiveShard.checksum(Array("hello".utf8)))
    let grown = frame(naive, adding: extra, content: Array("hello".utf8))
    #expect(try examine(grown) == rows)
    #expect(try Shard(folder.path("damaged")).sections.last?.id.rawValue == 99)

    var needed = extra
    needed.flags = 1
    let path = try folder.write(frame(naive, adding: needed, content: Array("hello".utf8)), to: "needed")
    let error = #expect(throws: ShardError.self) { try Shard(path) }
    #expect(error?.code == .unsupported)
  }

  /// The sound shard with one section more.
  private func frame(_ naive: NaiveShard, adding extra: NaiveShard.Section, content: [UInt8]) -> [UInt8] {
    func integer(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64) }
    var trailer = Array(sound[(sound.count - 192)...])
    var bytes = padded(Array(sound[..<extra.offset]) + content)
    let tableOffset = bytes.count
    var table: [UInt8] = []
    for section in naive.sections + [extra] {
      table += integer(Int(section.id), 4) + integer(Int(section.flags), 4) + integer(section.offset, 8)
      table += integer(section.length, 8) + integer(Int(section.checksum), 4) + integer(0, 4)
    }
    bytes += padded(table)
    trailer.replaceSubrange(0..<8, with: integer(bytes.count + 192, 8))
    trailer.replaceSubrange(8..<16, with: integer(tableOffset, 8))
    trailer.replaceSubrange(16..<20, with: integer(naive.sections.count + 1, 4))
    trailer.replaceSubrange(20..<24, with: integer(Int(NaiveShard.checksum(table)), 4))
    trailer.replaceSubrange(180..<184, with: integer(Int(NaiveShard.checksum(bytes[..<64] + trailer[..<180])), 4))
    return bytes + trailer
  }

  static let others: [(name: String, bytes: [UInt8])] = [
    ("empty", []), ("text", Array("hello\n".utf8)), ("magic alone", Array("SHARD\r\n\0".utf8)),
    ("text mode copy", Array("SHARD\n\0".utf8) + [UInt8](repeating: 0, count: 400)),
  ]

  @Test(arguments: others) func `Another file is not a shard`(_ other: (name: String, bytes: [UInt8])) throws {
    let path = try folder.write(other.bytes, to: "other")
    let error = #expect(throws: ShardError.self) { try Shard(path) }
    #expect(error?.path == path)
    #expect(error?.code == (other.name == "magic alone" ? .wrongSize : .notAShard))
  }

  @Test func `A folder and a missing file are the system's errors`() {
    #expect(throws: (any Error).self) { try Shard(folder.path) }
    #expect(throws: (any Error).self) { try Shard(folder.path("none")) }
  }
}
