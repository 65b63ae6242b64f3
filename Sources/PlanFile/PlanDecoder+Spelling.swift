internal import DirectorySources
internal import PhoneNumbering
internal import PositionedJSON

extension PlanDecoder {
  /// How the source writes its numbers.
  func decodeSpelling(_ object: JSONObjectReader, _ country: RegionCode?, into source: inout SourceDescription) {
    source.spelling.region = region(object["country"]) ?? country
    source.spelling.interpretation =
      problems.read(try object["numbersAre"]?.asCase(of: NumberInterpretation.self)) ?? .auto
    if source.spelling.interpretation == .national, source.spelling.region == nil, object["country"] == nil,
      root["country"] == nil
    {
      problems.add(
        object.value.error("expected a \"country\" for national numbers, found none here and none for the plan"))
    }
    source.spelling.internationalPrefixes = decodePrefixes(object["internationalPrefixes"])
    source.spelling.extensionHandling =
      problems.read(try object["extension"]?.asCase(of: NormalisationOptions.ExtensionHandling.self)) ?? .drop
    source.spelling.remarkHandling =
      problems.read(try object["numberRemarks"]?.asCase(of: NormalisationOptions.RemarkHandling.self)) ?? .refuse
    source.spelling.shortCodes = problems.read(try object["shortCodes"]?.asBool()) ?? false
    source.numberSeparator = decodeNumberSeparator(object["numberSeparator"])
    source.aliases = problems.read(try object["aliases"]?.asBool()) ?? false
    source.maxPatternNumbers =
      decodeMaxPatternNumbers(object["maxPatternNumbers"]) ?? source.maxPatternNumbers
  }

  /// What one pattern or range may come to, of a source and of the plan.
  func decodeMaxPatternNumbers(_ value: JSONValue?) -> Int? {
    problems.read(try value?.asInt(in: Self.patternNumbers))
  }

  /// A pattern never comes to more than the numbers of a few providers; what is above is a typing mistake.
  static let patternNumbers = 1...1_000_000_000

  private func decodePrefixes(_ value: JSONValue?) -> [String]? {
    problems.strings(value, "prefix")?.compactMap { text, value in
      guard (1...8).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        let isPlus = text.utf8.first == UInt8(ascii: "+")
        problems.add(
          value.mismatch(
            "1 to 8 digits that are dialled in front of a calling code, such as \"00\"",
            hint: isPlus ? "\"+\" is always understood; remove it" : nil))
        return nil
      }
      return text
    }
  }

  /// Digits and `+` belong to numbers: as a separator they would cut one in two.
  private func decodeNumberSeparator(_ value: JSONValue?) -> String? {
    guard let value, let text = problems.read(try value.asString()) else { return nil }
    let isPart: (UInt8) -> Bool = { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "+") }
    guard (1...8).contains(text.utf8.count), !text.utf8.contains(where: isPart) else {
      problems.add(value.mismatch("a text of 1 to 8 bytes without digits and \"+\"", hint: "for example \";\""))
      return nil
    }
    return text
  }
}
