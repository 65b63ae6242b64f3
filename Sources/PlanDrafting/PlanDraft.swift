internal import CallDirectory
public import DirectorySources
internal import PhoneNumbering
internal import PositionedJSON
internal import SystemSupport

/// A first plan for files that nobody has described yet: what they hold is found out from their first four megabytes,
/// and everything that was guessed is said in a comment beside it. The same files give the same bytes.
public struct PlanDraft: Sendable {
  /// The plan as text.
  public let bytes: [UInt8]
  /// What was found, one line per finding.
  public let findings: [String]
  /// What a person should look at before the plan is used, one line each.
  public let advice: [String]
  /// Rows that no source takes, with their counts, one line per file.
  public let omissions: [String]

  /// Looks at `files` for a plan that is written to `output`.
  ///
  /// `encoding` is that of files which are not UTF-8; nil to tell it from their bytes where that is possible. O(bytes looked
  /// at). Throws `DraftError` for the first file that no source can be written for, `SystemError` for one that cannot be
  /// read.
  public init(files: [String], output: String, encoding: TextEncoding? = nil) throws {
    var drafts: [SourceDraft] = []
    var omissions: [String] = []
    for file in files {
      let survey = try FileSurvey(path: file, planPath: Self.path(of: file, from: output), encoding: encoding)
      omissions += survey.omissions
      for draft in survey.drafts {
        if let same = drafts.firstIndex(where: { $0.signature == draft.signature && $0.files != draft.files }) {
          drafts[same].files += draft.files
          drafts[same].expectedNumbers += draft.expectedNumbers
        } else {
          drafts.append(draft)
        }
      }
    }
    var known: Set<String> = []
    for index in drafts.indices {
      let id = drafts[index].id
      var count = 2
      while !known.insert(drafts[index].id).inserted {
        drafts[index].id = "\(id)-\(count)"
        count += 1
      }
    }
    // A source for rows of unknown countries must not take the country of others.
    let isOpen = drafts.contains { $0.filter != nil && $0.country == nil }
    var sizes: [RegionCode: Int] = [:]
    for draft in drafts { if let country = draft.country { sizes[country, default: 0] += draft.expectedNumbers } }
    let country = isOpen ? nil : sizes.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", 1)
    let comment = "A first plan, written from a look at the files. Check what the comments say, then run: shardctl plan"
    json.member("comment", ([comment] + omissions).joined(separator: ". "))
    json.member("name", "directory")
    if let country { json.member("country", country.rawValue) }
    json.key("sources")
    json.beginArray()
    for draft in drafts { Self.write(draft, to: &json) }
    json.endArray()
    let providers = ProviderDraft.providers(for: drafts)
    json.key("providers")
    json.beginArray()
    for provider in providers { provider.write(to: &json) }
    json.endArray()
    json.endObject()
    bytes = json.bytes + [0x0A]
    findings = Self.findings(drafts) + ProviderDraft.findings(providers)
    advice = Self.advice(drafts, providers)
    self.omissions = omissions
  }

  /// The path of `file` as a plan at `output` names it.
  private static func path(of file: String, from output: String) -> String {
    let folder = Path.directory(of: output)
    if Path.isAbsolute(file) || folder.isEmpty || folder == "." { return file }
    let parts = folder.split(separator: "/").filter { $0 != "." }
    if Path.isAbsolute(output) || parts.contains("..") { return Path.absolute(file) }
    return String(repeating: "../", count: parts.count) + file
  }

  // MARK: Sources

  private static func write(_ draft: SourceDraft, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", draft.id)
    if draft.files.count == 1 {
      json.member("file", draft.files[0])
    } else {
      json.key("file")
      json.beginArray()
      for file in draft.files { json.string(file) }
      json.endArray()
    }
    if let format = draft.format { json.member("format", format.rawValue) }
    if let encoding = draft.encoding { json.member("encoding", encoding.rawValue) }
    if let separator = draft.separator { json.member("separator", separator.rawValue) }
    if !draft.hasHeader { json.member("header", false) }
    if !draft.records.isEmpty { json.member("records", draft.records) }
    for (key, reference) in [
      ("number", draft.number), ("pattern", draft.pattern), ("from", draft.range?.from), ("to", draft.range?.to),
      ("label", draft.ownAction == .block ? nil : draft.label),
      ("area", draft.area),
    ] {
      guard let reference else { continue }
      json.key(key)
      if key == "label", case .name(let name) = reference {
        json.string(escaped(name))
      } else {
        write(reference, to: &json)
      }
    }
    if let filter = draft.filter {
      json.key("where")
      json.beginObject(inline: true)
      json.key("column")
      write(filter.column, to: &json)
      if filter.values.count == 1 {
        json.member("equals", filter.values[0])
      } else {
        json.key("in")
        json.beginArray(inline: true)
        for value in filter.values { json.string(value) }
        json.endArray()
      }
      json.endObject()
      // A country may have nothing but numbers that are refused.
      json.member("allowEmpty", true)
    }
    if let rule = draft.actionColumn {
      json.key("action")
      json.beginObject(inline: true)
      json.key("column")
      write(rule.column, to: &json)
      json.key("values")
      json.beginObject(inline: true)
      for (cell, action) in rule.values { json.member(cell, action.rawValue) }
      json.endObject()
      json.endObject()
    } else if draft.action != .identify {
      json.member("action", draft.action.rawValue)
    }
    if let country = draft.country { json.member("country", country.rawValue) }
    if draft.lacksPlus { json.member("numbersAre", "international") }
    if draft.stripsRemarks { json.member("numberRemarks", "strip") }
    if let separator = draft.numberSeparator { json.member("numberSeparator", separator) }
    var comments = draft.comments + draft.advice
    if !draft.areas.isEmpty { comments.append("rows by area: \(areas(draft, most: 12))") }
    if !comments.isEmpty { json.member("comment", comments.joined(separator: ". ")) }
    json.endObject()
  }

