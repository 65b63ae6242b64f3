import CallDirectory
import DirectoryPublishing
import Foundation
import PositionedJSON
import ShardFormat
import ShardPlanning
import SystemSupport
import TestSupport
import Testing

@Suite struct ReleaseTests {
  @Test func `A manifest reads back as it was written`() throws {
    let world = try World.threeProviders()
    let published = try world.publish().candidate.manifest
    #expect(try world.shards.current() == published)
    #expect(try ReleaseManifest(json: published.encoded(), file: "m").encoded() == published.encoded())
    #expect(published.providers.map(\.id.rawValue) == ["north", "south", "other"])
    #expect(published.providers.map(\.title) == ["north", "The South", "other"])
    #expect(published.providers.map(\.counts.identification) == [100, 100, 100])
    #expect(published.providers.reduce(0) { $0 + $1.counts.blocking } == 60)
    #expect(published.release == 1 && published.base == nil)
  }

  @Test func `B-114: A manifest that could not be read again is a defect, and nothing is published`() throws {
    let world = try World.threeProviders()
    var manifest = try world.publish().candidate.manifest
    let before = try world.files()
    manifest.accounts.sources[0].occurrences.read = 1 << 53 + 1
    #expect(throws: ManifestDefect.self) { try world.shards.makeCurrent(manifest) }
    #expect(try world.files() == before)
    manifest.accounts.sources[0].occurrences.read = 1 << 53
    try world.shards.makeCurrent(manifest)
    #expect(try world.shards.current() == manifest)
    // No sum over the sources of a manifest from elsewhere leaves the machine's integers.
    manifest.accounts.sources.append(manifest.accounts.sources[0])
    #expect(throws: JSONError.self) { try ReleaseManifest(json: manifest.encoded(), file: "m") }
  }

