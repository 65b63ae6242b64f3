internal import CallDirectory
internal import PositionedJSON
internal import ShardPlanning

extension PlanDecoder {
  /// The most sets that a provider lists.
  static let packSets = 1...64

  /// How a provider is delivered in packs; nil without `packs`.
  func decodePacks(_ object: JSONObjectReader) -> PackRule? {
    guard let value = object["packs"] else {
      for key in ["packWithoutArea", "packSets"] {
        guard let value = object[key] else { continue }
        problems.add(
          value.error("\"\(key)\" has no effect without \"packs\"", hint: "state \"packs\": \"area\" or remove it"))
      }
      return nil
    }
    guard problems.read(try value.asCase(of: PackDivision.self)) != nil else { return nil }
    checkAreas(value)
    let withoutArea = problems.read(try object["packWithoutArea"]?.asText()) ?? PackRule.standardWithoutArea
    let sets = decodePackSets(object["packSets"]) ?? [.all]
    let rule = PackRule(withoutArea: withoutArea, sets: sets)
    if rule.isLimitedBySets { checkUnlimited(object) }
    return rule
  }

  /// What packs are made by.
  private enum PackDivision: String, CaseIterable { case area }

  /// Without a source that has areas, all would be one pack.
  private func checkAreas(_ value: JSONValue) {
    guard let sources = root["sources"]?.elements, sources.count > 0, !sources.contains(where: { $0["area"] != nil })
    else { return }
    problems.add(
      value.error("\"packs\" has no effect: no source has an \"area\"", hint: "name the column of areas in a source"))
  }

  private func decodePackSets(_ value: JSONValue?) -> [PackRule.Set]? {
    guard let value, let elements = problems.read(try value.asArray()) else { return nil }
    guard Self.packSets.contains(elements.count) else {
      problems.add(value.mismatch("1 to \(Self.packSets.upperBound) sets of packs"))
      return nil
    }
    var sets: [PackRule.Set] = []
    for element in elements {
      if element.string == "all" {
        sets.append(.all)
      } else if element.kind == .array {
        if let names = problems.strings(element, "pack") { sets.append(.packs(names.map(\.text))) }
      } else {
        problems.add(element.mismatch("a list of packs, or \"all\""))
      }
    }
    return sets.isEmpty ? nil : sets
  }

  /// Where each set has the limit, the provider as a whole has none: nothing spills from it, and nothing is dropped.
  private func checkUnlimited(_ object: JSONObjectReader) {
    let reason = "the limit is one of each set of \"packSets\", so the provider always has room"
    for key in ["spillsTo", "excess"] {
      guard let value = object[key] else { continue }
      problems.add(value.error("\"\(key)\" has no effect: \(reason)", hint: "remove \"\(key)\" or \"packSets\""))
    }
    if let fill = object["fillBy"], fill.string == FillRule.score.rawValue {
      problems.add(
        fill.error("\"fillBy\" has no effect: \(reason)", hint: "remove \"fillBy\" or \"packSets\""))
    }
    if let count = object["count"], count.string == "auto" {
      problems.add(count.error("\"auto\" has no effect: \(reason)", hint: "state a number, or remove \"count\""))
    }
  }
}
