import CallDirectory
import ShardFormat
import ShardWriting
import TestSupport
import Testing

/// The steps from one shard to the next.
@Suite struct ShardChangesTests {
  typealias Piece = RunShardTests.Piece

  private func shard(_ pieces: [Piece], _ path: String, _ profile: ShardProfile) throws -> Shard {
    var options = ShardWriter.Options()
    options.profile = profile
    options.isDurable = false
    let writer = try ShardWriter(path, options: options)
    for piece in pieces { try RunShardTests.append(piece, to: writer) }
    _ = try writer.finish()
    return try Shard(path)
  }

  /// Pieces in ascending order, none of them in another.
  private static func random(_ random: inout SeededGenerator) -> [Piece] {
    var pieces: [Piece] = []
    var number: Int64 = 1
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      number += Int64.random(in: 0...40, using: &random)
      let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...90, using: &random)
      let label = ["A", "B", nil].randomElement(using: &random)!
      pieces.append(Piece(number, count, isBlocked: label == nil || Bool.random(using: &random), label))
      number += Int64(count)
    }
    return pieces
  }

  @Test(arguments: 0..<60)
  func `Removals, then additions, lead from the old entries to the new ones, and nothing is said twice (R-INC-4)`(
    seed: Int
  ) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: UInt64(seed))
    let (old, new) = (Self.random(&random), Self.random(&random))
    let profile: ShardProfile = seed % 2 == 0 ? .plain : .balanced
    let changes = ShardChanges(
      from: try shard(old, folder.path("old"), profile), to: try shard(new, folder.path("new"), profile))
    for family in EntryFamily.allCases {
      func entries(_ pieces: [Piece]) -> [Int64: String] {
        var entries: [Int64: String] = [:]
        for row in pieces.flatMap(\.rows) {
          if family == .blocking ? row.isBlocked : row.label != nil {
            entries[row.number] = family == .blocking ? "" : row.label
          }
        }
        return entries
      }
      var phone = entries(old)
      var steps = 0
      var last = Int64.min
      try changes.forEachRemoval(of: family) { number in
        #expect(number.rawValue > last)
        #expect(phone.removeValue(forKey: number.rawValue) != nil)
        last = number.rawValue
        steps += 1
      }
      last = .min
      try changes.forEachAddition(of: family) { number, label in
        #expect(number.rawValue > last)
        let text = label.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(phone.updateValue(text, forKey: number.rawValue) == nil)
        last = number.rawValue
        steps += 1
      }
      #expect(phone == entries(new))
      let (before, after) = (entries(old), entries(new))
      let numbers = Set(before.keys).union(after.keys)
      let expected = numbers.reduce(0) { sum, number in
        sum + (before[number] == after[number] ? 0 : (before[number] == nil ? 0 : 1) + (after[number] == nil ? 0 : 1))
      }
      #expect(steps == expected)
    }
  }
}
