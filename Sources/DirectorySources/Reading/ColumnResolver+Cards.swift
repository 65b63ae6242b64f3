internal import NameSuggestion

extension ColumnResolver {
  /// The layout of a file of vCards. The number is `TEL` and the label the name shown for a card (`FN`; without it the
  /// name put together from `N`, without that the first of `ORG`) unless the source says otherwise.
  func resolveCards(lineEnd: LineEnd) throws(SourceError) -> FileLayout {
    var source = source
    if source.numbers == nil { source.numbers = .number(.name("TEL")) }
    guard case .number(let numbers) = source.numbers else {
      throw error("number", "a vCard has numbers, not patterns or ranges", hint: "use \"number\", or leave it out: TEL")
    }
    if source.label == nil { source.label = .column(Self.shownName) }
    var properties = [try property(numbers, key: "number").name]
    var fields: [[VCardColumn]] = []
    var isNumber = true
    let columns = try ColumnResolver(source: source, file: file).place { (reference, key) throws(SourceError) in
      if isNumber {
        isNumber = false
        return 0
      }
      var alternatives: [VCardColumn] = []
      for (name, part) in try cardColumns(reference, key: key) {
        let known = properties.firstIndex(of: name)
        if known == nil { properties.append(name) }
        alternatives.append(VCardColumn(property: known ?? properties.count - 1, part: part))
      }
      fields.append(alternatives)
      return fields.count
    }
    let syntax = VCardSyntax(
      lineEnd: lineEnd, properties: properties, fields: fields, encoding: Self.textEncoding(source.encoding),
      isConverted: source.encoding != nil && source.encoding != .utf8)
    return columns.layout(.vcard(syntax))
  }

  /// The encoding of quoted-printable bytes in a file of the given encoding. Programs that write UTF-16 put UTF-8 there.
  private static func textEncoding(_ encoding: TextEncoding?) -> TextEncoding? {
    switch encoding {
    case nil, .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian: nil
    case .windows1251, .windows1252, .latin1, .gb18030, .koi8r: encoding
    }
  }

  /// Stands for the name that is shown for a card.
  private static let shownName = ColumnReference.name("")

  private func cardColumns(
    _ reference: ColumnReference, key: String
  ) throws(SourceError) -> [(name: [UInt8], part: VCardColumn.Part)] {
    if reference == Self.shownName {
      return [(Array("FN".utf8), .text), (Array("N".utf8), .spokenName), (Array("ORG".utf8), .part(0))]
    }
    return [try property(reference, key: key)]
  }

  /// A property and what of it counts.
  private func property(
    _ reference: ColumnReference, key: String
  ) throws(SourceError) -> (name: [UInt8], part: VCardColumn.Part) {
    guard case .name(let text) = reference else {
      throw error(
        key, "the properties of a vCard have no positions", hint: "use a name, for example TEL, FN, ORG, ADR.locality")
    }
    let pieces = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let name = pieces[0].uppercased()
    guard Self.properties.contains(name) || name.hasPrefix("X-") else {
      let nearest = NearestName.find(name, among: Self.properties).map { "did you mean \"\($0)\"?" }
      throw error(
        key, "vCards have no property \"\(name)\"",
        hint: nearest ?? "use for example FN, ORG, CATEGORIES, ADR.locality, or one that begins with X-")
    }
    guard let parts = Self.parts[name] else {
      guard pieces.count == 1 else { throw error(key, "\(name) has no parts", hint: "use \"\(name)\"") }
      return (Array(name.utf8), .text)
    }
    guard pieces.count == 2 else { return (Array(name.utf8), .parts) }
    guard let place = parts.firstIndex(of: pieces[1].lowercased()) else {
      let nearest = NearestName.find(String(pieces[1]), among: parts).map { "did you mean \"\(name).\($0)\"?" }
      throw error(
        key, "\(name) has no part \"\(pieces[1])\"", hint: nearest ?? "its parts are \(parts.joined(separator: ", "))")
    }
    return (Array(name.utf8), .part(place))
  }

  /// Values that are made of parts, with the names of RFC 6350 in short.
  private static let parts: [String: [String]] = [
    "N": ["family", "given", "additional", "prefix", "suffix"],
    "ADR": ["box", "extended", "street", "locality", "region", "code", "country"],
    "ORG": ["name", "unit", "subunit"],
  ]

  /// The properties of vCard 2.1, 3.0 and 4.0 that hold text.
  private static let properties = [
    "ADR", "ANNIVERSARY", "BDAY", "CALADRURI", "CALURI", "CATEGORIES", "CLASS", "EMAIL", "FBURL", "FN", "GENDER", "GEO",
    "IMPP", "KIND", "LABEL", "LANG", "MAILER", "MEMBER", "N", "NAME", "NICKNAME", "NOTE", "ORG", "PRODID", "PROFILE",
    "RELATED", "REV", "ROLE", "SORT-STRING", "SOURCE", "TEL", "TITLE", "TZ", "UID", "URL", "VERSION",
  ]
}
