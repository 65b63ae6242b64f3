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
    let output = LineOutput()
    var matchings = CountryCache { CallerMatching(region: $0) }
    try LineInput(file).forEach { line in
      let (query, code) = BatchLine.split(line)
      try output.field(query)
      try output.tab()
      guard let country = BatchLine.region(code, default: region) else {
        try answer(LookupCandidates(blocking: [], identification: []), output)
        return
      }
      try answer(matchings[country.code].candidates(for: query), output)
    }
    try output.flush()
  }

  private func answer(_ candidates: LookupCandidates, _ output: LineOutput) throws {
    if let number = candidates.identification.first ?? candidates.blocking.first {
      try output.field(number.rawValue)
    }
    try output.tab()
    let written: Result<Void, any Error> = resolver.resolveBriefly(candidates) { decision, label in
      Result {
        try output.field(decision.kind.rawValue)
        try output.tab()
        if let blocker = decision.blocker { try output.field(resolver.providers[blocker].id.rawValue) }
        try output.tab()
        if let label { try output.field(label) }
        try output.tab()
        if let labeller = decision.labeller { try output.field(resolver.providers[labeller].id.rawValue) }
        try output.endLine()
      }
    }
    try written.get()
  }
}
