import DirectoryPublishing
import PlanFile
import PositionedJSON
import ShardPlanning
import TestSupport
import Testing

@Suite struct GuardTests {
  /// A plan over a table and a list, with `guard` on the list.
  private static func world(_ limits: String, second: String = "") throws -> World {
    let world = try World()
    try world.folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU", "sources": [
       {"id": "spam", "file": "spam.txt", "action": "block"\(limits)}\(second)],
       "providers": [{"id": "all", "rest": true}]}
      """, to: "plan.json")
    return world
  }

  /// Writes `good` numbers and `bad` lines that are none.
  private static func write(_ world: World, _ good: Int, bad: Int = 0) throws {
    let lines = (0..<good).map { "+7495\(1_000_000 + $0)\n" } + (0..<bad).map { _ in "abc\n" }
    try world.folder.write(lines.joined(), to: "spam.txt")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var limits: String
    var before: Int?
    var good: Int
    var bad = 0
    /// The message behind `plan.json:`; nil where the guard holds.
    var message: String?

    var testDescription: String { "\(limits), \(before ?? 0) to \(good) and \(bad) bad" }
  }

  static let cases: [Case] = [
    Case(limits: #"{"shrink": 0.3}"#, before: 100, good: 70),
    Case(
      limits: #"{"shrink": 0.3}"#, before: 100, good: 69,
      message: "69 used, 100 in release 1: 31 % fewer, and its guard allows 30 %"),
    Case(limits: #"{"shrink": 0.3}"#, before: 100, good: 1000),
    Case(limits: #"{"shrink": 0}"#, before: 100, good: 100),
    Case(
      limits: #"{"shrink": 0}"#, before: 400, good: 399,
      message: "399 used, 400 in release 1: 0.25 % fewer, and its guard allows 0 %"),
    Case(limits: #"{"growth": 0.1}"#, before: 30, good: 33),
    Case(
      limits: #"{"growth": 0.1}"#, before: 30, good: 34,
      message: "34 used, 30 in release 1: 13.33 % more, and its guard allows 10 %"),
    Case(limits: #"{"growth": 0.1}"#, before: 30, good: 1),
    Case(limits: #"{"growth": 0.1, "shrink": 0.1}"#, before: nil, good: 500),
    Case(limits: #"{"rejected": 0.05}"#, before: nil, good: 95, bad: 5),
    Case(
      limits: #"{"rejected": 0.05}"#, before: nil, good: 94, bad: 6,
      message: "6 of 100 refused: 6 %, and its guard allows 5 %"),
    Case(limits: #"{"rejected": 1, "growth": 1e300}"#, before: 1, good: 400, bad: 400),
  ]

  @Test(arguments: cases)
  func `B-056: A guard holds up to its limit, and not one occurrence beyond`(of test: Case) throws {
    let world = try Self.world(#", "guard": \#(test.limits)"#)
    if let before = test.before {
      try Self.write(world, before)
      try world.publish()
    }
    try Self.write(world, test.good, bad: test.bad)
    let messages = try world.publisher().preview().breaches.map(\.description)
    let place =
      "\(world.planPath):2:\(#" {"id": "spam", "file": "spam.txt", "action": "block", "guard": "#.utf8.count + 1)"
    #expect(messages == [test.message].compactMap { $0 }.map { "\(place): source \"spam\": \($0)" })
    if test.message == nil {
      try world.publish()
    } else {
      let error = #expect(throws: GuardError.self) { try world.publish() }
      #expect(error?.breaches.map(\.description) == messages)
    }
  }

  @Test func `A source that was empty in the base has grown beyond any fraction`() throws {
    let world = try Self.world(#", "allowEmpty": true, "guard": {"growth": 1000}"#)
    try Self.write(world, 0)
    try world.publish()
    try Self.write(world, 1)
    let breach = try #require(world.publisher().preview().breaches.first)
    #expect(
      breach.fraction == nil
        && breach.description.hasSuffix("1 used, 0 in release 1: all new, and its guard allows 100000 %"))
  }

  @Test func `A refused pattern is one of the rows that its guard counts, not the numbers it would have come to`()
    throws
  {
    let world = try World()
    try world.folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU", "sources": [
       {"id": "spam", "file": "spam.txt", "format": "patterns", "action": "block", "guard": {"rejected": 0.1}}],
       "providers": [{"id": "all", "rest": true}]}
      """, to: "plan.json")
    try world.folder.write("+7*\n+749510000##\n", to: "spam.txt")
    let report = try world.publish().report
    #expect(report.accounts.total.refused == 1 && report.accounts.total.read == 101 && report.breaches.isEmpty)
    // What was published can be read by every later run.
    #expect(try world.shards.current()?.accounts == report.accounts)
    #expect(try world.publish().candidate.isUnchanged)
  }

  @Test func `Beyond a guard nothing is written, and accepting the change makes it the new base`() throws {
    let world = try Self.world(#", "guard": {"shrink": 0.3}"#)
    try Self.write(world, 100)
    try world.publish()
    let before = try world.files()
    try Self.write(world, 10)
    #expect(throws: GuardError.self) { try world.publish() }
    #expect(try world.files() == before)
    var options = PublishingOptions()
    options.acceptsChange = true
    let report = try world.publish(options).report
    #expect(report.breaches.map(\.kind) == [.shrink])
    #expect(try world.publish().report.breaches.isEmpty)
    #expect(try world.shards.current()?.release == 2)
  }

  @Test func `B-056: Against a base every source is told with its old and new counts, new and gone ones too`() throws {
    let second = #", {"id": "more", "file": "more.txt", "action": "block"}"#
    let world = try Self.world("", second: second)
    try Self.write(world, 20, bad: 1)
    try world.folder.write("+74990000001\n", to: "more.txt")
    #expect(try world.publish().report.changes.isEmpty)
    try world.folder.write(
      try Self.text(world, replacing: #""id": "more""#, by: #""id": "other""#), to: "plan.json")
    try Self.write(world, 30, bad: 2)
    let report = try world.publish().report
    #expect(report.changes.map(\.id) == ["spam", "other", "more"])
    #expect(report.changes.map(\.before?.used) == [20, nil, 1])
    #expect(report.changes.map(\.after?.used) == [30, 1, nil])
    #expect(report.changes.map(\.before?.refused) == [1, nil, 0])
    #expect(report.changes.map(\.after?.refused) == [2, 0, nil])
    #expect(report.baseEntries == 21 && report.entries == 31)
    var json = JSONWriter()
    report.write(to: &json)
    let changes = try JSONDocument(json.finish(), file: nil).root.asObject().array("changes").map { $0 }
    #expect(changes.map { $0["before"]?["used"]?.integer } == [20, nil, 1])
    #expect(changes.map { $0["after"]?["read"]?.integer } == [32, 1, nil])
  }

  private static func text(_ world: World, replacing old: String, by new: String) throws -> String {
    let plan = try Plan.load(path: world.planPath)
    return String(decoding: plan.bytes, as: UTF8.self).split(separator: old, omittingEmptySubsequences: false)
      .joined(separator: new)
  }
}
