internal import CallDirectory
internal import CommandLineKit
internal import DirectoryPublishing
internal import ShardPlanning

/// What changed since the base release (B-056), and a run in one line.
extension ReportText {
  /// Old and new counts in all and by source.
  static func changes(_ report: PlanReport, _ base: Int) -> [String] {
    let reloads = report.reloads.map(\.rawValue).joined(separator: ", ")
    let before = report.baseEntries ?? 0
    let head =
      "against release \(base): \(plural(report.entries, "entry", "entries")), before \(grouped(before)) "
      + "(\(change(report.entries, before))); \(grouped(report.moved)) moved to another provider, "
      + (reloads.isEmpty ? "no provider needs a reload" : "to reload: \(reloads)")
    var table = TextTable([
      ("source", .left), ("used", .right), ("before", .right), ("change", .right), ("refused", .right),
      ("before", .right),
    ])
    for source in report.changes {
      let (now, then) = (source.after, source.before)
      table.add([
        source.id, now.map { grouped($0.used) } ?? "–", then.map { grouped($0.used) } ?? "–",
        now == nil ? "gone" : then == nil ? "new" : change(now?.used ?? 0, then?.used ?? 0),
        now.map { grouped($0.refused) } ?? "–", then.map { grouped($0.refused) } ?? "–",
      ])
    }
    return [head] + table.lines
      + report.baseProblems.map { problem in
        "note: \(PrintableText.oneLine(problem)); entries of that shard are placed as if they were new"
      }
  }

  /// What to say of providers that are nearly full.
  static func warnings(_ report: PlanReport) -> [String] {
    report.providers.filter(\.isNearlyFull).map { provider in
      "warning: \(provider.placement.id) is nearly full: \(grouped(provider.limitedEntries)) of "
        + "\(grouped(provider.placement.limit)) entries (\(percent(provider.fill)), warnAt \(percent(provider.warnAt)))"
    }
  }

  /// What to say of a guard that `--accept-change` overruled.
  static func accepted(_ breach: GuardBreach) -> String {
    "accepted: \(breach)" + (breach.kind == .rejected ? "; \(GuardBreach.staysRejected)" : "")
  }

  /// How far `now` is from `before`, in percent with one decimal: `+1.5 %`, `-30.0 %`, `=`.
  static func change(_ now: Int, _ before: Int) -> String {
    if now == before { return "=" }
    guard before > 0 else { return "from none" }
    let share = Double(abs(now - before)) / Double(before)
    guard share < 1e12 else { return "+\(grouped(now - before))" }
    return (now > before ? "+" : "-") + percent(share)
  }

  /// A run in one line, for logs: what it came to, entries, refused occurrences and what changed.
  static func summary(_ outcome: String, _ report: PlanReport, _ more: [String] = []) -> String {
    var parts = ["\(plural(report.entries, "entry", "entries"))"]
    if let base = report.base {
      parts[0] += " (\(change(report.entries, report.baseEntries ?? 0)) against release \(base))"
    }
    parts.append("\(grouped(report.accounts.total.refused)) refused")
    if report.base != nil {
      parts.append("\(grouped(report.moved)) moved")
      parts.append("\(plural(report.reloads.count, "provider")) changed")
    }
    let full = report.providers.count(where: \.isNearlyFull)
    let last = full > 0 ? ["\(plural(full, "provider")) nearly full"] : []
    return "\(outcome): \((parts + more + last).joined(separator: ", "))"
  }

  /// `1 provider`, `2 providers`.
  static func plural(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? one : many ?? "\(one)s")"
  }
}
