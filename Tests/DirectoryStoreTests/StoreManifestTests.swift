import CallDirectory
import Digests
import DirectoryStore
import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite struct StoreManifestTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// A store in which every member of the manifest has a value.
  private func fill() throws {
    let planned = try fixture.publish(.init("linked", blocks: [5], labels: [6]), as: "linked-1")
    try fixture.install(.init("own", labels: [5]), .init("linked"))
    let digest = planned.digest
    try fixture.change { transaction in
      var plan = StoreFixture.plan
      plan.contactsOverrideBlocks = false
      plan.profile = .ios10
      plan.title = "Тест \"quoted\" \\ \u{1F4DE}"
      transaction.setPlan(plan, providers: StoreFixture.entries("own", "linked"))
      transaction.addDroppedIn(id("dropped"), title: "Dropped\tin", library: "libDropped.so")
      var generation = try fixture.load(
        .init("linked", blocks: [5], labels: [6]), in: transaction, planned: planned)
      generation.receipt.library = digest
      generation.receipt.configuration = digest
      try transaction.install(generation, for: id("linked"))
      try transaction.recordFailure(
        .init(error: PhoneError(domain: "com.example", code: -102), text: "two\nlines", failedAt: 1), for: id("own"),
        quarantining: digest)
      try transaction.order([id("dropped")])
      transaction.setRelease(7)
      try transaction.setContacts([StoredContact(number: PhoneNumber(5), name: "Anna")])
    }
  }

  @Test("everything a store is told is read back, and the same contents give the same bytes")
  func roundTrip() throws {
    try fill()
    var expected: StoreContents?
    let before = try FileSystem.read(fixture.store.manifestPath)
    expected = try fixture.store.read()
    #expect(expected?.plan.title == "Тест \"quoted\" \\ \u{1F4DE}")
    #expect(expected?.plan.contactsOverrideBlocks == false)
    #expect(expected?.release == 7)
    #expect(expected?.customOrder?.ids.map(\.rawValue) == ["dropped", "own", "linked"])
    #expect(expected?.provider(id("own"))?.lastFailure?.error.code == -102)
    #expect(expected?.provider(id("own"))?.lastFailure?.text == "two\nlines")
    #expect(expected?.provider(id("own"))?.quarantine.count == 1)
    #expect(expected?.provider(id("linked"))?.active?.receipt.configuration != nil)
    let committed = try fixture.change { _ in }
    #expect(try fixture.store.read() == committed)
    let after = try FileSystem.read(fixture.store.manifestPath)
    #expect(before.count == after.count)
    let (first, second) = (String(decoding: before, as: UTF8.self), String(decoding: after, as: UTF8.self))
    let differing = zip(first.split(separator: "\n"), second.split(separator: "\n")).filter { $0 != $1 }
    #expect(
      differing.map { $0.0.prefix(12).trimmingCharacters(in: .whitespaces) } == ["\"serial\":", "\"crc32c\":"])
  }

  @Test("a manifest with any one bit flipped is a typed error, never a trap and never another meaning")
  func flippedBits() throws {
    try fill()
    let path = fixture.store.manifestPath
    let bytes = try FileSystem.read(path)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1 << (index % 8)
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self, "byte \(index)") { try fixture.store.read() }
      #expect([.malformed, .newerSchema, .otherPlan].contains(error?.kind), "byte \(index)")
      #expect(error?.file == path)
    }
  }

  @Test("a manifest cut at any length is a typed error")
  func truncated() throws {
    try fill()
    let path = fixture.store.manifestPath
    let bytes = try FileSystem.read(path)
    for length in bytes.indices {
      try Data(bytes[..<length]).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self, "length \(length)") { try fixture.store.read() }
      #expect(error?.kind == .malformed, "length \(length)")
    }
  }

  @Test("bytes behind the manifest, and a manifest edited by hand, are refused")
  func edited() throws {
    try fill()
    let path = fixture.store.manifestPath
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    for changed in [
      text + " ", text + "{}", " " + text, text.replacingOccurrences(of: "\"on\": true", with: "\"on\": false"),
    ] {
      try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) { try fixture.store.read() }
      #expect(error?.kind == .malformed)
      #expect(error?.hint?.contains("backup") == true)
    }
  }

  @Test(
    "a manifest whose checksum fits and whose content does not is refused by its place",
    arguments: [
      ("\"serial\": 2", "\"serial\": -1", "serial"), ("\"serial\": 2", "\"serial\": 9223372036854775807", "serial"),
      ("\"release\": 7", "\"release\": 7.5", "release"), ("\"id\": \"own\"", "\"id\": \"../own\"", "providers[0].id"),
      ("\"id\": \"own\"", "\"id\": \"linked\"", "providers[1]"),
      ("\"contacts\": \"contacts-", "\"contacts\": \"../", "contacts"),
      ("\"profile\": \"ios10\"", "\"profile\": \"ios11\"", "plan.profile"),
      ("\"content\": \"link\"", "\"content\": \"lynk\"", "content"),
      ("\"blocking\": 1", "\"blocking\": -1", "blocking"), ("[\"dropped\", \"own\"", "[\"own\", \"own\"", "order"),
      ("[\"dropped\", \"own\", ", "[\"dropped\", ", "order"),
      ("\"lastFailure\": {", "\"lastFailures\": {", "lastFailures"),
      ("\"plannedShard\": \"", "\"plannedShard\": \"g", "plannedShard"),
      ("\"loadedAt\": 1764000000", "\"loadedAt\": 1e99", "loadedAt"),
    ])
  func forged(original: String, replacement: String, place: String) throws {
    try fill()
    let path = fixture.store.manifestPath
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    try #require(text.contains(original), "\(text)")
    let body = text.replacingOccurrences(of: original, with: replacement).components(separatedBy: ",\n  \"crc32c\"")[0]
    let checksum = String(Array(body.utf8).withUnsafeBytes { CRC32C.checksum(of: $0) }, radix: 16)
    let padded = String(repeating: "0", count: 8 - checksum.count) + checksum
    try Data("\(body),\n  \"crc32c\": \"\(padded)\"\n}\n".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try fixture.store.read() }
    #expect(error?.kind == .malformed)
    #expect(error?.what.contains(place) == true, "\(error?.what ?? "")")
    #expect(error?.what.contains("checksum") == false)
  }

  @Test("B-112: a store of a newer schema is refused by name and asks for that version; an older word is malformed")
  func schema() throws {
    try fill()
    let path = fixture.store.manifestPath
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    for (schema, kind) in [
      ("shardctl.store/2", StoreError.Kind.newerSchema), ("shardctl.store/0", .malformed),
      ("shardctl.plan/2", .malformed),
    ] {
      let changed = text.replacingOccurrences(of: "shardctl.store/1", with: schema)
      try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) { try fixture.store.read() }
      #expect(error?.kind == kind)
      #expect(error?.kind.exitCode == 78)
      #expect(error?.what.contains(schema) == true)
    }
  }
}