  @Test func `The same inputs give the same bytes, whatever the folder, the threads and the memory`() throws {
    var results: [[String: Data]] = []
    for (threads, memory) in [(1, 16 << 20), (2, 16 << 20), (4, 256 << 20), (nil, 64 << 20)] as [(Int?, Int)] {
      let world = try World.threeProviders(count: 900)
      var options = PublishingOptions()
      options.threads = threads
      options.memory = memory
      try world.publish(options)
      results.append(try world.files())
    }
    for result in results.dropFirst() { #expect(result == results[0]) }
    #expect(results[0].keys.count == 5)
  }

  @Test func `Balanced shards say what plain ones say in fewer bytes, and are the same every time`() throws {
    let plain = try World.threeProviders(count: 900)
    let expected = try plain.publish().candidate.manifest
    var results: [[String: Data]] = []
    for threads in [1, 4] {
      let world = try World.threeProviders(count: 900)
      let text = try String(contentsOfFile: world.planPath, encoding: .utf8)
      try world.folder.write(
        text.replacingOccurrences(of: #""schema": 1,"#, with: #""schema": 1, "profile": "balanced","#), to: "plan.json")
      var options = PublishingOptions()
      options.threads = threads
      let (candidate, report) = try world.publish(options)
      results.append(try world.files())
      for (provider, plainProvider) in zip(candidate.manifest.providers, expected.providers) {
        let shard = try Shard(world.shards.shardPath(provider.file))
        try shard.verify()
        #expect(shard.profile == .balanced)
        #expect(provider.contentDigests == plainProvider.contentDigests && provider.counts == plainProvider.counts)
        #expect(provider.bytes < plainProvider.bytes)
      }
      #expect(report.providers.map(\.bytes) == candidate.manifest.providers.map(\.bytes))
    }
    #expect(results[0] == results[1])
  }

  @Test func `A shard holds just the entries of its provider`() throws {
    let world = try World.threeProviders(count: 30)
    let contents = try world.contents(world.publish().candidate.manifest)
    let north = try #require(contents.first { $0.key.rawValue == "north" }?.value)
    let numbers: [Int64] = stride(from: 0, to: 30, by: 3).map { 74_951_000_000 + Int64($0) * 7 }
    #expect(north.keys.sorted() == numbers)
    #expect(north[74_951_000_000]?.families == [.blocked, .identified])
    #expect(north[74_951_000_021]?.label == "Company 3")
  }

  @Test func `A preview writes nothing, makes no folder, and says what a build says`() throws {
    let world = try World.threeProviders()
    let preview = try world.publisher().preview()
    #expect(!FileManager.default.fileExists(atPath: world.shards.path))
    let built = try world.publish().report
    #expect(preview.providers.map(\.placement) == built.providers.map(\.placement))
    #expect(preview.accounts == built.accounts && preview.moved == built.moved && preview.reloads == built.reloads)
    let before = try world.files()
    let again = try world.publisher().preview()
    #expect(try world.files() == before)
    #expect(again.reloads.isEmpty && again.base == 1)
    for (estimate, exact) in zip(preview.providers, built.providers) {
      #expect(abs(estimate.bytes - exact.bytes) < exact.bytes / 4)
    }
  }

  @Test func `A discarded candidate leaves the folder as it was, recorded or not`() throws {
    for isRecorded in [false, true] {
      let world = try World.threeProviders()
      try world.publish()
      let before = try world.files()
      try world.writeCompanies(label: "Firm")
      let candidate = try world.publisher().stage().candidate
      if isRecorded { try candidate.record() }
      #expect(try world.files() != before)
      try candidate.discard()
      #expect(try world.files() == before)
    }
  }

  @Test func `A release that says the same is not published again`() throws {
    let world = try World.threeProviders()
    try world.publish()
    let before = try world.files()
    let (candidate, report) = try world.publish()
    #expect(candidate.isUnchanged && report.reloads.isEmpty && report.moved == 0)
    #expect(try world.files() == before)
  }

  @Test func `A file that is gone comes back with a build that changes nothing, and stays when that is discarded`()
    throws
  {
    let world = try World.threeProviders()
    let manifest = try world.publish().candidate.manifest
    let before = try world.files()
    try FileManager.default.removeItem(atPath: world.shards.shardPath(manifest.providers[1].file))
    try world.publisher().stage().candidate.discard()
    #expect(try world.files() == before)
    #expect(world.shards.verify(manifest).isEmpty)
  }

  @Test func `Only the providers whose content changed are to be loaded again`() throws {
    let world = try World.threeProviders()
    #expect(try world.publish().report.reloads.map(\.rawValue) == ["north", "south", "other"])
    try world.folder.write(
      String(decoding: Data(contentsOf: URL(fileURLWithPath: world.folder.path("companies.tsv"))), as: UTF8.self)
        + "+78121234567\tNew\tsouth\tidentify\n", to: "companies.tsv")
    let (candidate, report) = try world.publish()
    #expect(report.reloads.map(\.rawValue) == ["south"])
    #expect(candidate.manifest.release == 2 && candidate.manifest.base == 1)
  }

  @Test func `B-052: A label edited among many names the one provider to load again, in preview and release`() throws {
    let world = try World.threeProviders(count: 900)
    try world.publish()
    let text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: world.folder.path("companies.tsv"))), as: UTF8.self)
    try world.folder.write(text.replacingOccurrences(of: "Company 301\t", with: "Firm 301\t"), to: "companies.tsv")
    #expect(try world.publisher().preview().reloads.map(\.rawValue) == ["south"])
    let (candidate, report) = try world.publish()
    #expect(report.reloads.map(\.rawValue) == ["south"] && report.moved == 0)
    #expect(report.entries == report.baseEntries)
    let labels = try #require(world.contents(candidate.manifest).first { $0.key.rawValue == "south" }).value
    #expect(labels.values.count { $0.label == "Firm 301" } == 1)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `B-049, B-050, B-051, B-053: Whatever the order, the length and the repeats of rows, shards ascend as integers`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let world = try World()
    // 7 to 15 digits: as texts +1 999 555 0123 comes before +372 5550001, as integers behind it.
    let codes = ["+1", "+7", "+372", "+44", "+49", "+290", "+86"]
    var rows = (0..<600).map { index in
      let digits = (0..<Int.random(in: 4...12, using: &random)).map { _ in Int.random(in: 2...9, using: &random) }
      return World.Row(
        phone: (codes.randomElement(using: &random) ?? "+1") + digits.map(String.init).joined(), label: "\(index)",
        kind: index % 3 == 0 ? "both" : "identify")
    }
    rows += rows.prefix(100)
    rows.shuffle(using: &random)
    try world.write(rows, to: "a")
    try world.plan(
      sources: ["a"],
      providers: """
        {"id": "north", "prefixes": ["+1", "+49"], "limit": 50, "spillsTo": ["rest"]}, {"id": "rest", "rest": true}
        """)
    let manifest = try world.publish().candidate.manifest
    var lengths: Set<Int> = []
    for provider in manifest.providers {
      var last = Int64.min
      try Shard(world.shards.shardPath(provider.file)).forEachEntry { entry in
        #expect(entry.number.rawValue > last)
        last = entry.number.rawValue
        lengths.insert("\(last)".count)
      }
      #expect(last > 0)
    }
    #expect(lengths.count > 4)
  }

