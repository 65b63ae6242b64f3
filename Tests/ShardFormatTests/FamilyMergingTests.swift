import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

@Suite struct FamilyMergingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One call of a provider: a label, or nil for a blocking entry.
  struct Call {
    var number: Int64
    var label: String?
  }

  private func write(_ calls: [Call], allowsRepeats: Bool = false) throws -> ShardSummary {
    var options = ShardWriter.Options()
    options.allowsRepeats = allowsRepeats
    let writer = try FamilyMergingShardWriter(folder.path("a"), options: options)
    for call in calls { try add(call, to: writer) }
    return try writer.finish()
  }

  private func add(_ call: Call, to writer: FamilyMergingShardWriter) throws {
    guard let label = call.label else { return try writer.addBlocking(PhoneNumber(call.number)) }
    try Array(label.utf8).withUnsafeBytes { try writer.addIdentification(PhoneNumber(call.number), label: $0) }
  }

  /// Deals the calls of both families into one order, each family keeping its own.
  private func deal(_ rows: [Row], seed: UInt64, batch: Int) -> [Call] {
    var random = SeededGenerator(seed: seed)
    var blocking = rows.filter(\.isBlocked).map { Call(number: $0.number) }[...]
    var identification = rows.compactMap { row in row.label.map { Call(number: row.number, label: $0) } }[...]
    var calls: [Call] = []
    while !blocking.isEmpty || !identification.isEmpty {
      let count = Int.random(in: 1...batch, using: &random)
      if Bool.random(using: &random) {
        calls += blocking.prefix(count)
        blocking = blocking.dropFirst(count)
      } else {
        calls += identification.prefix(count)
        identification = identification.dropFirst(count)
      }
    }
    return calls
  }

  @Test func `Any interleaving gives the bytes of the sorted entries (R-ENT-1)`() throws {
    for seed in UInt64(0)..<60 {
      let repeats = seed % 3 == 0 ? 200 : 0
      let rows = randomRows(Int(seed * 7), seed: seed, repeats: repeats)
      var options = ShardWriter.Options()
      options.allowsRepeats = repeats > 0
      let expected = try ShardFormatTests.write(rows, to: folder.path("sorted"), options: options)
      let calls = deal(rows, seed: seed, batch: [1, 3, 50, 100_000][Int(seed % 4)])
      #expect(try write(calls, allowsRepeats: repeats > 0) == expected, "seed \(seed)")
      try Shard(folder.path("a")).verify()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "sorted"])
  }

  @Test func `All of one family first, in both orders, gives the same bytes`() throws {
    let rows = randomRows(700, seed: 61, blocked: 500)
    let expected = try ShardFormatTests.write(rows, to: folder.path("sorted"))
    let blocking = rows.filter(\.isBlocked).map { Call(number: $0.number) }
    let identification = rows.compactMap { row in row.label.map { Call(number: row.number, label: $0) } }
    #expect(try write(blocking + identification) == expected)
    #expect(try write(identification + blocking) == expected)
  }

  @Test func `Blocking 9, identification 5, blocking 10, identification 9 is accepted, 9 in both families`() throws {
    let summary = try write([
      Call(number: 9), Call(number: 5, label: "five"), Call(number: 10), Call(number: 9, label: "nine"),
    ])
    #expect(summary.counts == EntryCounts(blocking: 2, identification: 2))
    #expect(
      try NaiveShard(folder.path("a")).rows == [
        Row(number: 5, isBlocked: false, label: "five"), Row(number: 9, isBlocked: true, label: "nine"),
        Row(number: 10, isBlocked: true, label: nil),
      ])
  }

  @Test func `A block that comes after several labels of its number stands on the first (R-INC-5)`() throws {
    _ = try write(
      [Call(number: 9, label: "new"), Call(number: 9, label: "old"), Call(number: 9)], allowsRepeats: true)
    #expect(
      try NaiveShard(folder.path("a")).rows == [
        Row(number: 9, isBlocked: true, label: "new"), Row(number: 9, isBlocked: false, label: "old"),
      ])
  }

  static let disorders: [(calls: [Call], index: Int, previous: Int64, number: Int64)] = [
    ([Call(number: 5), Call(number: 9), Call(number: 9)], 2, 9, 9),
    (
      [Call(number: 5, label: "a"), Call(number: 9), Call(number: 9, label: "a"), Call(number: 7, label: "a")], 2, 9, 7
    ),
    ([Call(number: 5), Call(number: 9, label: "a"), Call(number: 9, label: "b")], 1, 9, 9),
    ([Call(number: 0)], 0, 0, 0), ([Call(number: -1, label: "a")], 0, 0, -1),
  ]

  @Test(arguments: disorders) func `Disorder within a family names both neighbours and the index in the family`(
    _ disorder: (calls: [Call], index: Int, previous: Int64, number: Int64)
  ) throws {
    let writer = try FamilyMergingShardWriter(folder.path("a"))
    for call in disorder.calls.dropLast() { try add(call, to: writer) }
    let last = try #require(disorder.calls.last)
    let error = #expect(throws: ShardError.self) { try add(last, to: writer) }
    #expect(error?.code == .order)
    #expect(error?.neighbours?.index == disorder.index)
    #expect(error?.neighbours?.previous == disorder.previous)
    #expect(error?.neighbours?.number == disorder.number)
    #expect(error?.what.contains(last.label == nil ? "blocking" : "identification") == true)
  }
}
