internal import CallDirectory
internal import CommandLineKit
internal import DirectoryPublishing
internal import PhoneNumbering
internal import PositionedJSON
internal import ShardPlanning

/// The answer of `explain` to one number, as text and as JSON.
struct NumberExplanation {
  static let schema = "shardctl.explain/1"

  let question: NumberQuestion
  /// What became of the numbers that were asked for.
  let histories: [NumberHistory]
  /// What the phone does; nil when nothing is installed.
  let lookup: LookupAnswer?

  // MARK: Text

  var lines: [String] {
    var lines = [normalisation]
    for (index, history) in histories.enumerated() where index == 0 || !history.rows.isEmpty {
      lines += self.lines(history)
    }
    lines.append("on the phone:")
    lines += lookup.map { $0.lines.map { "  \($0)" } } ?? ["  nothing has been applied yet"]
    return lines
  }

  /// Refused rows that are listed in text.
  private static let mostRefused = 5

  /// A row's text on one line, cut where it is long.
  private static func shown(_ text: String) -> String { PrintableText.limited(PrintableText.oneLine(text), to: 300) }

  private var normalisation: String {
    let country = question.region.map { " in \($0.rawValue)" } ?? ""
    return switch question.outcome {
    case .success(let result):
      "\(PrintableText.oneLine(question.query))\(country): \(result.number)"
        + (result.notes.isEmpty ? "" : "  (\(result.notes))")
    case .failure(let refusal): "\(PrintableText.oneLine(question.query))\(country): \(refusal.reason)"
    }
  }

  private func lines(_ history: NumberHistory) -> [String] {
    let isOther = history.number != question.numbers[0] && question.forms.contains(history.number)
    let name = isOther ? "\(history.number), the other form of the line" : "\(history.number)"
    var lines = [history.rows.isEmpty ? "no row names \(name)" : "rows that name \(name):"]
    for row in history.rows {
      var line = "  \(row.file):\(row.line)  \(row.source)  \(row.action.rawValue)"
      if !row.label.isEmpty { line += "  label \"\(PrintableText.oneLine(row.label))\"" }
      if !row.area.isEmpty { line += "  area \"\(PrintableText.oneLine(row.area))\"" }
      if let score = row.score { line += "  score \(score)" }
      lines.append(line)
      lines.append("    \(Self.shown(row.text))")
      let remarks = [numbers(of: row), row.notes].filter { !$0.isEmpty }
      if !remarks.isEmpty {
        lines.append("    \(PrintableText.oneLine(row.cell)): \(remarks.joined(separator: "; "))")
      }
    }
    if !history.refused.isEmpty { lines.append("refused rows with the digits of \(history.number):") }
    for row in history.refused.prefix(Self.mostRefused) {
      lines.append("  \(row.file):\(row.line)\(row.column.map { ":\($0)" } ?? "")  \(row.source)  \(row.reason)")
      lines.append("    \(Self.shown(row.text))")
    }
    if history.refused.count > Self.mostRefused {
      lines.append("  and \(ReportText.grouped(history.refused.count - Self.mostRefused)) more, see --json")
    }
    for family in history.placement?.families ?? [] where family.absence != .notAsked {
      lines += self.lines(family, history.rows)
      for packs in history.packs where packs.family == family.family {
        let name = family.family == .blocking ? "block" : "label"
        lines.append(
          "\(name): packs of \(packs.provider): \(PrintableText.oneLine(packs.names.joined(separator: ", ")))")
      }
    }
    return lines
  }

  /// The numbers of a row that names several as one.
  private func numbers(of row: NumberHistory.Row) -> String {
    let (first, last) = (row.numbers.lowerBound, row.numbers.upperBound)
    if first == last { return "" }
    return "\(first)–\(last), \(ReportText.grouped(Int(last.rawValue - first.rawValue) + 1)) numbers"
  }

