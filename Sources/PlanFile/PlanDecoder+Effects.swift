internal import CallDirectory
internal import DirectorySources
internal import PositionedJSON

extension PlanDecoder {
  /// Refuses keys that the format, the action or the lack of another key leaves without effect: whoever wrote one
  /// expects something of it.
  func checkEffects(_ object: JSONObjectReader, _ source: SourceDescription) {
    if let format = source.format {
      checkFormatKeys(object, format)
      checkPatternKeys(object, format)
    }
    let ranges = ["from", "to"].filter { object[$0] != nil }
    if let range = ranges.first {
      refuse(object, "numberSeparator", "a cell of \"\(range)\" holds one number")
    }
    if object["area"] == nil, source.format?.lackOfColumns == nil {
      refuse(object, "areaMap", "the source has no \"area\"")
    }
    if !hasLabels(object, source) {
      for key in ["maxLabelBytes", "repeats"] { refuse(object, key, "the source has no labels") }
    } else if source.repeats == .highestScore, object["score"] == nil, let value = object["repeats"] {
      problems.add(value.error("expected a \"score\" for \"repeats\": \"highestScore\", found none"))
    }
  }

  private func checkFormatKeys(_ object: JSONObjectReader, _ format: SourceFormat) {
    if format != .csv {
      refuse(
        object, "separator", "the format \"\(format.rawValue)\" \(Self.structure(of: format))",
        hint: "state \"format\": \"csv\" for a table with another separator than the tab")
    }
    if !format.isTable {
      refuse(object, "header", "the format \"\(format.rawValue)\" \(Self.structure(of: format))")
    }
    if format != .json {
      let hint = format == .jsonl ? "each line is a row; remove \"records\"" : nil
      refuse(object, "records", "the format \"\(format.rawValue)\" \(Self.structure(of: format))", hint: hint)
    }
    if let reason = format.lackOfColumns { refuse(object, "areaMap", reason) }
    if format == .twoGIS {
      refuse(object, "encoding", "names in the format \"2gis\" are UTF-8")
      for key in ["extension", "numberRemarks", "numberSeparator"] {
        refuse(object, key, "numbers in the format \"2gis\" are integers")
      }
    }
  }

  private func checkPatternKeys(_ object: JSONObjectReader, _ format: SourceFormat) {
    guard format != .patterns, !["pattern", "from", "to"].contains(where: { object[$0] != nil }) else { return }
    refuse(object, "maxPatternNumbers", "the source has neither \"pattern\" nor \"from\" and \"to\"")
  }

  private func refuse(_ object: JSONObjectReader, _ key: String, _ reason: String, hint: String? = nil) {
    guard let value = object[key] else { return }
    problems.add(value.error("\"\(key)\" has no effect: \(reason)", hint: hint ?? "remove \"\(key)\""))
  }

  /// What a format's rows look like, to say why a key of another format means nothing here.
  private static func structure(of format: SourceFormat) -> String {
    switch format {
    case .tsv: "has tabs between its fields"
    case .csv: "is a table"
    case .numbers: "has one number per line"
    case .patterns: "has one pattern per line"
    case .json, .jsonl: "names the columns in every row"
    case .vcard: "names the properties in every card"
    case .twoGIS: "has records of a number and a name"
    }
  }
}
