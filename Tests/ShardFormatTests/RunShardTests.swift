import CallDirectory
import Digests
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

/// Ranges that stay unexpanded in shards.
@Suite struct RunShardTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Consecutive numbers that say the same.
  struct Piece {
    var first: Int64
    var count: Int
    var isBlocked = false
    var label: String?

    init(_ first: Int64, _ count: Int = 1, isBlocked: Bool = false, _ label: String? = nil) {
      (self.first, self.count, self.isBlocked, self.label) = (first, count, isBlocked, label)
    }

    var rows: [Row] {
      (0..<Int64(count)).map { Row(number: first + $0, isBlocked: isBlocked, label: label) }
    }
  }

  static func append(_ piece: Piece, to writer: ShardWriter) throws {
    let number = PhoneNumber(piece.first)
    guard let label = piece.label else {
      let entry = DirectoryEntry(number: number, isBlocked: piece.isBlocked, label: nil)
      return try writer.append(EntryRun(entry, count: piece.count))
    }
    try Array(label.utf8).withUnsafeBytes {
      try writer.append(
        EntryRun(DirectoryEntry(number: number, isBlocked: piece.isBlocked, label: $0), count: piece.count))
    }
  }

  @discardableResult
  private func write(
    _ pieces: [Piece], _ name: String, _ profile: ShardProfile = .plain, repeats: Bool = false
  ) throws -> ShardSummary {
    var options = ShardWriter.Options()
    options.profile = profile
    options.isDurable = false
    options.allowsRepeats = repeats
    let writer = try ShardWriter(folder.path(name), options: options)
    for piece in pieces { try Self.append(piece, to: writer) }
    let counts = writer.counts
    let summary = try writer.finish()
    #expect(counts == summary.counts)
    return summary
  }

  private static func random(_ seed: Int) -> [Piece] {
    var random = SeededGenerator(seed: UInt64(seed))
    var next: Int64 = 1
    return (0..<Int.random(in: 1...60, using: &random)).map { _ in
      next += Bool.random(using: &random) ? 0 : Int64.random(in: 1...1000, using: &random)
      let count = [1, 1, 2, 31, 32, 33, 200][Int.random(in: 0..<7, using: &random)]
      defer { next += Int64(count) }
      let label = [nil, nil, "a", "ж", "label \(next)"][Int.random(in: 0..<5, using: &random)]
      return Piece(next, count, isBlocked: label == nil || Bool.random(using: &random), label)
    }
  }

  @Test(arguments: 0..<30, ShardProfile.allCases)
  func `Points and ranges are read back in order, found, sought, and digested as if written number by number`(
    _ seed: Int, _ profile: ShardProfile
  ) throws {
    let pieces = Self.random(seed)
    let rows = pieces.flatMap(\.rows)
    let summary = try write(pieces, "runs", profile)
    let single = try ShardFormatTests.write(rows, to: folder.path("rows"), options: Self.options(profile))
    let shard = try Shard(folder.path("runs"))
    try shard.verify()
    #expect(try ShardFormatTests.rows(of: shard) == rows)
    #expect(try NaiveShard(folder.path("runs")).rows == rows)
    #expect(summary.contentDigests == single.contentDigests && shard.contentDigests == single.contentDigests)
    #expect(summary.counts == single.counts && shard.counts == single.counts)
    #expect(shard.numberCount == rows.count && summary.numberCount == rows.count)
    #expect(shard.labelByteCount == (try Shard(folder.path("rows")).labelByteCount))
    #expect(shard.runCount == summary.runCount && shard.rowCount == summary.rowCount)
    #expect(shard.firstNumber?.rawValue == rows.first?.number && shard.lastNumber?.rawValue == rows.last?.number)

    var walked: [Row] = []
    let cursor = shard.makeCursor()
    while let run = try cursor.nextRun() {
      #expect(run.count == 1 || run.count >= 32)
      for offset in 0..<Int64(run.count) {
        var row = Row(run.entry)
        row.number += offset
        walked.append(row)
      }
    }
    #expect(walked == rows)

    let byNumber = Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0) })
    for number in Set(
      pieces.flatMap { [$0.first - 1, $0.first, $0.first + Int64($0.count) / 2, $0.first + Int64($0.count)] })
    {
      let row = byNumber[number]
      var match: DirectoryMatch = row?.isBlocked == true ? .blocked : []
      if row?.label != nil { match.insert(.identified) }
      #expect(shard.find(PhoneNumber(number)) == match)
      #expect(labels(of: number, in: shard) == (row?.label.map { [$0] } ?? []))
      try cursor.seek(to: PhoneNumber(number))
      let index = rows.firstIndex { $0.number >= number } ?? rows.endIndex
      // Over the end of a run.
      let following = rows[index...].prefix(35)
      let read = try following.compactMap { _ in try cursor.next().map(Row.init) }
      #expect(read == Array(following))
    }
  }

  private static func options(_ profile: ShardProfile) -> ShardWriter.Options {
    var options = ShardWriter.Options()
    options.profile = profile
    options.isDurable = false
    return options
  }

  static let joins: [(pieces: [Piece], runs: Int, rows: Int)] = [
    ([Piece(10, 32, isBlocked: true)], 1, 0), ([Piece(10, 31, isBlocked: true)], 0, 31),
    // What touches and says the same is one, whatever its pieces, single numbers too.
    ([Piece(10, 20, isBlocked: true), Piece(30, 20, isBlocked: true)], 1, 0),
    ([Piece(10, 20, isBlocked: true), Piece(30, isBlocked: true), Piece(31, 20, isBlocked: true)], 1, 0),
    ([Piece(10, 40, isBlocked: true), Piece(50, isBlocked: true), Piece(51, isBlocked: true)], 1, 0),
    ([Piece(10, 40, "x"), Piece(50, 40, "x")], 1, 0),
    // Something else between them, or nothing.
    ([Piece(10, 40, isBlocked: true), Piece(51, 40, isBlocked: true)], 2, 0),
    ([Piece(10, 40, isBlocked: true), Piece(50, isBlocked: true, "x"), Piece(51, 40, isBlocked: true)], 2, 1),
    ([Piece(10, 40, "x"), Piece(50, 40, "y")], 2, 0),
    ([Piece(10, 40, "x"), Piece(50, 40, isBlocked: true, "x")], 2, 0),
    // Numbers that come one by one stay so.
    ((0..<100).map { Piece(10 + $0, isBlocked: true) }, 0, 100),
    ([Piece(9, isBlocked: true), Piece(10, 40, isBlocked: true)], 1, 1),
  ]

  @Test(arguments: joins) func `Ranges that touch and say the same are one, and short ones rows`(
    _ join: (pieces: [Piece], runs: Int, rows: Int)
  ) throws {
    let summary = try write(join.pieces, "a")
    #expect(summary.runCount == join.runs && summary.rowCount == join.rows)
    #expect(try ShardFormatTests.rows(of: Shard(folder.path("a"))) == join.pieces.flatMap(\.rows))
  }

  @Test func `Millions of numbers with labels take a few hundred bytes, and labels that repeat stand once`() throws {
    let pieces = (0..<50).map { Piece(33_000_000_000 + 10_000 * $0, 1_000, "Label \($0 % 2)") }
    let summary = try write(pieces, "a")
    #expect(summary.counts.identification == 50_000 && summary.runCount == 50)
    #expect(summary.byteCount < 2_200)
    #expect(try Shard(folder.path("a")).sections.first { $0.id == .runs }?.byteCount == 8 + 50 * 24 + 14)
  }

  @Test func `Where repeats are allowed a range is stored number by number`() throws {
    let summary = try write([Piece(10, 50, "x")], "a", repeats: true)
    #expect(summary.runCount == 0 && summary.rowCount == 50)
  }

  @Test func `Ranges out of order, empty, too long, without a family or beyond the last number are refused`() throws {
    let writer = try ShardWriter(folder.path("a"))
    try Self.append(Piece(100, 50, "x"), to: writer)
    let refused = [
      Piece(149, 2, isBlocked: true), Piece(149, 2, "x"), Piece(1, 5, isBlocked: true), Piece(0, 5, isBlocked: true),
      Piece(200, 0, "x"),
      Piece(200, -1, "x"), Piece(200, 1 << 32, "x"), Piece(200, 5), Piece(200, 5, ""), Piece(.max - 3, 5, "x"),
    ]
    for piece in refused { #expect(throws: ShardError.self, "\(piece)") { try Self.append(piece, to: writer) } }
    try Self.append(Piece(150, 50, "x"), to: writer)
    try Self.append(Piece(.max - 99, 100, isBlocked: true), to: writer)
    let summary = try writer.finish()
    // What was refused ended the run before it.
    #expect(summary.runCount == 3 && summary.counts == EntryCounts(blocking: 100, identification: 100))
    let shard = try Shard(folder.path("a"))
    try shard.verify()
    #expect(shard.find(PhoneNumber(.max)) == .blocked && shard.lastNumber == PhoneNumber(.max))
    #expect(try ShardFormatTests.rows(of: shard).last?.number == .max)
  }

  @Test(arguments: ShardProfile.allCases) func `A row in a run, and runs in a wrong order, are told`(
    _ profile: ShardProfile
  ) throws {
    let sound = try SoundShard(profile)
    let section = try #require(sound.sections.first { $0.id == 7 })
    // The first run begins below the rows of the second block, so that it has their first number; it covers the second run.
    for (number, count) in [(Int64(19_990), 40), (29_990, 40)] {
      var bytes = sound.sound
      for index in 0..<8 { bytes[section.offset + 8 + index] = UInt8(truncatingIfNeeded: number >> Int64(8 * index)) }
      bytes[section.offset + 16] = UInt8(count)
      let path = try folder.write(sound.resealed(bytes), to: "damaged")
      let shard = try Shard(path)
      let error = #expect(throws: ShardError.self) { try shard.verify() }
      #expect(error?.code == .malformed && error?.fix.isEmpty == false)
      #expect(throws: ShardError.self) { try shard.forEachEntry { _ in } }
    }
  }
}
