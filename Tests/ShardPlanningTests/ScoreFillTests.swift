import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// Providers that are filled by score.
@Suite struct ScoreFillTests {
  private static func group(
    _ count: CopyCount, limit: Int, margin: Double = 0.1, spillsTo: [ProviderID] = []
  ) -> PlannedProvider {
    PlannedProvider(
      id: id("g"), claim: .rest, limit: limit, spillsTo: spillsTo, count: count, fillBy: .score, fillMargin: margin)
  }

  private static func rules(_ providers: PlannedProvider...) -> PlanningRules {
    PlanningRules(providers: providers, sources: ["rows"])
  }

  private static func rows(_ scores: [Int: Double?]) -> [Row] {
    scores.sorted { $0.key < $1.key }.map { Row(number: 20_000_000 + Int64($0), label: "x", score: $1) }
  }

  private static func numbers(_ planned: Planned, _ provider: String) -> [Int] {
    (planned.placed[id(provider)]?.labels.keys ?? [:].keys).map { Int($0 - 20_000_000) }.sorted()
  }

  /// A provider for what spills.
  private static let rest = PlannedProvider(
    id: id("r"), claim: .matching(all: ClaimClause(prefixes: ["9"]), anyOf: []), mayBeEmpty: true)

  @Test func `Copies are filled one after the other, the highest scores first, rows without score last`() throws {
    let scores: [Int: Double?] = [0: 1, 1: 9, 2: nil, 3: 5, 4: 5, 5: -1, 6: 0]
    let planned = try plan(Self.rows(scores), Self.rules(Self.group(.fixed(3), limit: 3)), after: nil)
    #expect(Self.numbers(planned, "g-1") == [1, 3, 4])
    #expect(Self.numbers(planned, "g-2") == [0, 5, 6])
    #expect(Self.numbers(planned, "g-3") == [2])
    #expect(planned.groups[id("g")] == CopyGroup(copies: 3, cuts: [], isByScore: true))
  }

  @Test func `The highest-valued stay and the rest spills`() throws {
    let scores: [Int: Double?] = [0: 1, 1: 9, 2: 3, 3: 5]
    let planned = try plan(
      Self.rows(scores), Self.rules(Self.group(.single, limit: 2, spillsTo: [id("r")]), Self.rest), after: nil)
    #expect(Self.numbers(planned, "g") == [1, 3])
    #expect(Self.numbers(planned, "r") == [0, 2])
    #expect(planned.report.providers.map(\.spilledIn) == [0, 2])
  }

  @Test func `Blocks come before labels, those with the highest score first`() throws {
    let rows =
      (0..<4).map { Row(number: 20_000_000 + Int64($0), action: .block, score: Double($0)) }
      + (4..<8).map { Row(number: 20_000_000 + Int64($0), label: "x", score: Double($0)) }
    let planned = try plan(rows, Self.rules(Self.group(.fixed(3), limit: 3)), after: nil)
    #expect(planned.placed[id("g-1")]?.blocked == [20_000_001, 20_000_002, 20_000_003])
    #expect(planned.placed[id("g-2")]?.blocked == [20_000_000])
    #expect(Self.numbers(planned, "g-2") == [6, 7])
    #expect(Self.numbers(planned, "g-3") == [4, 5])
  }

  @Test(
    arguments: [
      (10, 11, false), (10, 11.5, true), (100, 115, false), (0, 0, false), (0, 0.001, true), (-10, -9.5, false),
      (-10, -9, true), (nil, nil, false), (nil, -5, true), (20, 21, false),
    ] as [(Double?, Double?, Bool)])
  func `An entry yields only to one that is higher by more than the margin`(
    has: Double?, comes: Double?, yields: Bool
  ) throws {
    // A better one stays in any case; the newcomer has the lower number, which decides among equals without a margin.
    let margin = has == 100 ? 0.15 : 0.1
    let rules = Self.rules(Self.group(.fixed(2), limit: 2, margin: margin))
    let first = try plan(Self.rows([5: 1000, 6: has, 7: -1e9]), rules, after: nil)
    #expect(Self.numbers(first, "g-1") == (has == nil ? [5, 7] : [5, 6]))
    guard has != nil else {
      let first = try plan(Self.rows([5: 1000, 6: nil]), rules, after: nil)
      let second = try plan(Self.rows([0: comes, 5: 1000, 6: nil]), rules, after: first)
      #expect(Self.numbers(second, "g-1") == (yields ? [0, 5] : [5, 6]))
      return
    }
    let second = try plan(Self.rows([0: comes, 5: 1000, 6: has, 7: -1e9]), rules, after: first)
    #expect(Self.numbers(second, "g-1") == (yields ? [0, 5] : [5, 6]))
    #expect(Self.numbers(second, "g-2") == (yields ? [6, 7] : [0, 7]))
  }

