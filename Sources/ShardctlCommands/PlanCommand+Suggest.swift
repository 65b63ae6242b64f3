internal import CallDirectory
internal import CommandLineKit
internal import DirectoryPublishing
internal import PositionedJSON

/// `shardctl plan --suggest`.
extension PlanCommand {
  static func suggestion(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
    let others = [
      ("--fresh", arguments[PlanContext.freshOption]), ("--base", arguments[PlanContext.baseOption] != nil),
      ("--rejects", arguments[PlanContext.rejectsOption] != nil),
      ("--conflicts", arguments[PlanContext.conflictsOption] != nil),
    ]
    if let other = others.first(where: \.1) {
      throw Diagnostic(other.0, "has no effect with --suggest", hint: "leave one of them out", status: .usage)
    }
    let context = try PlanContext(arguments)
    let suggestion = try context.publisher(arguments, console).suggestion(
      limit: arguments[limitOption] ?? EntryLimit.maximum)
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      suggestion.write(to: &json)
      try console.print(json)
      return .success
    }
    if !arguments[StandardOptions.quiet] {
      for line in lines(suggestion) { try console.print(line) }
    }
    try console.print("\"providers\": \(String(decoding: suggestion.fragment.dropLast(), as: UTF8.self))")
    return .success
  }

  private static func lines(_ suggestion: ProviderSuggestion) -> [String] {
    var table = TextTable([
      ("provider", .left), ("areas", .right), ("entries", .right), ("blocking", .right), ("labels", .right),
      ("fill", .right), ("", .left),
    ])
    for placed in suggestion.placed {
      let provider = suggestion.providers[placed.provider]
      table.add([
        placed.id.rawValue, ReportText.grouped(provider.areas.count), ReportText.grouped(placed.counts.total),
        ReportText.grouped(placed.counts.blocking), ReportText.grouped(placed.counts.identification),
        ReportText.percent(Double(placed.counts.total) / Double(suggestion.limit)), remark(provider),
      ])
    }
    let count = suggestion.placed.count
    var summary =
      "\(ReportText.plural(suggestion.entries, "entry", "entries")) of \(ReportText.plural(suggestion.areas, "area")), "
      + "\(ReportText.grouped(suggestion.withoutArea)) without area: \(ReportText.plural(count, "provider")) of "
      + "\(ReportText.grouped(suggestion.limit)) at most"
    if suggestion.isOptimal {
      let isSplit = suggestion.providers.contains { $0.copies > 1 }
      summary += ", the fewest that hold them with \(isSplit ? "every area whole that fits" : "whole areas")"
    } else {
      summary += "; fewer than \(ReportText.grouped(suggestion.lowerBound)) cannot hold them"
    }
    var lines = table.lines + [summary]
    if !suggestion.sizesAreExact {
      lines.append("note: too many areas share entries; some were counted in each, so areas may be smaller together")
    }
    return lines
  }

  private static func remark(_ provider: ProviderSuggestion.Provider) -> String {
    var remarks = [provider.title]
    if provider.takesRest { remarks.append("and the rest") }
    if !provider.spillsTo.isEmpty {
      remarks.append("spills to \(provider.spillsTo.map(\.rawValue).joined(separator: ", "))")
    }
    return remarks.joined(separator: ", ")
  }
}
