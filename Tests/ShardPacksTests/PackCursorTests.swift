import CallDirectory
import ShardFormat
import ShardPacks
import TestSupport
import Testing

/// Packs as one stream.
@Suite struct PackCursorTests {
  @Test(arguments: [ShardProfile.plain, .balanced])
  func `Any choice of packs is one ascending stream of what they say together, each number once`(profile: ShardProfile)
    throws
  {
    for seed in 0..<(profile == .plain ? 60 : 6) {
      var random = SeededGenerator(seed: UInt64(seed))
      let world = try PackWorld.random(
        &random, packs: Int.random(in: 1...9, using: &random), numbers: Int.random(in: 0...600, using: &random))
      let folder = try PackFolder(world.write(profile: profile))
      for _ in 0..<4 {
        let names = world.names.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        let found = try PackWorld.read(PackCursor(folder.open(names)))
        let expected = world.merged(names)
        #expect(found.map(\.number) == expected.keys.sorted(), "seed \(seed)")
        #expect(found.allSatisfy { expected[$0.number] == $0.entry }, "seed \(seed)")
        let summary = try folder.summary(names)
        #expect(summary.counts == PackWorld.counts(expected))
      }
      #expect(folder.verify().isEmpty, "seed \(seed)")
    }
  }

  @Test func `Ranges of several packs are given in pieces of which all say the same, and number by number`() throws {
    for seed in 0..<60 {
      var random = SeededGenerator(seed: UInt64(seed))
      var world = try PackWorld()
      for pack in 0..<Int.random(in: 1...5, using: &random) {
        var entries: [Int64: PackWorld.Entry] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          let first = Int64.random(in: 1...900, using: &random)
          let kind = Int.random(in: 0..<3, using: &random)
          for number in first..<first + Int64.random(in: 1...300, using: &random) {
            // The same label whichever pack has the number.
            entries[number] = .init(isBlocked: kind > 0, label: kind == 1 ? nil : "label \(number / 250)")
          }
        }
        world.packs[pack == 0 ? "base" : "area \(pack)"] = entries
      }
      let folder = try PackFolder(world.write(asRuns: true))
      let expected = world.merged(world.names)
      let found = try PackWorld.read(PackCursor(folder.open(world.names)))
      #expect(found.map(\.number) == expected.keys.sorted(), "seed \(seed)")
      #expect(found.allSatisfy { expected[$0.number] == $0.entry }, "seed \(seed)")
      var numbers: [Int64] = []
      var pieces = 0
      let cursor = PackCursor(try folder.open(world.names))
      // Both ways of asking may be mixed.
      while true {
        if Int.random(in: 0..<5, using: &random) == 0 {
          guard let entry = try cursor.next() else { break }
          numbers.append(entry.number.rawValue)
          continue
        }
        guard let run = try cursor.nextRun() else { break }
        pieces += 1
        for number in run.entry.number.rawValue..<run.entry.number.rawValue + Int64(run.count) {
          numbers.append(number)
          let entry = PackWorld.Entry(
            isBlocked: run.entry.isBlocked, label: run.entry.label.map { String(decoding: $0, as: UTF8.self) })
          #expect(expected[number] == entry, "seed \(seed)")
        }
      }
      #expect(numbers == expected.keys.sorted(), "seed \(seed)")
      #expect(pieces < max(60, numbers.count / 3), "seed \(seed): \(pieces) pieces of \(numbers.count) numbers")
      #expect(try folder.summary(world.names).counts == PackWorld.counts(expected) && folder.verify().isEmpty)
    }
  }

  @Test func `Every subset of small packs in every order gives the same stream`() throws {
    let both = PackWorld.Entry(isBlocked: true, label: "five")
    let world = try PackWorld([
      "a": [1: .init(isBlocked: true), 5: .init(label: "five"), 9: .init(label: "nine")],
      "b": [5: .init(isBlocked: true), 9: .init(label: "nine")], "base": [:],
      "c": [5: both, 7: .init(isBlocked: true)],
    ])
    let folder = try PackFolder(world.write())
    for bits in 0..<16 {
      let names = world.names.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
      let expected = world.merged(names)
      for order in names.permutations {
        let found = try PackWorld.read(PackCursor(folder.open(order)))
        #expect(found.map(\.number) == expected.keys.sorted() && found.allSatisfy { expected[$0.number] == $0.entry })
      }
    }
  }

  @Test func `Packs that give a number different labels are not of one release`() throws {
    let world = try PackWorld([
      "a": [5: .init(label: "five")], "b": [5: .init(label: "fife")], "base": [5: .init(isBlocked: true)],
    ])
    let folder = try PackFolder(world.write())
    #expect(throws: PackError.self) { try PackWorld.read(PackCursor(folder.open(["a", "b"]))) }
    let found = try PackWorld.read(PackCursor(folder.open(["b", "base"])))
    #expect(found.map(\.entry) == [PackWorld.Entry(isBlocked: true, label: "fife")])
    let problems = folder.verify()
    #expect(problems.count == 1 && problems[0].what == "gives 5 another label than the packs before it", "\(problems)")
  }
}
