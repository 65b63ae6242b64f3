import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

typealias Row = PlanRow
typealias Placed = PlacedEntries

/// What a planner made of rows.
struct Planned {
  var placed: [ProviderID: Placed] = [:]
  var report: PlacementReport
  var groups: [ProviderID: CopyGroup]
  /// The providers in plan order, with their copies.
  var providers: [ProviderID]

  /// What the properties of plans are about.
  var entries: PlannedEntries { PlannedEntries(providers: providers, placed: placed, groups: groups) }

  /// The base that a release with these entries makes.
  var base: PlanningBase { PlanningBase(providers: providers, groups: groups) }

  /// Where a number is.
  func held(_ number: Int64) -> HeldPlaces {
    var held = HeldPlaces.none
    for (place, provider) in providers.enumerated() {
      if placed[provider]?.blocked.contains(number) == true { held.blocking.insert(place) }
      if placed[provider]?.labels[number] != nil { held.identification.insert(place) }
    }
    return held
  }
}

/// Runs the planner over `rows` (any order; order within a number is row order) and collects what each provider gets.
func plan(
  _ rows: [Row], _ rules: PlanningRules, areas: [String] = [""]
) throws -> (placed: [ProviderID: Placed], report: PlacementReport) {
  let planned = try plan(rows, rules, areas: areas, after: nil)
  return (planned.placed, planned.report)
}

/// The same after an earlier run, whose entries stay where they are while they can.
func plan(_ rows: [Row], _ rules: PlanningRules, areas: [String] = [""], after earlier: Planned?) throws -> Planned {
  var rules = rules
  if let earlier { rules.base = earlier.base }
  let planner = try PlacementPlanner(rules, areas: areas)
  // A range stands under each of its numbers.
  let single = rows.enumerated().flatMap { line, row in
    row.numbers.map { number -> (offset: Int, element: Row) in
      var row = row
      row.number = number
      return (line, row)
    }
  }
  let groups = Dictionary(grouping: single, by: \.element.number).sorted { $0.key < $1.key }
  for (number, group) in groups {
    withRows(group.map { ($0.offset, $0.element) }) {
      planner.tally(PhoneNumber(number), $0, held: earlier?.held(number) ?? .none)
    }
  }
  var ready = try planner.allocate()
  while ready == nil {
    for (number, group) in groups {
      withRows(group.map { ($0.offset, $0.element) }) {
        planner.weigh(PhoneNumber(number), $0, held: earlier?.held(number) ?? .none)
      }
    }
    ready = try planner.allocate()
  }
  let pass = try #require(ready)
  var placed = Dictionary(uniqueKeysWithValues: pass.providers.map { ($0.id, Placed()) })
  for (number, group) in groups {
    withRows(group.map { ($0.offset, $0.element) }) { rows in
      pass.place(PhoneNumber(number), rows, held: earlier?.held(number) ?? .none) { provider, entry in
        let id = pass.providers[provider].id
        if entry.isBlocked { placed[id, default: Placed()].blocked.append(number) }
        if let label = entry.label {
          placed[id, default: Placed()].labels[number] = String(decoding: label, as: UTF8.self)
        }
      }
    }
  }
  return Planned(placed: placed, report: pass.report, groups: pass.groups, providers: pass.providers.map(\.id))
}

/// Gives `body` the rows with their labels in memory that lives as long as the call; the offset is the line.
func withRows(_ rows: [(line: Int, row: Row)], _ body: (UnsafeBufferPointer<SourceRow>) -> Void) {
  let text = rows.flatMap { Array($0.row.label.utf8) }
  text.withUnsafeBytes { bytes in
    var offset = 0
    let sourceRows = rows.sorted { ($0.row.source, $0.line) < ($1.row.source, $1.line) }
    var offsets: [Int: Int] = [:]
    for (line, row) in rows {
      offsets[line] = offset
      offset += row.label.utf8.count
    }
    let built = sourceRows.map { line, row in
      SourceRow(
        number: PhoneNumber(row.number), action: row.action, source: row.source, file: row.source, line: line + 1,
        area: AreaID(rawValue: UInt32(row.area)), score: row.score,
        label: UnsafeRawBufferPointer(
          rebasing: bytes[(offsets[line] ?? 0)..<((offsets[line] ?? 0) + row.label.utf8.count)]))
    }
    built.withUnsafeBufferPointer(body)
  }
}

/// Shorthand for a provider id that is known to be valid.
func id(_ text: String) -> ProviderID { ProviderID(text) ?? ProviderID("invalid")! }