  @Test func `Rolling back publishes the earlier content under a new number`() throws {
    let world = try World.threeProviders()
    let first = try world.publish().candidate.manifest
    try world.writeCompanies(label: "Firm")
    try world.publish()
    let candidate = try world.shards.candidate(rollingBackTo: nil)
    #expect(candidate.manifest.hasSameContent(as: first))
    #expect(candidate.manifest.release == 3 && candidate.manifest.base == 2 && !candidate.isUnchanged)
    try candidate.record()
    try candidate.makeCurrent()
    #expect(try world.shards.current() == candidate.manifest)
    #expect(world.shards.verify(candidate.manifest).isEmpty)
    #expect(try world.shards.candidate(rollingBackTo: 1).isUnchanged)
    #expect { try world.shards.candidate(rollingBackTo: 7) } throws: { ($0 as? ReleaseError)?.kind == .missing }
  }

  @Test func `There is nothing to roll back to before the second release`() throws {
    let world = try World.threeProviders()
    #expect { try world.shards.candidate(rollingBackTo: nil) } throws: { ($0 as? ReleaseError)?.kind == .missing }
    try world.publish()
    #expect { try world.shards.candidate(rollingBackTo: nil) } throws: { ($0 as? ReleaseError)?.kind == .missing }
  }

  @Test func `A damaged release is not rolled back to`() throws {
    let world = try World.threeProviders()
    let first = try world.publish().candidate.manifest
    try world.writeCompanies(label: "Firm")
    try world.publish()
    try FileManager.default.removeItem(atPath: world.shards.shardPath(first.providers[0].file))
    #expect { try world.shards.candidate(rollingBackTo: 1) } throws: { ($0 as? ReleaseError)?.kind == .damaged }
  }

  @Test func `The last releases stay, older ones go with their shards, but not those that a store links`() throws {
    let world = try World.threeProviders()
    var manifests: [ReleaseManifest] = []
    for round in 1...5 {
      try world.writeCompanies(label: "Round \(round)")
      let linked = manifests.first.map { Set([$0.providers[0].file]) } ?? []
      manifests.append(try world.publish(keeping: 2, files: linked).candidate.manifest)
    }
    #expect(try world.shards.releases() == [4, 5])
    #expect(Set(try world.files().keys) == (try world.expectedNames()).union([manifests[0].providers[0].file]))
    try world.shards.clean(keeping: 1, files: [])
    #expect(try world.shards.releases() == [5])
    #expect(Set(try world.files().keys) == (try world.expectedNames()))
  }

  @Test func `Files that are none of a release's stay`() throws {
    let world = try World.threeProviders()
    for name in ["mine.shard", "notes.tmp", "x-0123456789abcdeg.shard", "releases/read me.txt"] {
      try world.folder.write("mine", to: "shards/\(name)")
    }
    try world.folder.write("old", to: "shards/x-0123456789abcdef.shard")
    try world.publish()
    let names = Set(try world.files().keys)
    #expect(names.isSuperset(of: ["mine.shard", "notes.tmp", "x-0123456789abcdeg.shard", "releases/read me.txt"]))
    #expect(!names.contains("x-0123456789abcdef.shard"))
  }

