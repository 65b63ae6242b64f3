import CallDirectory
import CallLookup
import DirectoryStore
import Foundation
import SystemSupport
import TestSupport
import Testing

/// A writer that dies, or whose calls fail, at every step of a change: the store is in its old or its new state, answers
/// accordingly, and the next writer finds nothing in its way.
@Suite struct CrashTests {
  /// What the store says before and after `change(_:)`.
  private static let old = ReferencePhone([.init("a", labels: [5]), .init("b", blocks: [6], labels: [5])])
  private static let new = ReferencePhone([.init("b", blocks: [7, 8], labels: [5, 9]), .init("a", labels: [5])])
  private static let oldContact = StoredContact(number: PhoneNumber(4), name: "Boris")
  private static let newContact = StoredContact(number: PhoneNumber(8), name: "Anna")

  /// A change that touches everything a change can touch: a shard of its own, a link, the order, contacts, the release.
  private static func change(_ fixture: StoreFixture, _ planned: PlannedShard) throws {
    try fixture.change { transaction in
      transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a", "b"))
      try transaction.announceLoading([id("b")])
      // Both families by turns, the second far behind the first, so that the writer of the shard spools and merges.
      let recorder = transaction.makeRecorder(for: id("b"), planned: planned)
      try StoreFixture.deliver(new.providers[0], to: recorder, seed: 3)
      let staged = try recorder.finish()
      let receipt = LoadReceipt(
        counts: staged.counts, digests: staged.digests, plannedShard: planned.digest, library: nil, configuration: nil,
        loadedAt: 0)
      try transaction.install(StoredGeneration(content: staged.content, receipt: receipt), for: id("b"))
      try transaction.order([id("b")])
      try transaction.setContacts([newContact])
      transaction.setRelease(2)
    }
  }

  private func prepare() throws -> (StoreFixture, PlannedShard) {
    let fixture = try StoreFixture()
    // The old contacts and b's first load are what the change lets go of.
    try fixture.install(Self.old.providers[0], .init("b", labels: [10]))
    try fixture.change { transaction in
      try transaction.install(try fixture.load(Self.old.providers[1], in: transaction), for: id("b"))
      try transaction.setContacts([Self.oldContact])
    }
    // Almost what is going to be delivered, so that a prefix is copied.
    return (fixture, try fixture.publish(.init("b", blocks: [7], labels: [5, 9]), as: "b-2"))
  }

  /// Whether the store is in its new state; fails when it is in neither.
  private func check(_ fixture: StoreFixture, _ step: String) throws -> Bool {
    let contents = try fixture.store.read()
    let isNew = contents.serial == 3
    #expect(contents.serial == (isNew ? 3 : 2), "\(step)")
    #expect(contents.release == (isNew ? 2 : nil), "\(step)")
    var phone = isNew ? Self.new : Self.old
    let contact = isNew ? Self.newContact : Self.oldContact
    phone.contacts = [contact.number: contact.name]
    let resolver = try fixture.resolver()
    #expect(resolver.providers.map(\.state) == [.on, .on], "\(step)")
    for number: Int64 in 4...10 {
      let decision = resolver.resolve(caller(number))
      let expected = phone.decide(PhoneNumber(number))
      #expect(decision.kind.rawValue == expected.kind, "\(step), number \(number)")
      #expect(decision.label == expected.label, "\(step), number \(number)")
      #expect(decision.blockedBy == expected.blockedBy, "\(step), number \(number)")
    }
    return isNew
  }

