internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering
internal import PositionedJSON
internal import SystemSupport

extension PlanDecoder {
  /// The sources that could be decoded.
  func decodeSources(country: RegionCode?) -> [SourceDescription] {
    guard let list = root["sources"], let elements = problems.read(try list.asArray()) else { return [] }
    var sources: [SourceDescription] = []
    for element in elements {
      if let source = decodeSource(element, country: country) { sources.append(source) }
    }
    problems.refuseRepeats(
      elements.compactMap { element in element["id"].flatMap { id in id.string.map { ($0, id) } } }, "id")
    return sources
  }

  private func decodeSource(_ value: JSONValue, country: RegionCode?) -> SourceDescription? {
    guard let object = problems.object(value, .source) else { return nil }
    let id = id(problems.read(try object.required("id")))
    let files = decodeFiles(problems.read(try object.required("file")))
    var source = SourceDescription(id: id?.rawValue ?? "", files: files.map(\.text))
    source.format = decodeFormat(object, files)
    source.separator = decodeSeparator(object, source.format)
    decodeColumns(object, into: &source)
    decodeAction(object, into: &source)
    source.spelling.region = region(object["country"]) ?? country
    source.spelling.interpretation =
      problems.read(try object["numbersAre"]?.asCase(of: NumberInterpretation.self)) ?? .auto
    if source.spelling.interpretation == .national, source.spelling.region == nil, object["country"] == nil,
      root["country"] == nil
    {
      problems.add(
        value.error("expected a \"country\" for national numbers, found none here and none for the plan"))
    }
    refuseOther(than: "utf-8", object["encoding"])
    refuseOther(than: "first", object["repeats"])
    source.onBadRow = problems.read(try object["onBadRow"]?.asCase(of: BadRowRule.self)) ?? .skip
    source.allowEmpty = problems.read(try object["allowEmpty"]?.asBool()) ?? false
    return source
  }

  /// Keys of which this version knows only the default.
  private func refuseOther(than supported: String, _ value: JSONValue?) {
    guard let value, let text = problems.read(try value.asString()), text.lowercased() != supported else { return }
    problems.add(value.error("\(value.summary) is not yet supported; expected \"\(supported)\""))
  }

  private func decodeFiles(_ value: JSONValue?) -> [(text: String, value: JSONValue)] {
    guard let value else { return [] }
    if value.kind == .array { return problems.strings(value, "file") ?? [] }
    guard value.kind == .string else {
      problems.add(value.mismatch("a path or an array of paths"))
      return []
    }
    return problems.read(try value.asText()).map { [($0, value)] } ?? []
  }

  // MARK: Format

  /// What stands between the fields of a csv file; the other formats have no choice.
  private func decodeSeparator(_ object: JSONObjectReader, _ format: SourceFormat?) -> FieldSeparator? {
    guard let value = object["separator"] else { return nil }
    if let format, format != .csv {
      problems.add(
        value.error(
          "a source in the format \"\(format.rawValue)\" has no \"separator\"",
          hint: "state \"format\": \"csv\" for a table with another separator than the tab"))
    }
    return problems.read(try value.asCase(of: FieldSeparator.self))
  }

  /// File name extensions and formats of later versions, which are told apart from mistakes.
  private static let laterFormats = ["patterns", "json", "jsonl", "vcard", "2gis"]
  private static let formats = ["tsv", "csv", "numbers"]
  private static let laterExtensions = ["json", "jsonl", "vcf", "gz", "xz", "zst", "2gis"]
  private static let extensions: [String: SourceFormat] = ["tsv": .tsv, "csv": .csv, "txt": .numbers]

  /// The stated format, else the one that all files' extensions stand for.
  private func decodeFormat(_ object: JSONObjectReader, _ files: [(text: String, value: JSONValue)]) -> SourceFormat? {
    if let value = object["format"] {
      if let text = value.string, Self.laterFormats.contains(text) {
        problems.add(value.error("the format \"\(text)\" is not yet supported"))
        return nil
      }
      return problems.read(try value.asCase(of: SourceFormat.self))
    }
    var found: SourceFormat?
    for (path, value) in files {
      let ending = Path.fileExtension(of: path).lowercased()
      guard let format = Self.extensions[ending] else {
        let isLater = Self.laterExtensions.contains(ending)
        problems.add(
          isLater
            ? value.error("files ending in .\(ending) are not yet supported")
            : value.mismatch(
              "a file ending in .tsv, .csv or .txt",
              hint: "state the \"format\": \(JSONValue.list(Self.formats))"))
        return nil
      }
      guard found == nil || found == format else {
        problems.add(
          value.mismatch("files of one format", hint: "make two sources of them, or state the \"format\""))
        return nil
      }
      found = format
    }
    return found
  }

