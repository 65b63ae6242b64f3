internal import CallDirectory
internal import CommandLineKit
internal import ShardWriting
internal import SystemSupport

/// `shardctl export`: a shard in another format.
enum ExportCommand {
  /// The entries written.
  enum Family: String, CaseIterable, Sendable {
    case all, identification, blocking

    var family: EntryFamily? {
      switch self {
      case .all: nil
      case .identification: .identification
      case .blocking: .blocking
      }
    }
  }

  static let file = Argument<String>.one(.file("SHARD"), "a shard file, or an index of packs: all of them merged")
  static let format = Option<ShardExport.Format>.choice(
    "format", "FORMAT", default: .tsv, "how the entries are written")
  static let family = Option<Family>.choice("family", "FAMILY", default: .all, "the entries that are written")
  static let output = Option<String?>.text("output", short: "o", .file(), "write to FILE (default: standard output)")

  static let command = Command(
    CommandDefinition(
      "export", "write the entries of a shard in another format", section: "Shards",
      discussion: """
        tsv: number TAB label TAB action, one line per number, without header; \\t \\n \\r \\\\ stand for themselves escaped. \
        The action is identify, block or both. csv: the same three with a header, numbers with +. jsonl: an object per line \
        with these members. 2gis: the record format of 2GIS. vcard: a card of version 3.0 for each number. The last two \
        cannot say that a number is blocked: with --family identification they hold the labels. Ranges are written number by \
        number. A plan reads each of these as a source, tsv with its escapes as they stand.
        """,
      arguments: [file], options: [format, family, output],
      exits: [
        CommandDefinition.Exit(.dataError, "the file is no shard, is damaged, or the format cannot hold its entries"),
        CommandDefinition.Exit(.noInput),
        CommandDefinition.Exit(.cannotCreate), CommandDefinition.Exit(.ioError),
      ])
  ) { arguments, console in
    if arguments[StandardOptions.json] {
      throw Diagnostic("--json", "cannot be given with export, whose result is lines of text", status: .usage)
    }
    // What is exported is believed: no damaged byte may get into it.
    let shard = try ShardArgument(arguments[file])
    try shard.verify()
    let (format, family) = (arguments[Self.format], arguments[Self.family])
    try checkHolds(shard, format, family)
    guard let path = arguments[output] else {
      try StandardOutput.whileRead { try write(shard, format, family, to: OpenFile.standardOutput()) }
      return .success
    }
    let target = try FileSystem.status(path)
    if let target, target == (try FileSystem.status(shard.path)) {
      throw Diagnostic(path, "this is the shard itself", hint: "name another file to write to", status: .cannotCreate)
    }
    // A device or a pipe is written to; only a file can be replaced.
    if let target, target.kind != .regular {
      try write(shard, format, family, to: open(path))
      return .success
    }
    // A file that is there is replaced whole, or stays.
    let temporary = "\(path).\(CurrentProcess.id).tmp"
    do {
      try write(shard, format, family, to: open(temporary, as: path))
      try FileSystem.rename(temporary, to: path)
    } catch {
      try? FileSystem.remove(temporary)
      throw error
    }
    return .success
  }

  /// Before anything is written: what the format has no word for.
  private static func checkHolds(_ shard: ShardArgument, _ format: ShardExport.Format, _ family: Family)
    throws(Diagnostic)
  {
    let blocking = shard.blockingCount
    guard !format.hasBlocks, family != .identification, blocking > 0 else { return }
    throw Diagnostic(
      shard.path, "\(blocking) of its numbers are blocked, and the format \(format.rawValue) cannot say so",
      hint: "--family identification writes the labels alone; tsv, csv and jsonl hold everything", status: .dataError)
  }

  private static func write(
    _ shard: ShardArgument, _ format: ShardExport.Format, _ family: Family, to file: OpenFile
  ) throws {
    let writer = FileWriter(file)
    do {
      try shard.export(as: format, only: family.family, to: writer)
    } catch let refusal as ShardExport.Refusal {
      throw Diagnostic(
        "\(shard.path): +\(refusal.number.rawValue)", refusal.what,
        hint: "write another format, or cut labels with \"maxLabelBytes\" in the plan", status: .dataError)
    }
    try writer.flush()
  }

  /// The file to write to. That it cannot be opened is no lack of input.
  private static func open(_ path: String, as name: String? = nil) throws -> OpenFile {
    do throws(SystemError) {
      return try OpenFile(path, .overwrite)
    } catch {
      throw Diagnostic(
        name ?? path, "cannot be written: \(error.reason)", hint: "name a file in a folder that this user may write to",
        status: .cannotCreate)
    }
  }
}
