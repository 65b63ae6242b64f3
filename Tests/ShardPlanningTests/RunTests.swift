import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// Ranges that come as one come to what their numbers come to one by one.
@Suite struct RunTests {
  /// Consecutive numbers with the same rows.
  private struct Stretch {
    var numbers: ClosedRange<Int64>
    var rows: [Row]
  }

  /// In which pieces stretches are shown to the planner.
  private enum Pieces { case numbers, whole, random(SeededGenerator) }

  private static let kinds: [(limits: Bool, drops: Bool, copies: Bool)] = [
    (false, false, false), (true, false, false), (true, true, false), (false, false, true), (true, true, true),
  ]

  @Test(arguments: 0..<300)
  func `Random plans over ranges, in whatever pieces, come to what they come to number by number`(seed: Int)
    throws
  {
    let kind = Self.kinds[seed % Self.kinds.count]
    var world = World(
      seed: 7_000_000 + UInt64(seed), limits: kind.limits, drops: kind.drops, copies: kind.copies)
    var random = SeededGenerator(seed: UInt64(seed))
    let stretches = Self.stretches(&random)
    var rules = world.rules()
    // Limits that ranges fit into now and then.
    for index in rules.providers.indices where kind.limits { rules.providers[index].limit *= 12 }
    // Some are filled by score.
    for index in rules.providers.indices where seed % 2 == 0 && Bool.random(using: &random) {
      rules.providers[index].fillBy = .score
    }
    rules.base = PlanningBase()
    let one = Result { try Self.plan(stretches, rules, .numbers, after: nil) }
    for pieces in [Pieces.whole, .random(random)] {
      Self.compare(one, Result { try Self.plan(stretches, rules, pieces, after: nil) }, "seed \(seed)")
    }
    // The day after: other ranges, at places that change within them.
    guard case .success(let first) = one else { return }
    let next = Self.stretches(&random)
    let onceMore = Result { try Self.plan(next, rules, .numbers, after: first) }
    for pieces in [Pieces.whole, .random(random)] {
      Self.compare(onceMore, Result { try Self.plan(next, rules, pieces, after: first) }, "seed \(seed), day 2")
    }
  }

  private static func compare(_ one: Result<Planned, any Error>, _ other: Result<Planned, any Error>, _ name: String) {
    switch (one, other) {
    case (.success(let one), .success(let other)):
      #expect(one.placed == other.placed, "\(name)")
      #expect(one.groups == other.groups, "\(name)")
      #expect("\(one.report)" == "\(other.report)", "\(name)")
    case (.failure(let one), .failure(let other)): #expect("\(one)" == "\(other)", "\(name)")
    default: Issue.record("\(name): one way fails and the other does not")
    }
  }

  /// Stretches with gaps and without, some of one number.
  private static func stretches(_ random: inout SeededGenerator) -> [Stretch] {
    var next: Int64 = Bool.random(using: &random) ? 10_000_000 : 9_999_990
    return (0..<Int.random(in: 1...8, using: &random)).map { _ in
      next += Bool.random(using: &random) ? 0 : Int64.random(in: 1...9, using: &random)
      let count = Bool.random(using: &random) ? 1 : Int64.random(in: 2...40, using: &random)
      defer { next += count }
      let rows = (0..<Int.random(in: 1...3, using: &random)).map { index in
        Row(
          number: next,
          action: [.identify, .identify, .block, .both, .allow, .remove].randomElement(using: &random) ?? .block,
          source: Int.random(in: 0...2, using: &random), area: Int.random(in: 0...2, using: &random),
          label: Bool.random(using: &random) ? "label \(index % 2)" : "",
          score: [nil, -1, 0, 1, 2.5].randomElement(using: &random) ?? nil)
      }
      return Stretch(numbers: next...(next + count - 1), rows: rows)
    }
  }

