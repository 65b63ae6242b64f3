import SampleDirectory
import TestSupport
import Testing

@Suite struct SecondDayTests {
  @Test(arguments: [false, true])
  func `The second day has 3 percent fewer, 1 percent new and 0.6 percent other labels, and the same plan`(
    isWide: Bool
  ) throws {
    let first = try SampleReading(SampleRecipe(rows: 20_000, seed: 5, isWide: isWide))
    let second = try SampleReading(SampleRecipe(rows: 20_000, seed: 5, isWide: isWide, day: 2))
    #expect(first.spam == second.spam && first.allowed == second.allowed && first.blockList == second.blockList)
    var counts = (before: 0, gone: 0, new: 0, relabelled: 0)
    for group in SampleReading.groups {
      let (before, after) = (first.entries[group] ?? [:], second.entries[group] ?? [:])
      counts.before += before.count
      counts.gone += before.keys.count { after[$0] == nil }
      counts.new += after.keys.count { before[$0] == nil }
      counts.relabelled += before.count { number, entry in
        entry.label != nil && after[number] != nil && after[number]?.label != entry.label
      }
    }
    let share = { (count: Int) in Double(count) / Double(counts.before) }
    #expect((0.025...0.035).contains(share(counts.gone)), "\(counts)")
    #expect((0.008...0.011).contains(share(counts.new)), "\(counts)")
    #expect((0.004...0.008).contains(share(counts.relabelled)), "\(counts)")
    #expect(first.summary.groups == second.summary.groups)
  }

  @Test func `A number that is new on the second day stands nowhere on the first, and is new in one table`() throws {
    let first = try SampleReading(SampleRecipe(rows: 20_000, seed: 7))
    let second = try SampleReading(SampleRecipe(rows: 20_000, seed: 7, day: 2))
    let groups = SampleReading.groups
    let rows = { (sample: SampleReading, group: String) in Set(sample.rows[group]?.compactMap(\.number) ?? []) }
    let known = groups.reduce(into: Set(first.spam + first.allowed)) { $0.formUnion(rows(first, $1)) }
    var new: Set<UInt64> = []
    for group in groups {
      for number in rows(second, group).subtracting(rows(first, group)) {
        #expect(!known.contains(number) && new.insert(number).inserted, "\(number) in \(group)")
      }
    }
    #expect(new.count > 150)
    for file in second.summary.files where file.name.hasPrefix("companies") {
      #expect(file.rows == (second.rows[String(file.name.dropFirst(10).dropLast(4))]?.count ?? 0))
    }
  }
}
