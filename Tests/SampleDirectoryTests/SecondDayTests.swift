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
}
