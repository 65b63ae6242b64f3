import Foundation
import SampleDirectory
import TestSupport
import Testing

struct SampleContentTests {
  @Test(
    "What each provider gets is what the summary says, by an independent count over the rows",
    arguments: [(1000, 1), (1000, 7), (2500, 2), (42_000, 3)] as [(Int, UInt64)])
  func accounts(_ rows: Int, _ seed: UInt64) throws {
    let sample = try SampleReading(SampleRecipe(rows: rows, seed: seed))
    #expect(sample.summary.groups.map(\.id) == SampleReading.groups)
    #expect(sample.summary.groups.reduce(0) { $0 + $1.numbers } == rows)
    for group in sample.summary.groups {
      #expect(sample.entries[group.id]?.count == group.numbers, "\(group.id) of \(rows), seed \(seed)")
      #expect(sample.identification(group.id) == group.identification, "\(group.id) of \(rows), seed \(seed)")
      #expect(sample.blocking(group.id) == group.blocking, "\(group.id) of \(rows), seed \(seed)")
      let file = try #require(sample.summary.files.first { $0.name == "companies-\(group.id).tsv" })
      #expect(sample.rows[group.id]?.count == file.rows)
    }
  }

  @Test("R-CAP-2: at the default size no provider has more than 1,985,000 entries of both families, one near the limit")
  func limits() throws {
    let sample = try SampleReading(SampleRecipe(rows: 42_000, seed: 11))
    let factor = 4_200_000 / 42_000
    for group in SampleReading.groups {
      let entries = sample.identification(group) + sample.blocking(group)
      #expect(entries * factor < 1_985_000, "\(group)")
    }
    #expect((sample.identification("russia") + sample.blocking("russia")) * factor > 1_950_000)
  }

  @Test("Shares of groups, kinds and quirks are those of the recipe")
  func shares() throws {
    let rows = 60_000
    let sample = try SampleReading(SampleRecipe(rows: rows, seed: 5))
    func expect(_ count: Int, _ share: Double, of whole: Int, within part: Double, _ what: String) {
      let expected = share * Double(whole)
      #expect(abs(Double(count) - expected) <= part * expected + 3, "\(what): \(count), expected \(expected)")
    }
    for (group, weight) in zip(sample.summary.groups, [125.0, 195, 100]) {
      let table = sample.rows[group.id] ?? []
      expect(group.numbers, weight / 420, of: rows, within: 0.001, "\(group.id) numbers")
      expect(table.filter { $0.kind != "company" }.count, 0.05, of: group.numbers, within: 0.12, "\(group.id) blocked")
      expect(table.filter { $0.kind == "spam" }.count, 0.01, of: group.numbers, within: 0.15, "\(group.id) spam")
      expect(group.repeats, 0.04, of: group.numbers, within: 0.02, "\(group.id) repeats")
      expect(group.conflicts, 0.02, of: group.numbers, within: 0.02, "\(group.id) conflicts")
      expect(table.filter { $0.number == nil }.count, 0.003, of: group.numbers, within: 0.05, "\(group.id) malformed")
      expect(
        table.filter { $0.label.isEmpty && $0.kind == "company" }.count, 0.01, of: group.numbers, within: 0.05,
        "\(group.id) unlabelled")
      let labels = table.map(\.label).filter { !$0.isEmpty }
      let mean = Double(labels.reduce(0) { $0 + $1.utf8.count }) / Double(labels.count)
      #expect((group.id == "abroad" ? 12...18 : 20...25).contains(mean), "\(group.id): mean label \(mean) bytes")
      let chains = Dictionary(grouping: labels, by: { $0 }).values.filter { $0.count > 1 }.reduce(0) { $0 + $1.count }
      #expect((0.4...0.8).contains(Double(chains) / Double(labels.count)), "\(group.id): shared labels")
    }
    let russian = Set(sample.entries["russia"]?.keys.map { $0 } ?? [])
    let mobile = russian.filter { $0 >= 79_000_000_000 }.count
    #expect((0.4...0.6).contains(Double(mobile) / Double(russian.count)))
    let shared = russian.intersection(sample.entries["moscow-spb"]?.keys.map { $0 } ?? [])
    expect(shared.count, 0.005, of: russian.count, within: 0.1, "overlaps")
    let followed = russian.filter { russian.contains($0 + 1) }.count
    #expect((0.05...0.25).contains(Double(followed) / Double(russian.count)), "\(followed) of \(russian.count) in runs")
  }

