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
      if source.format?.keysWithoutEffect.contains("repeats") == true { return }
      for key in ["maxLabelBytes", "repeats"] { refuse(object, key, "the source has no labels") }
    } else if source.repeats == .highestScore, object["score"] == nil, let value = object["repeats"] {
      problems.add(value.error("expected a \"score\" for \"repeats\": \"highestScore\", found none"))
    }
  }

  private func checkFormatKeys(_ object: JSONObjectReader, _ format: SourceFormat) {
    let structure = "the format \"\(format.rawValue)\" \(Self.structure(of: format))"
    for key in format.keysWithoutEffect {
      switch key {
      case "separator":
        refuse(
          object, key, structure,
          hint: "state \"format\": \"csv\" for a table with another separator than the tab")
      case "records":
        refuse(object, key, structure, hint: format == .jsonl ? "each line is a row; remove \"records\"" : nil)
      case "header": refuse(object, key, structure)
      case "encoding": refuse(object, key, "names in the format \"2gis\" are UTF-8")
      case "extension", "numberRemarks", "numberSeparator":
        refuse(object, key, "numbers in the format \"2gis\" are integers")
      case "areaMap": refuse(object, key, format.lackOfColumns ?? structure)
      case "maxLabelBytes", "repeats": refuse(object, key, "the source has no labels")
      // Columns are refused where they are decoded.
      default: break
      }
    }
  }

  private func checkPatternKeys(_ object: JSONObjectReader, _ format: SourceFormat) {
    guard format != .patterns, !["pattern", "from", "to"].contains(where: { object[$0] != nil }) else { return }
    refuse(object, "maxPatternNumbers", "the source has neither \"pattern\" nor \"from\" and \"to\"")
  }

  /// Refuses a limit of patterns in a plan none of whose sources has any.
  func checkPatternLimit() {
    guard let value = root["maxPatternNumbers"], let sources = root["sources"]?.elements, sources.count > 0 else {
      return
    }
    let hasPatterns = sources.contains { source in
      source["format"]?.string == SourceFormat.patterns.rawValue
        || ["pattern", "from", "to"].contains { source[$0] != nil }
    }
    if hasPatterns { return }
    problems.add(
      value.error(
        "\"maxPatternNumbers\" has no effect: no source has \"pattern\", \"from\" and \"to\", or the format \"patterns\"",
        hint: "remove \"maxPatternNumbers\""))
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

extension SourceFormat {
  /// Keys of a source that mean nothing for this format.
  var keysWithoutEffect: [String] {
    let columns = ["number", "pattern", "from", "to", "label", "area", "score", "where", "areaMap"]
    return switch self {
    case .tsv: ["separator", "records"]
    case .csv: ["records"]
    case .numbers, .patterns: columns + ["separator", "header", "records", "maxLabelBytes", "repeats"]
    case .json: ["separator", "header"]
    case .jsonl: ["separator", "header", "records"]
    case .vcard: ["separator", "header", "records", "pattern", "from", "to"]
    case .twoGIS:
      columns + ["separator", "header", "records", "encoding", "extension", "numberRemarks", "numberSeparator"]
    }
  }
}
