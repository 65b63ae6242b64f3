import CallDirectory
import TestSupport
import Testing

@testable import ProviderHost

/// A checker driven as a phone drives it: a flush when a family has `flushEntries`, blocking first at the end.
private struct Request {
  var checker: EntryChecker
  var flushEntries = 10_000
  var violation: OrderViolation?
  /// How many adds were made when the violation was told; nil when it was told at the end.
  var toldAtAdd: Int?
  private var adds = 0

  init(limit: Int = EntryLimit.maximum, flushEntries: Int = 10_000) {
    checker = EntryChecker(entryLimit: limit)
    self.flushEntries = flushEntries
  }

  @discardableResult
  mutating func add(_ family: EntryFamily, _ number: Int64, _ label: String = "label") -> EntryChecker.Verdict? {
    guard violation == nil else { return nil }
    adds += 1
    var label = label
    let verdict =
      family == .blocking
      ? checker.checkBlocking(PhoneNumber(number))
      : label.withUTF8 { checker.checkIdentification(PhoneNumber(number), label: UnsafeRawBufferPointer($0)) }
    if checker.pending(family) == flushEntries {
      violation = checker.endFlush(family)
      if violation != nil { toldAtAdd = adds }
    }
    return verdict
  }

  mutating func complete() -> OrderViolation? {
    for family in [EntryFamily.blocking, .identification] where violation == nil && checker.pending(family) > 0 {
      violation = checker.endFlush(family)
    }
    return violation
  }

  /// `"b5 i9"`: a family letter and a number each.
  static func of(_ script: String, limit: Int = EntryLimit.maximum, flushEntries: Int = 10_000) -> Request {
    var request = Request(limit: limit, flushEntries: flushEntries)
    for word in script.split(separator: " ") {
      request.add(word.first == "b" ? .blocking : .identification, Int64(word.dropFirst()) ?? 0)
    }
    _ = request.complete()
    return request
  }
}

@Suite struct EntryCheckerTests {
  @Test(
    arguments: [
      ("R-ORD-2: 5, 9, 9 repeats", "i5 i9 i9", 4, 2, 9, 9),
      ("R-ORD-1: 5, 9, 7 descends", "i5 i9 i7", 3, 2, 7, 9),
      ("R-ORD-2: 5, 9, 5 is out of order, not a repeat", "i5 i9 i5", 3, 2, 5, 9),
      ("R-ORD-3: a first 0 repeats the 0 before", "b0", 4, 0, 0, nil),
      ("R-ORD-3: a first -1 is below it", "b-1", 3, 0, -1, nil),
      ("R-ORD-5: the first of two errors is told", "b5 b4 b3", 3, 1, 4, 5),
      ("R-ORD-4: at complete the blocking family comes first", "i9 i9 b5 b4", 3, 1, 4, 5),
      ("R-ENT-1: families are judged apart", "b9 i5 b10 i9 i9", 4, 2, 9, 9),
    ] as [(String, String, Int, Int, Int64, Int64?)])
  func `an entry that breaks the order is named`(
    rule: String, script: String, code: Int, index: Int, number: Int64, predecessor: Int64?
  ) throws {
    let violation = try #require(Request.of(script).violation)
    #expect(violation.phoneCode.rawValue == code)
    #expect(violation.index == index)
    #expect(violation.number.rawValue == number)
    #expect(violation.predecessor?.rawValue == predecessor)
  }

  @Test(arguments: ["b9 i5 b10 i9", "b1", "i112 i911", "", "b9223372036854775807"])
  func `R-ENT-1, R-ENT-2: ascending families are accepted, and may interleave and share numbers`(script: String) {
    let request = Request.of(script)
    #expect(request.violation == nil)
    #expect(request.checker.accepted.total == script.split(separator: " ").count)
  }

