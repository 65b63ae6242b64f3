/// The keys of one kind of object in a plan: those this version reads, and those that belong to the plan's language but
/// are refused, because to ignore them would give another result than the user asked for.
struct PlanKeys {
  /// Keys that every object may have, for people and editors.
  static let everywhere = ["$schema", "comment"]

  /// What holds the keys, for hints: `sources`, `providers` ….
  let place: String
  let known: [String]
  var later: [String] = []

  static let plan = PlanKeys(
    place: "the plan itself",
    known: [
      "schema", "name", "title", "country", "sources", "providers", "overlaps", "unclaimed", "phone", "paths",
      "profile", "keepReleases", "maxPatternNumbers", "warnAt", "dropLabelsOfBlocked", "layouts",
    ],
    later: ["guard"])

  static let layout = PlanKeys(place: "layouts", known: ["providers"])

  static let source = PlanKeys(
    place: "sources",
    known: [
      "id", "file", "expectFiles", "format", "encoding", "separator", "header", "records", "number", "pattern", "from",
      "to", "label", "area", "score", "action", "where", "country", "numbersAre", "internationalPrefixes", "extension",
      "numberRemarks", "numberSeparator", "shortCodes", "aliases", "maxPatternNumbers", "maxLabelBytes", "areaMap",
      "repeats", "guard", "onBadRow", "allowEmpty",
    ])

  static let actionColumn = PlanKeys(place: "action", known: ["column", "values"])

  static let filter = PlanKeys(place: "where", known: ["column", "equals", "in"])

  static let sourceGuard = PlanKeys(place: "guard", known: ["shrink", "growth", "rejected"])

  static let providerGuard = PlanKeys(place: "guard of a provider", known: ["shrink", "growth"])

  static let claim = ["areas", "prefixes", "countries", "sources", "actions", "ranges"]

  static let clause = PlanKeys(place: "anyOf", known: claim)

  static let provider = PlanKeys(
    place: "providers",
    known: [
      "id", "title", "enabled", "library", "options", "container", "limit", "count", "spillsTo", "excess",
      "fillBy", "fillMargin", "warnAt", "dropLabelsOfBlocked", "guard", "packs", "packWithoutArea", "packSets",
    ] + claim + ["anyOf", "rest", "mayBeEmpty"],
    later: ["bundleId"])

  /// Keys of a provider about its share of the split.
  static let split =
    [
      "limit", "count", "spillsTo", "excess", "fillBy", "fillMargin", "warnAt", "dropLabelsOfBlocked", "guard",
      "mayBeEmpty",
    ] + packs

  /// Keys of a provider about its packs.
  static let packs = ["packs", "packWithoutArea", "packSets"]

  static let phone = PlanKeys(
    place: "phone", known: ["profile", "country", "contacts", "memoryLimit", "contactsOverrideBlocks"])

  static let paths = PlanKeys(place: "paths", known: ["plugins", "shards", "store"])

  /// For a key that is right but stands in the wrong place.
  func hint(for key: String) -> String? {
    let others = [PlanKeys.plan, .source, .provider, .phone, .paths].filter { other in
      other.place != place && (other.known.contains(key) || other.later.contains(key))
    }
    guard let other = others.first else { return nil }
    return "\"\(key)\" is a key of \(other.place)"
  }
}
