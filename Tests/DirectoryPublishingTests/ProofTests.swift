import CallDirectory
import Digests
import DirectoryPublishing
import Foundation
import TestSupport
import Testing

/// What `verify` proves of a release with its plan.
@Suite struct ProofTests {
  private static func outcomes(_ proof: ReleaseProof) -> [String] {
    proof.checks.map { "\($0.name) \($0.outcome.rawValue)" }
  }

  private static let allHold = ["files holds", "plan holds", "order holds", "rules holds"]

  private static func proof(_ world: World, releaseOnly: Bool = false) throws -> ReleaseProof {
    try world.publisher().verify(try #require(try world.shards.current()), releaseOnly: releaseOnly)
  }

  /// Makes every source older than the release.
  private static func age(_ world: World, _ sources: [String]) throws {
    for source in sources {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: world.folder.path("\(source).tsv"))
    }
  }

  private static func planDigest(_ world: World) throws -> SHA256Digest {
    try Data(contentsOf: URL(fileURLWithPath: world.planPath)).withUnsafeBytes { SHA256.digest(of: $0) }
  }

  @Test func `A release that is just what the rules give of the sources proves it`() throws {
    let world = try World.threeProviders(count: 60)
    try world.publish()
    let proof = try Self.proof(world)
    #expect(Self.outcomes(proof) == Self.allHold && proof.problems.isEmpty)
    #expect(proof.labelsByOrder == 0 && proof.differences == 0)
  }

  @Test func `Sources that differ are a fault when they are older than the release, else the proof is not made`() throws
  {
    let world = try World.threeProviders(count: 60)
    try world.publish()
    try world.writeCompanies(count: 61)
    let newer = try Self.proof(world)
    #expect(Self.outcomes(newer) == ["files holds", "plan holds", "order holds", "rules notChecked"])
    #expect(newer.problems.isEmpty && newer.checks[3].text.contains("companies.tsv is newer than the release"))
    try Self.age(world, ["companies"])
    let older = try Self.proof(world)
    #expect(Self.outcomes(older) == ["files holds", "plan holds", "order holds", "rules fails"])
    #expect(older.differences == 1)
    #expect(older.differenceSamples.first?.contains("the rules give it to north (block, label") == true)
    #expect(older.differenceSamples.first?.contains("the release to nobody") == true)
  }

