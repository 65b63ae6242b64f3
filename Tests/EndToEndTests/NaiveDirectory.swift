import CallDirectory
import Foundation
import TestSupport

/// A plan and its rows, and what each provider gets by the words of the rules: one number after the other, with nothing of
/// the planner's code.
struct NaiveDirectory {
  struct Row {
    var number: Int64
    /// `identify`, `block`, `both`, `allow` or `remove`.
    var action: String
    var source: String
    var area = ""
    var label = ""
  }

  /// What has to hold of an entry; nil asks for nothing.
  struct Clause {
    var areas: [String]?
    var prefixes: [String]?
    var sources: [String]?
    var action: String?
    var range: ClosedRange<Int64>?
  }

  struct Provider {
    var id: String
    var clause = Clause()
    var anyOf: [Clause] = []
    var isRest = false
    var limit: Int?
    var spillsTo: [String] = []
  }

  /// Rows in source order, then line order.
  var rows: [Row] = []
  var providers: [Provider] = []
  var keepsOverlaps = false

  /// One entry after merging and cutting, before it is placed.
  struct Entry {
    var number: Int64
    var isBlock: Bool
    /// The rows behind it, in order.
    var rows: [Row]
    /// The first label.
    var label: String
  }

  /// Every entry the rows come to.
  var entries: [Entry] {
    var byNumber: [Int64: [Row]] = [:]
    for row in rows { byNumber[row.number, default: []].append(row) }
    var entries: [Entry] = []
    for (number, rows) in byNumber.sorted(by: { $0.key < $1.key })
    where !rows.contains(where: { $0.action == "remove" }) {
      let blocking = rows.filter { $0.action == "block" || $0.action == "both" }
      if !blocking.isEmpty, !rows.contains(where: { $0.action == "allow" }) {
        entries.append(Entry(number: number, isBlock: true, rows: blocking, label: ""))
      }
      let naming = rows.filter { $0.action == "identify" || $0.action == "both" }
      if let label = naming.map(\.label).first(where: { !$0.isEmpty }) {
        entries.append(Entry(number: number, isBlock: false, rows: naming, label: label))
      }
    }
    return entries
  }

  /// The providers that claim an entry, in plan order.
  func claimants(_ entry: Entry) -> [Provider] {
    let claiming = providers.filter { provider in
      !provider.isRest && holds(provider.clause, entry)
        && (provider.anyOf.isEmpty || provider.anyOf.contains { holds($0, entry) })
    }
    return claiming.isEmpty ? providers.filter(\.isRest) : claiming
  }

  /// What each provider has when there is room for all, in plan order.
  func placed() -> [ReferencePhone.Provider] {
    var phone = providers.map { ReferencePhone.Provider(id($0.id)) }
    for entry in entries {
      let claimants = claimants(entry)
      for claimant in keepsOverlaps ? claimants : Array(claimants.prefix(1)) {
        guard let index = providers.firstIndex(where: { $0.id == claimant.id }) else { continue }
        if entry.isBlock {
          phone[index].blocked.insert(PhoneNumber(entry.number))
        } else {
          phone[index].labels[PhoneNumber(entry.number)] = [keepsOverlaps ? ownLabel(entry, claimant) : entry.label]
        }
      }
    }
    return phone
  }

  private func holds(_ clause: Clause, _ entry: Entry) -> Bool {
    if let areas = clause.areas, !entry.rows.contains(where: { areas.contains($0.area) }) { return false }
    if let sources = clause.sources, !entry.rows.contains(where: { sources.contains($0.source) }) { return false }
    if let prefixes = clause.prefixes, !prefixes.contains(where: { "\(entry.number)".hasPrefix($0) }) { return false }
    if let action = clause.action, (action == "block") != entry.isBlock { return false }
    if let range = clause.range, !range.contains(entry.number) { return false }
    return true
  }

  /// The first label of the claimant's own sources, where its claim names some; else the first of all.
  private func ownLabel(_ entry: Entry, _ claimant: Provider) -> String {
    let alternatives = claimant.anyOf.filter { holds($0, entry) }
    let own = entry.rows.filter { row in
      let isOfAll = claimant.clause.sources.map { $0.contains(row.source) } ?? true
      let isOfOne = alternatives.isEmpty || alternatives.contains { $0.sources.map { $0.contains(row.source) } ?? true }
      return isOfAll && isOfOne
    }
    return own.map(\.label).first { !$0.isEmpty } ?? entry.label
  }

  // MARK: As files

  /// The plan as JSON, for sources `ID.tsv` with a row of columns.
  func plan(sources: [String], more: [String: Any] = [:]) throws -> String {
    var plan: [String: Any] = [
      "schema": 1, "name": "random", "country": "RU", "overlaps": keepsOverlaps ? "keep" : "collapse",
      "sources": sources.map { id -> [String: Any] in
        [
          "id": id, "file": "\(id).tsv", "number": "phone", "label": "name", "area": "area",
          "action": [
            "column": "kind",
            "values": ["i": "identify", "b": "block", "2": "both", "a": "allow", "r": "remove"],
          ], "allowEmpty": true,
        ]
      },
      "providers": providers.map(json),
    ]
    for (key, value) in more { plan[key] = value }
    return String(decoding: try JSONSerialization.data(withJSONObject: plan, options: .sortedKeys), as: UTF8.self)
  }

  /// The rows of a source as the file that the plan names.
  func table(of source: String) -> String {
    let letters = ["identify": "i", "block": "b", "both": "2", "allow": "a", "remove": "r"]
    return "phone\tname\tarea\tkind\n"
      + rows.filter { $0.source == source }.map {
        "+\($0.number)\t\($0.label)\t\($0.area)\t\(letters[$0.action] ?? "")\n"
      }.joined()
  }

  private func json(_ provider: Provider) -> [String: Any] {
    var object: [String: Any] = provider.isRest ? ["rest": true] : json(provider.clause)
    object["id"] = provider.id
    if !provider.isRest { object["mayBeEmpty"] = true }
    if !provider.anyOf.isEmpty { object["anyOf"] = provider.anyOf.map(json) }
    if let limit = provider.limit { object["limit"] = limit }
    if !provider.spillsTo.isEmpty { object["spillsTo"] = provider.spillsTo }
    return object
  }

  private func json(_ clause: Clause) -> [String: Any] {
    var object: [String: Any] = [:]
    if let areas = clause.areas { object["areas"] = areas }
    if let prefixes = clause.prefixes { object["prefixes"] = prefixes.map { "+\($0)" } }
    if let sources = clause.sources { object["sources"] = sources }
    if let action = clause.action { object["actions"] = [action] }
    if let range = clause.range { object["ranges"] = ["+\(range.lowerBound)-+\(range.upperBound)"] }
    return object
  }
}
