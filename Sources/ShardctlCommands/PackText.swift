internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectoryStore
internal import PositionedJSON
internal import ShardPacks
internal import SystemSupport

/// Packs in the answers of commands.
enum PackText {
  /// Sets and packs that a report shows one by one.
  private static let mostShown = 5

  // MARK: plan, build, apply

  /// What a report says of a provider's packs; nothing for one without.
  static func lines(_ provider: PlanReport.Provider) -> [String] {
    guard let index = provider.packs else { return [] }
    let largest = index.packs.sorted { ($0.counts.total, $1.name) > ($1.counts.total, $0.name) }.prefix(mostShown)
      .map { "\(name($0.name)) \(ReportText.grouped($0.counts.total)) (\(ReportText.megabytes($0.bytes)))" }
    let more = index.packs.count > mostShown ? " …" : ""
    var lines = [
      "packs: \(index.provider) has \(ReportText.grouped(index.packs.count)): \(largest.joined(separator: ", "))\(more)"
    ]
    let sets = index.sets.sorted { $0.counts.total > $1.counts.total }
    for set in sets.prefix(mostShown) {
      lines.append(
        "packs: \(index.provider): \(self.name(set)): \(ReportText.grouped(set.counts.total)) of "
          + "\(ReportText.grouped(index.limit)) entries "
          + "(\(ReportText.percent(Double(set.counts.total) / Double(index.limit))))")
    }
    if sets.count > mostShown {
      lines.append(
        "packs: \(index.provider): \(ReportText.plural(sets.count - mostShown, "more set")) with fewer entries")
    }
    return lines
  }

  private static func name(_ set: PackIndex.Set) -> String {
    guard let packs = set.packs else { return "all packs" }
    return list(packs, " + ")
  }

  private static func name(_ pack: String) -> String { PrintableText.oneLine(pack) }

  private static func list(_ names: [String], _ separator: String) -> String {
    if names.isEmpty { return "none" }
    let shown = names.prefix(mostShown).map(name).joined(separator: separator)
    return shown + (names.count > mostShown ? "\(separator)\(names.count - mostShown) more" : "")
  }

  // MARK: status

  /// Which packs providers that have some will deliver at their next load.
  static func installed(_ opened: OpenedStore, _ release: ReleaseManifest?, _ context: PlanContext) -> [String] {
    opened.providers.compactMap { provider in
      guard let index = release?.provider(provider.stored.id)?.packs?.index else { return nil }
      let head = "\(provider.stored.id): packs installed: "
      do {
        let choice = try InstalledPacks(container: container(provider.stored.id, context), index)
        return head + list(choice.names(index), ", ") + " (of \(ReportText.grouped(index.packs.count))"
          + (choice.chosen == nil ? "; there is no \(InstalledPacks.fileName))" : ")")
      } catch {
        return head + PrintableText.oneLine("\(error)")
      }
    }
  }

  /// The member `packs` of a provider that has some.
  static func write(
    _ id: ProviderID, _ release: ReleaseManifest?, _ context: PlanContext, to json: inout JSONWriter
  ) {
    guard let index = release?.provider(id)?.packs?.index else { return }
    json.key("packs")
    json.beginObject()
    do {
      let choice = try InstalledPacks(container: container(id, context), index)
      json.member("installed", choice.names(index))
      json.member("chosen", choice.chosen != nil)
      json.member("problem", String?.none)
    } catch {
      json.member("installed", [])
      json.member("chosen", true)
      json.member("problem", "\(error)")
    }
    json.member("available", index.names)
    json.endObject()
  }

  private static func container(_ id: ProviderID, _ context: PlanContext) -> String {
    context.installer.containerPath(context.installer.containerName(of: id))
  }

  // MARK: inspect, verify

  /// All that is wrong with an index of packs and the packs.
  static func verify(_ path: String) -> [Diagnostic] {
    do {
      return try PackFolder(path).verify().map {
        Diagnostic($0.place, $0.what, hint: $0.hint, status: .negativeAnswer)
      }
    } catch {
      return [Diagnostic(error.place, error.what, hint: error.hint, status: .negativeAnswer)]
    }
  }

  /// `inspect` of an index of packs.
  static func inspect(_ folder: PackFolder, _ arguments: ParsedArguments, _ console: Console) throws {
    let index = folder.index
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "shardctl.inspect/1")
      json.member("file", folder.path)
      index.writeMembers(to: &json)
      json.endObject()
      return try console.print(json)
    }
    try console.print(
      "\(folder.path): \(ReportText.plural(index.packs.count, "pack")) of \(index.provider), limit "
        + "\(ReportText.grouped(index.limit)), rows without an area in \(name(index.withoutArea))")
    for set in index.sets {
      try console.print("set \(name(set)): \(ReportText.plural(set.counts.total, "entry", "entries"))")
    }
    var table = TextTable([
      ("pack", .left), ("entries", .right), ("blocking", .right), ("labels", .right), ("bytes", .right),
      ("file", .left),
    ])
    for pack in index.packs {
      table.add([
        name(pack.name), ReportText.grouped(pack.counts.total), ReportText.grouped(pack.counts.blocking),
        ReportText.grouped(pack.counts.identification), ReportText.grouped(pack.bytes), pack.file,
      ])
    }
    for line in table.lines { try console.print(line) }
  }
}
