import CallDirectory
import CallLookup
import DirectoryStore
import Foundation
import ShardFormat
import SystemSupport
import TestSupport
import Testing

@Suite struct StoreAccessTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("a store that is not there is `missing` for readers and for writers that may not make it: exit 66")
  func missing() throws {
    for attempt in [
      { _ = try fixture.store.read() }, { _ = try fixture.store.open() },
      { _ = try fixture.store.beginWriting(command: "test") },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.kind == .missing)
      #expect(error?.kind.exitCode == 66)
      #expect(error?.file == fixture.store.manifestPath)
      #expect(error?.hint?.contains("shardctl apply") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: fixture.store.folder))
    #expect(try fixture.store.readIfPresent() == nil)
    #expect(fixture.store.lockHolder() == nil)
  }

  @Test("the store of another plan is refused with both names: exit 78; without a plan in hand it is read")
  func otherPlan() throws {
    try fixture.install(.init("a"))
    let other = DirectoryStore(
      folder: fixture.store.folder, base: fixture.store.base, planIdentity: "other", planName: "germany")
    for attempt in [
      { _ = try other.read() }, { _ = try other.open() }, { _ = try other.beginWriting(command: "test") },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.kind == .otherPlan)
      #expect(error?.what == "this store belongs to the plan \"test\", not to \"germany\"")
      #expect(error?.kind.exitCode == 78)
    }
    #expect(try DirectoryStore(folder: fixture.store.folder, base: fixture.store.base).read().plan.name == "test")
    try fixture.change { _ in }
  }

  @Test("R-LIFE-4: a second writer gets 75 and is told who holds the lock since when; code 7 only for what is loading")
  func locked() throws {
    try fixture.install(.init("a"))
    let first = try fixture.store.beginWriting(command: "shardctl\nreload a")
    try first.announceLoading([id("a")])
    let error = #expect(throws: StoreError.self) { try fixture.store.beginWriting(command: "shardctl apply") }
    #expect(error?.kind == .locked)
    #expect(error?.kind.exitCode == 75)
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(error?.what.hasPrefix("the store is being written by shardctl reload a (process \(pid), since 20") == true)
    #expect(error?.what.hasSuffix(" UTC)") == true)
    #expect(error?.phoneError(for: id("a")).managerCode == .currentlyLoading)
    #expect(error?.phoneError(for: id("b")).managerCode == .unknown)
    try first.commit()
    #expect(fixture.store.lockHolder() == nil)
    try fixture.change { _ in }
  }

  @Test("a transaction that is dropped changes nothing, leaves no file and releases the lock")
  func dropped() throws {
    try fixture.install(.init("a", labels: [5]))
    let before = try fixture.store.read()
    let files = try fixture.generationFiles()
    do {
      let transaction = try fixture.store.beginWriting(command: "test")
      _ = try fixture.load(.init("a", labels: [6]), in: transaction)
      try transaction.switchOff(id("a"))
      #expect(try fixture.generationFiles().count == 2)
    }
    #expect(try fixture.store.read() == before)
    #expect(try fixture.generationFiles() == files)
    #expect(fixture.store.lockHolder() == nil)
  }

  @Test("a change that is over cannot be committed again")
  func committedTwice() throws {
    let transaction = try fixture.store.beginWriting(command: "test", creating: StoreFixture.plan)
    try transaction.commit()
    #expect(throws: StoreError.self) { try transaction.commit() }
    #expect(try fixture.store.read().serial == 1)
  }

  @Test(
    "a store that cannot be written is `notWritable` or `inputOutput` with the file; look-ups go on",
    arguments: [(EROFS, 73), (EACCES, 73), (EPERM, 73), (ENOSPC, 74), (EIO, 74)] as [(Int32, Int32)])
  func notWritable(code: Int32, exit: Int32) throws {
    try fixture.install(.init("a", labels: [5]))
    let error = #expect(throws: StoreError.self) {
      try Syscall.withFault(under: fixture.root, { operation, _ in operation == .write ? code : nil }) {
        try fixture.change { try $0.switchOff(id("a")) }
      }
    }
    #expect(error?.kind.exitCode == exit)
    #expect(error?.file.hasPrefix(fixture.store.folder) == true)
    #expect(error?.phoneError(for: id("a")).managerCode == .unknown)
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
  }

  @Test("R-LIFE-8: a manifest that cannot be read is an error with the reason, not an empty store")
  func unreadable() throws {
    try fixture.install(.init("a"))
    let error = Syscall.withFault(under: fixture.root, { operation, _ in operation == .read ? EIO : nil }) {
      #expect(throws: StoreError.self) { try fixture.store.open() }
    }
    #expect(error?.kind == .inputOutput)
    #expect(error?.what.contains("cannot read") == true)
    let folder = try StoreFixture()
    try FileManager.default.createDirectory(
      atPath: folder.store.manifestPath, withIntermediateDirectories: true)
    #expect { try folder.store.read() } throws: { ($0 as? StoreError)?.what.contains("directory") == true }
  }

  @Test("R-WIN-3: contacts are opened with the store; equal ones keep their file; none are no contacts")
  func contacts() throws {
    try fixture.install(.init("a", blocks: [5, 6]))
    let contacts = [
      StoredContact(number: PhoneNumber(6), name: ""), StoredContact(number: PhoneNumber(5), name: "Anna"),
      StoredContact(number: PhoneNumber(5), name: "Second"), StoredContact(number: PhoneNumber(0), name: "Nobody"),
      StoredContact(number: PhoneNumber(7), name: String(repeating: "ж", count: 40_000)),
    ]
    try fixture.change { try $0.setContacts(contacts) }
    let files = try fixture.generationFiles()
    #expect(try fixture.resolver().resolve(caller(5)).label == "Anna")
    #expect(try fixture.resolver().resolve(caller(5)).kind == .contact)
    #expect(try fixture.resolver().resolve(caller(6)).label == "6")
    #expect(try fixture.resolver().resolve(caller(7)).kind == .contact)
    try fixture.change { try $0.setContacts(contacts.reversed().filter { $0.name != "Second" }) }
    #expect(try fixture.generationFiles() == files)
    try fixture.change { try $0.setContacts([]) }
    #expect(try fixture.resolver().resolve(caller(5)).kind == .blocked)
    #expect(try fixture.store.open().contacts == nil)
  }

  @Test("contacts that cannot be read stop a look-up: without them an answer would be wrong")
  func damagedContacts() throws {
    try fixture.install(.init("a", blocks: [5]))
    try fixture.change { try $0.setContacts([StoredContact(number: PhoneNumber(5), name: "Anna")]) }
    let file = try #require(try fixture.generationFiles().first { $0.hasPrefix("contacts") })
    try Data("no shard".utf8).write(to: URL(fileURLWithPath: "\(fixture.store.generationsFolder)/\(file)"))
    let error = #expect(throws: StoreError.self) { try fixture.store.open() }
    #expect(error?.file.hasSuffix(file) == true)
  }

  @Test("B-104: a shard that is missing, damaged or not what was installed makes its provider unavailable and no other")
  func damagedGeneration() throws {
    try fixture.install(.init("a", labels: [5]), .init("b", labels: [5]))
    let file = "\(fixture.store.generationsFolder)/a-1-1.shard"
    let good = try Data(contentsOf: URL(fileURLWithPath: file))
    let another = try fixture.publish(.init("a", labels: [6]), as: "another")
    let bad: [Data?] = [
      nil, Data(), good.dropLast(1), Data(good.reversed()),
      try Data(contentsOf: URL(fileURLWithPath: another.shard.path)),
    ]
    for content in bad {
      try? FileManager.default.removeItem(atPath: file)
      try content?.write(to: URL(fileURLWithPath: file))
      let opened = try fixture.store.open()
      #expect(opened.providers.map(\.state) == [.unavailable, .on])
      #expect(opened.providers[0].problem?.contains(file) == true)
      #expect(try fixture.resolver().resolve(caller(5)).label == "5 of b")
    }
    try good.write(to: URL(fileURLWithPath: file))
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
  }

  @Test("B-103: a provider whose library is gone is unavailable and keeps its data until the library is back")
  func missingLibrary() throws {
    try Data().write(to: URL(fileURLWithPath: fixture.path("plan/Plugins/libSpam.so")))
    try fixture.change { transaction in
      transaction.addDroppedIn(id("spam"), title: "Spam", library: "libSpam.so")
      try transaction.install(
        try fixture.load(.init("spam", blocks: [5]), in: transaction), for: id("spam"), switchOn: true)
    }
    #expect(try fixture.resolver().resolve(caller(5)).kind == .blocked)
    try FileManager.default.removeItem(atPath: fixture.path("plan/Plugins/libSpam.so"))
    let opened = try fixture.store.open()
    #expect(opened.providers.map(\.state) == [.unavailable])
    #expect(opened.providers[0].problem == "there is no library libSpam.so in \(fixture.path("plan/Plugins"))")
    #expect(try fixture.resolver().resolve(caller(5)).kind == .unknown)
    try Data().write(to: URL(fileURLWithPath: fixture.path("plan/Plugins/libSpam.so")))
    #expect(try fixture.resolver().resolve(caller(5)).kind == .blocked)
  }

  @Test("opening for a look-up reads the manifest and the shards that are on, and nothing of those that are off")
  func openReadsLittle() throws {
    try fixture.install(.init("a", labels: [5]), .init("b", labels: [5]))
    try fixture.change { try $0.switchOff(id("b")) }
    let seen = Calls()
    _ = try Syscall.withFault(under: fixture.root, { operation, path in seen.add(operation, path) }) {
      try fixture.store.open()
    }
    #expect(seen.opened.sorted() == ["a-1-1.shard", "lock", "store.json"])
  }

  @Test("B-090: published shards in use by an active or previous load are listed, so that nobody removes them")
  func linkedFiles() throws {
    let first = try fixture.publish(.init("a", labels: [5]), as: "a-1")
    let second = try fixture.publish(.init("a", labels: [6]), as: "a-2")
    try fixture.change { transaction in
      transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a"))
      try transaction.install(
        try fixture.load(.init("a", labels: [5]), in: transaction, planned: first), for: id("a"))
    }
    try fixture.change { transaction in
      try transaction.install(
        try fixture.load(.init("a", labels: [6]), in: transaction, planned: second), for: id("a"))
    }
    #expect(try fixture.store.read().linkedFiles == ["shards/a-1.shard", "shards/a-2.shard"])
  }

  @Test("readers see whole states while a writer commits one after another, and never wait for it")
  func readersAndWriter() throws {
    try fixture.install(.init("a", labels: [1]))
    let writer = Collected<Bool>(count: 1)
    let fixture = fixture
    let thread = Thread { writer.set(0, (try? Self.commitRounds(2...60, fixture)) != nil) }
    thread.start()
    var last: Int64 = 0
    while writer.values[0] == nil {
      let opened = try fixture.store.open()
      #expect(opened.providers.map(\.problem) == [nil])
      let directory = try #require(opened.providers[0].directory)
      let known = (1...60 as ClosedRange<Int64>).filter { !directory.find(PhoneNumber($0)).isEmpty }
      #expect(known.count == 1)
      #expect(known[0] >= last)
      last = known[0]
    }
    #expect(writer.values == [true])
  }

  /// In each round the only number that is known is the round's.
  private static func commitRounds(_ rounds: ClosedRange<Int64>, _ fixture: StoreFixture) throws {
    for round in rounds {
      try fixture.change { transaction in
        try transaction.install(try fixture.load(.init("a", labels: [round]), in: transaction), for: id("a"))
      }
    }
  }
}

/// The files opened and mapped while calls were watched.
private final class Calls: @unchecked Sendable {
  private let lock = NSLock()
  private var names: [String] = []

  func add(_ operation: Syscall.Operation, _ path: String) -> Int32? {
    if operation == .open { lock.withLock { names.append((path as NSString).lastPathComponent) } }
    return nil
  }

  var opened: [String] { lock.withLock { names } }
}