  private func lines(_ family: PlacementExplanation.Family, _ rows: [NumberHistory.Row]) -> [String] {
    let name = family.family == .blocking ? "block" : "label"
    var lines: [String] = []
    func place(_ index: Int) -> String { rows.indices.contains(index) ? "\(rows[index].file):\(rows[index].line)" : "" }
    if let label = family.labelRow, rows.indices.contains(label) {
      lines.append(
        "label: \"\(PrintableText.oneLine(rows[label].label))\" from \(place(label)), \(Self.text(family.labelRule))")
    }
    for claimant in family.claimants {
      let keys =
        claimant.keys.isEmpty
        ? "takes what nobody else claims" : PrintableText.oneLine(claimant.keys.joined(separator: "; "))
      lines.append("\(name): claimed by \(claimant.id): \(keys)")
    }
    for held in family.places {
      var line = "\(name): \(held.reason == .heldByOther ? "not in" : "in") \(held.provider): \(Self.text(held.reason))"
      if let contest = held.contest { line += "; \(Self.text(contest, held.provider))" }
      if let row = held.labelRow, row != family.labelRow, rows.indices.contains(row) {
        line += ", with \"\(PrintableText.oneLine(rows[row].label))\" from its own sources, \(place(row))"
      }
      lines.append(line)
    }
    if let absence = family.absence {
      let cuts = family.cuts.map(place).joined(separator: ", ")
      let drop = family.drop.map { "; \(Self.text($0))" } ?? ""
      lines.append("\(name): not installed: \(Self.text(absence))\(drop)\(cuts.isEmpty ? "" : ", \(cuts)")")
    }
    return lines
  }

  private static func text(_ rule: RepeatRule) -> String {
    switch rule {
    case .first: "the first row that has one"
    case .mostFrequent: "the most frequent of its source"
    case .highestScore: "the one with the highest score of its source"
    }
  }

  private static func text(_ reason: PlacementExplanation.Place.Reason) -> String {
    switch reason {
    case .claimant: "it claims the entry and has room"
    case .kept: "it was there in the release before, and need not move"
    case .otherCopy: "the copy whose range has the number is full"
    case .laterClaimant: "the claimants before it are full"
    case .spill: "the claimants are full, and it is where they spill to"
    case .highScore: "it claims the entry, is filled by score, and the score is high enough"
    case .lowScore: "places before it are filled by score, with higher ones"
    case .heldByOther: "it is full, and the provider it spills to has the entry too"
    }
  }

  private static func text(_ contest: PlacementExplanation.Contest, _ provider: ProviderID) -> String {
    let own = contest.score.map { "score \(ReportText.score($0))" } ?? "no score"
    guard let least = contest.least else { return own }
    if contest.provider == provider { return "\(own), the least there is \(ReportText.score(least))" }
    var text = "\(own), the least in \(contest.provider)\(contest.isAmongAlike ? " of those like it" : "")"
    text += " is \(ReportText.score(least))"
    if let margin = contest.margin, margin > 0 {
      text += ", and one that was there yields only to more than \(percent(margin)) higher"
    }
    return text
  }

  private static func text(_ drop: PlacementExplanation.Drop) -> String {
    let own = drop.score.map { "score \(ReportText.score($0))" } ?? "no score"
    guard let border = drop.border else { return own }
    return "\(own), of those like it none below \(ReportText.score(border)) has a place"
      + (drop.score == border ? ", and of equal ones the lower numbers come first" : "")
  }

  private static func percent(_ ratio: Double) -> String {
    let percent = ratio * 100
    return percent == percent.rounded() && percent < 1e9 ? "\(Int(percent)) %" : "\(percent) %"
  }

  private static func text(_ absence: PlacementExplanation.Absence) -> String {
    switch absence {
    case .notAsked: "no row asks for it"
    case .noLabel: "no row has a label"
    case .allowed: "a row allows the number"
    case .removed: "a row removes the number"
    case .unclaimed: "no provider claims it"
    case .dropped: "there is no room, and others have a higher score"
    case .ofBlocked: "the number is blocked, and its claimants want no labels of such (dropLabelsOfBlocked)"
    }
  }

