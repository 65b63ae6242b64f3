internal import CallDirectory
internal import PositionedJSON
internal import ShardPacks

extension PlanReport {
  /// The members `packs` and `packSets` of a provider.
  func write(_ index: PackIndex, to json: inout JSONWriter) {
    json.key("packs")
    json.beginArray()
    for pack in index.packs {
      json.beginObject(inline: true)
      json.member("name", pack.name)
      json.member("blocking", pack.counts.blocking)
      json.member("identification", pack.counts.identification)
      json.member("bytesEstimate", pack.bytes)
      json.endObject()
    }
    json.endArray()
    json.key("packSets")
    json.beginArray()
    for set in index.sets {
      json.beginObject(inline: true)
      set.writeMembers(to: &json)
      json.member("entries", set.counts.total)
      json.member("fill", Double(set.counts.total) / Double(index.limit), places: 4)
      json.endObject()
    }
    json.endArray()
  }
}
