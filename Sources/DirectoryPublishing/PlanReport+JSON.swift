internal import CallDirectory
internal import DirectorySources
public import PositionedJSON
internal import ShardPlanning

extension PlanReport {
  /// The `schema` of the report.
  public static let schema = "shardctl.plan-report/1"

  /// Writes the report as one object; `more` adds members at its end. `bytesAreEstimates`: no shard has been written.
  public func write(
    to json: inout JSONWriter, bytesAreEstimates: Bool = false, more: (inout JSONWriter) -> Void = { _ in }
  ) {
    json.beginObject()
    json.member("schema", Self.schema)
    json.member("plan", planName)
    json.member("base", base)
    json.key("providers")
    json.beginArray()
    for provider in providers {
      json.beginObject(inline: true)
      json.member("id", provider.placement.id.rawValue)
      json.member("limit", provider.placement.limit)
      json.member("blocking", provider.placement.counts.blocking)
      json.member("identification", provider.placement.counts.identification)
      json.member("entries", provider.placement.counts.total)
      json.member("fill", provider.fill, places: 4)
      json.member("first", provider.placement.numbers?.lowerBound.description)
      json.member("last", provider.placement.numbers?.upperBound.description)
      json.member("spilledIn", provider.placement.spilledIn)
      json.member("leftToOthers", provider.placement.leftToOthers)
      json.member("warnAt", provider.warnAt, places: 4)
      json.member("nearlyFull", provider.isNearlyFull)
      json.member("bytesEstimate", provider.bytes)
      if let packs = provider.packs { write(packs, to: &json) }
      json.endObject()
    }
    json.endArray()
    json.key("overlaps")
    json.write(overlaps)
    json.key("accounts")
    json.write(accounts)
    json.member("baseEntries", baseEntries)
    json.key("changes")
    json.beginArray()
    for change in changes {
      json.beginObject(inline: true)
      json.member("id", change.id)
      write(change.before, "before", to: &json)
      write(change.after, "after", to: &json)
      json.endObject()
    }
    json.endArray()
    json.key("guards")
    json.beginArray()
    for breach in breaches {
      json.beginObject(inline: true)
      switch breach.subject {
      case .source(let id): json.member("source", id)
      case .provider(let id): json.member("provider", id.rawValue)
      }
      json.member("limit", breach.kind.rawValue)
      json.key("allowed")
      json.double(breach.limit)
      json.key("found")
      if let fraction = breach.fraction { json.double(fraction, places: 4) } else { json.null() }
      json.member("count", breach.count)
      json.member("reference", breach.reference)
      json.member("text", breach.description)
      json.endObject()
    }
    json.endArray()
    json.key("ranges")
    json.beginArray()
    for price in ranges {
      json.beginObject(inline: true)
      json.member("source", price.source)
      json.member("rows", price.rows)
      json.member("numbers", price.numbers)
      json.member("covered", price.covered)
      json.endObject()
    }
    json.endArray()
    json.member("moved", moved)
    json.key("phoneCost")
    phoneCost.write(to: &json, bytesAreEstimates: bytesAreEstimates)
    if let settingsEffect {
      json.key("whatIf")
      settingsEffect.write(to: &json)
    }
    json.member("baseProblems", baseProblems)
    json.key("groups")
    json.beginArray()
    for group in groups {
      json.beginObject(inline: true)
      json.member("id", group.id.rawValue)
      json.member("copies", group.copies)
      json.member("isPinned", group.isPinned)
      json.endObject()
    }
    json.endArray()
    json.member("reloads", reloads.map(\.rawValue))
    json.key("cuts")
    json.beginObject(inline: true)
    json.member("allowed", cuts.allowed)
    json.member("removed", cuts.removed)
    json.member("withoutEffect", cuts.withoutEffect)
    json.endObject()
    json.member("repeatedLabels", repeatedLabels)
    json.member("conflictingLabels", conflictingLabels)
    json.key("dropped")
    json.beginObject()
    json.member("count", dropped)
    json.key("examples")
    json.beginArray()
    for example in droppedExamples {
      json.beginObject(inline: true)
      json.member("file", example.file)
      json.member("line", example.line)
      json.member("number", example.number.description)
      json.key("score")
      if let score = example.score { json.double(score) } else { json.null() }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.member("labelsOfBlocked", labelsOfBlocked)
    json.key("refusals")
    write(refusals, to: &json)
    json.key("notes")
    write(reading.notes, to: &json)
    writeLayouts(to: &json)
    more(&json)
    json.endObject()
  }

  /// The figures of a source that tell how it changed; null where it was not there.
  private func write(_ accounts: OccurrenceAccounts?, _ key: String, to json: inout JSONWriter) {
    json.key(key)
    guard let accounts else { return json.null() }
    json.beginObject(inline: true)
    json.member("read", accounts.read)
    json.member("used", accounts.used)
    json.member("refused", accounts.refused)
    json.endObject()
  }

  private func write(_ groups: [FindingGroup], to json: inout JSONWriter) {
    json.beginArray()
    for group in groups {
      json.beginObject()
      json.member("reason", group.finding.rawValue)
      json.member("count", group.count)
      json.key("examples")
      json.beginArray()
      for example in group.examples {
        json.beginObject(inline: true)
        json.member("file", example.file)
        json.member("line", example.line)
        json.member("column", example.column)
        json.member("raw", example.raw)
        json.member("text", example.reason)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
  }
}
