internal import CommandLineKit
internal import DirectorySources
internal import PlanDrafting
internal import PlanFile
internal import PositionedJSON
internal import SystemSupport

/// `shardctl init`: a first plan for files.
enum InitCommand {
  static let files = Argument<[String]>.list(.file(), atLeast: 1, "files with telephone numbers")
  static let output = Option.text("output", short: "o", .file(), default: "plan.json", "the plan to write")
  static let encoding = Option<TextEncoding?>.choice(
    "encoding", "NAME", "the encoding of files that are not UTF-8, where it cannot be told")
  static let force = Option.flag("force", "replace a plan that is there")

  static let command = Command(
    CommandDefinition(
      "init", "look at files and write a first plan for them", section: "Publishing",
      discussion: """
        The first 4 MB of each file are looked at. Format, separator, header and the columns of numbers, labels and areas \
        are found from names and contents; the country is the one whose rules accept most of the national numbers. What \
        was guessed stands in a comment beside each source. The plan is one that `shardctl plan` accepts.

        Text without a byte order mark is UTF-16 where many of every second byte are zero, and UTF-8 where it is valid. Otherwise \
        runs of even length of common Chinese characters mean gb18030; words of Cyrillic small letters in the upper half of \
        the table mean windows-1251, in the lower half koi8-r; single letters between ASCII ones mean windows-1252. Where \
        no rule holds, --encoding must say it.
        """,
      arguments: [files],
      options: [output, encoding, force],
      examples: [
        CommandDefinition.Example("shardctl init data/*.csv", "write ./plan.json, to be looked through and edited")
      ],
      exits: [
        CommandDefinition.Exit(.dataError, "no plan can be told from a file"), CommandDefinition.Exit(.noInput),
        CommandDefinition.Exit(.cannotCreate, "there is a plan already"), CommandDefinition.Exit(.ioError),
      ])
  ) { arguments, console in
    let path = arguments[output]
    if !arguments[force], try FileSystem.status(path) != nil {
      throw Diagnostic(
        path, "is there already", hint: "name another with -o FILE, or replace it with --force", status: .cannotCreate)
    }
    if let same = try input(of: arguments[files], at: path) {
      throw Diagnostic(
        path, "is the file \(same) that is to be looked at", hint: "name another file for the plan with -o FILE",
        status: .cannotCreate)
    }
    try checkPlaces(of: arguments[files], path)
    let draft = try PlanDraft(files: arguments[files], output: path, encoding: arguments[encoding])
    // What is written must be what the next command accepts.
    _ = try Plan(bytes: draft.bytes, file: path)
    do throws(SystemError) {
      try FileSystem.replace(path, with: draft.bytes)
    } catch {
      throw Diagnostic(
        path, "cannot be written: \(error.reason)",
        hint: error.remedy ?? "name a file in a folder that this user may write to with -o FILE",
        status: error.isRefused ? .cannotCreate : .ioError)
    }
    for line in draft.omissions { console.note(line) }
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "shardctl.init/1")
      json.member("plan", path)
      for (key, lines) in [("findings", draft.findings), ("advice", draft.advice), ("omissions", draft.omissions)] {
        json.key(key)
        json.beginArray()
        for line in lines { json.string(line) }
        json.endArray()
      }
      json.endObject()
      try console.print(json)
    } else if !arguments[StandardOptions.quiet] {
      for line in draft.findings { try console.print(line) }
      for line in draft.advice { try console.print("edit: \(line)") }
      try console.print("\(path) is written; look through its comments, then run: shardctl plan --plan \(path)")
    }
    return .success
  }

  /// Operands and the plan are named from the current folder, not from the plan's.
  private static func checkPlaces(of files: [String], _ path: String) throws {
    for file in files where try FileSystem.status(file) == nil {
      throw Diagnostic(
        file, "there is no such file", hint: "check the name; it is relative to the current folder", status: .noInput)
    }
    let folder = Path.directory(of: path)
    guard !folder.isEmpty, try FileSystem.status(folder)?.kind != .directory else { return }
    throw Diagnostic(
      path, "cannot be written: there is no folder \(folder)",
      hint: "make it with mkdir -p \(folder), or name another file with -o FILE", status: .cannotCreate)
  }

  /// The one of `files` that is the file at `path`, under whatever name.
  private static func input(of files: [String], at path: String) throws -> String? {
    guard let output = try FileSystem.status(path) else { return nil }
    return try files.first { file in
      guard let status = try FileSystem.status(file) else { return false }
      return status.device == output.device && status.inode == output.inode
    }
  }
}
