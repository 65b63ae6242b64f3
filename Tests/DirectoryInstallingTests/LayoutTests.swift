import CallDirectory
import DirectoryInstalling
import DirectoryPublishing
import DirectoryStore
import Foundation
import PlanFile
import TestSupport
import Testing

/// Phones with different layouts beside each other.
@Suite(.enabled(if: Installation.isBuilt, Comment(rawValue: Installation.absence))) struct LayoutTests {
  private static let old = #""layouts": {"old": {"providers": [{"id": "all", "rest": true}]}},"#

  private static func phone() throws -> Installation {
    let phone = try Installation.twoPlanned()
    phone.more = old
    return phone
  }

  @discardableResult
  private static func apply(_ phone: Installation, layout: String?) throws -> InstallationSession.Application {
    let installer = try phone.installer(layout: layout)
    let session = try installer.begin("test", mayCreate: true)
    return try session.apply(DirectoryPublisher(phone.installer().plan).stage().candidate)
  }

  private static func links(_ phone: Installation, _ layout: String?) throws -> [String] {
    try phone.installer(layout: layout).store.read().linkedFiles
  }

  private static func areWhole(_ phone: Installation) throws -> Bool {
    try [nil, "old"].allSatisfy { layout in
      try phone.installer(layout: layout).store.open(includingOff: true).providers.allSatisfy { $0.problem == nil }
    }
  }

  @Test func `Each layout's phone has a store of its own and loads its own providers from one release`() throws {
    let phone = try Self.phone()
    #expect(try Self.apply(phone, layout: nil).loads.map(\.id.rawValue) == ["a", "b"])
    let application = try Self.apply(phone, layout: "old")
    #expect(application.release == 1 && application.isSwitched && application.loads.map(\.id.rawValue) == ["all"])
    #expect(try Self.apply(phone, layout: "old").isSwitched == false)
    #expect(try phone.entries("a").count == 20)
    let store = try phone.installer(layout: "old").store
    #expect(store.folder == phone.folder.path(".shardctl/layouts/old"))
    #expect(try store.read().provider(Installation.id("all"))?.active?.receipt.counts.total == 40)
    #expect(try Self.areWhole(phone))
  }

  @Test func `What another phone has installed stays when releases go`() throws {
    let phone = try Self.phone()
    phone.more = Self.old + #""keepReleases": 1,"#
    try Self.apply(phone, layout: nil)
    try Self.apply(phone, layout: "old")
    for round in 0..<4 {
      phone.labels["a"] = "round \(round)"
      try Self.apply(phone, layout: nil)
    }
    #expect(try Self.areWhole(phone))
    #expect(try phone.installer(layout: "old").store.read().release == 1 && phone.shards.releases() == [5])
    try Self.apply(phone, layout: "old")
    #expect(try phone.installer(layout: "old").store.read().release == 5)
    #expect(try Self.areWhole(phone))
    for round in 0..<3 {
      phone.labels["b"] = "later \(round)"
      try Self.apply(phone, layout: "old")
    }
    #expect(try phone.installer().store.read().release == 5 && Self.areWhole(phone))
  }

  @Test func `A switch of one phone that was cut off before its release was current is completed by the other`() throws
  {
    let phone = try Self.phone()
    try Self.apply(phone, layout: nil)
    let before = try Data(contentsOf: URL(fileURLWithPath: phone.shards.currentPath))
    phone.labels["a"] = "New"
    try Self.apply(phone, layout: "old")
    // As if the process had ended after the store's commit.
    try before.write(to: URL(fileURLWithPath: phone.shards.currentPath))
    #expect(try phone.shards.current()?.release == 1)
    do { _ = try phone.installer().begin("test") }
    #expect(try phone.shards.current()?.release == 2, "and not forgotten")
    #expect(try Self.areWhole(phone))
    #expect(try Self.apply(phone, layout: nil).loads.map(\.id.rawValue) == ["a"])
  }

  @Test func `A release without the layout is refused by its phone`() throws {
    let phone = try Self.phone()
    phone.more = ""
    try phone.apply()
    phone.more = Self.old
    try Self.apply(phone, layout: nil)
    try Self.apply(phone, layout: "old")
    let session = try phone.installer(layout: "old").begin("test")
    let error = #expect(throws: ReleaseError.self) { try session.apply(phone.shards.candidate(rollingBackTo: 1)) }
    #expect(error?.what == "release 3 was made without the layout \"old\"", "\(String(describing: error))")
    #expect(try Self.areWhole(phone))
  }

  @Test func `reload and enable of a layout's phone take its own shards`() throws {
    let phone = try Self.phone()
    try Self.apply(phone, layout: nil)
    try Self.apply(phone, layout: "old")
    let id = Installation.id("all")
    #expect(try phone.installer(layout: "old").begin("test").reload([id]).allSatisfy { $0.isAccepted })
    #expect(throws: StoreError.self) { try phone.installer().begin("test").reload([id]) }
    #expect(throws: StoreError.self) { try phone.installer(layout: "old").begin("test").reload([Installation.id("a")]) }
  }
}
