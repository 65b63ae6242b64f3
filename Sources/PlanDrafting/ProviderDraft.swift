internal import PhoneNumbering
internal import PositionedJSON

/// One entry of the `providers` of a plan to be written.
struct ProviderDraft {
  var id: String
  var ranges: [ClosedRange<Int64>] = []
  var countries: [RegionCode] = []
  var areas: [String] = []

  /// Entries that one provider is planned for, with room left for what the first megabytes do not show.
  static let comfortable = 1_700_000

  /// Areas of one country that providers are made of.
  private static let mostAreas = 400

  /// Providers for `drafts`: one for all where that is comfortable; else by the ranges of patterns, by countries, and
  /// within a country that is too large by its areas.
  static func providers(for drafts: [SourceDraft]) -> [ProviderDraft] {
    let rest = ProviderDraft(id: "directory")
    guard drafts.reduce(0, { $0 + $1.expectedNumbers }) > comfortable else { return [rest] }
    let stretches = ranges(drafts)
    let others = stretches.isEmpty ? drafts : drafts.filter { $0.spans.isEmpty }
    // Nothing is left for a provider of the rest where ranges hold all numbers.
    let isComplete = drafts.allSatisfy { $0.hasAllSpans && ($0.spans.first?.lowerBound ?? 0) >= shortest }
    return stretches + countries(others) + (!stretches.isEmpty && isComplete ? [] : [rest])
  }

  // MARK: Countries and areas

  private static func countries(_ drafts: [SourceDraft]) -> [ProviderDraft] {
    var sizes: [RegionCode: Int] = [:]
    for draft in drafts { if let country = draft.country { sizes[country, default: 0] += draft.expectedNumbers } }
    var left = drafts.reduce(0) { $0 + $1.expectedNumbers }
    var providers: [ProviderDraft] = []
    for (country, size) in sizes.sorted(by: { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }) {
      // What fits into one is left to the provider for the rest.
      guard left > comfortable else { break }
      left -= size
      let name = country.rawValue.lowercased()
      let own = drafts.filter { $0.country == country }
      if size > comfortable { providers += areas(own, of: country) }
      providers.append(ProviderDraft(id: name, countries: [country]))
    }
    return providers
  }

  /// Providers for groups of areas of one country; none where the areas do not divide it.
  private static func areas(_ drafts: [SourceDraft], of country: RegionCode) -> [ProviderDraft] {
    var sizes: [String: Int] = [:]
    for draft in drafts {
      // Areas of a part stand for the whole.
      let seen = max(1, draft.areas.reduce(0) { $0 + $1.rows })
      for (value, rows) in draft.areas {
        sizes[value, default: 0] += Int(Double(rows) / Double(seen) * Double(draft.expectedNumbers))
      }
    }
    guard (2...mostAreas).contains(sizes.count) else { return [] }
    var groups: [[String]] = [[]]
    var filled = 0
    for (value, size) in sizes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      if filled + size > comfortable, groups[groups.count - 1].isEmpty == false {
        groups.append([])
        filled = 0
      }
      groups[groups.count - 1].append(value)
      filled += size
    }
    return groups.enumerated().map { index, names in
      ProviderDraft(id: "\(country.rawValue.lowercased())-\(index + 1)", countries: [country], areas: names)
    }
  }

  // MARK: Ranges

  /// Short codes are no ends of ranges; they are left to the provider for the rest.
  private static let shortest: Int64 = 1_000_000

  /// Providers for the numbers of patterns, each for a stretch of numbers that it has room for.
  private static func ranges(_ drafts: [SourceDraft]) -> [ProviderDraft] {
    let spans = drafts.flatMap(\.spans).filter { $0.lowerBound >= shortest }.sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
    guard spans.reduce(0, { $0 + Int($1.upperBound - $1.lowerBound) + 1 }) > comfortable else { return [] }
    var stretches: [ClosedRange<Int64>] = []
    var start: Int64?
    var filled: Int64 = 0
    var last: Int64 = 0
    for span in spans {
      var first = max(span.lowerBound, last + 1)
      while first <= span.upperBound {
        let end = min(span.upperBound, first + Int64(comfortable) - filled - 1)
        start = start ?? first
        filled += end - first + 1
        last = end
        first = end + 1
        if filled >= Int64(comfortable), let from = start {
          stretches.append(from...end)
          (start, filled) = (nil, 0)
        }
      }
    }
    if let start { stretches.append(start...last) }
    return stretches.enumerated().map { ProviderDraft(id: "range-\($0 + 1)", ranges: [$1]) }
  }

  // MARK: Output

  private var isRest: Bool { ranges.isEmpty && countries.isEmpty && areas.isEmpty }

  func write(to json: inout JSONWriter) {
    json.beginObject(inline: areas.isEmpty)
    json.member("id", id)
    if isRest { json.member("rest", true) }
    let claims = [
      ("ranges", ranges.map { "+\($0.lowerBound)-+\($0.upperBound)" }), ("countries", countries.map(\.rawValue)),
      ("areas", areas),
    ]
    for (key, values) in claims where !values.isEmpty {
      json.key(key)
      json.beginArray(inline: key != "areas")
      for value in values { json.string(value) }
      json.endArray()
    }
    json.endObject()
  }

  /// What the providers are for, a line each; providers of ranges, of which there may be many, have one line.
  static func findings(_ providers: [ProviderDraft]) -> [String] {
    let stretches = providers.filter { !$0.ranges.isEmpty }
    var lines: [String] = []
    if let first = stretches.first, let last = stretches.last {
      let names = stretches.count == 1 ? "provider \"\(first.id)\"" : "providers \"\(first.id)\" to \"\(last.id)\""
      lines.append("\(names): the numbers of patterns, by ranges")
    }
    for provider in providers where provider.ranges.isEmpty {
      var claims: [String] = provider.countries.map { "numbers of \($0.rawValue)" }
      if !provider.areas.isEmpty {
        let shown = provider.areas.prefix(3).map { "\"\($0.prefix(60))\"" }.joined(separator: ", ")
        claims.append(
          provider.areas.count > 3 ? "areas \(shown) and \(provider.areas.count - 3) more" : "areas \(shown)")
      }
      let rest = providers.count == 1 ? "all numbers" : "the rest"
      lines.append("provider \"\(provider.id)\": \(claims.isEmpty ? rest : claims.joined(separator: ", "))")
    }
    return lines
  }
}
