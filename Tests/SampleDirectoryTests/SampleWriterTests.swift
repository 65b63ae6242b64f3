import Foundation
import SampleDirectory
import TestSupport
import Testing

struct SampleWriterTests {
  private static let names = [
    "companies-moscow-spb.tsv", "companies-russia.tsv", "spam.txt", "companies-abroad.tsv", "never-block.txt",
    "blocklist.txt", "plan.json",
  ]

  private func files(_ recipe: SampleRecipe) throws -> [String: Data] {
    let folder = try TemporaryFolder()
    let summary = try SampleWriter(recipe: recipe, directory: folder.path).write()
    #expect(summary.files.map(\.name) == Self.names)
    var files: [String: Data] = [:]
    for file in summary.files {
      files[file.name] = try Data(contentsOf: URL(fileURLWithPath: folder.path(file.name)))
      #expect(files[file.name]?.count == file.bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == Self.names.sorted())
    return files
  }

  @Test("The same recipe gives the same bytes; another seed gives other rows")
  func determinism() throws {
    let first = try files(SampleRecipe(rows: 5000, seed: 42))
    #expect(try files(SampleRecipe(rows: 5000, seed: 42)) == first)
    let other = try files(SampleRecipe(rows: 5000, seed: 43))
    for name in Self.names { #expect(other[name] != first[name], "\(name)") }
  }

  @Test("These bytes do not change between versions without notice")
  func pinned() throws {
    let files = try files(SampleRecipe(rows: 1000, seed: 1))
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for name in Self.names.sorted() where name != "plan.json" {
      for byte in files[name] ?? Data() { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(hash == 16_639_241_959_944_883_309)
  }

  @Test("Wide tables have three more columns and the same directory")
  func wide() throws {
    let folder = try TemporaryFolder()
    let summary = try SampleWriter(recipe: SampleRecipe(rows: 1000, seed: 1, isWide: true), directory: folder.path)
      .write()
    for group in SampleReading.groups {
      let text = try String(contentsOfFile: folder.path("companies-\(group).tsv"), encoding: .utf8)
      let lines = text.split(separator: "\n")
      #expect(lines[0].hasSuffix("\taddress\trubric\tsite"))
      #expect(lines.allSatisfy { $0.components(separatedBy: "\t").count == 8 })
      let sample = try SampleReading(folder, summary)
      #expect(summary.groups.allSatisfy { sample.entries[$0.id]?.count == $0.numbers })
    }
  }

  @Test("Files that are there are not replaced unless asked, and a refusal leaves them as they were")
  func existing() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "spam.txt")
    let recipe = SampleRecipe(rows: 1000, seed: 1)
    let error = try #require(throws: SampleError.self) {
      _ = try SampleWriter(recipe: recipe, directory: folder.path).write()
    }
    #expect(error.code == .fileExists)
    #expect(error.description == "\(folder.path)/spam.txt: is there already")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["spam.txt"])
    #expect(try String(contentsOfFile: folder.path("spam.txt"), encoding: .utf8) == "mine")

    _ = try SampleWriter(recipe: recipe, directory: folder.path, replaces: true).write()
    #expect(try String(contentsOfFile: folder.path("spam.txt"), encoding: .utf8) != "mine")
    #expect(throws: SampleError.self) { _ = try SampleWriter(recipe: recipe, directory: folder.path).write() }
  }

  @Test("A replacement that fails half way leaves no plan for tables it does not fit")
  func halfReplaced() throws {
    let folder = try TemporaryFolder()
    let recipe = SampleRecipe(rows: 1000, seed: 1)
    _ = try SampleWriter(recipe: recipe, directory: folder.path).write()
    try FileManager.default.removeItem(atPath: folder.path("companies-abroad.tsv"))
    try FileManager.default.createDirectory(
      atPath: folder.path("companies-abroad.tsv"), withIntermediateDirectories: false)
    let error = try #require(throws: SampleError.self) {
      _ = try SampleWriter(recipe: recipe, directory: folder.path, replaces: true).write()
    }
    #expect(error.place == folder.path("companies-abroad.tsv"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("plan.json")))
  }