  // MARK: JSON

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("query", question.query)
    json.member("country", question.region?.rawValue)
    switch question.outcome {
    case .success(let result):
      json.member("number", result.number.description)
      json.member("notes", result.notes.isEmpty ? [] : [result.notes.description])
      json.member("reason", String?.none)
    case .failure(let refusal):
      json.member("number", String?.none)
      json.member("notes", [])
      json.member("reason", refusal.reason)
    }
    json.key("histories")
    json.beginArray()
    for history in histories { write(history, to: &json) }
    json.endArray()
    json.key("lookup")
    if let lookup { lookup.write(to: &json) } else { json.null() }
    json.endObject()
  }

  private func write(_ history: NumberHistory, to json: inout JSONWriter) {
    json.beginObject()
    json.member("number", history.number.description)
    json.key("rows")
    json.beginArray()
    for row in history.rows {
      json.beginObject(inline: true)
      json.member("source", row.source)
      json.member("file", row.file)
      json.member("line", row.line)
      json.member("raw", row.text)
      json.member("cell", row.cell)
      json.key("range")
      if row.numbers.lowerBound < row.numbers.upperBound {
        json.beginObject(inline: true)
        json.member("first", row.numbers.lowerBound.description)
        json.member("last", row.numbers.upperBound.description)
        json.endObject()
      } else {
        json.null()
      }
      json.member("notes", row.notes.isEmpty ? [] : [row.notes])
      json.member("action", row.action.rawValue)
      json.member("label", row.label.isEmpty ? nil : row.label)
      json.member("area", row.area.isEmpty ? nil : row.area)
      json.key("score")
      if let score = row.score { json.double(score) } else { json.null() }
      json.endObject()
    }
    json.endArray()
    json.key("refused")
    json.beginArray()
    for row in history.refused {
      json.beginObject(inline: true)
      json.member("source", row.source)
      json.member("file", row.file)
      json.member("line", row.line)
      json.member("column", row.column)
      json.member("raw", row.text)
      json.member("reason", row.reason)
      json.endObject()
    }
    json.endArray()
    json.key("families")
    json.beginArray()
    for family in history.placement?.families ?? [] { write(family, to: &json) }
    json.endArray()
    json.key("packs")
    json.beginArray()
    for packs in history.packs {
      json.beginObject(inline: true)
      json.member("id", packs.provider.rawValue)
      json.member("family", packs.family.description)
      json.member("packs", packs.names)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  /// Rows are named by their positions in `rows`, from 0.
  private func write(_ family: PlacementExplanation.Family, to json: inout JSONWriter) {
    json.beginObject()
    json.member("family", family.family.description)
    write("rows", family.rows, to: &json)
    write("cuts", family.cuts, to: &json)
    json.member("labelRow", family.labelRow)
    json.member("labelRule", family.labelRow == nil ? nil : family.labelRule.rawValue)
    json.key("claimants")
    json.beginArray()
    for claimant in family.claimants {
      json.beginObject(inline: true)
      json.member("id", claimant.id.rawValue)
      json.member("keys", claimant.keys)
      json.endObject()
    }
    json.endArray()
    json.key("places")
    json.beginArray()
    for place in family.places {
      json.beginObject(inline: true)
      json.member("id", place.provider.rawValue)
      json.member("reason", place.reason.rawValue)
      json.member("labelRow", place.labelRow)
      if let contest = place.contest {
        json.key("score")
        if let score = contest.score { json.double(score) } else { json.null() }
        json.member("against", contest.provider.rawValue)
        json.key("leastScore")
        if let least = contest.least { json.double(least) } else { json.null() }
      }
      json.endObject()
    }
    json.endArray()
    json.member("absence", family.absence?.rawValue)
    if let drop = family.drop {
      json.key("score")
      if let score = drop.score { json.double(score) } else { json.null() }
      json.key("noneBelow")
      if let border = drop.border { json.double(border) } else { json.null() }
    }
    json.endObject()
  }

  private func write(_ key: String, _ values: [Int], to json: inout JSONWriter) {
    json.key(key)
    json.beginArray(inline: true)
    for value in values { json.int(value) }
    json.endArray()
  }
}
