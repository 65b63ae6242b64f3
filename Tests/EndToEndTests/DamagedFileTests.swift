import Foundation
import TestSupport
import Testing

/// Shards that rot, folders that cannot be written, disks that are full.
@Suite struct DamagedFileTests {
  @Test("a truncated shard at any length: verify 1, look-ups name it, the others answer, apply mends it")
  func truncated() throws {
    let world = try World.small()
    try world.succeed("apply")
    let shard = try #require(world.shards()["moscow"])
    let good = try #require(world.state()[shard])
    for length in stride(from: 0, to: good.count, by: max(1, good.count / 7)) {
      try world.folder.write(Array(good.prefix(length)), to: shard)
      try checkDamage(world, shard)
    }
    try world.succeed("apply")
    #expect(try world.state()[shard] == good)
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
  }

  @Test("a flipped bit anywhere is found by verify; no look-up and no apply traps over it, and apply mends it")
  func flipped() throws {
    let world = try World.small()
    try world.succeed("apply")
    let shard = try #require(world.shards()["moscow"])
    let good = try #require(world.state()[shard])
    var random = SeededGenerator(seed: 5)
    for _ in 0..<12 {
      var bytes = Array(good)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try world.folder.write(bytes, to: shard)
      try world.run("verify").expect(1, shard)
      try world.run("verify", shard).expect(1, shard)
      let lookup = try world.run("lookup", "+78121234567")
      lookup.expect(0)
      #expect(lookup.output.contains("Gamma"))
      let reload = try world.run("reload", "moscow")
      #expect(reload.signal == nil && [0, 65, 69].contains(reload.status), "\(reload)")
      let apply = try world.run("apply")
      #expect(apply.signal == nil && apply.status == 0, "\(apply)")
      #expect(try world.state()[shard] == good)
      try world.succeed("verify")
      #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
    }
  }

  @Test("a shard that is gone: verify 1, the provider is unavailable, apply mends it")
  func gone() throws {
    let world = try World.small()
    try world.succeed("apply")
    let shard = try #require(world.shards()["moscow"])
    try FileManager.default.removeItem(atPath: world.folder.path(shard))
    try checkDamage(world, shard)
    try world.succeed("apply")
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
  }

  private func checkDamage(_ world: World, _ shard: String) throws {
    try world.run("verify").expect(1, shard)
    let lookup = try world.run("lookup", "+74951234567")
    lookup.expect(0, "moscow is unavailable", shard)
    #expect(lookup.output.contains("BLOCKED by russia"))
    #expect(try world.status("moscow")["state"] as? String == "unavailable")
    #expect((try world.status("moscow")["problem"] as? String)?.contains(shard) == true)
    #expect(try world.words("+390612345678") == "identified, Roma from abroad")
  }

  @Test(
    "store or releases that cannot be made are 73 or 74 with the path",
    arguments: ["store", "shards"], ["/proc/nope/x", "spam.txt/x", "/sys/nope"])
  func notWritable(key: String, path: String) throws {
    let world = try World.small(more: #""paths": {"\#(key)": "\#(path)"},"#)
    let run = try world.run("apply")
    #expect(run.signal == nil && [73, 74].contains(run.status), "\(run)")
    #expect(run.errors.contains(path.hasSuffix("/x") ? String(path.dropLast(2)) : path), "\(run)")
  }

  @Test(
    "a store on a file system that is read-only still answers, and refuses writers with 73",
    .enabled(if: MountedFolder.isPossible, "file systems cannot be mounted here"))
  func readOnly() throws {
    let world = try World.small()
    try world.succeed("apply")
    let before = try world.state()
    let mount = try MountedFolder.readOnly(world.folder.path)
    defer { mount.unmount() }
    for command in ["apply", "build", "reload", "disable moscow", "order abroad", "rollback", "restore moscow"] {
      let run = try ToolRun(command.split(separator: " ").map(String.init), in: world.folder.path)
      run.expect(73, "Read-only file system")
    }
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
    try world.succeed("status")
    try world.succeed("verify")
    try world.succeed("plan")
    #expect(try world.state() == before)
  }

  @Test(
    "a disk that is full at any stage of apply: an error, the last good state, and success once there is room",
    .enabled(if: MountedFolder.isPossible, "file systems cannot be mounted here"))
  func fullDisk() throws {
    let world = try World.small(more: #""paths": {"shards": "disk/shards", "store": "disk/store"},"#)
    try FileManager.default.createDirectory(
      atPath: world.folder.path("disk"), withIntermediateDirectories: false)
    let mount = try MountedFolder.small(world.folder.path("disk"), kilobytes: 400)
    defer { mount.unmount() }
    try world.succeed("apply")
    let filler = world.folder.path("disk/filler")
    var failures = 0
    for kilobytes in stride(from: 0, through: 120, by: 8) {
      let before = try world.words("+74951234567")
      try world.folder.write(
        World.companies + "+7916111\(2200 + kilobytes)\tNew \(kilobytes)\tMoscow\n", to: "companies.tsv")
      try ToolRun(
        shell: "dd if=/dev/zero of='\(filler)' bs=1k 2>/dev/null; truncate -s -\(kilobytes)k '\(filler)'",
        in: world.folder.path
      ).expect(0)
      let run = try world.run("apply")
      #expect(run.signal == nil && [0, 73, 74].contains(run.status), "\(kilobytes) kB: \(run)")
      if run.status != 0 {
        failures += 1
        #expect(run.errors.contains("No space left"), "\(run)")
      }
      #expect(try world.words("+74951234567") == before)
      #expect(try world.words("+78121234567") == "identified, Gamma from russia")
      try world.run("verify").expect(0)
      try FileManager.default.removeItem(atPath: filler)
      try world.succeed("apply")
      #expect(try world.words("+7916111\(2200 + kilobytes)") == "identified, New \(kilobytes) from moscow")
      try world.run("verify").expect(0)
    }
    #expect(failures > 0, "the disk was never full")
  }

  @Test(
    "a limit on file sizes at any stage is an error, never a signal, and the last good state stays", arguments: 0...3)
  func fileSizeLimit(kilobytes: Int) throws {
    // A table of some kilobytes, so that every limit strikes somewhere.
    let rows = (0..<400).map { "+7916\(1_000_000 + $0)\tCompany number \($0)\tMoscow\n" }.joined()
    let world = try World.small()
    try world.succeed("apply")
    let before = try world.state()
    try world.folder.write(World.companies + rows, to: "companies.tsv")
    for command in ["apply", "build"] {
      // The output goes through a pipe, which has no size.
      let run = try ToolRun(
        shell: "(ulimit -f \(kilobytes); shardctl \(command) 2>&1; echo \"status $?\") | cat >&2",
        in: world.folder.path)
      #expect(run.errors.contains("status 73") || run.errors.contains("status 74"), "\(run)")
      #expect(run.errors.contains("File too large"), "\(run)")
      #expect(try world.state() == before)
      #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
    }
    try world.succeed("apply")
    #expect(try world.words("+79161000399") == "identified, Company number 399 from moscow")
  }
}
