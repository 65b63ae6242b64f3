import CallDirectory
import Digests
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

@Suite struct ShardRoundTripTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let shapes: [(name: String, rows: [Row])] = [
    ("empty", []),
    ("one block entry", [Row(number: 1, isBlocked: true, label: nil)]),
    ("one label", [Row(number: 112, isBlocked: false, label: "Rescue")]),
    ("one of both", [Row(number: 74_951_234_567, isBlocked: true, label: "Сбербанк")]),
    (
      "lowest and highest numbers (R-ENT-2)",
      [
        Row(number: 1, isBlocked: true, label: nil), Row(number: 999_999_999_999_999, isBlocked: false, label: "15"),
        Row(number: .max - 1, isBlocked: true, label: nil), Row(number: .max, isBlocked: false, label: "last"),
      ]
    ),
    (
      "the longest label (R-ENT-3)",
      [
        Row(number: 5, isBlocked: false, label: String(repeating: "x", count: 65_534)),
        Row(number: 6, isBlocked: true, label: String(repeating: "ж", count: 32_767)),
        Row(number: 7, isBlocked: false, label: "short"),
      ]
    ),
    ("blocks only", randomRows(1000, seed: 1, blocked: 1000, labelled: 0)),
    ("labels only", randomRows(1000, seed: 2, blocked: 0)),
    ("127 rows", randomRows(127, seed: 3)), ("128 rows", randomRows(128, seed: 4)),
    ("129 rows", randomRows(129, seed: 5)), ("256 rows", randomRows(256, seed: 6)),
    ("dense numbers", randomRows(700, seed: 7, gap: 1)), ("gaps below 2^10", randomRows(700, seed: 8, gap: 1 << 10)),
    ("gaps below 2^20", randomRows(700, seed: 9, gap: 1 << 20)),
    (
      "numbers of 15 digits, far apart",
      (1...300).map {
        Row(number: 900_000_000_000_000 + $0 * $0 * 1_000_003, isBlocked: $0 % 7 == 0, label: "n\($0 % 9)")
      }
    ),
    (
      "huge gaps between dense runs",
      (0..<600).map { Row(number: 1 + ($0 / 20) << 52 + $0 % 20, isBlocked: false, label: "a") }
    ),
    ("one label throughout", (1...400).map { Row(number: $0 * 3, isBlocked: $0 % 100 == 0, label: "Сбербанк") }),
    (
      "labels here and there",
      (1...400).map { Row(number: $0 * 3, isBlocked: true, label: $0 % 50 == 0 ? "x\($0)" : nil) }
    ),
    (
      "few rows without a label",
      (1...400).map { Row(number: $0 * 3, isBlocked: $0 % 64 == 0, label: $0 % 64 == 0 ? nil : "x\($0)") }
    ),
    (
      "every byte that UTF-8 has",
      (0..<0x900).map {
        Row(number: 1 + $0, isBlocked: false, label: "\(Character(Unicode.Scalar(UInt32($0)) ?? "x"))\($0 % 3)")
      }
        + [0x800, 0xFFFF, 0x10000, 0x40000, 0xC0000, 0x10FFFF].map {
          Row(number: 10_000 + $0, isBlocked: false, label: "\(Character(Unicode.Scalar(UInt32($0)) ?? "x"))")
        }
    ),
    (
      "labels of every length up to 600",
      (1...600).map {
        Row(
          number: $0, isBlocked: false,
          label: String(repeating: $0 % 2 == 0 ? "ab" : "ж ", count: Int($0)).prefixed(Int($0)))
      }
    ),
    ("repeats (R-INC-5)", randomRows(1000, seed: 10, repeats: 300)),
    ("runs of one number longer than a block (R-INC-5)", randomRows(2000, seed: 11, blocked: 0, repeats: 995)),
  ]

  @Test(arguments: shapes, ShardProfile.allCases) func `Every shape is read back, by the reader and by the naive one`(
    _ shape: (name: String, rows: [Row]), _ profile: ShardProfile
  ) throws {
    var options = ShardWriter.Options()
    options.profile = profile
    options.dataSet = "проверка"
    options.allowsRepeats = true
    let path = folder.path("a.shard")
    let summary = try write(shape.rows, to: path, options: options)
    let naive = try NaiveShard(path)
    #expect(naive.rows == shape.rows)
    #expect(naive.dataSet == "проверка")
    let shard = try Shard(path)
    try shard.verify()
    #expect(try rows(of: shard) == shape.rows)
    #expect(shard.dataSet == "проверка")
    #expect(shard.rowCount == shape.rows.count)
    #expect(shard.numberCount == Set(shape.rows.map(\.number)).count)
    #expect(shard.repeatsNumbers == (shard.rowCount > shard.numberCount))
    #expect(shard.firstNumber?.rawValue == shape.rows.first?.number)
    #expect(shard.lastNumber?.rawValue == shape.rows.last?.number)
    #expect(shard.counts.blocking == shape.rows.count { $0.isBlocked })
    #expect(shard.counts.identification == shape.rows.count { $0.label != nil })
    #expect(summary.counts == shard.counts)
    #expect(summary.byteCount == naive.bytes.count && shard.byteCount == naive.bytes.count)
    #expect(summary.fileDigest == naive.bytes.withUnsafeBytes { SHA256.digest(of: $0) })
    #expect(summary.contentDigests == shard.contentDigests)
    #expect(shard.profile == profile)
    let sections: [ShardSection.ID] =
      switch profile {
      case .plain: [.plainBlocks, .blockNumbers, .blockOffsets, .blockChecksums]
      case .balanced: [.phraseDictionary, .repeatedLabels, .codedBlocks, .blockIndex, .blockChecksums]
      }
    #expect(shard.sections.map(\.id) == sections)
    #expect(!FileManager.default.fileExists(atPath: path + ".tmp"))
  }

  @Test(arguments: shapes, ShardProfile.allCases) func `Finding, labels and seeking agree with a model`(
    _ shape: (name: String, rows: [Row]), _ profile: ShardProfile
  ) throws {
    var options = ShardWriter.Options()
    options.profile = profile
    options.allowsRepeats = true
    let path = folder.path("a.shard")
    _ = try write(shape.rows, to: path, options: options)
    let shard = try Shard(path)
    var probes: Set<Int64> = [.min, -1, 0, 1, 2, .max - 1, .max]
    for row in shape.rows { probes.formUnion([row.number, row.number &- 1, row.number &+ 1]) }
    let byNumber = Dictionary(grouping: shape.rows, by: \.number)
    let cursor = shard.makeCursor()
    for probe in probes {
      let known = byNumber[probe] ?? []
      var match: DirectoryMatch = []
      if known.contains(where: \.isBlocked) { match.insert(.blocked) }
      if known.contains(where: { $0.label != nil }) { match.insert(.identified) }
      #expect(shard.find(PhoneNumber(probe)) == match, "\(probe)")
      #expect(labels(of: probe, in: shard) == known.compactMap(\.label), "\(probe)")
      try cursor.seek(to: PhoneNumber(probe))
      let index = shape.rows.firstIndex { $0.number >= probe } ?? shape.rows.endIndex
      #expect(try cursor.next().map(Row.init) == shape.rows[index...].first, "\(probe)")
      let following = index < shape.rows.endIndex ? shape.rows[(index + 1)...].first : nil
      #expect(try cursor.next().map(Row.init) == following, "\(probe)")
    }
  }

  @Test(arguments: ShardProfile.allCases) func `The same rows give the same bytes, other rows others`(
    _ profile: ShardProfile
  ) throws {
    let some = randomRows(500, seed: 20)
    var options = ShardWriter.Options()
    options.profile = profile
    let digests = try ["a", "b"].map { try write(some, to: folder.path($0), options: options).fileDigest }
    #expect(digests[0] == digests[1])
    options.dataSet = "x"
    #expect(try write(some, to: folder.path("c"), options: options).fileDigest != digests[0])
    options.dataSet = ""
    #expect(try write(Array(some.dropLast()), to: folder.path("d"), options: options).fileDigest != digests[0])
  }

  @Test func `Content digests are those of the definition`() throws {
    let some = randomRows(300, seed: 21, repeats: 100)
    var options = ShardWriter.Options()
    options.allowsRepeats = true
    let summary = try write(some, to: folder.path("a"), options: options)
    var blocking: [UInt8] = []
    var identification: [UInt8] = []
    for row in some {
      let number = (0..<8).map { UInt8(truncatingIfNeeded: row.number >> Int64(8 * $0)) }
      if row.isBlocked { blocking += number }
      if let label = row.label {
        let length = label.utf8.count
        identification += number + [UInt8(length & 255), UInt8(length >> 8), 0, 0] + Array(label.utf8)
      }
    }
    #expect(summary.contentDigests.blocking == blocking.withUnsafeBytes { SHA256.digest(of: $0) })
    #expect(summary.contentDigests.identification == identification.withUnsafeBytes { SHA256.digest(of: $0) })
  }

  @Test func `A data set name is cut between characters`() throws {
    var options = ShardWriter.Options()
    options.dataSet = String(repeating: "a", count: 31) + "жb"
    _ = try write([], to: folder.path("a"), options: options)
    #expect(try Shard(folder.path("a")).dataSet == String(repeating: "a", count: 31))
  }

  @Test func `Verify reports its progress up to the last row`() throws {
    _ = try write(randomRows(1000, seed: 22), to: folder.path("a"))
    var steps: [Int] = []
    try Shard(folder.path("a")).verify { done, total in
      #expect(total == 1000)
      steps.append(done)
    }
    #expect(steps.last == 1000 && steps == steps.sorted())
  }

  @Test func `An index that does not fit in memory goes through a file`() throws {
    let some = randomRows(40 * 128 + 5, seed: 23)
    let expected = try write(some, to: folder.path("b"))
    try FileManager.default.removeItem(atPath: folder.path("b"))
    for capacity in [1, 7, 40, 41] {
      let writer = try ShardWriter(folder.path("a"), options: .init(), indexCapacity: capacity)
      for row in some { try append(row, to: writer) }
      #expect(try writer.finish() == expected)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }
}

extension String {
  /// Its first characters, as many as fit in so many bytes.
  fileprivate func prefixed(_ bytes: Int) -> String {
    var result = ""
    for character in self {
      if result.utf8.count + character.utf8.count > bytes { break }
      result.append(character)
    }
    return result.isEmpty ? "-" : result
  }
}