  private static func plan(
    _ stretches: [Stretch], _ rules: PlanningRules, _ pieces: Pieces, after earlier: Planned?
  ) throws -> Planned {
    var rules = rules
    if let earlier { rules.base = earlier.base }
    let held = { (number: Int64) in earlier?.held(number) ?? .none }
    let planner = try PlacementPlanner(rules, areas: World.areas)
    /// Calls `body` with pieces whose numbers were at the same places.
    func walk(_ body: (ClosedRange<PhoneNumber>, UnsafeBufferPointer<SourceRow>, HeldPlaces) -> Void) {
      var random = if case .random(let generator) = pieces { generator } else { SeededGenerator(seed: 0) }
      for (line, stretch) in stretches.enumerated() {
        withRows(stretch.rows.enumerated().map { (10 * line + $0.offset, $0.element) }) { rows in
          var start = stretch.numbers.lowerBound
          while start <= stretch.numbers.upperBound {
            var end = start
            let most: Int64 =
              switch pieces {
              case .numbers: start
              case .whole: stretch.numbers.upperBound
              case .random: Int64.random(in: start...stretch.numbers.upperBound, using: &random)
              }
            while end < most, held(end + 1) == held(start) { end += 1 }
            body(PhoneNumber(start)...PhoneNumber(end), rows, held(start))
            start = end + 1
          }
        }
      }
    }
    walk { planner.tally($0, $1, held: $2) }
    var ready = try planner.allocate()
    while ready == nil {
      walk { planner.weigh($0, $1, held: $2) }
      ready = try planner.allocate()
    }
    let pass = try #require(ready)
    var placed = Dictionary(uniqueKeysWithValues: pass.providers.map { ($0.id, Placed()) })
    walk { numbers, rows, held in
      var rest = numbers
      while true {
        let (count, _) = pass.place(rest, rows, held: held) { provider, run in
          let id = pass.providers[provider].id
          #expect(run.entry.number == rest.lowerBound)
          for number in run.numbers.lowerBound.rawValue...run.numbers.upperBound.rawValue {
            if run.entry.isBlocked { placed[id, default: Placed()].blocked.append(number) }
            if let label = run.entry.label {
              placed[id, default: Placed()].labels[number] = String(decoding: label, as: UTF8.self)
            }
          }
        }
        let next = PhoneNumber(rest.lowerBound.rawValue + Int64(count))
        guard next <= rest.upperBound else { break }
        rest = next...rest.upperBound
      }
    }
    return Planned(placed: placed, report: pass.report, groups: pass.groups, providers: pass.providers.map(\.id))
  }

  @Test func `A range of millions is cut evenly into copies and split at limits in a few steps`() throws {
    let rules = PlanningRules(
      providers: [PlannedProvider(id: id("g"), claim: .rest, limit: 1_999_999, count: .fixed(8))], sources: ["rows"])
    let planner = try PlacementPlanner(rules, areas: [""])
    let range = PhoneNumber(33_160_000_000)...PhoneNumber(33_174_951_000)
    var runs: [(provider: Int, count: Int)] = []
    withRows([(0, Row(number: 33_160_000_000, action: .block))]) { planner.tally(range, $0) }
    let pass = try #require(try planner.allocate())
    var rest = range
    withRows([(0, Row(number: 33_160_000_000, action: .block))]) { rows in
      while true {
        let (count, _) = pass.place(rest, rows) { runs.append(($0, $1.count)) }
        let next = PhoneNumber(rest.lowerBound.rawValue + Int64(count))
        guard next <= rest.upperBound else { break }
        rest = next...rest.upperBound
      }
    }
    #expect(runs.map(\.provider) == Array(0..<8))
    #expect(runs.reduce(0) { $0 + $1.count } == 14_951_001)
    #expect(runs.allSatisfy { abs($0.count - 14_951_001 / 8) < 10_000 }, "\(runs)")
    #expect(pass.report.accounts[0].used == 14_951_001)
  }
}
