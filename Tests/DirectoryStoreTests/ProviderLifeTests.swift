import CallDirectory
import CallLookup
import Digests
import DirectoryStore
import Foundation
import TestSupport
import Testing

@Suite struct ProviderLifeTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("R-LIFE-1: off-empty, on, off-with-data, and loading while the lock's holder says so")
  func states() throws {
    try fixture.change { $0.addDroppedIn(id("spam"), title: "Spam", library: nil) }
    #expect(try fixture.state(of: "spam") == .offEmpty)
    let loading = try fixture.store.beginWriting(command: "shardctl enable spam")
    try loading.announceLoading([id("spam")])
    #expect(try fixture.state(of: "spam") == .loading)
    #expect(try fixture.store.read().provider(id("spam"))?.storedState == .offEmpty)
    try loading.install(try fixture.load(.init("spam", blocks: [112]), in: loading), for: id("spam"), switchOn: true)
    try loading.commit()
    #expect(try fixture.state(of: "spam") == .on)
    try fixture.change { try $0.switchOff(id("spam")) }
    #expect(try fixture.state(of: "spam") == .offWithData)
  }

  @Test("R-LIFE-1: a look-up during a load answers from the old generation and says that a load is running")
  func lookupDuringLoad() throws {
    try fixture.install(.init("a", labels: [5]))
    let transaction = try fixture.store.beginWriting(command: "shardctl reload a")
    try transaction.announceLoading([id("a")])
    let recorder = transaction.makeRecorder(for: id("a"), planned: nil)
    try recorder.addBlocking(PhoneNumber(5))
    let opened = try fixture.store.open()
    #expect(opened.writer?.command == "shardctl reload a")
    #expect(opened.writer?.loading == [id("a")])
    #expect(opened.writer?.pid == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
    #expect(opened.providers.map(opened.shownState) == [.loading])
  }

  @Test("R-LIFE-2, SEMANTICS case 13: a failed reload leaves the provider on and empty, the others as they are")
  func failedReload() throws {
    try fixture.install(.init("a", labels: [5]), .init("b", labels: [5]))
    let failure = StoredProvider.Failure(
      error: PhoneError(domain: "com.example.crm", code: 42), text: "no contacts", failedAt: 1)
    try fixture.change { try $0.recordFailure(failure, for: id("a")) }
    let stored = try #require(try fixture.store.read().provider(id("a")))
    #expect(stored.isOn)
    #expect(stored.active == nil)
    #expect(stored.lastFailure == failure)
    #expect(try fixture.state(of: "a") == .on)
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of b")
  }

  @Test("R-LIFE-2, SEMANTICS case 14: what a failed reload removed can be restored, also after a second failure")
  func restore() throws {
    try fixture.install(.init("a", labels: [5]))
    try fixture.change { try $0.recordFailure(.init(.loadingInterrupted), for: id("a")) }
    try fixture.change { try $0.recordFailure(.init(.entriesOutOfOrder), for: id("a")) }
    #expect(try fixture.resolver().resolve(caller(5)).kind == .unknown)
    try fixture.change { try $0.restore(id("a")) }
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
    #expect(try fixture.store.read().provider(id("a"))?.lastFailure?.error.managerCode == .entriesOutOfOrder)
  }

  @Test("R-LIFE-2: a failed first load leaves the provider off-empty")
  func failedFirstLoad() throws {
    try fixture.change { $0.addDroppedIn(id("spam"), title: "Spam", library: nil) }
    try fixture.change { try $0.recordFailure(.init(.duplicateEntries), for: id("spam")) }
    #expect(try fixture.state(of: "spam") == .offEmpty)
  }

  @Test("R-LIFE-2: a load that `apply` ran beside the installed data and that was refused changes no answer")
  func refusal() throws {
    try fixture.install(.init("a", labels: [5]))
    try fixture.change { try $0.recordRefusal(.init(.maximumEntriesExceeded), for: id("a")) }
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
    #expect(try fixture.store.read().provider(id("a"))?.lastFailure?.error.managerCode == .maximumEntriesExceeded)
  }

  @Test("restore goes back and forth between two loads, and is refused where there is only one")
  func restoreTwice() throws {
    try fixture.install(.init("a", labels: [5]))
    #expect { try fixture.change { try $0.restore(id("a")) } } throws: { ($0 as? StoreError)?.kind == .noPrevious }
    try fixture.change { try $0.install(try fixture.load(.init("a", labels: [6]), in: $0), for: id("a")) }
    for known: Int64 in [5, 6, 5] {
      try fixture.change { try $0.restore(id("a")) }
      #expect(try fixture.resolver().resolve(caller(known)).kind == .identified)
      #expect(try fixture.resolver().resolve(caller(11 - known)).kind == .unknown)
    }
  }

  @Test("R-LIFE-3, SEMANTICS case 10: off hides the data and keeps it; on again launches nothing")
  func offAndOn() throws {
    try fixture.install(.init("a", labels: [5]))
    try fixture.change { try $0.switchOff(id("a")) }
    #expect(try fixture.resolver().resolve(caller(5)).kind == .unknown)
    #expect(try fixture.resolver(includingOff: true).resolve(caller(5)).kind == .unknown)
    try fixture.change { try expectSwitchOn(id("a"), .switchedOn, $0) }
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
    try fixture.change { try expectSwitchOn(id("a"), .wasOn, $0) }
  }

  @Test("R-LIFE-3, B-090, SEMANTICS case 10: in profile ios10 switching on needs a full load")
  func offAndOnInStrictProfile() throws {
    try fixture.install(.init("a", labels: [5]))
    try fixture.change { transaction in
      var plan = StoreFixture.plan
      plan.profile = .ios10
      transaction.setPlan(plan, providers: StoreFixture.entries("a"))
      try transaction.switchOff(id("a"))
    }
    try fixture.change { try expectSwitchOn(id("a"), .needsLoad, $0) }
    #expect(try fixture.state(of: "a") == .offWithData)
  }

  @Test("switching on a provider that is off-empty needs a load")
  func firstSwitchOn() throws {
    try fixture.change { $0.addDroppedIn(id("spam"), title: "Spam", library: nil) }
    try fixture.change { try expectSwitchOn(id("spam"), .needsLoad, $0) }
    #expect(try fixture.state(of: "spam") == .offEmpty)
  }

  @Test("R-LIFE-4: a provider that is off cannot be reloaded: code 6")
  func reloadOff() throws {
    try fixture.change { $0.addDroppedIn(id("spam"), title: "Spam", library: nil) }
    let transaction = try fixture.store.beginWriting(command: "test")
    let error = #expect(throws: StoreError.self) { try transaction.checkReloadable(id("spam")) }
    #expect(error?.kind == .disabled)
    #expect(error?.phoneError(for: id("spam")).managerCode == .extensionDisabled)
  }

  @Test("R-LIFE-4, B-096: an unknown id is code 1 and names the id and those that exist")
  func unknownID() throws {
    try fixture.install(.init("a"), .init("b"))
    let transaction = try fixture.store.beginWriting(command: "test")
    let attempts: [(StoreTransaction) throws -> Void] = [
      { _ = try $0.provider(id("c")) }, { try $0.switchOff(id("c")) }, { _ = try $0.switchOn(id("c")) },
      { try $0.restore(id("c")) }, { try $0.forget(id("c")) }, { try $0.forgive(id("c")) },
      { try $0.order([id("c")]) }, { try $0.checkReloadable(id("c")) },
      { try $0.recordFailure(.init(.unknown), for: id("c")) },
    ]
    for attempt in attempts {
      let error = #expect(throws: StoreError.self) { try attempt(transaction) }
      #expect(error?.kind == .unknownProvider)
      #expect(error?.what.contains("\"c\"") == true)
      #expect(error?.hint == "providers: a, b")
      #expect(error?.phoneError(for: id("c")).managerCode == .noExtensionFound)
    }
  }

  @Test("B-093: an accepted load without entries is a good one: on, nothing invented, no file")
  func emptyLoad() throws {
    try fixture.install(.init("a"))
    let stored = try #require(try fixture.store.read().provider(id("a")))
    #expect(stored.active?.content == .empty)
    #expect(stored.active?.receipt.counts == EntryCounts())
    #expect(try fixture.state(of: "a") == .on)
    #expect(try fixture.generationFiles() == [])
    try fixture.change { try $0.switchOff(id("a")) }
    #expect(try fixture.state(of: "a") == .offWithData)
  }

  @Test("forget removes the provider, its files and its place in the order")
  func forget() throws {
    try fixture.install(.init("a", labels: [5]), .init("b", labels: [6]))
    try fixture.change { try $0.order([id("b")]) }
    try fixture.change { try $0.forget(id("a")) }
    #expect(try fixture.store.read().order.ids == [id("b")])
    #expect(try fixture.generationFiles().count == 1)
  }

  @Test("a library that crashed is in quarantine by digest until it is forgiven, through failed and good loads")
  func quarantine() throws {
    let digest = SHA256.digest(of: UnsafeRawBufferPointer(start: nil, count: 0))
    try fixture.install(.init("a", labels: [5]))
    for _ in 0..<2 {
      try fixture.change { try $0.recordFailure(.init(.loadingInterrupted), for: id("a"), quarantining: digest) }
    }
    try fixture.change { try $0.install(try fixture.load(.init("a"), in: $0), for: id("a")) }
    #expect(try fixture.store.read().provider(id("a"))?.quarantine == [digest])
    try fixture.change { try $0.forgive(id("a")) }
    #expect(try fixture.store.read().provider(id("a"))?.quarantine == [])
  }

  private func expectSwitchOn(
    _ id: ProviderID, _ expected: StoreTransaction.SwitchOn, _ transaction: StoreTransaction
  ) throws {
    let outcome = try transaction.switchOn(id)
    #expect(outcome == expected)
  }
}