  // MARK: Columns

  private func decodeColumns(_ object: JSONObjectReader, into source: inout SourceDescription) {
    if source.format == .numbers {
      for key in ["number", "label", "area", "score", "header"] {
        guard let value = object[key] else { continue }
        problems.add(value.error("a list with one number per line has no columns", hint: "remove \"\(key)\""))
      }
      return
    }
    source.hasHeader = problems.read(try object["header"]?.asBool()) ?? true
    let isTable = source.format != nil
    source.numbers = column(
      isTable ? problems.read(try object.required("number")) : object["number"], hasHeader: source.hasHeader
    ).map(NumberColumns.number)
    source.label = column(object["label"], hasHeader: source.hasHeader).map(LabelRule.column)
    source.area = column(object["area"], hasHeader: source.hasHeader)
    source.score = column(object["score"], hasHeader: source.hasHeader)
  }

  private func column(_ value: JSONValue?, hasHeader: Bool) -> ColumnReference? {
    guard let value else { return nil }
    switch (value.kind, hasHeader) {
    case (.string, true):
      guard let name = problems.read(try value.asText()) else { return nil }
      if name.contains("{"), name.contains("}") {
        problems.add(value.error("a template of columns is not yet supported; expected the name of one column"))
        return nil
      }
      return .name(name)
    case (.number, false):
      return problems.read(try value.asInt(in: 1...100_000)).map { .position($0) }
    case (_, true):
      let hint = value.kind == .number ? "column positions need \"header\": false" : nil
      problems.add(value.mismatch("the name of a column", hint: hint))
    case (_, false):
      let hint = value.kind == .string ? "column names need a header line; remove \"header\": false" : nil
      problems.add(value.mismatch("the position of a column, from 1", hint: hint))
    }
    return nil
  }

  // MARK: Action

  private func decodeAction(_ object: JSONObjectReader, into source: inout SourceDescription) {
    guard let value = object["action"] else {
      checkLabels(object, .identify, at: object.value, source)
      return
    }
    switch value.kind {
    case .string:
      guard let action = problems.read(try value.asCase(of: EntryAction.self)) else { return }
      source.action = .fixed(action)
      checkLabels(object, action, at: value, source)
    case .object:
      guard let rule = problems.object(value, .actionColumn) else { return }
      if source.format == .numbers {
        problems.add(value.error("a list with one number per line has no columns", hint: "state one action"))
        return
      }
      let column = column(problems.read(try rule.required("column")), hasHeader: source.hasHeader)
      let values = decodeActionValues(problems.read(try rule.required("values")))
      if let column { source.action = .column(column, values: values) }
    default:
      let names = JSONValue.list(EntryAction.allCases.map(\.rawValue))
      problems.add(value.mismatch("\(names), or an object with \"column\" and \"values\""))
    }
  }

  private func decodeActionValues(_ value: JSONValue?) -> [String: EntryAction] {
    guard let value, let object = problems.read(try value.asObject()) else { return [:] }
    if object.value.members.count == 0 { problems.add(value.mismatch("at least one cell text with its action")) }
    var actions: [String: EntryAction] = [:]
    for member in object.value.members {
      if let action = problems.read(try member.value.asCase(of: EntryAction.self)) { actions[member.key] = action }
    }
    return actions
  }

  /// Refuses columns that the action leaves without effect, and an action that cannot do without a label (B-133).
  private func checkLabels(
    _ object: JSONObjectReader, _ action: EntryAction, at place: JSONValue, _ source: SourceDescription
  ) {
    switch action {
    case .identify, .both:
      if source.format == .numbers {
        problems.add(
          place.error(
            "expected the action \"block\", \"allow\" or \"remove\" for a list of numbers, "
              + "found \"\(action.rawValue)\": it has no labels"))
      } else if source.format != nil, object["label"] == nil {
        problems.add(
          object.value.error(
            "expected the key \"label\" for the action \"\(action.rawValue)\", found none",
            hint: action == .identify ? "to block without a label write \"action\": \"block\"" : nil))
      }
    case .block:
      guard let label = object["label"] else { return }
      problems.add(
        label.error(
          "expected no label for the action \"block\", which shows none",
          hint: "write \"action\": \"both\" to block and to identify, or remove \"label\""))
    case .allow, .remove:
      for key in ["label", "area", "score"] {
        guard let value = object[key], source.format != .numbers else { continue }
        problems.add(
          value.error(
            "expected no \(key) for the action \"\(action.rawValue)\", which adds no entries",
            hint: "remove \"\(key)\""))
      }
    }
  }
}
