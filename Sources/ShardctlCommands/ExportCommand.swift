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
    let shard = try Shard(arguments[file], access: .streaming)
    let target = try arguments[output].map(open) ?? OpenFile.standardOutput()
    let writer = FileWriter(target)
    try StandardOutput.whileRead {
      switch arguments[format] {
      case .tsv: try ShardExport.tsv(shard, to: writer)
      }
      try writer.flush()
    }
    return .success
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
