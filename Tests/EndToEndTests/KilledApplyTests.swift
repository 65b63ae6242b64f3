import Foundation
import TestSupport
import Testing

/// kill -9 at any moment of `apply`: the old or the new state stands whole, and the next `apply` leaves nothing behind.
@Suite struct KilledApplyTests {
  @Test("apply killed at many moments leaves the old or the new state, and the next one succeeds without leftovers")
  func killed() throws {
    let world = try World.small(more: #""keepReleases": 1,"#)
    let numbers = (0..<8).map { "+7916111220\($0)" } + ["+78121234567", "+390612345678", "+74951234567"]
    try write(0, world)
    let start = Date()
    try world.succeed("apply")
    let whole = Date().timeIntervalSince(start)
    var standing = try world.lookup(numbers)
    var random = SeededGenerator(seed: 9)
    var kills = 0
    var old = 0
    var version = 0
    while kills < 24 {
      version += 1
      try write(version, world)
      let apply = try ToolProcess(["apply"], in: world.folder.path)
      usleep(useconds_t(Double.random(in: 0...whole * 1.1, using: &random) * 1_000_000))
      apply.kill()
      let run = try apply.wait()
      kills += 1
      let found = try world.lookup(numbers)
      let new = expected(version)
      #expect(found == standing || found == new, "version \(version): \(found.map(\.words))")
      if run.signal == nil {
        #expect(run.status == 0, "\(run)")
        #expect(found == new)
      }
      if found == standing { old += 1 }
      try world.succeed("verify")
      try world.succeed("status")
      standing = found
      if kills % 6 == 0 {
        try world.succeed("apply")
        standing = try world.lookup(numbers)
        #expect(standing == new)
        try checkLeftovers(world)
        // What was never in force is nothing to go back to.
        try world.run("rollback").expect(66)
      }
    }
    #expect(old > 0, "no kill came in time")
  }

  @Test("a release that its writer recorded but never brought into force is forgotten by the next writer")
  func neverInForce() throws {
    let world = try World.small()
    try world.succeed("apply")
    let before = try world.state()
    for command in ["order moscow", "apply", "build"] {
      // What a kill between the record and the commit leaves.
      let text = String(decoding: try #require(before["shards/manifest.json"]), as: UTF8.self)
      try world.folder.write(
        text.replacingOccurrences(of: #""release": 1"#, with: #""release": 2"#), to: "shards/releases/2.json")
      try ToolRun(command.split(separator: " ").map(String.init), in: world.folder.path).expect(0)
      #expect(try world.state()["shards/releases/2.json"] == nil, "\(command)")
      try world.run("rollback").expect(66, "there is no earlier release")
    }
  }

  @Test(
    "a commit of the store that fails leaves release and store as they were",
    .enabled(if: MountedFolder.isPossible, "file systems cannot be mounted here"))
  func failedCommit() throws {
    let world = try World.small()
    try world.succeed("apply")
    let before = try world.state()
    try write(1, world)
    let mount = try MountedFolder.fixed(world.folder.path(".shardctl/store.json"))
    let run = try world.run("apply")
    mount.unmount()
    run.expect(74, "store.json")
    #expect(try world.state() == before)
    try world.succeed("apply")
    #expect(try world.words("+79161112200") == "identified, Version 1 from moscow")
  }

  @Test(
    "when the release folder cannot follow a commit, what was committed is in force whole, and the next writer completes it",
    .enabled(if: MountedFolder.isPossible, "file systems cannot be mounted here"))
  func failedSwitch() throws {
    let world = try World.small()
    try world.succeed("apply")
    try write(1, world)
    let mount = try MountedFolder.fixed(world.folder.path("shards/manifest.json"))
    let run = try world.run("apply")
    mount.unmount()
    #expect(run.signal == nil && run.status == 74, "\(run)")
    #expect(try world.words("+79161112200") == "identified, Version 1 from moscow")
    #expect(try world.status("moscow")["state"] as? String == "on")
    #expect(try world.manifest()["release"] as? Int == 1)
    try world.succeed("order", "moscow")
    #expect(try world.manifest()["release"] as? Int == 2)
    try world.succeed("verify")
    let loads = try world.succeed("apply", "--json").json()["loads"] as? [AnyHashable]
    #expect(loads == [])
  }

  private func write(_ version: Int, _ world: World) throws {
    let rows = (0..<8).map { "+7916111220\($0)\tVersion \(version)\tMoscow\n" }.joined()
    try world.folder.write(World.companies + rows, to: "companies.tsv")
  }

  private func expected(_ version: Int) -> [ReferencePhone.Decision] {
    let new = ReferencePhone.Decision("identified", label: "Version \(version)", labelFrom: id("moscow"))
    return Array(repeating: new, count: 8) + [
      .init("identified", label: "Gamma", labelFrom: id("russia")),
      .init("identified", label: "Roma", labelFrom: id("abroad")),
      .init("blocked", blockedBy: id("russia"), label: "Alpha", labelFrom: id("moscow")),
    ]
  }

  private func checkLeftovers(_ world: World) throws {
    let state = try world.state()
    let manifest = try #require(state["shards/manifest.json"])
    let store = try #require(state[".shardctl/store.json"])
    let names = String(decoding: manifest + store, as: UTF8.self)
    for file in state.keys.sorted() where file.hasSuffix(".shard") {
      #expect(names.contains(URL(fileURLWithPath: file).lastPathComponent), "left over: \(file)")
    }
    let others = state.keys.filter { !$0.hasSuffix(".shard") }.sorted()
    let release = try #require(world.manifest()["release"] as? Int)
    #expect(others == [".shardctl/store.json", "shards/manifest.json", "shards/releases/\(release).json"])
    let names2 = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("shards"))
    #expect(names2.allSatisfy { !$0.hasPrefix(".staging") }, "\(names2)")
  }
}
