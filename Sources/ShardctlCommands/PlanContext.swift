internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectoryStore
internal import NameSuggestion
internal import PlanFile
internal import ProviderHost
internal import SystemSupport

/// What commands that work on a plan have in common.
struct PlanContext {
  /// `--plan FILE`, which every command takes.
  static let planOption = Option.text(
    "plan", .file(), default: "plan.json", "the plan; relative paths in it are relative to its folder")
  /// `--timeout SECONDS` of commands that load providers.
  static let timeoutOption = Option<Int?>.integer(
    "timeout", "SECONDS", in: 1...86_400, "end a provider that has not finished loading by then (default: never)")
  /// `--memory MB` of commands that read sources.
  static let memoryOption = Option.integer(
    "memory", "MB", in: 16...65_536, default: 256, "memory for sorting the rows, in megabytes")
  /// `--accept-change` of commands that publish.
  static let acceptChangeOption = Option.flag(
    "accept-change", "publish although a source changed by more than its guard allows")

  /// `--base DIR` of commands that place entries.
  static let baseOption = Option<String?>.text(
    "base", .directory(), "keep entries where they are in the current release of DIR (default: that of the plan)")
  /// `--fresh` of commands that place entries.
  static let freshOption = Option.flag("fresh", "place every entry as if for the first time")
  /// Which release entries keep their places of.
  static let baseOptions: [any DefinesOption] = [baseOption, freshOption]

  /// `--rejects FILE` of commands that read sources.
  static let rejectsOption = Option<String?>.text(
    "rejects", .file(),
    "write the refused rows to FILE as they stand, and file TAB line TAB column TAB reason to FILE.reasons.tsv")
  /// `--conflicts FILE` of commands that place rows.
  static let conflictsOption = Option<String?>.text(
    "conflicts", .file(), "write number TAB label TAB file TAB line TAB used for numbers with different labels")
  /// The lists that a run over the rows can write beside its result.
  static let listOptions: [any DefinesOption] = [rejectsOption, conflictsOption]

  /// `--layout NAME` of commands that work on a phone.
  static let layoutOption = Option<String?>.text(
    "layout", .text("NAME"),
    "the phone of an app version with this layout of the plan (default: the plan's own providers)")

  /// The plan, its paths resolved; with `--layout` its providers and its phone are those of the layout.
  let plan: Plan
  /// The plan with all its layouts.
  let whole: Plan
  /// Joins plan, releases, store and host.
  let installer: DirectoryInstaller

  /// Reads the plan that the command line names.
  init(_ arguments: ParsedArguments, timeout: Int? = nil, layout: String? = nil) throws {
    whole = try Self.plan(arguments[Self.planOption]).resolvingPaths()
    plan = try layout.map { [whole] in try Self.using($0, of: whole) } ?? whole
    installer = DirectoryInstaller(
      plan: plan, loader: ProviderLoader(version: Shardctl.version),
      toolFolder: Path.directory(of: try CurrentProcess.executable()),
      watchdogSeconds: timeout.map(Double.init))
  }

  private static func using(_ layout: String, of plan: Plan) throws -> Plan {
    if let found = plan.using(layout: layout) { return found }
    let names = plan.layouts.map(\.name)
    let known = names.isEmpty ? "the plan has no layouts" : "layouts: \(names.joined(separator: ", "))"
    throw Diagnostic(
      "--layout", "the plan has no layout \"\(layout)\"",
      hint: NearestName.find(layout, among: names).map { "did you mean \"\($0)\"?" } ?? known, status: .usage)
  }

  /// The plan at `path`, its paths as they are written there.
  static func plan(_ path: String) throws -> Plan {
    do {
      if let status = try FileSystem.status(path), status.kind != .regular {
        let isFolder = status.kind == .directory
        throw Diagnostic(
          path, isFolder ? "is a folder, not a plan" : "is a pipe or a device, not a plan file",
          hint: isFolder ? "name the file in it: --plan \(Path.join(path, "plan.json"))" : "write the plan to a file",
          status: .noInput)
      }
      return try Plan.load(path: path)
    } catch let error as SystemError where error.isNoSuchFile {
      throw Diagnostic(
        path, "there is no such plan",
        hint: "name it with --plan FILE; `shardctl sample --output DIR` writes one with rows to try", status: .noInput)
    } catch let error as SystemError where error.remedy == nil {
      throw Diagnostic(
        path, error.isTooLarge ? "is larger than a plan may be: \(Plan.maximumSize >> 20) MB" : error.finding,
        hint: error.isTooLarge
          ? "rows do not stand in the plan: name their files in \"sources\""
          : "see that the plan is a file that this user may read",
        status: .noInput)
    }
  }

  /// A publisher that shows its progress on the console; of the whole plan, or of its `--layout` alone.
  func publisher(
    _ arguments: ParsedArguments, _ console: Console, acceptsChange: Bool = false, writesLists: Bool = true,
    settings: SettingsChange? = nil, ofLayout: Bool = false
  ) throws -> DirectoryPublisher {
    var options = PublishingOptions()
    options.acceptsChange = acceptsChange
    options.settings = settings
    options.memory = arguments[Self.memoryOption] << 20
    if arguments[Self.freshOption] { options.base = .fresh }
    if let folder = arguments[Self.baseOption] {
      guard !arguments[Self.freshOption] else {
        throw Diagnostic("--base", "contradicts --fresh", hint: "leave one of them out", status: .usage)
      }
      options.base = .folder(folder)
    }
    if writesLists {
      options.rejects = arguments[Self.rejectsOption]
      options.conflicts = arguments[Self.conflictsOption]
    }
    let progress = console.progress
    options.progress = { step in
      switch step {
      case .reading(let bytes, let total, let rows):
        progress.update("reading, \(ProgressLine.grouped(rows)) rows", bytes, of: total, in: .megabytes)
      case .planning(let numbers): progress.update("planning", numbers)
      case .writing(let numbers, let total): progress.update("writing", numbers, of: total)
      }
    }
    return DirectoryPublisher(ofLayout ? plan : whole, options: options)
  }
}
