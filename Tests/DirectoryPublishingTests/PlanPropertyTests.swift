import CallDirectory
import DirectoryPublishing
import Foundation
import PhoneNumbering
import PlanFile
import ShardFormat
import ShardPlanning
import TestSupport
import Testing

/// The properties of random plans over points and ranges, from files to shards.
@Suite struct PlanPropertyTests {
  private static let numbers = EverythingWorld.stretches.flatMap { Array($0) }

  @Test(arguments: 0..<8)
  func `Releases of random plans keep limits and accounts, lose nothing, decide as the rows do, and stay as they are`(
    batch: Int
  ) throws {
    for step in 0..<5 {
      let seed = 60_000_000 + UInt64(batch * 5 + step)
      var random = EverythingWorld(seed: seed, providers: 4)
      let rows = random.rows()
      let rules = random.rules()
      let later = random.rows()
      let world = try World()
      try Self.write(rows, rules, to: world)
      guard let first = try Self.release(world, rows, rules, "seed \(seed)", isDecided: step == 0) else { continue }
      #expect(try world.publish().candidate.isUnchanged, "seed \(seed): the same again")
      // Elsewhere, with one thread and little memory: the same bytes.
      let other = try World()
      try Self.write(rows, rules, to: other)
      var options = PublishingOptions()
      options.memory = 16 << 20
      options.threads = 1
      _ = try other.publish(options)
      #expect(try other.files() == first, "seed \(seed): other bytes")
      try Self.write(later, rules, to: world)
      _ = try Self.release(world, later, rules, "seed \(seed), after", isDecided: step == 0)
    }
  }

  /// Publishes and looks into the shards; returns the files, or nil where the plan fails and leaves everything as it was.
  private static func release(
    _ world: World, _ rows: [PlanRow], _ rules: PlanningRules, _ what: String, isDecided: Bool
  ) throws -> [String: Data]? {
    let model = PlanModel(rows, rules, areas: EverythingWorld.areas)
    let before = try world.files()
    do {
      let preview = try world.publisher().preview()
      let (candidate, report) = try world.publish()
      let planned = try planned(world, candidate.manifest)
      #expect(model.violations(of: planned) == [], "\(what)")
      let accounts = model.accounts { !planned.holders($0.number, $0.family).isEmpty }
      #expect(report.accounts.sources.map(\.occurrences) == accounts, "\(what)")
      #expect(preview.accounts == report.accounts && preview.moved == report.moved, "\(what)")
      for provider in report.providers {
        let placed = planned.placed[provider.placement.id] ?? PlacedEntries()
        #expect(provider.placement.counts.total == placed.entries, "\(what)")
      }
      if isDecided, planned.providers.count <= 4 {
        #expect(model.misdecision(of: planned, numbers: numbers) == nil, "\(what)")
      }
      return try world.files()
    } catch let error as PlanningError {
      switch error.kind {
      case .noRoom: #expect(rules.providers.contains { $0.limit < EntryLimit.maximum }, "\(what)")
      case .unclaimed: #expect(model.entries.contains { $0.claiming.isEmpty }, "\(what)")
      default: throw error
      }
      #expect(try world.files() == before, "\(what)")
      return nil
    }
  }

