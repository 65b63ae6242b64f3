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
      json.key("packs")
      if let packs = set.packs {
        json.beginArray(inline: true)
        for pack in packs { json.string(pack) }
        json.endArray()
      } else {
        json.null()
      }
      json.member("blocking", set.counts.blocking)
      json.member("identification", set.counts.identification)
      json.member("entries", set.counts.total)
      json.member("fill", Double(set.counts.total) / Double(index.limit), places: 4)
      json.endObject()
    }
    json.endArray()
  }
}
