internal import CallDirectory
internal import PhoneNumbering

/// Finds the country whose national numbers a list holds, by trying all of them.
struct CountryGuess {
  /// The country that fits best; nil when all numbers are international, or when no country fits most of them.
  var region: RegionCode?
  /// Countries that fit as well, or nearly so.
  var rivals: [RegionCode] = []
  /// The share of the numbers that the country makes acceptable.
  var share = 0.0
  /// Whether the numbers are international ones without the plus.
  var lacksPlus = false

  /// Numbers that are tried.
  private static let sample = 400

  /// Tries `texts`. `hints` are countries that something else speaks for.
  init(_ texts: [String], hints: [RegionCode] = []) {
    let step = max(1, texts.count / Self.sample)
    let sample = stride(from: 0, to: texts.count, by: step).map { Self.firstNumber(of: texts[$0]) }
    let open = PhoneNormaliser(NormalisationOptions())
    var national: [String] = []
    var written: [RegionCode: Int] = [:]
    for text in sample {
      if let number = try? open.normalise(text).number {
        if let region = NumberingPlan.region(of: number) { written[region, default: 0] += 1 }
      } else if NumberShape.isNumber(text), !text.hasPrefix("+") {
        // One with a plus that is refused is wrong in every country.
        national.append(text)
      }
    }
    // Short numbers fit many countries, as local ones or as codes.
    let long = national.filter { NumberShape.digits(in: $0) >= 8 }
    if long.count * 3 > national.count { national = long }
    guard !national.isEmpty else {
      share = sample.isEmpty ? 0 : 1
      return
    }
    var ranking: [(region: RegionCode, score: Double, accepted: Int)] = []
    for region in RegionCode.all {
      var options = NormalisationOptions()
      options.region = region
      options.remarkHandling = .strip
      let normaliser = PhoneNormaliser(options)
      var score = 0.0
      var accepted = 0
      for text in national {
        guard let result = try? normaliser.normalise(text) else { continue }
        accepted += 1
        if !result.notes.contains(.unassigned) { score += 1 }
        // Countries that share a calling code share their spellings too; the number itself tells them apart.
        if NumberingPlan.region(of: result.number) == region { score += 0.5 }
      }
      let support = Double(written[region] ?? 0) / Double(sample.count)
      score += 0.3 * support * Double(national.count)
      if hints.contains(region) { score += 0.2 * Double(national.count) }
      if accepted > 0 { ranking.append((region, score, accepted)) }
    }
    var options = NormalisationOptions()
    options.interpretation = .international
    let international = PhoneNormaliser(options)
    let known = national.count { text in
      (try? international.normalise(text)).map { !$0.notes.contains(.unassigned) } ?? false
    }
    ranking.sort { ($1.score, $0.region.rawValue) < ($0.score, $1.region.rawValue) }
    let most = ranking.map(\.accepted).max() ?? 0
    if known * 10 >= national.count * 9, known > most || ranking.first.map({ $0.score < Double(known) }) ?? true {
      lacksPlus = true
      share = Double(known) / Double(national.count)
      return
    }
    // Of equals the country with more numbers, as the United States among those with the calling code 1.
    let top = ranking.first?.score ?? 0
    let equal = ranking.prefix { $0.score == top }.map { (entry: $0, size: Self.size(of: $0.region)) }
    let largest = equal.map(\.size).max() ?? 0
    guard let best = equal.first(where: { $0.size == largest })?.entry, best.accepted * 2 > national.count else {
      return
    }
    region = best.region
    share = Double(best.accepted) / Double(national.count)
    rivals = ranking.filter { $0.region != best.region && $0.score >= best.score * 0.97 }.map(\.region)
  }

  /// The first of several numbers in a cell, without the remark that lists have behind a "#".
  private static func firstNumber(of text: String) -> String {
    let plain = text.split(separator: "#").first.map { String($0).trimmedBlanks } ?? ""
    guard NumberShape.digits(in: plain) > 15 else { return plain }
    let pieces = plain.split { ",;/|".contains($0) }.map { String($0).trimmedBlanks }
    return pieces.first { NumberShape.digits(in: $0) >= 7 } ?? plain
  }

  /// How many numbers a country has.
  private static func size(of region: RegionCode) -> Int64 {
    NumberingPlan.ranges(of: region).reduce(0) { size, range in
      size.addingReportingOverflow(range.upperBound - range.lowerBound).partialValue
    }
  }
}
