import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// One number, several labels from one source: which one counts.
@Suite struct RepeatTests {
  private func label(_ rows: [(label: String, score: Double?, source: Int)], _ repeats: [RepeatRule]) throws -> String?
  {
    let rules = PlanningRules(
      providers: [PlannedProvider(id: id("all"), claim: .rest)], sources: ["a", "b"], repeats: repeats)
    let (placed, report) = try plan(
      rows.map { Row(number: 70_000_000, source: $0.source, label: $0.label, score: $0.score) }, rules)
    #expect(report.accounts.filter { !$0.isBalanced }.isEmpty)
    #expect(report.accounts.reduce(0) { $0 + $1.used } == 1)
    #expect(report.conflictingLabels == (Set(rows.map(\.label)).subtracting([""]).count > 1 ? 1 : 0))
    return placed[id("all")]?.labels[70_000_000]
  }

  @Test(
    "B-054, DUP: of equal rank the first label counts, whatever the rule",
    arguments: RepeatRule.allCases)
  func ties(rule: RepeatRule) throws {
    let rows = [("", 9.0, 0), ("Zeta", 1, 0), ("Alpha", 1, 0), ("Alpha", nil, 1), ("Alpha", 5, 1)]
    #expect(try label(rows, [rule, rule]) == "Zeta")
  }

  @Test(
    "The most frequent label counts, also among more rows than are compared pair by pair", arguments: [1, 4, 20, 300])
  func mostFrequent(times: Int) throws {
    let rows = (0..<times).flatMap { _ in [("One", 9.0, 0), ("Two", nil, 0), ("", 9, 0)] } + [("Two", nil, 0)]
    #expect(try label(rows, [.mostFrequent]) == "Two")
    #expect(try label(rows, []) == "One")
    let tied = (0..<times).flatMap { _ in [("Zeta", Double?.none, 0), ("Alpha", nil, 0)] }
    #expect(try label(tied, [.mostFrequent]) == "Zeta")
  }

  @Test("The label of the highest score counts; a row without a score is behind every other, one without a label none")
  func highestScore() throws {
    #expect(try label([("None", nil, 0), ("Low", -5, 0), ("", 99, 0)], [.highestScore]) == "Low")
    #expect(try label([("Low", 1, 0), ("High", 1.5, 0), ("Same", 1.5, 0)], [.highestScore]) == "High")
  }

  @Test("The first source that has a label gives it, by its own rule: scores of another do not reach over")
  func sources() throws {
    let rows = [("", 1.0, 0), ("B first", 1, 1), ("B best", 2, 1), ("B best", nil, 1)]
    #expect(try label(rows, [.highestScore, .first]) == "B first")
    #expect(try label(rows, [.first, .mostFrequent]) == "B best")
    #expect(try label([("A", 1, 0)] + rows, [.first, .highestScore]) == "A")
  }
}