  @Test func `Nobody moves into a place only because it is free, and newcomers fill it by value`() throws {
    let rules = Self.rules(Self.group(.fixed(2), limit: 4))
    let first = try plan(
      Self.rows([0: 90, 1: 80, 2: 70, 3: 60, 4: 55, 5: 54, 6: 53]), rules, after: nil)
    #expect(Self.numbers(first, "g-1") == [0, 1, 2, 3])
    let second = try plan(Self.rows([1: 80, 2: 70, 3: 60, 4: 55, 5: 54, 6: 53]), rules, after: first)
    #expect(Self.numbers(second, "g-1") == [1, 2, 3])
    let third = try plan(Self.rows([1: 80, 2: 70, 3: 60, 4: 55, 5: 54, 6: 53, 9: 58]), rules, after: second)
    #expect(Self.numbers(third, "g-1") == [1, 2, 3, 9])
    #expect(Self.numbers(third, "g-2") == [4, 5, 6])
  }

  @Test func `An entry further down that became much better changes places`() throws {
    let rules = Self.rules(Self.group(.fixed(2), limit: 2))
    let first = try plan(Self.rows([0: 90, 1: 80, 2: 20, 3: 10]), rules, after: nil)
    let second = try plan(Self.rows([0: 90, 1: 80, 2: 20, 3: 89]), rules, after: first)
    #expect(Self.numbers(second, "g-1") == [0, 3] && Self.numbers(second, "g-2") == [1, 2])
    let third = try plan(Self.rows([0: 90, 1: 80, 2: 20, 3: 87]), rules, after: first)
    #expect(Self.numbers(third, "g-1") == [0, 1])
  }

  @Test func `With dropLowestScore the lowest are dropped and the others fill the copies`() throws {
    var group = Self.group(.fixed(2), limit: 2)
    group.excess = .dropLowestScore
    let planned = try plan(Self.rows([0: 1, 1: 2, 2: 3, 3: 4, 4: 5]), Self.rules(group), after: nil)
    #expect(Self.numbers(planned, "g-1") == [3, 4] && Self.numbers(planned, "g-2") == [1, 2])
    #expect(planned.report.dropped == 1)
  }

  @Test func `Auto takes as many copies as are needed, fills them in order and grows without moving anything`() throws {
    let rules = Self.rules(Self.group(.auto, limit: 10))
    let first = try plan(
      Self.rows(Dictionary(uniqueKeysWithValues: (0..<15).map { ($0, Double($0)) })), rules, after: nil)
    #expect(first.providers.count == 2)
    #expect(Self.numbers(first, "g-1") == Array(5..<15))
    let second = try plan(
      Self.rows(Dictionary(uniqueKeysWithValues: (0..<30).map { ($0, $0 < 15 ? Double($0) : 0) })), rules, after: first)
    #expect(second.providers.count == 3)
    #expect(Self.numbers(second, "g-1") == Array(5..<15))
    #expect((0..<5).allSatisfy { Self.numbers(second, "g-2").contains($0) })
  }

