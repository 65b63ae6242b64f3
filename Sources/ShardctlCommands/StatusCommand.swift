internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectoryStore
internal import PositionedJSON
internal import SystemSupport

/// `shardctl status`: the phone's settings and what stands behind them.
enum StatusCommand {
  static let command = Command(
    CommandDefinition(
      "status", "show settings order, switches, counts, age and errors", section: "Phone",
      options: [PlanContext.layoutOption],
      exits: [
        CommandDefinition.Exit(.noInput, "nothing has been applied yet"), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption])
    let opened = try context.installer.store.open(includingOff: true)
    let release = try context.installer.currentShare()
    if arguments[StandardOptions.json] {
      try console.print(json(opened, release, context))
    } else {
      for line in text(opened, release, context) { try console.print(line) }
    }
    return .success
  }

  private static func text(
    _ opened: OpenedStore, _ release: ReleaseManifest?, _ context: PlanContext
  ) -> [String] {
    let contents = opened.contents
    var lines = [
      "plan \(contents.plan.name), release in force: \(contents.release.map(String.init) ?? "none")"
        + (release.map { $0.release == contents.release ? "" : ", published: \($0.release) (apply loads it)" } ?? "")
    ]
    if let writer = opened.writer { lines.append("a run is going on: \(writer); shown is the state before it") }
    var table = TextTable([
      ("", .right), ("provider", .left), ("state", .left), ("entries", .right), ("blocking", .right),
      ("labels", .right), ("age", .right), ("", .left),
    ])
    for (position, provider) in opened.providers.enumerated() {
      let receipt = provider.stored.active?.receipt
      table.add([
        String(position + 1), provider.stored.id.rawValue, opened.shownState(of: provider).rawValue,
        ReportText.grouped(receipt?.counts.total ?? 0), ReportText.grouped(receipt?.counts.blocking ?? 0),
        ReportText.grouped(receipt?.counts.identification ?? 0), receipt.map { age($0.loadedAt) } ?? "–",
        isBehind(provider.stored, release)
          ? "not the published shard" + (provider.stored.isOn ? "; `shardctl reload \(provider.stored.id)`" : "") : "",
      ])
    }
    lines += table.lines
    for provider in opened.providers {
      if let problem = provider.problem { lines.append("\(provider.stored.id): \(problem)") }
      if let failure = provider.stored.lastFailure {
        lines.append(
          "\(provider.stored.id): last load failed \(age(failure.failedAt)) ago: \(PrintableText.oneLine(failure.text))"
        )
      }
    }
    return lines + PackText.installed(opened, release, context) + missing(opened)
  }

  /// What is not heard because a provider is off or unavailable (B-087).
  private static func missing(_ opened: OpenedStore) -> [String] {
    opened.providers.compactMap { provider in
      guard provider.state != .on, let counts = provider.stored.active?.receipt.counts, counts.total > 0 else {
        return nil
      }
      return "\(provider.stored.id) is \(provider.state): \(ReportText.grouped(counts.identification)) labels and "
        + "\(ReportText.grouped(counts.blocking)) blocks take no part"
    }
  }

  /// Whether what is installed was loaded from another shard than the published one.
  private static func isBehind(_ provider: StoredProvider, _ release: ReleaseManifest?) -> Bool {
    guard let planned = release?.provider(provider.id) else { return false }
    return provider.active.map { $0.receipt.plannedShard != planned.sha256 } ?? provider.isOn
  }

  private static func age(_ time: Int64) -> String {
    let seconds = max(0, Clock.unixSeconds - time)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  private static func json(
    _ opened: OpenedStore, _ release: ReleaseManifest?, _ context: PlanContext
  ) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", "shardctl.status/1")
    json.member("plan", opened.contents.plan.name)
    json.member("release", opened.contents.release)
    json.member("publishedRelease", release?.release)
    json.member("running", opened.writer?.description)
    json.key("providers")
    json.beginArray()
    for (position, provider) in opened.providers.enumerated() {
      let stored = provider.stored
      let receipt = stored.active?.receipt
      json.beginObject()
      json.member("id", stored.id.rawValue)
      json.member("title", stored.title)
      json.member("position", position + 1)
      json.member("state", opened.shownState(of: provider).rawValue)
      json.member("planned", stored.isPlanned)
      json.member("library", stored.library)
      json.member("blocking", receipt?.counts.blocking ?? 0)
      json.member("identification", receipt?.counts.identification ?? 0)
      json.member("loadedAt", receipt.map { Int($0.loadedAt) })
      json.member("current", !isBehind(stored, release))
      json.member("canRestore", stored.previous != nil)
      PackText.write(stored.id, release, context, to: &json)
      json.member("problem", provider.problem)
      if let failure = stored.lastFailure {
        json.key("lastError")
        json.beginObject(inline: true)
        json.member("domain", failure.error.domain)
        json.member("code", failure.error.code)
        json.member("text", failure.text)
        json.member("failedAt", failure.failedAt)
        json.endObject()
      }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json
  }
}