  @Test(
    "Too few and too many rows are refused before anything is written",
    arguments: [Int.min, 0, 999, 20_000_001, Int.max])
  func range(_ rows: Int) throws {
    let folder = try TemporaryFolder()
    let error = try #require(throws: SampleError.self) {
      _ = try SampleWriter(recipe: SampleRecipe(rows: rows), directory: folder.path("new")).write()
    }
    #expect(error.code == .rowsOutOfRange)
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test("A folder that cannot be made is named")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("a file", to: "taken")
    let error = try #require(throws: SampleError.self) {
      _ = try SampleWriter(recipe: SampleRecipe(rows: 1000), directory: folder.path("taken")).write()
    }
    #expect(error.place == folder.path("taken"))
  }

  @Test("The plan is JSON that names the sample's files and three providers that keep overlaps")
  func plan() throws {
    let plan = try object(files(SampleRecipe(rows: 1000, seed: 6))["plan.json"])
    #expect(plan["schema"] as? Int == 1)
    #expect(plan["overlaps"] as? String == "keep")
    let sources = try #require(plan["sources"] as? [[String: Any]])
    #expect(sources.map { $0["id"] as? String } == ["moscow-spb", "russia", "abroad", "spam", "ours"])
    #expect(sources.allSatisfy { Self.names.contains($0["file"] as? String ?? "") })
    let providers = try #require(plan["providers"] as? [[String: Any]])
    #expect(providers.map { $0["id"] as? String } == SampleReading.groups)
    #expect(providers.map { $0["sources"] as? [String] } == [["moscow-spb"], ["russia", "spam"], ["abroad"]])
    let comment = try #require(plan["comment"] as? [String])
    for number in Demonstration.all {
      #expect(comment.contains { $0.hasPrefix(number.number) })
    }
  }

  @Test("A group that one provider cannot hold is cut into ranges that have each number once and about equally many")
  func parts() throws {
    let folder = try TemporaryFolder()
    var writer = SampleWriter(recipe: SampleRecipe(rows: 20_000, seed: 9), directory: folder.path)
    writer.mostEntries = 2000
    let sample = try SampleReading(folder, writer.write())
    let plan = try object(Data(contentsOf: URL(fileURLWithPath: folder.path("plan.json"))))
    let providers = try #require(plan["providers"] as? [[String: Any]])
    for group in sample.summary.groups {
      let parts = providers.filter { ($0["id"] as? String ?? "").hasPrefix(group.id) }
      #expect(parts.count == (group.entries + 1999) / 2000)
      var counts = parts.map { _ in 0 }
      for number in sample.entries[group.id]?.keys.map({ $0 }) ?? [] {
        let holders = parts.indices.filter { part in
          (parts[part]["ranges"] as? [String] ?? []).contains { Self.range($0).contains(number) }
        }
        #expect(holders.count == 1, "\(number)")
        for holder in holders { counts[holder] += 1 }
      }
      #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 2, "\(counts)")
    }
  }

  @Test("Progress ends at the number of rows and never goes back")
  func progress() throws {
    let folder = try TemporaryFolder()
    var seen: [Int] = []
    _ = try SampleWriter(recipe: SampleRecipe(rows: 1000), directory: folder.path).write { done, total in
      #expect(total == 1000)
      seen.append(done)
    }
    #expect(seen == seen.sorted() && seen.last == 1000)
  }

  private func object(_ data: Data?) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: data ?? Data()) as? [String: Any])
  }

  /// Both ends of `+7000000-+7999999`.
  private static func range(_ text: String) -> ClosedRange<UInt64> {
    let ends = text.components(separatedBy: "-").map { $0.dropFirst() }
    guard ends.count == 2, let low = UInt64(ends[0]), let high = UInt64(ends[1]) else {
      return 0...0
    }
    return low...high
  }
}
