import CallDirectory
import Digests
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

/// A sound shard and what becomes of it.
struct SoundShard {
  let folder: TemporaryFolder
  let rows: [Row]
  let sound: [UInt8]
  let sections: [NaiveShard.Section]
  private var blockRanges: [Range<Int>] = []

  /// `hasRuns`: with two ranges that stay unexpanded, one between the blocks.
  init(_ profile: ShardProfile, hasRuns: Bool = true) throws {
    folder = try TemporaryFolder()
    // Three blocks: some rows in each family, blocks only, labels only.
    let mixed = (Int64(0)..<128).map { index -> Row in
      let label = index % 6 == 0 ? nil : "ж\(index % 10)"
      return Row(number: index * index + 1, isBlocked: index % 3 == 0, label: label)
    }
    let refused = (Int64(0)..<128).map { Row(number: 20_000 + $0, isBlocked: true, label: nil) }
    let named = (Int64(0)..<9).map { Row(number: 1_000_000_000_000 + 3 * $0, isBlocked: false, label: "n\($0)") }
    let runs = [
      RunShardTests.Piece(19_900, 40, isBlocked: true), RunShardTests.Piece(30_000, 35, isBlocked: true, "рун"),
    ].filter { _ in hasRuns }
    rows = (mixed + refused + named + runs.flatMap(\.rows)).sorted { $0.number < $1.number }
    var options = ShardWriter.Options()
    options.isDurable = false
    options.profile = profile
    options.dataSet = "set"
    let writer = try ShardWriter(folder.path("sound"), options: options)
    for piece
      in ((mixed + refused + named).map { RunShardTests.Piece($0.number, isBlocked: $0.isBlocked, $0.label) } + runs)
      .sorted(by: { $0.first < $1.first })
    {
      try RunShardTests.append(piece, to: writer)
    }
    _ = try writer.finish()
    sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("sound"))))
    let naive = try NaiveShard(bytes: sound)
    sections = naive.sections
    let blocks = sections.first { $0.id == (profile == .plain ? 3 : 4) }
    guard let blocks, let index = sections.first(where: { $0.id == (profile == .plain ? 2 : 9) }) else { return }
    let starts = (0..<3).map { block -> Int in
      guard profile == .balanced else { return blocks.offset + naive.integer(at: index.offset + 8 * block, bytes: 8) }
      let (a, b) = (Int(sound[index.offset]), Int(sound[index.offset + 1]))
      return blocks.offset + naive.integer(at: index.offset + 8 + (a + b) * block + a, bytes: b)
    }
    blockRanges = zip(starts, starts.dropFirst() + [blocks.offset + blocks.length]).map { $0..<$1 }
  }

  /// Opens, walks, searches and verifies `bytes`; gives the rows when all of that succeeds.
  func examine(_ bytes: [UInt8]) throws -> [Row] {
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

  func outcome(_ bytes: [UInt8]) throws -> [Row]? {
    do { return try examine(bytes) } catch let error as ShardError {
      #expect(!error.what.isEmpty && !error.expectation.isEmpty && !error.fix.isEmpty)
      return nil
    }
  }

  private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.withUnsafeBytes { CRC32C.checksum(of: $0) } }

  /// Makes all checksums right again, so that what is behind them is reached.
  func resealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let trailer = sound.count - 192
    func put(_ value: UInt32, at offset: Int) {
      for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
    let table = trailer - (32 * sections.count + 63) / 64 * 64
    if let checksums = sections.first(where: { $0.id == 8 }) {
      for (block, range) in blockRanges.enumerated() { put(checksum(bytes[range]), at: checksums.offset + 4 * block) }
    }
    for (index, section) in sections.enumerated() {
      put(checksum(bytes[section.offset..<(section.offset + section.length)]), at: table + 32 * index + 24)
    }
    put(checksum(bytes[table..<(table + 32 * sections.count)]), at: trailer + 20)
    put(checksum(bytes[0..<64] + bytes[trailer..<(trailer + 180)]), at: trailer + 180)
    return bytes
  }

  /// The shard as version 1.0 wrote it.
  func withoutBlockChecksums() -> [UInt8] {
    let trailer = sound.count - 192
    let kept = sections.filter { $0.id != 8 }
    var bytes = Array(sound[..<(sections.first { $0.id == 8 }?.offset ?? trailer)])
    bytes[10] = 0
    let tableOffset = bytes.count
    bytes += table(kept)
    bytes += [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64)
    return bytes + closing(bytes, tableOffset: tableOffset, table: table(kept), sections: kept.count)
  }

  private func integer(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func table(_ sections: [NaiveShard.Section]) -> [UInt8] {
    sections.flatMap { section -> [UInt8] in
      integer(Int(section.id), 4) + integer(Int(section.flags), 4) + integer(section.offset, 8)
        + integer(section.length, 8) + integer(Int(section.checksum), 4) + integer(0, 4)
    }
  }

  /// The trailer of a shard that has other sections.
  private func closing(_ bytes: [UInt8], tableOffset: Int, table: [UInt8], sections: Int) -> [UInt8] {
    var trailer = Array(sound[(sound.count - 192)...])
    trailer.replaceSubrange(0..<8, with: integer(bytes.count + 192, 8))
    trailer.replaceSubrange(8..<16, with: integer(tableOffset, 8))
    trailer.replaceSubrange(16..<20, with: integer(sections, 4))
    trailer.replaceSubrange(20..<24, with: integer(Int(NaiveShard.checksum(table)), 4))
    trailer.replaceSubrange(180..<184, with: integer(Int(NaiveShard.checksum(bytes[..<64] + trailer[..<180])), 4))
    return trailer
  }

  /// The sound shard with one section more.
  func frame(_ naive: NaiveShard, adding extra: NaiveShard.Section, content: [UInt8]) -> [UInt8] {
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64) }
    var bytes = padded(Array(sound[..<extra.offset]) + content)
    let tableOffset = bytes.count
    let table = table(naive.sections + [extra])
    bytes += padded(table)
    return bytes + closing(bytes, tableOffset: tableOffset, table: table, sections: naive.sections.count + 1)
  }
}