  @Test func `R-ORD-4: 9,999 good entries and one bad as the 10,000th are told at that add, one earlier at the end`() {
    for (badAt, toldAt) in [(10_000, 10_000), (9_999, nil), (3, nil)] as [(Int, Int?)] {
      var request = Request()
      for index in 1...badAt { request.add(.identification, index == badAt ? 1 : Int64(index) + 1) }
      if toldAt == nil { #expect(request.violation == nil) }
      #expect(request.toldAtAdd == toldAt)
      #expect(request.complete()?.index == badAt - 1)
    }
  }

  @Test func `R-ORD-4: profile ios10 checks at 5,000`() {
    var request = Request(flushEntries: PhoneProfile(.ios10).flushEntries)
    for index in 1...5_000 { request.add(.blocking, index == 7 ? 1 : Int64(index)) }
    #expect(request.toldAtAdd == 5_000)
  }

  @Test func `R-CAP-1: as many as the limit are accepted, one more is refused and named`() throws {
    for (count, isAccepted) in [(25, true), (26, false), (40, false)] {
      let script = (1...count).map { "b\($0)" }.joined(separator: " ")
      let request = Request.of(script, limit: 25, flushEntries: 10)
      #expect((request.violation == nil) == isAccepted)
      if let violation = request.violation {
        #expect(violation.rule == .limitExceeded(limit: 25))
        #expect(violation.index == 25)
        #expect(violation.number == PhoneNumber(26))
        #expect(violation.predecessor == PhoneNumber(25))
      }
    }
  }

  @Test func `R-CAP-1: a flush is counted before it is looked into`() {
    let script = (1...31).map { "b\($0 == 25 ? 24 : $0)" }.joined(separator: " ")
    #expect(Request.of(script, limit: 25, flushEntries: 100).violation?.phoneCode == .maximumEntriesExceeded)
    #expect(Request.of(script, limit: 31, flushEntries: 100).violation?.phoneCode == .duplicateEntries)
  }

  @Test func `R-CAP-2: both families share the count, whichever comes first`() {
    for script in ["b1 b2 b3 i1 i2 i3", "i1 i2 i3 b1 b2 b3", "b1 i1 b2 i2 b3 i3"] {
      for flush in 1...7 {
        #expect(Request.of(script, limit: 6, flushEntries: flush).violation == nil)
        #expect(
          Request.of(script, limit: 5, flushEntries: flush).violation?.phoneCode == .maximumEntriesExceeded)
      }
    }
  }

  @Test func `R-CAP-2, R-ENT-3: dropped labels cost nothing and are not compared`() {
    var request = Request(limit: 3)
    request.add(.identification, 1)
    #expect(request.add(.identification, 9, "") == .drop)
    #expect(request.add(.identification, 1, String(repeating: "x", count: 65_535)) == .drop)
    request.add(.identification, 2, String(repeating: "x", count: 65_534))
    request.add(.identification, 3)
    #expect(request.complete() == nil)
    #expect(request.checker.accepted == EntryCounts(identification: 3))
    #expect(
      request.checker.warnings == [
        LoadWarning(.emptyLabel, first: .init(family: .identification, index: 1, number: PhoneNumber(9))),
        LoadWarning(.overlongLabel, first: .init(family: .identification, index: 2, number: PhoneNumber(1))),
      ])
  }

  @Test(
    arguments: [
      ([0x63, 0x61, 0x66, 0xE9], false), ([0xC0, 0x80], false), ([0xED, 0xA0, 0x80], false),
      ([0xF4, 0x90, 0x80, 0x80], false), ([0xD0], false), ([0xD0, 0x9A, 0x00], true), ([0xF0, 0x9F, 0x93, 0x9E], true),
    ] as [([UInt8], Bool)])
  func `R-ENT-3: a label that is not UTF-8 is dropped with a warning`(bytes: [UInt8], isText: Bool) {
    var checker = EntryChecker()
    let verdict = bytes.withUnsafeBytes { checker.checkIdentification(PhoneNumber(1), label: $0) }
    #expect(verdict == (isText ? .take : .drop))
    #expect(checker.warnings.map(\.kind) == (isText ? [] : [.labelNotUTF8]))
  }

  @Test func `R-ENT-2: Int64.max is accepted with a warning`() {
    let request = Request.of("b9223372036854775807 i9223372036854775807")
    #expect(request.violation == nil)
    #expect(request.checker.warnings.map(\.kind) == [.unmatchableNumber])
    #expect(request.checker.warnings.first?.count == 2)
  }

  @Test func `what may go to the sink is always ascending and within the limit, and all of an accepted request`() {
    for seed in 0..<400 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let limit = Int.random(in: 1...12, using: &generator)
      var request = Request(limit: limit, flushEntries: Int.random(in: 1...5, using: &generator))
      var taken: [EntryFamily: [Int64]] = [:]
      var numbers: [EntryFamily: Int64] = [.blocking: 0, .identification: 0]
      for _ in 0..<Int.random(in: 0...14, using: &generator) {
        let family: EntryFamily = Bool.random(using: &generator) ? .blocking : .identification
        let number = numbers[family, default: 0] + (Int.random(in: 0..<20, using: &generator) == 0 ? 0 : 1)
        numbers[family] = number
        if request.add(family, number) == .take { taken[family, default: []].append(number) }
      }
      let violation = request.complete()
      for (_, list) in taken { #expect(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }) }
      let total = taken.values.reduce(0) { $0 + $1.count }
      #expect(total <= limit, "seed \(seed)")
      if violation == nil { #expect(total == request.checker.accepted.total, "seed \(seed)") }
    }
  }
}
