import CallDirectory
import Foundation
import ProviderHost
import TestSupport
import Testing

/// The phone's rules, held by a real child with a real library.
@Suite struct PhoneRulesTests {
  @Test(
    arguments: [
      ("case 1, R-ORD-2", "i5 i9 i9", 4, 2, "no. 3"), ("case 1, R-ORD-1", "i5 i9 i7", 3, 2, "+7"),
      ("case 1, R-ORD-2", "i5 i9 i5", 3, 2, "(9)"), ("case 1, R-ORD-3", "b0", 4, 0, "not above 0"),
      ("case 1, R-ORD-3", "b-1", 3, 0, "is negative"), ("R-ORD-4, blocking first", "i9 i9 b5 b4", 3, 1, "blocking"),
    ] as [(String, String, Int, Int, String)])
  func `case 1: wrong order is refused, with the entry the phone does not name (R-ORD-5, B-049, B-050, B-053)`(
    rule: String, script: String, code: Int, index: Int, text: String
  ) throws {
    let load = try TestLoad(
      FaultyLibrary.c(), options: "{\"behaviour\": \"script\", \"script\": \"\(script)\"}")
    guard case .rejected(let violation) = load.result.outcome else {
      Issue.record("\(rule): \(load.result)")
      return
    }
    #expect(load.result.phoneError == PhoneError(domain: PhoneError.managerDomain, code: code))
    #expect(violation.index == index)
    #expect(load.result.counts.total == 0 || rule.hasSuffix("first"))
    if text != "+7" { #expect(load.result.description.contains(text), "\(load.result)") }
    #expect(load.result.description.contains("faulty: refused"))
  }

  @Test func `case 2: families interleave, and a number may be in both`() throws {
    let load = try TestLoad(
      FaultyLibrary.c(), options: "{\"behaviour\": \"script\", \"script\": \"b9 i5 b10 i9\"}")
    #expect(load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.sink.blocking == [9, 10])
    #expect(load.sink.identification == [5, 9])
    #expect(load.result.counts == EntryCounts(blocking: 2, identification: 2))
    #expect(load.result.descriptor?.identifier == "com.example.faulty")
    #expect(load.result.descriptor?.version == "1.2")
    #expect(load.result.libraryDigest != nil)
    #expect(load.result.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ("early in the buffer", 9_999, 10, "every add returned 0"),
      ("the 9,999th", 9_999, 9_999, "every add returned 0"),
      ("the 10,000th", 10_000, 10_000, "add 10000 returned 4"),
      ("told by a later flush only", 10_500, 10, "add 10000 returned 4"),
      ("in the last, partial buffer", 10_500, 10_400, "every add returned 0"),
    ] as [(String, Int, Int, String)])
  func `case 3, R-ORD-4: an error shows at the flush it belongs to`(
    place: String, count: Int, bad: Int, printed: String
  ) throws {
    let load = try TestLoad(behaviour: "stops at the first refusal", count: count, more: ", \"bad\": \(bad)")
    #expect(load.result.capturedOutput == printed + "\n", "\(place): \(load.result)")
    guard case .rejected(let violation) = load.result.outcome else {
      Issue.record("\(place): \(load.result)")
      return
    }
    #expect(violation.index == bad - 1)
    #expect(violation.number.rawValue == Int64(bad - 1))
    #expect(violation.predecessor?.rawValue == Int64(bad - 1))
  }

  @Test func `R-ORD-4: profile ios10 checks at 5,000`() throws {
    let load = try TestLoad(
      behaviour: "stops at the first refusal", count: 10_000, more: ", \"bad\": 10", profile: PhoneProfile(.ios10))
    #expect(load.result.capturedOutput == "add 5000 returned 4\n")
  }

  @Test(arguments: [
    (0, 1_999_999, true), (0, 2_000_000, false), (1_000_000, 999_999, true), (1_000_000, 1_000_000, false),
  ])
  func `case 4, R-CAP-1, R-CAP-2, B-058, B-070: 1,999,999 are accepted, 2,000,000 are not, however they are spread`(
    blocking: Int, labels: Int, isAccepted: Bool
  ) throws {
    let load = try TestLoad(
      behaviour: "blocks then labels", count: blocking, more: ", \"identifications\": \(labels)", keepsEntries: false)
    #expect(load.result.outcome.isAccepted == isAccepted, "\(load.result)")
    #expect(load.sink.brokenPromises == 0)
    #expect(load.sink.counts.total <= EntryLimit.maximum)
    if isAccepted {
      #expect(load.result.counts == EntryCounts(blocking: blocking, identification: labels))
      #expect(load.sink.counts == load.result.counts)
      #expect(load.result.peakMemory < 2 << 20, "\(load.result.peakMemory)")
    } else {
      #expect(load.result.phoneError == PhoneError(.maximumEntriesExceeded))
    }
  }

