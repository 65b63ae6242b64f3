internal import CallDirectory
internal import CallLookup
internal import CommandLineKit
internal import PhoneNumbering
internal import PositionedJSON

/// The answer to one look-up, as text and as JSON.
struct LookupAnswer {
  let query: String
  let region: RegionCode?
  let candidates: LookupCandidates
  let decision: CallDecision
  /// The app's name on the call screen (R-WIN-6).
  let appName: String

  /// Resolves `query`. A text that is no number matches nothing on a phone and is an error here.
  init(_ query: String, region: RegionCode?, _ appName: String, _ resolver: CallResolver) throws {
    candidates = CallerMatching.candidates(for: query, region: region)
    guard !candidates.blocking.isEmpty || !candidates.identification.isEmpty else {
      throw Diagnostic(
        query, "this is not a number: a phone would compare it with nothing",
        hint: "digits with +, blanks and punctuation", status: .dataError)
    }
    self.query = query
    self.region = region
    self.appName = appName
    decision = resolver.resolve(candidates)
  }

  /// The number in question: the E.164 value where there is one, else the digits.
  private var number: PhoneNumber? { candidates.identification.first ?? candidates.blocking.first }

  /// Every form of the number's line, the number among them (B-024); empty where no E.164 value is known.
  private var forms: [PhoneNumber] { candidates.identification.first.map(NumberAliases.forms) ?? [] }

  // MARK: Text

  var lines: [String] {
    var lines = [number?.description ?? query, headline]
    if let rule = decision.contactRule { lines.append(rule.description) }
    var table = TextTable([("", .right), ("", .left), ("", .left), ("", .left), ("", .left)])
    for row in decision.providers {
      table.add(["  \(row.position)", row.id.rawValue, state(row.state), what(row), row.outcome])
    }
    lines += table.lines.dropFirst()
    if forms.count > 1, let number {
      let others = forms.filter { $0 != number }.map(\.description).joined(separator: ", ")
      lines.append("the same line may call as \(others), which is a number of its own")
    }
    lines.append("compared: \(compared)" + (region == nil ? "; no country is known, see --country" : ""))
    return lines
  }

  private var headline: String {
    switch decision.kind {
    case .blocked: "BLOCKED by \(decision.blockedBy?.rawValue ?? "")  (any provider's block wins, whatever the order)"
    case .identified:
      "\(appName): \(PrintableText.oneLine(decision.label ?? ""))  (label from \(decision.labelFrom?.rawValue ?? ""))"
    case .contact: "\(decision.label.flatMap { $0.isEmpty ? nil : $0 } ?? "contact")  (from the phone's contacts)"
    case .unknown: "unknown: no provider that is on knows the number"
    }
  }

  private func state(_ state: ProviderState) -> String {
    switch state {
    case .offEmpty, .offWithData: "off"
    default: state.rawValue
    }
  }

  private func what(_ row: ProviderTrace) -> String {
    var parts = row.blocks ? ["block"] : []
    if let label = row.labels.first { parts.append("label \"\(PrintableText.oneLine(label))\"") }
    return parts.isEmpty ? "–" : parts.joined(separator: ", ")
  }

  private var compared: String {
    let identification = candidates.identification.map { String($0.rawValue) }
    let blocking = candidates.blocking.map { String($0.rawValue) }
    if Set(identification) == Set(blocking) { return identification.joined(separator: ", ") }
    return "labels \(identification.joined(separator: ", ")); blocks \(blocking.joined(separator: ", "))"
  }

  // MARK: JSON

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("schema", "shardctl.lookup/1")
    json.member("query", query)
    json.member("number", number?.description)
    json.member("country", region?.rawValue)
    json.member("forms", forms.map(\.description))
    json.key("candidates")
    json.beginObject(inline: true)
    json.member("blocking", candidates.blocking.map { String($0.rawValue) })
    json.member("identification", candidates.identification.map { String($0.rawValue) })
    json.endObject()
    json.member("decision", decision.kind.rawValue)
    json.member("blockedBy", decision.blockedBy?.rawValue)
    json.member("label", decision.label)
    json.member("labelFrom", decision.labelFrom?.rawValue)
    json.key("providers")
    json.beginArray()
    for row in decision.providers {
      json.beginObject()
      json.member("id", row.id.rawValue)
      json.member("title", row.title)
      json.member("position", row.position)
      json.member("state", row.state.rawValue)
      json.member("blocks", row.blocks)
      json.member("labels", row.labels)
      json.member("outcome", row.outcome)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
