internal import CommandLineKit
internal import ShardFormat
internal import ShardWriting
internal import SystemSupport

/// `shardctl export`: a shard as text.
enum ExportCommand {
  /// The formats written.
  enum Format: String, CaseIterable, Sendable {
    case tsv
  }

  static let file = Argument<String>.one(.file("SHARD"), "a shard file")
  static let format = Option<Format>.choice("format", "FORMAT", default: .tsv, "how the entries are written")
  static let output = Option<String?>.text("output", short: "o", .file(), "write to FILE (default: standard output)")

  static let command = Command(
    CommandDefinition(
      "export", "write the entries of a shard as text", section: "Shards",
      discussion: """
        tsv: number TAB label TAB action, one line per number, without header; \\t \\n \\r \\\\ stand for themselves escaped. \
        The action is identify, block or both.
        """,
      arguments: [file], options: [format, output],
      exits: [
        CommandDefinition.Exit(.dataError, "the file is no shard or is damaged"), CommandDefinition.Exit(.noInput),
        CommandDefinition.Exit(.cannotCreate), CommandDefinition.Exit(.ioError),
      ])
  ) { arguments, console in
    if arguments[StandardOptions.json] {
      throw Diagnostic("--json", "cannot be given with export, whose result is lines of text", status: .usage)
    }
    let shard = try Shard(arguments[file], access: .streaming)
    // What is exported is believed: no damaged byte may get into it.
    try shard.verify()
    guard let path = arguments[output] else {
      try StandardOutput.whileRead { try write(shard, arguments[format], to: OpenFile.standardOutput()) }
      return .success
    }
    let target = try FileSystem.status(path)
    if let target, target == (try FileSystem.status(shard.path)) {
      throw Diagnostic(path, "this is the shard itself", hint: "name another file to write to", status: .cannotCreate)
    }
    // A device or a pipe is written to; only a file can be replaced.
    if let target, target.kind != .regular {
      try write(shard, arguments[format], to: open(path))
      return .success
    }
    // A file that is there is replaced whole, or stays.
    let temporary = "\(path).\(CurrentProcess.id).tmp"
    do {
      try write(shard, arguments[format], to: open(temporary))
      try FileSystem.rename(temporary, to: path)
    } catch {
      try? FileSystem.remove(temporary)
      throw error
    }
    return .success
  }

  private static func write(_ shard: Shard, _ format: Format, to file: OpenFile) throws {
    let writer = FileWriter(file)
    switch format {
    case .tsv: try ShardExport.tsv(shard, to: writer)
    }
    try writer.flush()
  }

  /// The file to write to. That it cannot be opened is no lack of input.
  private static func open(_ path: String) throws -> OpenFile {
    do throws(SystemError) {
      return try OpenFile(path, .overwrite)
    } catch {
      throw Diagnostic(path, "cannot be written: \(error.reason)", status: .cannotCreate)
    }
  }
}