  @Test(arguments: [(50, 5), (51, 6), (49, 5), (1, 1)])
  func `Auto makes no copy that would be empty`(count: Int, copies: Int) throws {
    let scores = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, Optional(Double($0))) })
    let planned = try plan(Self.rows(scores), Self.rules(Self.group(.auto, limit: 10)), after: nil)
    #expect(planned.providers.count == copies)
    #expect((1...copies).allSatisfy { !Self.numbers(planned, "g-\($0)").isEmpty })
    var ofBlocked = Self.group(.auto, limit: 10)
    ofBlocked.dropsLabelsOfBlocked = true
    let rows = (0..<11).map { Row(number: 20_000_000 + Int64($0), action: $0 == 0 ? .both : .identify, label: "x") }
    #expect(try plan(rows, Self.rules(ofBlocked), after: nil).providers.count == 2)
    #expect(try plan(Array(rows.dropLast()), Self.rules(ofBlocked), after: nil).providers.count == 1)
  }

  @Test func `Copies that were cut by numbers are filled by score and back, keeping what is there`() throws {
    var byNumber = Self.group(.fixed(2), limit: 4)
    byNumber.fillBy = .number
    let rows = Self.rows(Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, 10) }))
    let first = try plan(rows, Self.rules(byNumber), after: nil)
    #expect(Self.numbers(first, "g-1") == [0, 1, 2])
    let second = try plan(rows, Self.rules(Self.group(.fixed(2), limit: 4)), after: first)
    #expect(Self.numbers(second, "g-1") == [0, 1, 2] && second.groups[id("g")]?.isByScore == true)
    let third = try plan(rows, Self.rules(byNumber), after: second)
    #expect(Self.numbers(third, "g-1") == [0, 1, 2] && third.groups[id("g")]?.cuts.count == 1)
  }

  @Test func `Where a claim leaves no choice value yields to room, and everything is placed`() throws {
    // h takes only what begins with 20; the best of the others must stay although they are worth less.
    let providers = [
      PlannedProvider(
        id: id("g"), claim: .matching(all: ClaimClause(prefixes: ["2"]), anyOf: []), limit: 2, fillBy: .score),
      PlannedProvider(id: id("h"), claim: .matching(all: ClaimClause(prefixes: ["20"]), anyOf: []), limit: 2),
    ]
    let rows = [20_000_000, 20_000_001, 21_000_000, 21_000_001].map {
      Row(number: $0, label: "x", score: Double(30_000_000 - $0))
    }
    let (placed, _) = try plan(rows, PlanningRules(providers: providers, sources: ["rows"]))
    #expect(placed[id("g")]?.labels.keys.sorted() == [21_000_000, 21_000_001])
    #expect(placed[id("h")]?.labels.keys.sorted() == [20_000_000, 20_000_001])
  }

  // MARK: Against entries one by one

  /// An entry of the model.
  private struct Entry {
    var number: Int
    var score: Double?
    /// Its place in the base; nil for a newcomer.
    var before: Int?
    /// Where it sits when the contest begins.
    var seat: Int?

    /// What it counts for, as one that has the place or not.
    func value(holds: Bool, _ margin: Double) -> (Double, Int, Int) {
      guard holds else { return (score ?? -.infinity, 0, -number) }
      let factor = margin > 0 ? (1 + margin) * (1 + 1e-12) : 1
      let raised = score.map { $0 < 0 ? $0 / factor : $0 * factor }
      return (raised ?? -.infinity, 1, -number)
    }
  }

  private static func best(
    _ entries: [Entry], _ count: Int, _ margin: Double, holds: (Entry) -> Bool
  ) -> [Entry] {
    let sorted = entries.sorted { $0.value(holds: holds($0), margin) > $1.value(holds: holds($1), margin) }
    return Array(sorted.prefix(max(count, 0)))
  }

  /// The contest over whole entries, as its rules are written; by number the place, none for those that go elsewhere.
  private static func contest(_ given: [Entry], limits: [Int], margin: Double, spills: Bool) -> [Int: Int] {
    var seats = Array(repeating: 0, count: limits.count)
    var left = given
    for (place, limit) in limits.enumerated() {
      let won = best(left, limit, margin) { $0.before == place }
      seats[place] = won.count { $0.before == nil }
      left.removeAll { entry in won.contains { $0.number == entry.number } }
    }
    // Nobody is seated where one from further down would come in after it.
    let newcomers = given.filter { $0.before == nil }
    var (ideal, seated) = (0, 0)
    for place in limits.indices {
      ideal += seats[place]
      var most = ideal
      let least = given.filter { $0.before == place }.map { $0.value(holds: false, margin) }.min { $0 < $1 }
      let below = given.filter { $0.before.map { $0 > place } ?? false }
      let greatest = below.map { $0.value(holds: false, margin) }.max { $0 < $1 }
      if let least, let greatest {
        let welcome = newcomers.count { entry in
          entry.value(holds: false, margin) > least || entry.value(holds: true, margin) > greatest
        }
        most = max(seated, min(ideal, welcome))
      }
      seats[place] = most - seated
      seated = most
    }
    let result = contest(given, seats, limits, margin)
    // Where nobody can spill more newcomers are seated, in the last places first.
    var more = spills ? 0 : given.count - result.count
    if more <= 0 { return result }
    for place in limits.indices.reversed() {
      let taken = min(more, limits[place] - result.values.count { $0 == place })
      seats[place] += taken
      more -= taken
    }
    return contest(given, seats, limits, margin)
  }

  private static func contest(_ given: [Entry], _ seats: [Int], _ limits: [Int], _ margin: Double) -> [Int: Int] {
    var newcomers = best(given.filter { $0.before == nil }, .max, margin) { _ in false }[...]
    var entries = given.filter { $0.before != nil }
    for index in entries.indices { entries[index].seat = entries[index].before }
    for (place, count) in seats.enumerated() {
      for var entry in newcomers.prefix(count) {
        entry.seat = place
        entries.append(entry)
      }
      newcomers = newcomers.dropFirst(count)
    }
    entries += newcomers
    var result: [Int: Int] = [:]
    for (place, limit) in limits.enumerated() {
      let here = entries.filter { $0.seat.map { $0 <= place } ?? false }
      let kept = best(here, limit, margin) { $0.before == place }
      let least = kept.map { $0.value(holds: $0.before == place || $0.before == nil, margin) }.min { $0 < $1 }
      let rivals = entries.filter { entry in
        guard let least, !here.contains(where: { $0.number == entry.number }) else { return false }
        return entry.value(holds: false, margin) > least
      }
      let won = best(kept + rivals, limit, margin) { $0.before == place }
      for entry in won { result[entry.number] = place }
      entries.removeAll { result[$0.number] != nil }
    }
    return result
  }

  @Test(arguments: 0..<200) func `Days of a random directory: as by the rules entry by entry, steady, and nothing lost`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: 9_000_000 + UInt64(seed))
    let copies = Int.random(in: 1...4, using: &random)
    let limit = Int.random(in: 2...8, using: &random)
    let margin: Double = [0, 0.1, 0.5].randomElement(using: &random) ?? 0
    let spills = Bool.random(using: &random)
    let rules = Self.rules(
      Self.group(.fixed(copies), limit: limit, margin: margin, spillsTo: spills ? [id("r")] : []), Self.rest)
    let places = (1...copies).map { "g-\($0)" } + (spills ? ["r"] : [])
    var scores: [Int: Double?] = [:]
    var earlier: Planned?
    var before: [Int: Int] = [:]
    for day in 0..<4 {
      for number in scores.keys.sorted() where Int.random(in: 0..<6, using: &random) == 0 {
        scores[number] = nil as Double??
      }
      for number in scores.keys.sorted() where Int.random(in: 0..<5, using: &random) == 0 {
        scores[number] = .some(Double(Int.random(in: -3...30, using: &random)))
      }
      while scores.count < copies * limit - (day > 0 ? 2 : 0) + (spills ? 5 : 0) {
        let score: Double? = Bool.random(using: &random) ? Double(Int.random(in: -3...30, using: &random)) : nil
        scores[Int.random(in: 0..<500, using: &random)] = .some(score)
      }
      let planned = try plan(Self.rows(scores), rules, after: earlier)
      var found: [Int: Int] = [:]
      for (place, name) in places.enumerated() {
        let numbers = Self.numbers(planned, name)
        #expect(name == "r" || numbers.count <= limit, "seed \(seed), day \(day)")
        for number in numbers { found[number] = place }
      }
      #expect(found.keys.sorted() == scores.keys.sorted(), "seed \(seed), day \(day)")
      let entries = scores.map { Entry(number: $0.key, score: $0.value, before: before[$0.key]) }
      var expected = Self.contest(
        entries, limits: Array(repeating: limit, count: copies), margin: margin, spills: spills)
      for entry in entries where expected[entry.number] == nil { expected[entry.number] = copies }
      #expect(found == expected, "seed \(seed), day \(day)")
      // Whoever lost a place lost it to entries that are higher by more than the margin.
      for (number, place) in before where place < copies && found[number].map({ $0 > place }) ?? false {
        let score = Self.value(scores, number)
        for (other, now) in found where now == place && before[other] != place {
          let rival = Self.value(scores, other)
          let least = score < 0 ? score / (1 + margin) : score * (1 + margin)
          #expect(rival > least, "seed \(seed), day \(day)")
        }
      }
      let again = try plan(Self.rows(scores), rules, after: planned)
      #expect(again.placed == planned.placed, "seed \(seed), day \(day)")
      earlier = planned
      before = found
    }
  }

  private static func value(_ scores: [Int: Double?], _ number: Int) -> Double {
    if let score = scores[number], let score { score } else { -.infinity }
  }

  @Test func `Many scores of any size are cut exactly, in a few walks`() throws {
    var random = SeededGenerator(seed: 8)
    for kind in 0..<3 {
      let scores = Dictionary(
        uniqueKeysWithValues: (0..<3000).map { index -> (Int, Double?) in
          switch kind {
          case 0: (index, Double(Int.random(in: 0...5, using: &random)))
          case 1: (index, Double.random(in: -1e9...1e9, using: &random))
          default: (index, Bool.random(using: &random) ? nil : Double(index % 7) * 1e-300)
          }
        })
      let planned = try plan(Self.rows(scores), Self.rules(Self.group(.fixed(7), limit: 450)), after: nil)
      let best = scores.keys.sorted { left, right in
        let (a, b) = (Self.value(scores, left), Self.value(scores, right))
        return a == b ? left < right : a > b
      }
      for copy in 0..<7 {
        #expect(
          Self.numbers(planned, "g-\(copy + 1)") == best.dropFirst(copy * 450).prefix(450).sorted(), "kind \(kind)")
      }
    }
  }
}
