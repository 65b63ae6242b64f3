internal import CallDirectory
internal import CallLookup
internal import PhoneNumbering

/// Many look-ups: one output line per input line,
/// `query TAB number TAB decision TAB blockedBy TAB label TAB labelFrom`.
struct LookupBatch {
  private let resolver: CallResolver
  private let region: RegionCode?

  /// Look-ups on a line of `region` unless a line of the input names a country.
  init(_ resolver: CallResolver, region: RegionCode?) {
    self.resolver = resolver
    self.region = region
  }

  /// Answers the lines of `file`; `-` is standard input. A line that is no number is `unknown` with an empty number.
  func run(_ file: String) throws {
    try LineBatch.run(file) { [self] in
      let matchings = CountryCache { CallerMatching(region: $0) }
      return { line, output in
        let (query, code) = BatchLine.split(line)
        output.field(query)
        output.tab()
        let country = BatchLine.region(code, default: region)
        answer(
          country.map { matchings[$0.code].candidates(for: query) }
            ?? LookupCandidates(blocking: [], identification: []), output)
        output.endLine()
      }
    }
  }

  private func answer(_ candidates: LookupCandidates, _ output: LineOutput) {
    if let number = candidates.identification.first ?? candidates.blocking.first { output.field(number.rawValue) }
    output.tab()
    resolver.resolveBriefly(candidates) { decision, label in
      output.field(decision.kind.rawValue)
      output.tab()
      if let blocker = decision.blocker { output.field(resolver.providers[blocker].id.rawValue) }
      output.tab()
      if let label { output.field(label) }
      output.tab()
      if let labeller = decision.labeller { output.field(resolver.providers[labeller].id.rawValue) }
    }
  }
}
