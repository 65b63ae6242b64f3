internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering
internal import PositionedJSON

/// A decoded source with what the plan says about it beside its rows.
struct DecodedSource {
  var description: SourceDescription
  var limits: SourceGuard?
}

extension PlanDecoder {
  /// The sources that could be decoded.
  func decodeSources(country: RegionCode?, maxPatternNumbers: Int?) -> [DecodedSource] {
    guard let list = root["sources"], let elements = problems.read(try list.asArray()) else { return [] }
    var sources: [DecodedSource] = []
    for element in elements {
      if let source = decodeSource(element, country, maxPatternNumbers) { sources.append(source) }
    }
    problems.refuseRepeats(
      elements.compactMap { element in element["id"].flatMap { id in id.string.map { ($0, id) } } }, "id")
    return sources
  }

  private func decodeSource(_ value: JSONValue, _ country: RegionCode?, _ maxPatternNumbers: Int?) -> DecodedSource? {
    guard let object = problems.object(value, .source) else { return nil }
    let id = id(problems.read(try object.required("id")))
    let files = decodeFiles(problems.read(try object.required("file")))
    var source = SourceDescription(id: id?.rawValue ?? "", files: files.map(\.text))
    source.expectFiles = problems.read(try object["expectFiles"]?.asInt(in: 1...Int.max))
    source.format = decodeFormat(object, files)
    source.encoding = decodeEncoding(object["encoding"])
    source.separator = problems.read(try object["separator"]?.asCase(of: FieldSeparator.self))
    source.records = problems.read(try object["records"]?.asText()) ?? ""
    decodeColumns(object, into: &source)
    decodeAction(object, into: &source)
    source.maxPatternNumbers = maxPatternNumbers ?? source.maxPatternNumbers
    decodeSpelling(object, country, into: &source)
    source.maxLabelBytes =
      problems.read(try object["maxLabelBytes"]?.asInt(in: Self.labelBytes)) ?? source.maxLabelBytes
    source.areaMap = problems.read(try object["areaMap"]?.asText())
    source.repeats = problems.read(try object["repeats"]?.asCase(of: RepeatRule.self)) ?? .first
    source.onBadRow = problems.read(try object["onBadRow"]?.asCase(of: BadRowRule.self)) ?? .skip
    source.allowEmpty = problems.read(try object["allowEmpty"]?.asBool()) ?? false
    checkEffects(object, source)
    return DecodedSource(description: source, limits: decodeGuard(object["guard"]))
  }

  /// The least is what an ellipsis and a letter of any script need.
  static let labelBytes = 8...CallLabel.maximumBytes

  private func decodeFiles(_ value: JSONValue?) -> [(text: String, value: JSONValue)] {
    guard let value else { return [] }
    if value.kind == .array { return problems.strings(value, "file") ?? [] }
    guard value.kind == .string else {
      problems.add(value.mismatch("a path or an array of paths"))
      return []
    }
    return problems.read(try value.asText()).map { [($0, value)] } ?? []
  }

  /// The stated format, else the one that all files' extensions stand for; nil after an error and for a pattern of file
  /// names that leaves the extension open, where the reader goes by each file's own.
  private func decodeFormat(_ object: JSONObjectReader, _ files: [(text: String, value: JSONValue)]) -> SourceFormat? {
    if let value = object["format"] { return problems.read(try value.asCase(of: SourceFormat.self)) }
    var found: SourceFormat?
    var isOpen = false
    for (path, value) in files {
      guard let format = SourceFormat(path: path) else {
        if SourceFormat.isOpen(path: path) {
          isOpen = true
          continue
        }
        let names = SourceFormat.knownExtensions
        problems.add(
          value.mismatch(
            "a file ending in \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")",
            hint: "state the \"format\": \(JSONValue.list(SourceFormat.allCases.map(\.rawValue)))"))
        return nil
      }
      guard found == nil || found == format else {
        problems.add(
          value.mismatch("files of one format", hint: "make two sources of them, or state the \"format\""))
        return nil
      }
      found = format
    }
    return isOpen ? nil : found
  }

  /// An encoding by its name, in letters of any case.
  private func decodeEncoding(_ value: JSONValue?) -> TextEncoding? {
    guard let value else { return nil }
    if let encoding = value.string.flatMap({ TextEncoding(rawValue: $0.lowercased()) }) { return encoding }
    if let other = value.string.flatMap(TextEncoding.init(otherName:)) {
      let names = JSONValue.list(TextEncoding.allCases.map(\.rawValue))
      problems.add(value.mismatch(names, hint: "did you mean \"\(other.rawValue)\"?"))
      return nil
    }
    return problems.read(try value.asCase(of: TextEncoding.self))
  }

  private func decodeGuard(_ value: JSONValue?) -> SourceGuard? {
    guard let value, let object = problems.object(value, .sourceGuard) else { return nil }
    if !PlanKeys.sourceGuard.known.contains(where: { object[$0] != nil }) {
      problems.add(value.mismatch("at least one of \(JSONValue.list(PlanKeys.sourceGuard.known))"))
    }
    return SourceGuard(
      shrink: fraction(object["shrink"], hasTop: true), growth: fraction(object["growth"], hasTop: false),
      rejected: fraction(object["rejected"], hasTop: true))
  }

  /// The guard of a provider; its entries are none that could be refused.
  func decodeProviderGuard(_ value: JSONValue?) -> ProviderGuard? {
    guard let value, let object = problems.object(value, .providerGuard) else { return nil }
    if !PlanKeys.providerGuard.known.contains(where: { object[$0] != nil }) {
      problems.add(value.mismatch("at least one of \(JSONValue.list(PlanKeys.providerGuard.known))"))
    }
    return ProviderGuard(
      shrink: fraction(object["shrink"], hasTop: true), growth: fraction(object["growth"], hasTop: false))
  }

  /// A share of something. What is a share of a whole never exceeds 1, so that a greater one guards nothing.
  private func fraction(_ value: JSONValue?, hasTop: Bool) -> Double? {
    guard let value else { return nil }
    guard let fraction = value.double, fraction >= 0, !hasTop || fraction <= 1 else {
      let isPercentage = value.double.map { $0 > 1 && $0 <= 100 } ?? false
      problems.add(
        value.mismatch(
          hasTop ? "a fraction from 0 to 1" : "a fraction from 0",
          hint: isPercentage ? "0.3 stands for 30 %" : nil))
      return nil
    }
    return fraction
  }
}