  @Test func `What a stopped writer left goes with the next build`() throws {
    let world = try World.threeProviders()
    for name in [".staging-1/a", "manifest.json.77.tmp", "releases/1.json.77.tmp", "north-0123456789abcdef.shard"] {
      try world.folder.write("rest", to: "shards/\(name)")
    }
    try world.publish()
    #expect(Set(try world.files().keys) == (try world.expectedNames()))
  }

  @Test func `A release that never became current is forgotten`() throws {
    let world = try World.threeProviders()
    try world.publish()
    try world.writeCompanies(label: "Firm")
    try world.publisher().stage().candidate.record()
    #expect(try world.shards.releases() == [1, 2])
    try world.writeCompanies(label: "Third")
    try world.publish()
    #expect(try world.shards.releases() == [1, 3])
    #expect(try world.shards.candidate(rollingBackTo: nil).manifest.hasSameContent(as: world.shards.manifest(of: 1)))
    #expect(Set(try world.files().keys) == (try world.expectedNames()))
  }

  @Test func `The folder of another plan is refused and not touched`() throws {
    let world = try World.threeProviders()
    try world.publish()
    let before = try world.files()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: world.planPath)), as: UTF8.self)
    try world.folder.write(text.replacingOccurrences(of: "\"world\"", with: "\"other\""), to: "plan.json")
    for run in [{ _ = try world.publisher().preview() }, { _ = try world.publisher().stage() }] {
      #expect { try run() } throws: { ($0 as? ReleaseError)?.kind == .otherPlan }
    }
    #expect(try world.files() == before)
  }

  @Test(arguments: ["gone", "cut", "flipped", "no shard"])
  func `A base shard that is damaged does not stop a build`(damage: String) throws {
    let world = try World.threeProviders()
    let file = world.shards.shardPath(try world.publish().candidate.manifest.providers[0].file)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    switch damage {
    case "gone": try FileManager.default.removeItem(atPath: file)
    case "cut": try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    case "flipped":
      for index in 64..<(bytes.count / 2) { bytes[index] ^= 0xFF }
      try bytes.write(to: URL(fileURLWithPath: file))
    default: try Data("text".utf8).write(to: URL(fileURLWithPath: file))
    }
    try world.writeCompanies(label: "Firm")
    let manifest = try world.publish().candidate.manifest
    #expect(manifest.release == 2)
    #expect(world.shards.verify(manifest).isEmpty)
  }

  @Test(arguments: [
    ("\"release\": 1", "\"release\": 9223372036854775807"), ("\"release\": 1", "\"release\": 0"),
    ("\"blocking\": ", "\"blocking\": 9999999"), ("\"read\": ", "\"read\": 99999999999999"),
    ("\"file\": \"", "\"file\": \"../"),
    ("\"sha256\": \"", "\"sha256\": \"x"), ("shardctl.release/1", "shardctl.release/2"), ("\"id\": \"", "\"id\": \" "),
  ])
  func `A manifest of other hands is an error with its place, never a trap`(text: String, other: String) throws {
    let world = try World.threeProviders()
    let manifest = try world.publish().candidate.manifest
    let bytes = String(decoding: manifest.encoded(), as: UTF8.self).replacingOccurrences(of: text, with: other)
    #expect { try ReleaseManifest(json: Array(bytes.utf8), file: "m") } throws: { ($0 as? JSONError)?.file == "m" }
  }

  @Test func `Two writers at once are told apart`() throws {
    let world = try World.threeProviders()
    let lock = try world.shards.lock(holder: "the first")
    #expect { _ = try world.shards.lock(holder: "the second") } throws: {
      ($0 as? FileLock.Held)?.holder.hasPrefix("the first") == true
    }
    withExtendedLifetime(lock) {}
  }
}
