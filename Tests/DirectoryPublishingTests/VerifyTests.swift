import CallDirectory
import Digests
import DirectoryPublishing
import Foundation
import ShardFormat
import ShardPlanning
import TestSupport
import Testing

@Suite struct VerifyTests {
  private func published() throws -> (World, ReleaseManifest) {
    let world = try World.threeProviders(count: 40)
    return (world, try world.publish().candidate.manifest)
  }

  @Test func `A whole release has no damage`() throws {
    let (world, manifest) = try published()
    #expect(world.shards.verify(manifest).isEmpty)
  }

  @Test func `Every flipped byte and every cut of a shard is found`() throws {
    let (world, manifest) = try published()
    let file = URL(fileURLWithPath: world.shards.shardPath(manifest.providers[1].file))
    let bytes = try Data(contentsOf: file)
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= 1
      try flipped.write(to: file)
      #expect(world.shards.verify(manifest).map(\.path) == [file.path], "byte \(index)")
    }
    for count in stride(from: 0, to: bytes.count, by: 37) {
      try bytes.prefix(count).write(to: file)
      #expect(world.shards.verify(manifest).map(\.kind) == [.damaged], "cut to \(count)")
    }
    try FileManager.default.removeItem(at: file)
    #expect(world.shards.verify(manifest).map(\.what) == ["the file is gone"])
  }

  @Test func `A shard with the content of another is found`() throws {
    let (world, manifest) = try published()
    let paths = manifest.providers.map { URL(fileURLWithPath: world.shards.shardPath($0.file)) }
    try Data(contentsOf: paths[0]).write(to: paths[1])
    #expect(world.shards.verify(manifest).map(\.path) == [paths[1].path])
  }

  @Test func `Each figure of the manifest is compared`() throws {
    let (world, manifest) = try published()
    let changes: [(String, (inout ReleaseManifest.Provider) -> Void)] = [
      ("bytes", { $0.bytes += 1 }), ("counts", { $0.counts.blocking += 1 }),
      ("limit", { $0.limit = 1 }), ("numbers", { $0.numbers = PhoneNumber(1)...PhoneNumber(2) }),
      ("no numbers", { $0.numbers = nil }), ("digest", { $0.sha256 = $0.contentDigests.blocking }),
      ("content", { $0.contentDigests.blocking = $0.sha256 }), ("file", { $0.file = "gone.shard" }),
    ]
    for (name, change) in changes {
      var changed = manifest
      change(&changed.providers[2])
      // As a whole folder would have it: the kept copy says the same.
      for name in ["shards/releases/1.json", "shards/manifest.json"] {
        try world.folder.write(changed.encoded(), to: name)
      }
      #expect(world.shards.verify(changed).count == 1, "\(name)")
    }
  }

  @Test func `A kept manifest that is gone, damaged or another is found`() throws {
    let (world, manifest) = try published()
    let kept = world.folder.path("shards/releases/1.json")
    var other = manifest
    other.providers[0].title = "Another"
    for bytes in [other.encoded(), Array("{".utf8)] {
      try Data(bytes).write(to: URL(fileURLWithPath: kept))
      #expect(world.shards.verify(manifest).map(\.path) == [kept])
    }
    try FileManager.default.removeItem(atPath: kept)
    #expect(world.shards.verify(manifest).map(\.what) == ["the file is gone"])
  }

  @Test func `Accounts that do not add up are found`() throws {
    let (world, manifest) = try published()
    var changed = manifest
    changed.accounts.sources[0].occurrences.read += 1
    for name in ["shards/releases/1.json", "shards/manifest.json"] {
      try world.folder.write(changed.encoded(), to: name)
    }
    #expect(world.shards.verify(changed).map(\.what) == ["the accounts of the source companies do not add up"])
  }

  @Test(arguments: [#""accounts": {"#, #""fill": "#, #""groups": "#])
  func `A change of what no reader asks for is found, too`(key: String) throws {
    let (world, manifest) = try published()
    let text = try String(contentsOfFile: world.shards.currentPath, encoding: .utf8)
    let changed = text.replacing(key, with: key.replacing(": ", with: ":  "))
    #expect(changed != text)
    try world.folder.write(Array(changed.utf8), to: "shards/manifest.json")
    #expect(world.shards.verify(manifest).map(\.path) == [world.shards.currentPath])
  }
}