  @Test func `A row more that changes no entry is found by the accounts`() throws {
    let world = try World.threeProviders(count: 6)
    try world.publish()
    let path = world.folder.path("companies.tsv")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let last = try #require(text.split(separator: "\n").last)
    try (text + last + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    try Self.age(world, ["companies"])
    let proof = try Self.proof(world)
    #expect(proof.problems.map(\.what) == ["the accounts of the source companies are not those of the sources"])
    #expect(proof.differences == 0)
  }

  @Test func `Entries in other providers than the rules say, or under collapse in two, are found number by number`()
    throws
  {
    let world = try World()
    let providers = #"{"id": "a", "areas": ["north"]}, {"id": "b", "prefixes": ["+7"]}"#
    try world.plan(sources: ["rows"], providers: providers, more: #""overlaps": "keep","#)
    try world.write(
      (0..<9).map { World.Row(phone: "+7495100000\($0)", label: "label \($0)", area: $0 < 4 ? "north" : "") },
      to: "rows")
    let kept = try world.publish().candidate.manifest
    try world.plan(sources: ["rows"], providers: providers)
    // The release of the other plan, said to be of this one.
    var forged = kept
    forged.planDigest = try Self.planDigest(world)
    for path in ["shards/manifest.json", "shards/releases/1.json"] {
      try world.folder.write(forged.encoded(), to: path)
    }
    try Self.age(world, ["rows"])
    let proof = try Self.proof(world)
    #expect(Self.outcomes(proof) == ["files holds", "plan holds", "order fails", "rules fails"])
    #expect(
      proof.problems[0].what.hasPrefix("4 numbers have a block or a label in two providers, for example +74951000000"))
    #expect(proof.differences == 4)
    #expect(proof.problems[1].what == "4 numbers are elsewhere or different")
    #expect(
      proof.differenceSamples.contains {
        $0.hasPrefix(#"+74951000003: the rules give it to a (label "label 3"), the release to a"#)
      })
  }

  @Test func `Limits and providers that are not the plan's are found`() throws {
    let world = try World()
    try world.plan(sources: ["rows"], providers: #"{"id": "a", "rest": true}"#)
    try world.write((0..<9).map { World.Row(phone: "+7495100000\($0)", label: "x") }, to: "rows")
    let manifest = try world.publish().candidate.manifest
    for (providers, words) in [
      (#"{"id": "a", "rest": true, "limit": 5}"#, ["the limit 1999999, the plan 5", "over the limit of 5"]),
      (#"{"id": "b", "rest": true}"#, ["the release is for a, the plan for b"]),
    ] {
      try world.plan(sources: ["rows"], providers: providers)
      var forged = manifest
      forged.planDigest = try Self.planDigest(world)
      for path in ["shards/manifest.json", "shards/releases/1.json"] {
        try world.folder.write(forged.encoded(), to: path)
      }
      let proof = try Self.proof(world, releaseOnly: true)
      #expect(Self.outcomes(proof) == ["files holds", "plan fails", "order holds", "rules notChecked"])
      for word in words { #expect(proof.problems.contains { $0.what.contains(word) }, "\(word)") }
    }
  }

  @Test func `What cannot be checked is said: another plan, sources gone, damaged files`() throws {
    let world = try World.threeProviders(count: 20)
    let manifest = try world.publish().candidate.manifest
    #expect(try Self.outcomes(Self.proof(world, releaseOnly: true)).last == "rules notChecked")
    let file = world.folder.path("companies.tsv")
    let rows = try Data(contentsOf: URL(fileURLWithPath: file))
    try FileManager.default.removeItem(atPath: file)
    let gone = try Self.proof(world)
    #expect(gone.problems.isEmpty && gone.checks[3].text.contains("the plan's sources are not there"))
    try rows.write(to: URL(fileURLWithPath: file))
    let plan = try String(contentsOfFile: world.planPath, encoding: .utf8)
    try (plan + "\n").write(toFile: world.planPath, atomically: true, encoding: .utf8)
    let other = try Self.proof(world)
    #expect(other.problems.isEmpty)
    #expect(Self.outcomes(other) == ["files holds", "plan notChecked", "order holds", "rules notChecked"])
    try Data("x".utf8).write(to: URL(fileURLWithPath: world.shards.shardPath(manifest.providers[0].file)))
    #expect(Self.outcomes(try Self.proof(world)).first == "files fails")
  }

  @Test func `Every way a release is made is proven: first, after another, fresh, over another folder, gone back to`()
    throws
  {
    let world = try World()
    let more = #""overlaps": "collapse","#
    try world.plan(
      sources: ["rows"],
      providers: #"{"id": "a", "prefixes": ["+7"], "limit": 3, "spillsTo": ["b"]}, {"id": "b", "rest": true}"#,
      more: more)
    func write(_ numbers: [Int]) throws {
      try world.write(numbers.map { World.Row(phone: "+7495100000\($0)", label: "label \($0)") }, to: "rows")
    }
    try write([0, 1, 2, 3, 4])
    try world.publish()
    #expect(try Self.outcomes(Self.proof(world)) == Self.allHold)
    try write([2, 3, 4, 5])
    try world.publish()
    let second = try Self.proof(world)
    #expect(Self.outcomes(second) == Self.allHold && !second.checks[3].text.contains("the release itself"))
    // Placed anew the same sources give something else, and that is what this release says of itself.
    try write([2, 3, 4, 5, 6])
    var fresh = PublishingOptions()
    fresh.base = .fresh
    #expect(try world.publish(fresh).candidate.manifest.places == .anew)
    #expect(try Self.outcomes(Self.proof(world)) == Self.allHold)
    var elsewhere = PublishingOptions()
    elsewhere.base = .folder(world.shards.path)
    try write([2, 3, 4, 5, 7])
    #expect(try world.publish(elsewhere).candidate.manifest.places == .elsewhere)
    let over = try Self.proof(world)
    #expect(Self.outcomes(over) == Self.allHold && over.checks[3].text.contains("taken from the release itself"))
    // Back to the second one.
    let candidate = try world.shards.candidate(rollingBackTo: 2)
    try candidate.record()
    try candidate.makeCurrent()
    // The sources are newer than what has come back, though not than its coming back.
    let back = try Self.proof(world)
    #expect(back.problems.isEmpty && back.checks[3].text.contains("is newer than release 2, whose content this is"))
    try write([2, 3, 4, 5])
    try Self.age(world, ["rows"])
    #expect(try Self.outcomes(Self.proof(world)) == Self.allHold)
    // Without the release before it, the places are taken from the release itself.
    try world.publish(keeping: 1)
    #expect(try Self.outcomes(Self.proof(world)) == Self.allHold)
  }

  @Test(arguments: 0..<30)
  func `Releases of random days prove themselves, and labels that depend on the order are all of them`(
    seed: Int
  ) throws {
    let world = try World()
    var random = RandomWorld(seed: 99_000 + UInt64(seed))
    try random.write(to: world, overlaps: seed % 2 == 0 ? "keep" : "collapse")
    for day in 0..<3 {
      if day > 0 { for source in ["a", "b"] { try world.write(random.rows(), to: source) } }
      guard let manifest = try? world.publish().candidate.manifest else { return }
      let proof = try Self.proof(world)
      #expect(Self.outcomes(proof) == Self.allHold, "seed \(seed), day \(day): \(proof.problems)")
      let contents = try world.contents(manifest)
      let numbers = Set(contents.values.flatMap(\.keys)).sorted().filter { number in
        let shown = manifest.providers.map(\.id).permutations.map { order in
          order.lazy.compactMap { contents[$0]?[number] }.first { $0.families.contains(.identified) }?.label
        }
        return Set(shown).count > 1
      }
      #expect(proof.labelsByOrder == numbers.count, "seed \(seed), day \(day)")
      #expect(proof.rivalries.map(\.number.rawValue) == Array(numbers.prefix(5)), "seed \(seed), day \(day)")
      if seed % 2 == 1 { #expect(numbers.isEmpty) }
    }
  }
}
