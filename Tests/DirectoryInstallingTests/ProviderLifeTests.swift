import CallDirectory
import DirectoryInstalling
import DirectoryStore
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Installation.isBuilt, Comment(rawValue: Installation.absence))) struct ProviderLifeTests {
  private let own = Installation.id("own")
  private let a = Installation.id("a")

  /// A planned provider and one with data of its own, applied.
  private func applied() throws -> Installation {
    let phone = try Installation([
      ("a", "\"areas\": [\"a\"]"), ("own", try Installation.faulty("{\"script\": \"i5 i9\"}")),
    ])
    try phone.apply()
    return phone
  }

  @Test(arguments: [
    ("{\"script\": \"i9 i5\"}", 3), ("{\"script\": \"i9 i9\"}", 4), ("{\"behaviour\": \"crash in create\"}", 2),
    ("{\"behaviour\": \"refuse in create\"}", 7),
  ])
  func `R-LIFE-2: a reload that fails leaves the provider on and empty, the others whole, and can be restored`(
    options: String, code: Int
  ) throws {
    let phone = try applied()
    let others = try phone.entries("a")
    phone.providers[1].members = try Installation.faulty(options)
    let loads = try phone.begin().reload([own])
    #expect(loads.map(\.isAccepted) == [false] && loads[0].phoneError?.code == code)
    let failed = try #require(try phone.stored("own"))
    #expect(failed.isOn && failed.active == nil && failed.lastFailure?.error.code == code)
    #expect(try phone.entries("a") == others)
    try phone.begin().restore(own)
    #expect(try phone.entries("own") == ["5 label", "9 label"])
  }

  @Test func `A reload takes what the provider says now`() throws {
    let phone = try applied()
    phone.providers[1].members = try Installation.faulty("{\"script\": \"i7 b8\"}")
    #expect(try phone.begin().reload([own, a, own]).map(\.id) == [own, a])
    #expect(try phone.entries("own") == ["7 label", "8 -"])
  }

  @Test func `R-LIFE-4: a reload of an unknown provider or one that is off loads nothing`() throws {
    let phone = try applied()
    try phone.begin().disable([own])
    let before = try phone.files()
    for (ids, kind) in [([a, own], StoreError.Kind.disabled), ([a, Installation.id("who")], .unknownProvider)] {
      #expect { try phone.begin().reload(ids) } throws: { ($0 as? StoreError)?.kind == kind }
    }
    #expect(try phone.files() == before)
  }

  @Test func `R-LIFE-3: switching off keeps the data, and on again launches nothing`() throws {
    let phone = try applied()
    try phone.begin().disable([own])
    #expect(try phone.stored("own")?.storedState == .offWithData)
    phone.providers[1].members = try Installation.faulty("{\"behaviour\": \"crash in create\"}")
    #expect(try phone.begin().enable([own]).isEmpty)
    #expect(try phone.entries("own") == ["5 label", "9 label"])
    #expect(try phone.stored("own")?.isOn == true)
  }

  @Test func `R-LIFE-3: under the strict profile switching on always loads`() throws {
    let phone = try applied()
    phone.more = "\"phone\": {\"profile\": \"ios10\"},"
    try phone.apply()
    try phone.begin().disable([own])
    phone.providers[1].members = try Installation.faulty("{\"script\": \"i6\"}")
    #expect(try phone.begin().enable([own]).map(\.isAccepted) == [true])
    #expect(try phone.entries("own") == ["6 label"])
  }

  @Test func `R-WIN-4: a library that is dropped in is off and last, and is loaded when it is switched on`() throws {
    let phone = try applied()
    let spam = Installation.id("SpamList")
    try phone.drop("libSpamList.so")
    try phone.folder.write("+74957654321\n", to: ".shardctl/containers/SpamList/blocklist.txt")
    #expect(try phone.begin().enable([spam, spam]).map(\.isAccepted) == [true])
    #expect(try phone.opened().providers.map(\.stored.id) == [a, own, spam])
    #expect(try phone.entries("SpamList") == ["74957654321 -"])
    try phone.begin().order([spam])
    #expect(try phone.opened().providers.map(\.stored.id) == [spam, a, own])
    #expect(try phone.loaded() == [], "an apply does not load it again")
    #expect(try phone.opened().providers.map(\.stored.id) == [spam, a, own])
    try phone.begin().resetOrder()
    #expect(try phone.opened().providers.map(\.stored.id) == [a, own, spam])
  }

  @Test func `R-LIFE-2: a first load that fails leaves the provider off and empty`() throws {
    let phone = try applied()
    phone.providers.append(("late", "\"enabled\": false, " + (try Installation.faulty("{\"script\": \"i9 i5\"}"))))
    try phone.apply()
    #expect(try phone.begin().enable([Installation.id("late")]).map(\.isAccepted) == [false])
    #expect(try phone.stored("late")?.storedState == .offEmpty)
    #expect(try phone.stored("late")?.lastFailure?.error.code == 3)
  }

  @Test func `Enabling what nobody knows changes nothing`() throws {
    let phone = try applied()
    let before = try phone.files()
    #expect { try phone.begin().enable([own, Installation.id("who")]) } throws: {
      ($0 as? StoreError)?.kind == .unknownProvider
    }
    #expect(try phone.files() == before)
  }

  @Test func `A library that crashed is not run again until it is forgiven, and takes no data with it`() throws {
    let phone = try applied()
    phone.providers[1].members = try Installation.faulty("{\"behaviour\": \"crash in create\"}")
    _ = try phone.begin().reload([own])
    #expect(try phone.stored("own")?.quarantine.count == 1)
    try phone.begin().restore(own)
    phone.providers[1].members = try Installation.faulty("{\"script\": \"i7\"}")
    let load = try #require(try phone.begin().reload([own]).first)
    guard case .notStarted(let reason) = load.outcome else {
      Issue.record("\(load)")
      return
    }
    #expect(reason.hint.contains("forgive"))
    #expect(try phone.entries("own") == ["5 label", "9 label"], "it was not run, so nothing failed")
    #expect(try phone.stored("own")?.lastFailure?.error.code == 2)
    try phone.begin().forgive(own)
    #expect(try phone.begin().reload([own]).map(\.isAccepted) == [true])
    #expect(try phone.entries("own") == ["7 label"])
  }

  @Test func `A library that crashed in an apply that went on is quarantined too`() throws {
    let phone = try applied()
    phone.providers[1].members = try Installation.faulty("{\"behaviour\": \"crash in create\"}")
    #expect(try phone.apply(keepGoing: true).isSwitched)
    #expect(try phone.stored("own")?.quarantine.count == 1)
    #expect(try phone.entries("own") == ["5 label", "9 label"])
    guard case .notStarted? = try phone.apply(keepGoing: true).loads.first?.outcome else {
      Issue.record("it was run again")
      return
    }
  }

  @Test func `Only one change at a time`() throws {
    let phone = try applied()
    let session = try phone.begin()
    #expect { _ = try phone.begin() } throws: { ($0 as? StoreError)?.kind == .locked }
    #expect(throws: (any Error).self) { _ = try phone.installer().lockReleases("test") }
    withExtendedLifetime(session) {}
  }
}
