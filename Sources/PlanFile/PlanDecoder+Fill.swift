internal import CallDirectory
internal import PositionedJSON
internal import ShardPlanning

/// Providers that are filled by score.
extension PlanDecoder {
  /// The largest `fillMargin`: a score a million times as high.
  static let greatestMargin = 1_000_000

  /// How a provider is filled, and by how much a newcomer has to be better.
  func decodeFill(_ object: JSONObjectReader) -> (FillRule, Double) {
    let rule = problems.read(try object["fillBy"]?.asCase(of: FillRule.self)) ?? .number
    guard let value = object["fillMargin"] else { return (rule, PlannedProvider.standardFillMargin) }
    guard let margin = value.double, margin >= 0, margin <= Double(Self.greatestMargin) else {
      problems.add(value.mismatch("a ratio from 0 to \(Self.greatestMargin)", hint: "0.1 stands for 10 % higher"))
      return (rule, PlannedProvider.standardFillMargin)
    }
    if object["fillBy"]?.string.map({ $0 != FillRule.score.rawValue }) ?? true {
      problems.add(
        value.error(
          "\"fillMargin\" has no effect: the provider is not filled by score",
          hint: "add \"fillBy\": \"score\", or remove \"fillMargin\""))
    }
    return (rule, margin)
  }

  /// Filling by score needs scores, and something that takes what has a lower one.
  func checkFills(_ providers: [DecodedProvider]) {
    let hasScores = root["sources"]?.elements.contains { $0["score"] != nil } ?? false
    for (index, provider) in providers.enumerated() where provider.provider.planned.fillBy == .score {
      guard let value = provider.object["fillBy"], PlanDecoder.claims(provider.object) else { continue }
      if !hasScores {
        problems.add(
          value.error(
            "expected a source with \"score\" for \"fillBy\": \"score\", found none",
            hint: "name the column of the scores in a source: \"score\": \"calls\""))
      }
      let planned = provider.provider.planned
      if planned.count == .single || planned.count == .fixed(1), provider.object["spillsTo"] == nil,
        !mayBePassedOn(provider, providers[(index + 1)...])
      {
        problems.add(
          value.error(
            "\"fillBy\" has no effect: what does not fit goes nowhere else",
            hint:
              "add \"count\" or \"spillsTo\"; for labels that may be dropped, \"excess\": \"dropLowestScore\" is enough"
          ))
      }
    }
  }

  /// Whether a provider behind `provider` may claim the same entries and take those that find no room with it.
  private func mayBePassedOn(_ provider: DecodedProvider, _ later: ArraySlice<DecodedProvider>) -> Bool {
    guard root["overlaps"]?.string != OverlapRule.keep.rawValue, provider.object["rest"] == nil else { return false }
    return later.contains { $0.object["rest"] == nil && PlanDecoder.claims($0.object) }
  }
}
