internal import CallDirectory
internal import PlanFile
internal import PositionedJSON
internal import ShardPlanning

/// From parts of a packing to entries of a plan.
extension ProviderSuggestion {
  private static let mostTitled = 2
  private static let mostListed = 20

  /// The entries for `parts`. `areas` are the texts of the ids, `sizes` how many entries each has; no id of `taken` is used.
  static func providers(
    _ parts: [AreaPacking.Part], areas: [String], sizes: [Int], taken: [ProviderID]
  ) -> [Provider] {
    let ids = ids(parts, taken: Set(taken.map { $0.rawValue.lowercased() }))
    return zip(parts, ids).map { part, id in
      let named = part.areas.filter { $0 != 0 }
      return Provider(
        id: id, title: title(named, areas, sizes) ?? (parts.count == 1 ? "All" : "Others"),
        areas: named.map { areas[$0] }, takesRest: part.takesRest, copies: part.copies,
        spillsTo: part.spillsTo.map { ids[$0] })
    }
  }

  /// `part-1`, `part-2` … and `rest`, or with another stem where ids of the plan begin like that.
  private static func ids(_ parts: [AreaPacking.Part], taken: Set<String>) -> [ProviderID] {
    let stems = ["part", "share"] + (1...(taken.count + 1)).map { "part\($0)" }
    let stem = stems.first { stem in !taken.contains { $0.hasPrefix("\(stem)-") } } ?? "part"
    let isRestTaken = taken.contains { $0 == "rest" || $0.hasPrefix("rest-") }
    return parts.enumerated().compactMap { index, part in
      ProviderID(part.takesRest ? isRestTaken ? "\(stem)-rest" : "rest" : "\(stem)-\(index + 1)")
    }
  }

  /// The largest areas by name, and how many more there are; nil without any.
  private static func title(_ part: [Int], _ areas: [String], _ sizes: [Int]) -> String? {
    let largest = part.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.prefix(mostTitled)
    guard !largest.isEmpty else { return nil }
    let text = largest.map { printable(areas[$0]) }.joined(separator: ", ")
    return part.count > largest.count ? "\(text) + \(part.count - largest.count)" : text
  }

  /// What may stand in a title: no control characters, and not much.
  private static func printable(_ text: String) -> String {
    let clean = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }
    return clean.count > 40 ? String(clean.prefix(39)) + "…" : String(clean)
  }

  /// The array for the plan.
  static func fragment(_ providers: [Provider], limit: Int, own: [Plan.OwnDataProvider]) -> [UInt8] {
    var json = JSONWriter()
    json.beginArray()
    for provider in own where provider.isFirst { json.verbatim(provider.json) }
    for provider in providers { write(provider, limit, to: &json) }
    for provider in own where !provider.isFirst { json.verbatim(provider.json) }
    json.endArray()
    return json.finish()
  }

  private static func write(_ provider: Provider, _ limit: Int, to json: inout JSONWriter) {
    json.beginObject(inline: true)
    json.member("id", provider.id.rawValue)
    json.member("title", provider.title)
    if provider.takesRest {
      json.member("rest", true)
      let listed = provider.areas.prefix(mostListed).map(printable).joined(separator: ", ")
      let more = provider.areas.count > mostListed ? " and \(provider.areas.count - mostListed) more" : ""
      if !listed.isEmpty { json.member("comment", "holds \(listed)\(more) now, and whatever no other provider claims") }
    } else {
      json.member("areas", provider.areas)
    }
    if provider.copies > 1 { json.member("count", provider.copies) }
    if !provider.spillsTo.isEmpty { json.member("spillsTo", provider.spillsTo.map(\.rawValue)) }
    if limit != EntryLimit.maximum { json.member("limit", limit) }
    json.endObject()
  }
}