  private static func planned(_ world: World, _ manifest: ReleaseManifest) throws -> PlannedEntries {
    var placed: [ProviderID: PlacedEntries] = [:]
    for (id, entries) in try world.contents(manifest) {
      var own = PlacedEntries()
      for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
        if entry.families.contains(.blocked) { own.blocked.append(number) }
        if entry.families.contains(.identified) { own.labels[number] = entry.label }
      }
      placed[id] = own
    }
    return PlannedEntries(
      providers: manifest.providers.map(\.id), placed: placed,
      groups: Dictionary(uniqueKeysWithValues: manifest.groups.map { ($0.id, $0.copies) }))
  }

  // MARK: As files

  private static func write(_ rows: [PlanRow], _ rules: PlanningRules, to world: World) throws {
    var sources: [String] = []
    for (index, id) in EverythingWorld.sources.enumerated() {
      let own = rows.filter { $0.source == index }
      let lines = own.map { row in
        let numbers = row.last.map { "+\(row.number)-+\($0)" } ?? "+\(row.number)"
        let area = EverythingWorld.areas[row.area]
        return "\(numbers)\t\(row.label)\t\(area)\t\(row.action.rawValue)\t\(row.score.map { "\($0)" } ?? "")\n"
      }
      try world.folder.write("numbers\tname\tarea\tkind\tcalls\n" + lines.joined(), to: "\(id).tsv")
      let repeats = index < rules.repeats.count ? rules.repeats[index] : .first
      // Single numbers have a column of their own kind, so that both ways in are tried.
      let key = own.contains { $0.last != nil } ? "pattern" : "number"
      let kinds = ["identify", "block", "both", "allow", "remove"].map { "\"\($0)\": \"\($0)\"" }
      sources.append(
        """
        {"id": "\(id)", "file": "\(id).tsv", "\(key)": "numbers", "label": "name", "area": "area", "score": "calls",
         "numbersAre": "international", "allowEmpty": true, "repeats": "\(repeats.rawValue)",
         "action": {"column": "kind", "values": {\(kinds.joined(separator: ", "))}}}
        """)
    }
    try world.folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU", "overlaps": "\(rules.overlaps.rawValue)",
       "unclaimed": "\(rules.unclaimed.rawValue)",
       "sources": [\(sources.joined(separator: ",\n"))],
       "providers": [\(rules.providers.map(json).joined(separator: ",\n"))]}
      """, to: "plan.json")
  }

  private static func json(_ provider: PlannedProvider) -> String {
    var members = ["\"id\": \"\(provider.id)\""]
    switch provider.claim {
    case .matching(let all, let anyOf):
      members.append("\"mayBeEmpty\": true")
      members += json(all)
      if !anyOf.isEmpty {
        members.append("\"anyOf\": [\(anyOf.map { "{\(json($0).joined(separator: ", "))}" }.joined(separator: ", "))]")
      }
    case .rest, nil: members.append("\"rest\": true")
    }
    if provider.limit < EntryLimit.maximum { members.append("\"limit\": \(provider.limit)") }
    if !provider.spillsTo.isEmpty { members.append("\"spillsTo\": \(list(provider.spillsTo.map(\.rawValue)))") }
    if provider.excess != .error { members.append("\"excess\": \"\(provider.excess.rawValue)\"") }
    if provider.dropsLabelsOfBlocked { members.append("\"dropLabelsOfBlocked\": true") }
    switch provider.count {
    case .single: break
    case .fixed(let count): members.append("\"count\": \(count)")
    case .auto: members.append("\"count\": \"auto\"")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func json(_ clause: ClaimClause) -> [String] {
    var members: [String] = []
    if let areas = clause.areas { members.append("\"areas\": \(list(areas))") }
    if let prefixes = clause.prefixes { members.append("\"prefixes\": \(list(prefixes.map { "+\($0)" }))") }
    if let countries = clause.countries { members.append("\"countries\": \(list(countries.map(\.rawValue)))") }
    if let sources = clause.sources { members.append("\"sources\": \(list(sources))") }
    if let actions = clause.actions { members.append("\"actions\": \(list(actions.map(\.rawValue)))") }
    if let ranges = clause.ranges {
      members.append("\"ranges\": \(list(ranges.map { "+\($0.lowerBound.rawValue)-+\($0.upperBound.rawValue)" }))")
    }
    // A plan cannot write a clause without keys; all numbers of these worlds begin like that.
    return members.isEmpty ? ["\"prefixes\": [\"+3\", \"+7\"]"] : members
  }

  private static func list(_ texts: [String]) -> String {
    "[\(texts.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }
}
