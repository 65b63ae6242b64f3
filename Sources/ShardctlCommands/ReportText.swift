internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectorySources
internal import ProviderHost
internal import ShardPlanning

/// Reports as text for people.
enum ReportText {
  /// What a plan comes to.
  static func lines(_ report: PlanReport, bytesAreEstimates: Bool) -> [String] {
    var lines = split(report, bytesAreEstimates: bytesAreEstimates)
    lines += accounts(report)
    if let base = report.base { lines += changes(report, base) }
    lines += LayoutText.lines(report, bytesAreEstimates: bytesAreEstimates)
    return lines
  }

  /// Who gets what.
  static func split(_ report: PlanReport, bytesAreEstimates: Bool) -> [String] {
    var table = TextTable([
      ("provider", .left), ("entries", .right), ("blocking", .right), ("labels", .right), ("limit", .right),
      ("fill", .right), (bytesAreEstimates ? "size about" : "size", .right), ("", .left),
    ])
    for provider in report.providers {
      let placement = provider.placement
      table.add([
        placement.id.rawValue, grouped(placement.counts.total), grouped(placement.counts.blocking),
        grouped(placement.counts.identification), grouped(placement.limit), percent(provider.fill),
        megabytes(provider.bytes), remark(provider),
      ])
    }
    var lines = table.lines
    for overlap in report.overlaps {
      lines.append(
        "overlap: \(plural(overlap.entries.total, "entry", "entries")) claimed by both \(overlap.first) and "
          + "\(overlap.second)")
    }
    for provider in report.providers { lines += PackText.lines(provider) }
    for group in report.groups where !group.isPinned {
      lines.append(
        "copies: \(group.id) has \(grouped(group.copies)); \"count\": \(group.copies) would pin that")
    }
    return lines
  }

  private static func remark(_ provider: PlanReport.Provider) -> String {
    var remarks: [String] = []
    if provider.isNearlyFull { remarks.append("nearly full") }
    if provider.placement.counts.total == 0 { remarks.append("no entries") }
    if provider.placement.leftToOthers > 0 {
      remarks.append("no room for \(grouped(provider.placement.leftToOthers)), which its spill target has too")
    }
    if provider.placement.spilledIn > 0 { remarks.append("\(grouped(provider.placement.spilledIn)) spilled in") }
    return remarks.joined(separator: ", ")
  }

  private static func accounts(_ report: PlanReport) -> [String] {
    let total = report.accounts.total
    var lines = [
      "\(grouped(total.read)) read = \(grouped(total.used)) used + \(grouped(total.merged)) merged + "
        + "\(grouped(total.removed)) removed + \(grouped(total.dropped)) dropped + "
        + "\(grouped(total.unclaimed)) unclaimed + \(grouped(total.refused)) refused"
    ]
    let filtered = report.accounts.sources.filter { $0.filteredRows > 0 }
    for source in filtered.prefix(mostFiltered) {
      lines.append("where: \(plural(source.filteredRows, "row")) of \(source.id) left out")
    }
    if filtered.count > mostFiltered {
      lines.append("where: rows of \(plural(filtered.count - mostFiltered, "more source")) left out")
    }
    for price in report.ranges {
      lines.append(
        "priced: \(price.source): \(plural(price.rows, "pattern or range", "patterns and ranges")) of "
          + "\(plural(price.numbers, "number")), \(grouped(price.covered)) without repeats")
    }
    for group in report.refusals { lines += self.lines(group, "refused") }
    for group in report.reading.notes { lines += self.lines(group, "note") }
    lines += dropped(report)
    if report.repeatedLabels > 0 {
      lines.append(
        "note: \(plural(report.repeatedLabels, "number has", "numbers have")) the same label from several rows")
    }
    if report.conflictingLabels > 0 {
      lines.append("note: \(plural(report.conflictingLabels, "number has", "numbers have")) more than one label")
    }
    let cuts = report.cuts
    if cuts.allowed + cuts.removed + cuts.withoutEffect > 0 {
      let samples = cuts.withoutEffectSamples.map(\.description).joined(separator: ", ")
      lines.append(
        "cuts: \(plural(cuts.allowed, "block")) taken away by allow, \(plural(cuts.removed, "number")) by remove, "
          + "\(grouped(cuts.withoutEffect)) without effect" + (samples.isEmpty ? "" : " (\(samples))"))
    }
    return lines
  }

  private static func dropped(_ report: PlanReport) -> [String] {
    var lines: [String] = []
    if report.dropped > 0 {
      lines.append("dropped: \(grouped(report.dropped)) × no room for the label; the lowest score goes first")
      lines += report.droppedExamples.map { example in
        "  \(example.file):\(example.line)  \(example.number)  "
          + (example.score.map { "score \(score($0))" } ?? "no score")
      }
    }
    if report.labelsOfBlocked > 0 {
      lines.append("dropped: \(grouped(report.labelsOfBlocked)) × the label of a blocked number (dropLabelsOfBlocked)")
    }
    return lines
  }

  /// A score as a source would write it: whole where it is.
  static func score(_ score: Double) -> String { Int(exactly: score).map(String.init) ?? "\(score)" }

  private static func lines(_ group: FindingGroup, _ word: String) -> [String] {
    let head = "\(word): \(grouped(group.count)) × \(group.finding.text)"
    return [head]
      + group.examples.map { example in
        let raw = example.raw.isEmpty ? "" : "  \(PrintableText.oneLine(example.raw))"
        let reason = self.detail(example.reason, beside: group.finding.text)
        return "  \(example.place)\(raw)\(reason)"
      }
  }

  /// What the reason of an example says beyond its group, in brackets.
  private static func detail(_ reason: String, beside text: String) -> String {
    let rest = reason.hasPrefix(text) ? reason.dropFirst(text.count).drop { $0 == " " } : reason[...]
    if rest.isEmpty { return "" }
    return rest.first == "(" && rest.last == ")" ? "  \(rest)" : "  (\(rest))"
  }

  /// What loads came to, one line each.
  static func lines(_ loads: [ProviderLoad]) -> [String] {
    loads.flatMap { load -> [String] in
      guard case .accepted(let result, _) = load.outcome else {
        return [PrintableText.oneLine(load.problem ?? "\(load.id): not loaded")]
      }
      return [
        "\(load.id): accepted, \(plural(result.counts.total, "entry", "entries")), \(seconds(result.seconds)), "
          + "peak memory \(grouped((result.peakMemory + 1023) / 1024)) kB"
      ] + load.warnings.map { "  warning: \(PrintableText.oneLine($0))" }
    }
  }

  /// Sources whose filtered rows are counted one by one.
  private static let mostFiltered = 5

  /// An integer with thousands apart.
  static func grouped(_ number: Int) -> String { ProgressLine.grouped(number) }

  /// A share in percent with one decimal.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// Bytes as megabytes with one decimal, or as kilobytes where that says more.
  static func megabytes(_ bytes: Int) -> String {
    if bytes < 1_000_000 { return "\((bytes + 999) / 1_000) kB" }
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  /// Seconds with two decimals.
  static func seconds(_ seconds: Double) -> String {
    "\(decimals(hundredths: Int((seconds * 100).rounded()))) s"
  }

  /// Hundredths as a number with two decimals.
  static func decimals(hundredths: Int) -> String {
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
