internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering
internal import PositionedJSON
internal import SystemSupport

/// Looks at one file and drafts its sources: one per column of numbers, and where a column names the countries of
/// national numbers, one per country.
struct FileSurvey {
  /// The drafts.
  private(set) var drafts: [SourceDraft] = []
  /// What no source takes, one line each.
  private(set) var omissions: [String] = []

  private let path: String
  private var head: FileHead
  private var format: SourceFormat
  private var separator: FieldSeparator?
  private var hasHeader = true
  private var records = ""

  /// Looks at the file at `path`, which the plan will call `planPath`.
  init(path: String, planPath: String, encoding: TextEncoding?) throws {
    self.path = path
    let stated = SourceFormat(path: path)
    head = try FileHead(path, stated: encoding, isBinary: stated == .twoGIS)
    guard !head.bytes.isEmpty else { throw DraftError(file: path, what: "is empty", hint: "name files that hold rows") }
    var rows: SampledRows
    switch Self.format(of: head.bytes, stated: stated) {
    case .twoGIS:
      format = .twoGIS
      rows = RecordSample.rows(head.bytes)
    case .vcard:
      format = .vcard
      rows = CardSample.rows(String(decoding: head.bytes, as: UTF8.self))
    case .json, .jsonl:
      let isLines = Self.format(of: head.bytes, stated: stated) == .jsonl
      format = isLines ? .jsonl : .json
      do {
        let sample = try JSONSample(head.bytes, isLines: isLines, isWhole: head.isWhole)
        records = sample.records
        rows = sample.rows
      } catch {
        throw DraftError(file: path, what: "is no valid JSON: \(error)", hint: error.hint ?? "mend the file")
      }
    case let known:
      let table = TableSample(String(decoding: head.bytes, as: UTF8.self), format: known, isWhole: head.isWhole)
      format = table.format
      separator = table.separator
      hasHeader = table.hasHeader
      rows = table.rows
    }
    var roles = ColumnRoles(rows)
    if format == .patterns { (roles.pattern, roles.numbers) = (rows.columns.first, []) }
    let isTable = format == .csv || format == .tsv || format == .numbers
    if isTable, let columns = Self.onlyHeader(rows) {
      throw DraftError(
        file: path, what: "has a header and no rows", hint: "its columns are \(columns); name a file that holds rows")
    }
    guard rows.rows > 0, !roles.numbers.isEmpty || roles.pattern != nil else {
      throw DraftError(
        file: path, what: "holds no column of telephone numbers that can be recognised",
        hint: rows.rows == 0 ? "name a file with rows" : "its columns are \(Self.names(rows.columns)); leave it out")
    }
    // The header is one of the rows that were read.
    var isWhole = head.isWhole && rows.rows + 1 < SampledRows.limit
    if !isWhole, isTable, format != .numbers, roles.country != nil,
      roles.numbers.contains(where: { Self.needsCountry($0.texts) })
    {
      // Rows of a country that comes late must not be left out.
      head = try FileHead(path, stated: encoding, isBinary: false, limit: FileHead.wideLimit)
      let text = String(decoding: head.bytes, as: UTF8.self)
      rows = TableSample(text, format: stated, isWhole: head.isWhole, limit: .max).rows
      isWhole = head.isWhole
      roles = roles.columns(of: rows)
    }
    draft(rows, roles, isWhole: isWhole, stated: stated, planPath: planPath)
  }

  /// What the bytes say of the format, which counts more than an extension.
  private static func format(of bytes: ArraySlice<UInt8>, stated: SourceFormat?) -> SourceFormat? {
    if stated == .twoGIS { return stated }
    let start = bytes.drop { $0 <= 0x20 }
    if start.prefix(11).map({ $0 >= 0x61 ? $0 & 0xDF : $0 }).elementsEqual("BEGIN:VCARD".utf8) { return .vcard }
    guard let first = start.first, first == 0x7B || first == 0x5B, stated != .csv, stated != .tsv else { return stated }
    if stated != nil { return stated == .numbers ? .json : stated }
    // Objects on lines of their own are a file of lines.
    let line = start.prefix { $0 != 0x0A }
    return first == 0x7B && line.count < start.count && (try? JSONDocument(Array(line))) != nil ? .jsonl : .json
  }

