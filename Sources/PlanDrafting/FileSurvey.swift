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

  private let path: String
  private let head: FileHead
  private var format: SourceFormat
  private var separator: FieldSeparator?
  private var hasHeader = true
  private var records = ""

  /// Countries of one file that get a source each.
  private static let mostCountries = 250

  /// Looks at the file at `path`, which the plan will call `planPath`.
  init(path: String, planPath: String, encoding: TextEncoding?) throws {
    self.path = path
    let stated = SourceFormat(path: path)
    head = try FileHead(path, stated: encoding, isBinary: stated == .twoGIS)
    guard !head.bytes.isEmpty else { throw DraftError(file: path, what: "is empty", hint: "name files that hold rows") }
    let rows: SampledRows
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
    let roles = ColumnRoles(rows)
    guard rows.rows > 0, !roles.numbers.isEmpty || roles.pattern != nil else {
      throw DraftError(
        file: path, what: "holds no column of telephone numbers that can be recognised",
        hint: rows.rows == 0 ? "name a file with rows" : "its columns are \(Self.names(rows.columns)); leave it out")
    }
    draft(rows, roles, stated: stated, planPath: planPath)
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

  private mutating func draft(_ rows: SampledRows, _ roles: ColumnRoles, stated: SourceFormat?, planPath: String) {
    var base = SourceDraft(id: Self.id(path), files: [planPath], ownFormat: format)
    base.format = stated == format ? nil : format
    base.encoding = head.encoding
    base.separator = separator
    base.hasHeader = hasHeader
    base.records = records
    let hasColumns = format == .tsv || format == .csv || format == .json || format == .jsonl
    base.label = hasColumns ? roles.label?.reference : nil
    let hasLabel = base.label != nil || format == .vcard || format == .twoGIS
    base.action = Self.looksLikeBlockList(path, roles.label) || !hasLabel ? (hasLabel ? .both : .block) : .identify
    if base.action != .identify { base.comments.append("it looks like a list of numbers to block") }
    if let area = roles.area, let reference = area.reference, format != .twoGIS {
      base.area = reference
      base.areas = Self.counts(area.texts)
    }
    // What is looked at stands for all of the file.
    let scale = head.scale
    if let pattern = roles.pattern {
      base.pattern = hasColumns ? pattern.reference : nil
      // Labels for millions of numbers are rarely meant.
      base.action = .block
      base.comments.append("its patterns are \(pattern.texts[0]) and the like; to label them add \"label\"")
      finish(&base, pattern.texts.map { $0.replacing("#", with: "0").replacing("*", with: "") })
      base.spans = pattern.texts.compactMap(Self.span).sorted { $0.lowerBound < $1.lowerBound }
      let numbers = base.spans.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) + 1 }
      base.expectedNumbers = Int(Double(numbers) * scale)
      drafts.append(base)
      return
    }
    for (index, column) in roles.numbers.enumerated() {
      var draft = base
      if index > 0 { draft.id = Self.id(path, "\(index + 1)") }
      draft.number = format == .vcard || !hasColumns ? nil : column.reference
      draft.expectedNumbers = Int(Double(column.texts.count) * scale)
      if let country = roles.country, Self.needsCountry(column.texts) {
        split(draft, column, by: country)
      } else {
        finish(&draft, column.texts)
        drafts.append(draft)
      }
    }
  }

  /// A draft per country of a column that names them.
  private mutating func split(_ draft: SourceDraft, _ column: SampledRows.Column, by country: SampledRows.Column) {
    var texts: [String: [String]] = [:]
    for (row, names) in country.cells.enumerated() where row < column.cells.count {
      guard let name = names.first, !name.isEmpty else { continue }
      texts[name, default: []] += column.cells[row].filter { !$0.isEmpty }
    }
    let found = texts.filter { !$0.value.isEmpty }.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (name, own) in found.prefix(Self.mostCountries) {
      guard let reference = country.reference, let region = RegionCode(name) else { continue }
      var part = draft
      part.id = Self.id(path, name.lowercased())
      part.filter = (reference, name)
      part.expectedNumbers = own.count
      part.comments.append("rows whose country is \(name)")
      finish(&part, own, country: region)
      drafts.append(part)
    }
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
      for separator in [nil, ", ", ",", ";", "/", "|"] as [String?] {
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

  private static func looksLikeBlockList(_ path: String, _ label: SampledRows.Column?) -> Bool {
    let words = path.lowercased().split { !$0.isLetter }.map(String.init)
    let names = ["spam", "block", "blocklist", "blacklist", "junk", "dnc", "nuisance", "scam", "robocall", "tellows"]
    return words.contains { names.contains($0) }
  }

  private static func counts(_ texts: [String]) -> [(value: String, rows: Int)] {
    Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, $0.value) }
  }

  /// The numbers of a pattern of international digits and `#`.
  private static func span(_ text: String) -> ClosedRange<Int64>? {
    let signs = text.filter { $0.isASCII && $0.isNumber || $0 == "#" }
    guard signs.count <= 15, let first = Int64(signs.replacing("#", with: "0")),
      let last = Int64(signs.replacing("#", with: "9")), first <= last
    else { return nil }
    return first...last
  }

  /// An id from a file's name.
  private static func id(_ path: String, _ suffix: String = "") -> String {
    let name = Path.name(of: path).split(separator: ".").first.map(String.init) ?? ""
    let plain = name.unicodeScalars.map {
      $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) ? Character($0) : "-"
    }
    let words = String(plain).split(separator: "-").joined(separator: "-").lowercased()
    let tail = suffix.isEmpty ? "" : "-\(suffix)"
    return String((words.isEmpty ? "source" : words).prefix(ProviderID.maximumLength - 8)) + tail
  }
}