  private static func write(_ reference: ColumnReference, to json: inout JSONWriter) {
    switch reference {
    case .name(let name): json.string(name)
    case .position(let position): json.int(position)
    }
  }

  /// Braces of a label are those of a template.
  private static func escaped(_ name: String) -> String {
    String(name.flatMap { "{}".contains($0) ? [$0, $0] : [$0] })
  }

  private static func areas(_ draft: SourceDraft, most: Int) -> String {
    let shown = draft.areas.prefix(most).map { "\($0.value.prefix(60)) \($0.rows)" }
    let rest = draft.areas.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  // MARK: Providers

  private static func advice(_ drafts: [SourceDraft], _ providers: [ProviderDraft]) -> [String] {
    var advice: [String] = []
    var told: Set<[String]> = []
    for draft in drafts where draft.areas.count > 1 && draft.filter == nil && told.insert(draft.files).inserted {
      let names = draft.areas.prefix(3).map { "\"\($0.value)\"" }.joined(separator: ", ")
      advice.append(
        "source \"\(draft.id)\" has \(draft.areas.count) areas (\(areas(draft, most: 5))): "
          + "a provider of its own for some would claim \"areas\": [\(names)]")
    }
    // Once for all sources of a file that is read country by country.
    var advised: Set<[String]> = []
    for draft in drafts where !draft.advice.isEmpty && advised.insert(draft.files).inserted {
      advice += draft.advice.map { "source \"\(draft.id)\": \($0)" }
    }
    let total = drafts.reduce(0) { $0 + $1.expectedNumbers }
    guard total > ProviderDraft.comfortable else { return advice }
    let outcome = providers.count > 1 ? "they are shared out as far as their ranges, countries and areas tell" : ""
    advice.append(
      "the files may come to about \(total / 1_000_000) million numbers, more than the 1,999,999 of one provider"
        + (outcome.isEmpty ? "" : "; \(outcome)")
        + ": see who gets what with shardctl plan, and share them out by \"areas\", \"prefixes\", \"countries\" or \"ranges\""
    )
    return advice
  }

  // MARK: Findings

  /// Sources of one file, one per country, that are told one by one.
  private static let mostTold = 5

  private static func findings(_ drafts: [SourceDraft]) -> [String] {
    var lines: [String] = []
    var parts: [[String]: Int] = [:]
    for (index, draft) in drafts.enumerated() {
      let count = draft.filter == nil ? 0 : parts[draft.files, default: 0]
      if count < mostTold { lines += findings(draft) }
      guard draft.filter != nil else { continue }
      parts[draft.files] = count + 1
      let isLast = index + 1 == drafts.count || drafts[index + 1].files != draft.files
      if isLast, count >= mostTold {
        lines.append("and \(count + 1 - mostTold) more sources of \(draft.files[0]), one per country")
      }
    }
    return lines
  }

  private static func rows(of values: [String]) -> String {
    guard values.count == 1 else { return "countries that were not seen" }
    return values[0].isEmpty ? "without country" : "only \(values[0])"
  }

  private static func isEnd(_ name: String) -> Bool { name == "to" || name.hasSuffix("from") }

  private static func findings(_ draft: SourceDraft) -> [String] {
    var parts = [draft.files.count == 1 ? draft.files[0] : "\(draft.files.count) files like \(draft.files[0])"]
    let format = draft.format ?? SourceFormat(path: draft.files[0])
    if let format { parts.append(format.rawValue) }
    if let encoding = draft.encoding { parts.append(encoding.rawValue) }
    if let separator = draft.separator {
      parts.append("separated by \(separator == .tab ? "tabs" : separator.rawValue)")
    }
    if !draft.hasHeader { parts.append("no header") }
    for (name, reference) in [
      ("numbers", draft.number ?? draft.pattern), ("ranges from", draft.range?.from), ("to", draft.range?.to),
      ("label", draft.label), ("area", draft.area), ("action", draft.actionColumn?.column),
    ] {
      switch reference {
      case .name(let text): parts.append("\(name)\(Self.isEnd(name) ? "" : " in") \"\(text)\"")
      case .position(let position): parts.append("\(name)\(Self.isEnd(name) ? "" : " in") column \(position)")
      case nil: break
      }
    }
    if let action = draft.ownAction, action != .identify { parts.append("action \(action.rawValue)") }
    if let filter = draft.filter { parts.append(Self.rows(of: filter.values)) }
    return ["source \"\(draft.id)\": " + parts.joined(separator: ", ")] + draft.comments.map { "  \($0)" }
  }
}