  /// The names in the only row of a table, where they are no numbers.
  private static func onlyHeader(_ rows: SampledRows) -> String? {
    let cells = rows.columns.flatMap { $0.cells.first ?? [] }
    guard rows.rows == 1, !rows.columns.contains(where: { if case .name = $0.reference { true } else { false } }),
      cells.contains(where: { $0.contains(where: \.isLetter) }), cells.allSatisfy({ NumberShape.digits(in: $0) <= 4 })
    else { return nil }
    return cells.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  private static func names(_ columns: [SampledRows.Column]) -> String {
    columns.prefix(20).map { column in
      switch column.reference {
      case .name(let name): "\"\(name)\""
      case .position(let position): "\(position)"
      case nil: "lines"
      }
    }.joined(separator: ", ")
  }

  // MARK: Drafts

  private mutating func draft(
    _ rows: SampledRows, _ roles: ColumnRoles, isWhole: Bool, stated: SourceFormat?, planPath: String
  ) {
    var base = SourceDraft(id: Self.id(path), files: [planPath], ownFormat: format)
    base.format = stated == format ? nil : format
    base.encoding = head.encoding
    base.separator = separator
    base.hasHeader = hasHeader
    base.records = records
    let hasColumns = format == .tsv || format == .csv || format == .json || format == .jsonl
    base.label = hasColumns ? roles.label?.reference : nil
    let hasLabel = base.label != nil || format == .vcard || format == .twoGIS
    let reasons = [
      Self.blockWord(in: path).map { "its name says \"\($0)\"" }, roles.pattern.map { _ in "it holds patterns" },
      hasLabel ? nil : "it has no column of labels",
    ].compactMap(\.self)
    if let rule = roles.action, let reference = rule.column.reference, hasColumns {
      base.actionColumn = (reference, rule.values)
    } else if !reasons.isEmpty {
      base.action = hasLabel ? .both : .block
      base.comments.append("it looks like a list of numbers to block: \(reasons.joined(separator: ", "))")
    }
    if hasColumns, let flag = roles.flag { base.advice.append(flag.advice(hasLabel: base.label != nil)) }
    if let area = roles.area, let reference = area.reference, format != .twoGIS {
      base.area = reference
      base.areas = Self.counts(area.texts)
    }
    // What is looked at stands for all of the file.
    let scale = head.scale
    if let pattern = roles.pattern {
      base.pattern = hasColumns ? pattern.reference : nil
      // Labels for millions of numbers are rarely meant, unless each row says what is.
      base.action = .block
      let sign = pattern.texts.first { NumberShape.isPattern($0) } ?? pattern.texts[0]
      base.comments.append("its patterns are \(sign) and the like")
      switch base.actionColumn == nil ? base.label : nil {
      case .name(let name):
        base.comments.append(
          "to show \"\(name)\" beside their numbers add \"label\": \"\(name)\" and \"action\": \"both\"")
      case .position(let place):
        base.comments.append(
          "to show column \(place) beside their numbers add \"label\": \(place) and \"action\": \"both\"")
      case nil: break
      }
      if base.actionColumn == nil { base.label = nil }
      finish(&base, pattern.texts.map(Self.sampleNumber))
      spans(&base, of: pattern.texts, isWhole: isWhole) { (text, reader) throws(PatternRefusal) in
        try reader.ranges(of: text)
      }
      drafts.append(base)
      return
    }
    for (index, column) in roles.numbers.enumerated() {
      var draft = base
      if index > 0 { draft.id = Self.id(path, "\(index + 1)") }
      let range = hasColumns ? roles.range : nil
      if let range, let from = range.from.reference, let to = range.to.reference { draft.range = (from, to) }
      draft.number = format == .vcard || !hasColumns || draft.range != nil ? nil : column.reference
      if let ends = roles.doubtfulEnds { draft.comments.append(Self.doubt(ends)) }
      draft.expectedNumbers = Int(Double(column.texts.count) * scale)
      if let country = roles.country, Self.needsCountry(column.texts) {
        split(draft, column, by: country, areas: roles.area, isWhole: isWhole)
      } else {
        finish(&draft, column.texts)
        if let range {
          spans(&draft, of: range.ends, isWhole: isWhole) { (ends, reader) throws(PatternRefusal) in
            try reader.range(from: ends.from, to: ends.to)
          }
        }
        drafts.append(draft)
      }
    }
  }

  /// A draft per value of a column of countries, so that no row with a number is left out.
  private mutating func split(
    _ draft: SourceDraft, _ column: SampledRows.Column, by country: SampledRows.Column, areas: SampledRows.Column?,
    isWhole: Bool
  ) {
    guard let reference = country.reference else { return }
    var texts: [String: [String]] = [:]
    var places: [String: [String]] = [:]
    var rows: [String: Int] = [:]
    for row in column.cells.indices {
      let name = row < country.cells.count ? country.cells[row].first ?? "" : ""
      texts[name, default: []] += column.cells[row].filter { !$0.isEmpty }
      rows[name, default: 0] += 1
      if let areas, row < areas.cells.count { places[name, default: []] += areas.cells[row].filter { !$0.isEmpty } }
    }
    let found = texts.filter { !$0.value.isEmpty }.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (name, own) in found {
      var part = draft
      part.id = Self.id(path, name.isEmpty ? "none" : name.lowercased())
      part.filter = (reference, [name])
      part.areas = Self.counts(places[name] ?? [])
      part.expectedNumbers = Int(Double(own.count) * head.scale)
      part.comments.append(name.isEmpty ? "rows that name no country" : "rows whose country is \(name)")
      finish(&part, own, country: RegionCode(name))
      drafts.append(part)
    }
    if !isWhole {
      let known = Set(found.map(\.key))
      var part = draft
      part.id = Self.id(path, "others")
      part.filter = (reference, (RegionCode.all.map(\.rawValue) + [""]).filter { !known.contains($0) })
      part.areas = []
      part.expectedNumbers = 0
      part.isRemainder = true
      part.comments.append(
        "rows of countries that the first \(column.cells.count) rows do not show; their national numbers are refused until "
          + "each has a source with its \"country\"")
      drafts.append(part)
    }
    let silent = rows.filter { texts[$0.key]?.isEmpty ?? true }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard isWhole, !silent.isEmpty else { return }
    let count = silent.reduce(0) { $0 + $1.value }
    let list = silent.map { "\($0.key.isEmpty ? "no country" : $0.key) \($0.value)" }.joined(separator: ", ")
    omissions.append(
      "\(path): \(count) \(count == 1 ? "row has" : "rows have") no source, because no row of "
        + "\(count == 1 ? "its" : "their") country has a number: " + list)
  }

  /// Country, remarks and several numbers of one column.
  private func finish(_ draft: inout SourceDraft, _ texts: [String], country: RegionCode? = nil) {
    if let country {
      draft.country = country
    } else if format != .twoGIS {
      let token = Path.name(of: path).split { !$0.isLetter }.first.map { $0.uppercased() } ?? ""
      let guess = CountryGuess(texts, hints: [RegionCode(token)].compactMap(\.self))
      draft.country = guess.region
      draft.lacksPlus = guess.lacksPlus
      if guess.lacksPlus {
        draft.comments.append("its numbers seem to be international without the plus")
      } else if let region = guess.region {
        let rivals = guess.rivals.prefix(6).map(\.rawValue).joined(separator: ", ")
        draft.comments.append(
          "country \(region) is a guess: its rules accept \(Int(guess.share * 100)) % of the national numbers"
            + (rivals.isEmpty ? "" : "; \(rivals) fit as well"))
      } else if guess.share < 1 {
        draft.comments.append("no country fits its national numbers: add \"country\"")
      }
    }
    var options = NormalisationOptions()
    options.region = draft.country
    if draft.lacksPlus { options.interpretation = .international }
    let sample = texts.prefix(1000)
    let refusals = sample.map { Self.refusal($0, options) }
    if refusals.contains(where: { $0 != nil && $0 != .empty }) {
      // The simplest reading that finds the most numbers in cells of which nothing is refused.
      var most = refusals.count { $0 == nil }
      // An end of a range is one number.
      for separator in draft.range == nil ? [nil, ", ", ",", ";", "/", "|"] : [nil] as [String?] {
        for strips in [false, true] where separator != nil || strips {
          options.remarkHandling = strips ? .strip : .refuse
          let accepted = sample.reduce(0) { count, text in
            let pieces = separator.map { Self.pieces(of: text, $0) } ?? [text]
            return pieces.allSatisfy { Self.refusal($0, options) == nil } ? count + pieces.count : count
          }
          guard accepted > most else { continue }
          most = accepted
          (draft.numberSeparator, draft.stripsRemarks) = (separator, strips)
        }
      }
    }
    let short = refusals.count { $0 == .shortCode }
    if short > 0 {
      draft.comments.append(
        "\(short == 1 ? "1 short code is" : "\(short) short codes are") refused; "
          + "\"shortCodes\": true takes \(short == 1 ? "it" : "them") as dialled")
    }
  }

  private static func pieces(of text: String, _ separator: String) -> [String] {
    var pieces: [String] = []
    var rest = text[...]
    while let range = rest.firstRange(of: separator) {
      pieces.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return (pieces + [String(rest)]).filter { !$0.trimmedBlanks.isEmpty }
  }

  private static func refusal(_ text: String, _ options: NormalisationOptions) -> NumberRefusal? {
    do throws(NumberRefusal) {
      _ = try PhoneNormaliser(options).normalise(text)
      return nil
    } catch {
      return error
    }
  }

  /// Whether numbers of the column are written without their country.
  private static func needsCountry(_ texts: [String]) -> Bool {
    let open = NormalisationOptions()
    return texts.prefix(500).count { refusal($0, open) != nil && NumberShape.isNumber($0) } * 5 > min(texts.count, 500)
  }

  /// The word in a file's own name that says its numbers are to be blocked.
  private static func blockWord(in path: String) -> String? {
    let words = Path.name(of: path).lowercased().split { !$0.isLetter }.map(String.init)
    let names = [
      "spam", "spammers", "block", "blocked", "blocklist", "blacklist", "junk", "dnc", "nuisance", "scam", "robocall",
      "robocalls", "tellows",
    ]
    return words.first { names.contains($0) }
  }

  private static func counts(_ texts: [String]) -> [(value: String, rows: Int)] {
    Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, $0.value) }
  }

