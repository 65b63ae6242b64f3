import CallDirectory
import DirectoryInstalling
import DirectoryPublishing
import DirectoryStore
import Foundation
import TestSupport
import Testing

@testable import SystemSupport

/// Fails the calls of an operation on paths that end with `suffix`: the one with an index, or all.
private final class Fault: @unchecked Sendable {
  private let operation: Syscall.Operation
  private let suffix: String
  private let index: Int?
  private let lock = NSLock()
  private var calls = 0

  init(_ operation: Syscall.Operation, on suffix: String = "", at index: Int? = nil) {
    self.operation = operation
    self.suffix = suffix
    self.index = index
  }

  var hasStruck: Bool { lock.withLock { calls > index ?? 0 } }

  /// The error that came of it, if one did.
  func run(under folder: String, _ body: () throws -> Void) -> (any Error)? {
    do {
      try Syscall.withFault(under: folder, { self.ask($0, $1) }, body)
      return nil
    } catch {
      return error
    }
  }

  private func ask(_ called: Syscall.Operation, _ path: String) -> Int32? {
    lock.withLock {
      guard called == operation, path.hasSuffix(suffix) else { return nil }
      calls += 1
      return index.map { $0 == calls - 1 } ?? true ? ENOSPC : nil
    }
  }
}

@Suite(.enabled(if: Installation.isBuilt, Comment(rawValue: Installation.absence))) struct InterruptedApplyTests {
  private func changed(isSmall: Bool = false) throws -> Installation {
    let phone = try Installation.twoPlanned()
    if isSmall { phone.providers.removeLast() }
    try phone.apply()
    phone.labels["a"] = "New"
    return phone
  }

  @Test func `A switch cut off between store and releases is in force and is completed by the next change`() throws {
    let phone = try changed()
    let error = Fault(.rename, on: "/shards/manifest.json").run(under: phone.folder.path) { try phone.apply() }
    #expect(error != nil)
    #expect(try phone.shards.current()?.release == 1)
    #expect(try phone.installer().store.read().release == 2)
    #expect(try phone.isWhole())
    #expect(try phone.entries("a").first == "74950011000 New 0")
    _ = try phone.begin()
    #expect(try phone.shards.current()?.release == 2)
    #expect(try phone.isWhole())
    #expect(try phone.loaded() == [])
  }

  @Test func `A build after such a cut completes the switch first`() throws {
    let phone = try changed()
    _ = Fault(.rename, on: "/shards/manifest.json").run(under: phone.folder.path) { try phone.apply() }
    // The rows of release 1 again: without the completed switch the build would find nothing to do.
    phone.labels["a"] = "A"
    let installer = try phone.installer()
    let lock = try installer.lockReleases("test")
    #expect(try phone.shards.current()?.release == 2)
    let candidate = try DirectoryPublisher(installer.plan).stage().candidate
    #expect(!candidate.isUnchanged && candidate.manifest.release == 3)
    try candidate.discard()
    withExtendedLifetime(lock) {}
  }

  @Test func `A commit that fails leaves the old release in force, and nothing after the next apply`() throws {
    let phone = try changed()
    let error = Fault(.rename, on: "/.shardctl/store.json").run(under: phone.folder.path) { try phone.apply() }
    #expect(error != nil)
    #expect(try phone.shards.current()?.release == 1)
    #expect(try phone.installer().store.read().release == 1)
    #expect(try phone.isWhole())
    phone.labels["a"] = "A"
    #expect(try phone.loaded() == [])
    #expect(try phone.shards.releases() == [1])
    #expect(try phone.files().keys.filter { $0.hasSuffix(".shard") }.count == 2)
  }

  @Test func `Files that cannot be removed after a switch are no failure of it`() throws {
    let phone = try changed()
    phone.more = "\"keepReleases\": 1,"
    let error = Fault(.remove).run(under: phone.folder.path("shards")) {
      let application = try phone.apply()
      #expect(application.isSwitched && application.release == 2)
    }
    #expect(error == nil)
    #expect(try phone.isWhole())
    phone.labels["a"] = "Third"
    try phone.apply()
    #expect(try phone.shards.releases() == [3])
  }

  @Test(arguments: [Syscall.Operation.rename, .sync, .write, .remove])
  func `Whichever call fails, what is in force is whole`(operation: Syscall.Operation) throws {
    var index = 0
    while true {
      let phone = try changed(isSmall: true)
      let fault = Fault(operation, at: index)
      let error = fault.run(under: phone.folder.path) { try phone.apply() }
      guard fault.hasStruck else { break }
      #expect(try phone.isWhole(), "\(operation) \(index)")
      let label = try phone.entries("a").first
      let release = try phone.installer().store.read().release
      #expect(label == (release == 2 ? "74950011000 New 0" : "74950011000 A 0"), "\(operation) \(index)")
      #expect(error != nil || release == 2, "\(operation) \(index)")
      #expect(try phone.apply().release >= 2, "\(operation) \(index)")
      #expect(try phone.isWhole(), "\(operation) \(index)")
      #expect(try phone.entries("a").first == "74950011000 New 0", "\(operation) \(index)")
      let current = try #require(try phone.shards.current())
      #expect(try phone.installer().store.read().release == current.release, "\(operation) \(index)")
      let kept = try phone.shards.releases()
      let shards = Set(try kept.flatMap { try phone.shards.manifest(of: $0).providers.map { "shards/\($0.file)" } })
      let names = Set(kept.map { "shards/releases/\($0).json" } + ["shards/manifest.json", ".shardctl/store.json"])
      #expect(Set(try phone.files().keys) == names.union(shards), "\(operation) \(index)")
      index += 1
    }
    #expect(index > 0, "\(operation) never came")
  }
}
