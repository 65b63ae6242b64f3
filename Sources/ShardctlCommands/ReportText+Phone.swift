internal import CallDirectory
internal import CommandLineKit
internal import DirectoryPublishing

/// What a plan costs a phone, and what a change of its settings does.
extension ReportText {
  /// A row for each provider and one for all.
  static func phoneCost(_ cost: PhoneCost) -> [String] {
    var table = TextTable([
      ("on a phone", .left), ("download", .right), ("update about", .right), ("disk peak", .right), ("load", .right),
      ("incremental", .right),
    ])
    func add(_ name: String, _ download: Int, _ update: Int?, _ disk: Int, _ load: Double, _ incremental: Double?) {
      table.add([
        name, megabytes(download), update.map(megabytes) ?? "–", megabytes(disk), loadTime(load),
        incremental.map(loadTime) ?? "–",
      ])
    }
    for provider in cost.providers {
      add(
        provider.id.rawValue, provider.downloadBytes, provider.updateBytes, provider.diskPeakBytes,
        provider.loadSeconds, provider.incrementalSeconds)
    }
    if cost.providers.count != 1 || cost.goneBytes > 0 {
      add(
        "in all", cost.downloadBytes, cost.updateBytes, cost.diskPeakBytes, cost.loadSeconds, cost.incrementalSeconds)
    }
    return table.lines
  }

  /// `3.0 s`, `1 min 24 s`.
  private static func loadTime(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole >= 60 { return "\(whole / 60) min \(whole % 60) s" }
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// What the settings change does, with the first numbers.
  static func settingsEffect(_ effect: SettingsEffect) -> [String] {
    func ids(_ ids: [ProviderID]) -> String { ids.map(\.rawValue).joined(separator: ", ") }
    var change: [String] = []
    if !effect.change.without.isEmpty { change.append("without \(ids(effect.change.without))") }
    if !effect.change.order.isEmpty { change.append("\(ids(effect.change.order)) first") }
    let lost = effect.lostLabels.count + effect.lostBlocks.count + effect.changedLabels.count
    let head =
      "\(change.joined(separator: ", ")): of \(plural(effect.numbers, "number")) "
      + (lost == 0
        ? "none changes"
        : "\(grouped(effect.lostLabels.count)) lose their label, \(grouped(effect.changedLabels.count)) get another, "
          + "\(grouped(effect.lostBlocks.count)) lose their block")
    return [head] + lines("label lost", effect.lostLabels) + lines("other label", effect.changedLabels)
      + lines("block lost", effect.lostBlocks)
  }

  private static func lines(_ word: String, _ group: SettingsEffect.Group) -> [String] {
    var lines = group.samples.map { sample in
      var line = "  \(word): \(sample.number)"
      if let label = sample.label { line += "  \"\(PrintableText.oneLine(label))\"" }
      line += " from \(sample.provider)"
      if let label = sample.newLabel, let provider = sample.newProvider {
        line += ", then \"\(PrintableText.oneLine(label))\" from \(provider)"
      }
      return line
    }
    let more = group.count - group.samples.count
    if more > 0 { lines.append("  and \(grouped(more)) more") }
    return lines
  }
}
