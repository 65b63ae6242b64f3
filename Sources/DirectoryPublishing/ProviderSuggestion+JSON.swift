internal import CallDirectory
public import PositionedJSON

extension ProviderSuggestion {
  /// The `schema` of the document.
  public static let schema = "shardctl.suggestion/1"

  /// Writes the suggestion as one object; `providers` in it is the array for the plan.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("schema", Self.schema)
    json.member("limit", limit)
    json.member("entries", entries)
    json.member("areas", areas)
    json.member("withoutArea", withoutArea)
    json.member("lowerBound", lowerBound)
    json.member("isOptimal", isOptimal)
    json.member("sizesAreExact", sizesAreExact)
    json.key("placed")
    json.beginArray()
    for placed in placed {
      json.beginObject(inline: true)
      json.member("id", placed.id.rawValue)
      json.member("areas", providers[placed.provider].areas.count)
      json.member("blocking", placed.counts.blocking)
      json.member("identification", placed.counts.identification)
      json.member("entries", placed.counts.total)
      json.member("fill", Double(placed.counts.total) / Double(limit), places: 4)
      json.endObject()
    }
    json.endArray()
    json.key("providers")
    json.verbatim(fragment.dropLast())
    json.endObject()
  }
}
