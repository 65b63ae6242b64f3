internal import CallDirectory
internal import DirectoryPublishing
internal import ShardPlanning

/// Layouts in reports, and what starts off on phones.
enum LayoutText {
  /// What a report says of entries that start off and of the layouts.
  static func lines(_ report: PlanReport, bytesAreEstimates: Bool) -> [String] {
    report.startingOff.map(line)
      + report.layouts.flatMap { layout in
        let own = layout.report
        let shared = layout.shared > 0 ? ", \(ReportText.grouped(layout.shared)) of them shared" : ""
        var lines = ["layout \(layout.name): \(ReportText.plural(own.providers.count, "shard"))\(shared)"]
        lines += ReportText.split(own, bytesAreEstimates: bytesAreEstimates).map { "  \($0)" }
        lines += left(own).map { "  \($0)" }
        if own.base != nil { lines.append("  \(changes(own))") }
        return lines + (own.startingOff + layout.startingOff).map { "  \(line($0))" }
      }
  }

  /// What of the rows is nowhere under a layout.
  private static func left(_ report: PlanReport) -> [String] {
    let total = report.accounts.total
    guard total.dropped + total.unclaimed > 0 else { return [] }
    return ["\(ReportText.grouped(total.dropped)) dropped, \(ReportText.grouped(total.unclaimed)) unclaimed"]
  }

  private static func changes(_ report: PlanReport) -> String {
    let reloads = report.reloads.map(\.rawValue).joined(separator: ", ")
    return
      "moved: \(ReportText.plural(report.moved, "entry", "entries")); reloads: \(reloads.isEmpty ? "none" : reloads)"
  }

  private static func line(_ item: StartingOff) -> String {
    let origin =
      switch item.origin {
      case .release(let release): "phones with release \(release)"
      case .layout(let layout): "phones that are updated from the layout \(layout)"
      }
    let samples = item.samples.map(\.description).joined(separator: ", ")
    return
      "starts off: \(ReportText.plural(item.entries.total, "entry moves", "entries move")) into \(item.provider), which "
      + "\(origin) do not have: it is off there until it is turned on (\(samples))"
  }
}
