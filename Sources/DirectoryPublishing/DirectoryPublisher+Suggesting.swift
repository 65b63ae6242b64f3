public import CallDirectory
internal import DirectorySources
internal import PlanFile
internal import ShardPlanning
internal import SystemSupport

extension DirectoryPublisher {
  /// Proposes providers for the rows of the plan's sources: as few as can be found with whole areas and at most `limit` entries
  /// each. The plan's own claims play no part; its providers with data of their own stay.
  ///
  /// Nothing is suggested that was not tried: the rows are planned with the suggested providers, as for the first time, and the
  /// figures are those of that plan. Reads the sources once and the sorted rows three times; writes nothing but unnamed temporary files.
  /// Memory as `preview`, and a few words for each area.
  ///
  /// Errors: as `preview`; `ReleaseError` when more providers are needed than a plan can have.
  ///
  /// Requires: `limit` is from 1 to 1,999,999.
  public func suggestion(limit: Int = EntryLimit.maximum) throws -> ProviderSuggestion {
    let rows = try read(Machine.temporaryFolder, nil)
    // What the plan says for all its providers goes for the suggested ones too.
    let probe = try plan.replacingProviders(with: Array("[{\"id\": \"rest\", \"rest\": true}]".utf8))
    var tally = AreaTally(
      areas: rows.areas, dropsLabelsOfBlocked: probe.providers.contains(where: \.planned.dropsLabelsOfBlocked))
    var numbers = 0
    try rows.forEachSegment { segment, group in
      let count = Self.count(segment)
      tally.add(group, numbers: count)
      if Self.advance(&numbers, by: count) { options.progress?(.planning(numbers: numbers)) }
    }
    let packing = AreaPacking(tally, limit: limit)
    try check(packing)
    let own = plan.ownDataProviders
    let providers = ProviderSuggestion.providers(
      packing.parts, areas: rows.areas, sizes: tally.sizes, taken: own.map(\.id))
    var suggestion = ProviderSuggestion(
      limit: limit, providers: providers, placed: [], entries: tally.entries,
      areas: tally.sizes.dropFirst().count { $0 > 0 },
      withoutArea: tally.sizes[0], lowerBound: packing.lowerBound, isOptimal: packing.isOptimal,
      sizesAreExact: tally.isExact, fragment: ProviderSuggestion.fragment(providers, limit: limit, own: own))
    suggestion.placed = try placed(rows, suggestion)
    return suggestion
  }

  /// Plans the rows with the suggested providers.
  private func placed(_ rows: SortedRows, _ suggestion: ProviderSuggestion) throws -> [ProviderSuggestion.Placed] {
    let trial = DirectoryPublisher(
      try plan.replacingProviders(with: suggestion.fragment).resolvingPaths(), options: options)
    let placement = try trial.place(rows, Base(release: nil, folder: folder, isKept: false), nil)
    var done = 0
    try rows.forEachSegment { segment, group in
      var rest = segment
      while true {
        let (count, _) = placement.pass.place(rest, group) { _, _ in }
        if Self.advance(&done, by: count) { options.progress?(.writing(numbers: done, of: placement.numbers)) }
        guard let left = Self.rest(of: rest, behind: PhoneNumber(rest.lowerBound.rawValue + Int64(count - 1))) else {
          break
        }
        rest = left
      }
    }
    return placement.pass.report.providers.compactMap { placed in
      let index = suggestion.providers.firstIndex { provider in
        provider.id == placed.id || provider.copies > 1 && Plan.copy(placed.id, of: provider.id) != nil
      }
      return index.map { ProviderSuggestion.Placed(id: placed.id, provider: $0, counts: placed.counts) }
    }
  }

  private func check(_ packing: AreaPacking) throws {
    let most = PlanningRules.mostClauses
    guard packing.parts.count > most || packing.parts.contains(where: { $0.copies > CopyCount.most }) else { return }
    throw ReleaseError(
      kind: .otherProviders, path: plan.file ?? plan.name,
      what:
        "\(packing.providers) providers of \(packing.limit) entries would be needed, and a plan has \(most) with claims, "
        + "and \(CopyCount.most) copies of each, at most",
      hint: "suggest with a larger --limit, up to \(EntryLimit.maximum)")
  }
}