  @Test("A thousand rows have every feature a large sample has", arguments: [1, 2, 3, 99] as [UInt64])
  func features(_ seed: UInt64) throws {
    let sample = try SampleReading(SampleRecipe(rows: 1000, seed: seed))
    for group in sample.summary.groups {
      let table = sample.rows[group.id] ?? []
      #expect(Set(table.map(\.kind)) == ["company", "spam", "hidden"])
      #expect(group.repeats > 0 && group.conflicts > 0 && group.malformed >= 4 && group.unlabelled >= 2)
      #expect(table.contains { $0.kind == "hidden" && $0.label.isEmpty })
      #expect(table.contains { $0.kind == "spam" && !$0.label.isEmpty })
      let byNumber = Dictionary(grouping: table.filter { $0.number != nil && !$0.label.isEmpty }, by: { $0.number })
      #expect(byNumber.values.contains { Set($0.map(\.label)).count > 1 }, "no conflict in \(group.id)")
      #expect(byNumber.values.contains { $0.count > 1 && Set($0.map(\.label)).count == 1 }, "no repeat in \(group.id)")
      let phones = table.map(\.phone)
      #expect(Set(phones.filter { !$0.isEmpty }.map { $0.map { $0.isNumber ? "0" : $0 } }).count >= 6)
    }
    let moscow = sample.entries["moscow-spb"] ?? [:]
    let russia = sample.entries["russia"] ?? [:]
    let abroad = sample.entries["abroad"] ?? [:]
    // The demonstration numbers would hide that no other number has the feature.
    let demonstration = Set(Demonstration.all.map { UInt64($0.number.dropFirst()) ?? 0 })
    let overlaps = moscow.keys.filter { russia[$0] != nil && !demonstration.contains($0) }
    let labels = overlaps.map { (moscow[$0]?.label, russia[$0]?.label) }
    #expect(labels.contains { $0 != nil && $1 != nil && $0 != $1 }, "no overlap with another label")
    #expect(labels.contains { $0 != nil && $0 == $1 }, "no overlap with the same label")
    #expect(labels.contains { $0 != nil && $1 == nil }, "no overlap that is blocked in one and labelled in the other")
    #expect(abroad.keys.contains { russia[$0] != nil })
    #expect(russia.values.contains { $0.label != nil && $0.isBlocked })
    #expect(sample.spam.contains { russia[$0]?.label != nil }, "no listed company")
    #expect(sample.spam.contains { russia[$0] == .init(label: nil, isBlocked: true) })
    for group in SampleReading.groups {
      #expect(sample.allowed.contains { sample.entries[group]?[$0]?.label != nil }, "nothing allowed in \(group)")
    }
    #expect(Set(sample.rows["moscow-spb"]?.map(\.area) ?? []) == ["Москва", "Санкт-Петербург"])
    #expect(
      sample.entries["abroad"]?.keys.contains { String($0).hasPrefix("77") || String($0).hasPrefix("76") } == true)
  }

  @Test("The demonstration numbers are in every sample as documented", arguments: [1, 1234] as [UInt64])
  func demonstration(_ seed: UInt64) throws {
    let sample = try SampleReading(SampleRecipe(rows: 1500, seed: seed))
    func entry(_ group: String, _ number: Demonstration.Number) -> SampleReading.Entry? {
      sample.entries[group]?[UInt64(number.number.dropFirst()) ?? 0]
    }
    for number in Demonstration.all {
      #expect(entry("moscow-spb", number)?.label == number.moscowLabel)
      #expect(entry("russia", number)?.label == number.russiaLabel)
      #expect(entry("abroad", number) == nil)
      #expect(entry("moscow-spb", number)?.isBlocked ?? false == false)
      #expect(entry("russia", number)?.isBlocked ?? false == false)
      #expect(sample.blockList.contains(UInt64(number.number.dropFirst()) ?? 0) == number.isOnBlockList)
    }
    #expect(Demonstration.overlap.moscowLabel != Demonstration.overlap.russiaLabel)
    #expect(Demonstration.unknown.moscowLabel == nil && Demonstration.unknown.russiaLabel == nil)
    #expect(Demonstration.blocked.isOnBlockList && Demonstration.blocked.russiaLabel != nil)
  }

  @Test("The block list has digits alone, ascending, without repeats, and numbers nobody else knows")
  func blockList() throws {
    let sample = try SampleReading(SampleRecipe(rows: 1000, seed: 4))
    #expect(zip(sample.blockList, sample.blockList.dropFirst()).allSatisfy { $0 < $1 })
    let known = sample.blockList.filter { number in
      SampleReading.groups.contains { sample.entries[$0]?[number] != nil }
    }
    #expect(known.count >= 5 && known.count < sample.blockList.count)
  }

  @Test(
    "Every Russian number lies in a range the registry of 2021 assigns to its zone",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
  func registry() throws {
    func table(_ name: String) throws -> [[String]] {
      try String(contentsOfFile: SharedData.path("numbering/\(name)"), encoding: .utf8)
        .split(separator: "\n").dropFirst().map { $0.components(separatedBy: ";") }
    }
    let capital = Set(try table("ru_regions_2021.csv").filter { $0[1] == "msk_spb" }.map { $0[0] })
    let ranges = try table("ru_ranges_2021_merged.csv").map { (UInt64($0[0]) ?? 0, UInt64($0[1]) ?? 0, $0[2]) }
    let sample = try SampleReading(SampleRecipe(rows: 20_000, seed: 8))
    let demonstration = Set(
      Demonstration.all.map { UInt64($0.number.dropFirst()) ?? 0 })
    for group in ["moscow-spb", "russia"] {
      for number in sample.entries[group]?.keys.map({ $0 }) ?? [] where !demonstration.contains(number) {
        let next = ranges.partitioningIndex { $0.0 > number }
        let range = ranges[max(next - 1, 0)]
        try #require(range.0 <= number && number <= range.1, "\(number) is not assigned")
        let isFree = number / 10_000_000 == 7800
        let isOverlap = group == "russia" && sample.entries["moscow-spb"]?[number] != nil
        #expect(isFree || isOverlap || capital.contains(range.2) == (group == "moscow-spb"), "\(number) in \(group)")
      }
    }
  }
}

extension Array {
  /// The first index whose element satisfies `isBehind`, in an array where all such elements stand at the end.
  fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