  /// The next writer removes what the crashed one left and can commit.
  private func checkNextWriter(_ fixture: StoreFixture, _ planned: PlannedShard, isNew: Bool, _ step: String) throws {
    if isNew { try fixture.change { _ in } } else { try Self.change(fixture, planned) }
    // In use: a's load, b's last two, the contacts.
    #expect(try fixture.generationFiles().count == 4, "\(step)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.store.folder).sorted() == [
        "generations", "lock", "store.json",
      ], "\(step)")
    #expect(try fixture.resolver().resolve(caller(9)).label == "9 of b", "\(step)")
  }

  @Test("a writer whose calls all fail from one on, as if it were dead, leaves the old or the new state at every step")
  func deadFromEachCall() throws {
    var (sawOld, sawNew) = (0, 0)
    for step in 0... {
      let (fixture, planned) = try prepare()
      let counter = CallCounter()
      let finished = Syscall.withFault(under: fixture.root, { _, _ in counter.next() >= step ? EIO : nil }) {
        (try? Self.change(fixture, planned)) != nil
      }
      let isNew = try check(fixture, "dead from call \(step)")
      if isNew { sawNew += 1 } else { sawOld += 1 }
      try checkNextWriter(fixture, planned, isNew: isNew, "dead from call \(step)")
      if finished && counter.count <= step { break }
    }
    #expect(sawOld > 20)
    #expect(sawNew > 1)
  }

  @Test("a writer with any one call failing reports it and leaves the old state, but for the last syncs and tidying up")
  func oneFailingCall() throws {
    for step in 0... {
      let (fixture, planned) = try prepare()
      let counter = CallCounter()
      let failed = FailedCall()
      var thrown: (any Error)?
      Syscall.withFault(
        under: fixture.root,
        { operation, path in
          guard counter.next() == step else { return nil }
          failed.set(operation, path)
          return ENOSPC
        }
      ) {
        do { try Self.change(fixture, planned) } catch { thrown = error }
      }
      let name = "call \(step), \(failed.description)"
      let isNew = try check(fixture, name)
      if counter.count <= step { break }
      if thrown == nil { #expect(isNew, "\(name) failed and nobody was told") }
      if isNew, let thrown {
        #expect(failed.description.hasPrefix("sync") || failed.description.hasPrefix("open"), "\(name): \(thrown)")
      }
      try checkNextWriter(fixture, planned, isNew: isNew, name)
    }
  }

  @Test("a process that is killed at a step of a change leaves the old or the new state", arguments: Array(0..<12))
  func killedProcess(part: Int) throws {
    // The test runs itself again as the child that dies; see `child()`.
    let (fixture, planned) = try prepare()
    let calls = CallCounter()
    do {
      let (measured, shard) = try prepare()
      try Syscall.withFault(
        under: measured.root,
        { _, _ in
          _ = calls.next(); return nil
        }
      ) {
        try Self.change(measured, shard)
      }
    }
    let step = calls.count * part / 11
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    process.arguments = ["--testing-library", "swift-testing", "--filter", "CrashTests/child"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SHARDCTL_TEST_CRASH": "\(step) \(fixture.root)"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if step < calls.count {
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == SIGKILL)
    }
    let isNew = try check(fixture, "killed at call \(step)")
    if part == 0 { #expect(!isNew) }
    if step >= calls.count { #expect(isNew) }
    try checkNextWriter(fixture, planned, isNew: isNew, "killed at call \(step)")
  }

  @Test(
    "(the child of the test above)",
    .enabled(
      if: ProcessInfo.processInfo.environment["SHARDCTL_TEST_CRASH"] != nil, "runs only as a child that is killed"))
  func child() throws {
    let order = try #require(ProcessInfo.processInfo.environment["SHARDCTL_TEST_CRASH"])
    let parts = order.split(separator: " ", maxSplits: 1)
    let step = try #require(Int(parts[0]))
    let fixture = StoreFixture(adopting: String(parts[1]))
    let planned = try fixture.published("b-2")
    let counter = CallCounter()
    try Syscall.withFault(
      under: fixture.root,
      { _, _ in
        if counter.next() == step { kill(getpid(), SIGKILL) }
        return nil
      }
    ) { try Self.change(fixture, planned) }
  }
}

/// Counts calls from 0.
private final class CallCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  func next() -> Int {
    lock.withLock {
      value += 1
      return value - 1
    }
  }

  var count: Int { lock.withLock { value } }
}

/// Remembers the call that was made to fail.
private final class FailedCall: CustomStringConvertible, @unchecked Sendable {
  private let lock = NSLock()
  private var text = "none"

  func set(_ operation: Syscall.Operation, _ path: String) { lock.withLock { text = "\(operation) \(path)" } }

  var description: String { lock.withLock { text } }
}
