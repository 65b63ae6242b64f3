internal import CallDirectory
internal import PositionedJSON

extension SettingsEffect {
  /// Writes it as one object.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("without", change.without.map(\.rawValue))
    json.member("order", change.order.map(\.rawValue))
    json.member("numbers", numbers)
    write("lostLabels", lostLabels, to: &json)
    write("changedLabels", changedLabels, to: &json)
    write("lostBlocks", lostBlocks, to: &json)
    json.endObject()
  }

  private func write(_ key: String, _ group: Group, to json: inout JSONWriter) {
    json.key(key)
    json.beginObject()
    json.member("count", group.count)
    json.key("samples")
    json.beginArray()
    for sample in group.samples {
      json.beginObject(inline: true)
      json.member("number", sample.number.description)
      json.member("label", sample.label)
      json.member("from", sample.provider.rawValue)
      json.member("newLabel", sample.newLabel)
      json.member("newFrom", sample.newProvider?.rawValue)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