  @Test func `case 11, R-ENT-3: empty and over-long labels are dropped with a warning, 65,534 bytes are kept`() throws {
    let load = try TestLoad(behaviour: "labels")
    #expect(load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.sink.identification == [1, 4, 6, .max])
    #expect(load.sink.labels.map(\.utf8.count) == [3, 65_534, 8, 5])
    let warnings = Dictionary(uniqueKeysWithValues: load.result.warnings.map { ($0.kind, $0) })
    #expect(warnings[.emptyLabel]?.count == 2)
    #expect(warnings[.emptyLabel]?.first?.number == PhoneNumber(2))
    #expect(warnings[.overlongLabel]?.count == 1)
    #expect(warnings[.labelNotUTF8]?.first?.number == PhoneNumber(5))
    #expect(warnings[.unmatchableNumber]?.count == 1)
    #expect(load.result.counts.identification == 4)
  }

  @Test func `case 13, R-LIFE-6: a provider that cancels with its own error gives that error, the others are intact`()
    throws
  {
    let load = try TestLoad(behaviour: "reports an error and fails", count: 20_000)
    guard case .failed("com.example.crm", 1234, "no contract") = load.result.outcome else {
      Issue.record("\(load.result)")
      return
    }
    #expect(load.result.phoneError == PhoneError(domain: "com.example.crm", code: 1234))
    #expect(try TestLoad(behaviour: "good", count: 5).result.outcome.isAccepted)
  }

  @Test func `R-LIFE-6: an error in create, and a status without a word, reach the caller`() throws {
    let create = try TestLoad(behaviour: "refuse in create")
    #expect(create.result.phoneError == PhoneError(domain: "com.example.create", code: 7), "\(create.result)")
    let bare = try TestLoad(behaviour: "fails", count: 5)
    guard case .failed(_, 33, let message) = bare.result.outcome else {
      Issue.record("\(bare.result)")
      return
    }
    #expect(message == "its data is damaged")
    let lying = try TestLoad(behaviour: "says 4", count: 5)
    guard case .failed(_, 4, _) = lying.result.outcome else {
      Issue.record("\(lying.result)")
      return
    }
    #expect(lying.result.phoneError != PhoneError(.duplicateEntries))
    let both = try TestLoad(behaviour: "reports an error and succeeds", count: 5)
    #expect(both.result.outcome.isAccepted)
    #expect(both.result.warnings.map(\.kind) == [.errorThenSuccess])
  }

  @Test func `R-LIFE-7: verdicts that a provider ignores count all the same, entries after them do not`() throws {
    let load = try TestLoad(behaviour: "ignores verdicts", count: 30_000)
    #expect(
      load.result.phoneError == PhoneError(.entriesOutOfOrder)
        || load.result.phoneError == PhoneError(.duplicateEntries))
    #expect(load.sink.identification == [1, 2, 3, 4])
    #expect(load.result.warnings.first?.kind == .refusedAdd)
    #expect(load.result.warnings.first?.count == 20_000)
    let crash = try TestLoad(behaviour: "ignores verdicts and crashes", count: 30_000)
    #expect(crash.result.phoneError == PhoneError(.duplicateEntries), "\(crash.result)")
  }

  @Test func `R-LIFE-7: a provider that does not return after an error is killed when its grace is over`() throws {
    let load = try TestLoad(behaviour: "ignores verdicts and hangs", count: 10_000, grace: 0.3)
    #expect(load.result.phoneError == PhoneError(.duplicateEntries), "\(load.result)")
    #expect(load.result.warnings.map(\.kind) == [.killedAfterGrace])
    #expect(load.result.seconds >= 0.3)
  }

  @Test func `a provider gets its container, its shard and its options as the plan has them`() throws {
    let load = try TestLoad(
      FaultyLibrary.c(), options: "{\"behaviour\": \"shows its configuration\", \"x\": [1, \"é\"]}", shard: "/a/b.shard"
    )
    #expect(load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.result.capturedOutput.contains("shard /a/b.shard\n"))
    #expect(load.result.capturedOutput.contains("\"x\": [1, \"é\"]"))
  }
}