  /// Patterns whose numbers are worked out; what more there are stand for themselves.
  private static let mostPatterns = 5000

  /// A number of a pattern.
  private static func sampleNumber(_ text: String) -> String {
    if !text.contains("#"), !text.hasSuffix("*"), NumberShape.isPattern(text) {
      return String(text.split(separator: "-").first ?? "")
    }
    var digits = text.replacing("#", with: "0")
    guard digits.hasSuffix("*") else { return digits }
    digits.removeLast()
    return digits + String(repeating: "0", count: max(0, 11 - NumberShape.digits(in: digits)))
  }

  private static func doubt(_ ends: RangeColumns) -> String {
    let names = [ends.from, ends.to].map { column in
      if case .name(let name) = column.reference { "\"\(name)\"" } else { "" }
    }
    return "its columns \(names[0]) and \(names[1]) are named like the ends of ranges, and their cells are none: only "
      + "\(names[0]) is read; for ranges write \"from\" and \"to\" in place of \"number\""
  }

  /// The numbers that patterns, or rows with two ends, come to, and what is wrong with those that come to none.
  private func spans<Text>(
    _ draft: inout SourceDraft, of texts: [Text], isWhole: Bool,
    ranges: (Text, PatternNormaliser) throws(PatternRefusal) -> NumberRanges
  ) {
    var options = NormalisationOptions()
    options.region = draft.country
    if draft.lacksPlus { options.interpretation = .international }
    let reader = PatternNormaliser(PhoneNormaliser(options))
    var refused = 0
    var example: (text: Text, reason: String)?
    for text in texts.prefix(Self.mostPatterns) {
      do throws(PatternRefusal) {
        draft.spans += try ranges(text, reader).all.map { $0.lowerBound.rawValue...$0.upperBound.rawValue }
      } catch {
        refused += 1
        example = example ?? (text, error.reason)
      }
    }
    if let example {
      let sign = (example.text as? String).map { ", for example \($0)" } ?? ""
      draft.comments.append(
        "\(refused) of \(min(texts.count, Self.mostPatterns)) will be refused\(sign): \(example.reason)")
    }
    draft.spans.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    draft.hasAllSpans = isWhole && texts.count <= Self.mostPatterns
    let numbers = draft.spans.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) + 1 }
    let share = Double(texts.count) / Double(max(1, min(texts.count, Self.mostPatterns)))
    draft.expectedNumbers = Int(Double(numbers) * head.scale * share)
  }

  /// An id from a file's name.
  private static func id(_ path: String, _ suffix: String = "") -> String {
    let name = Path.name(of: path).split(separator: ".").first.map(String.init) ?? ""
    let tail = suffix.isEmpty ? "" : "-\(words(suffix))"
    let start = words(name)
    return String((start.isEmpty ? "source" : start).prefix(ProviderID.maximumLength - 8)) + String(tail.prefix(8))
  }

  private static func words(_ text: String) -> String {
    let plain = text.unicodeScalars.map {
      $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) ? Character($0) : "-"
    }
    return String(plain).split(separator: "-").joined(separator: "-").lowercased()
  }
}
