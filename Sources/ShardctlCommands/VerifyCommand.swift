internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import PositionedJSON
internal import ShardFormat
internal import SystemSupport

/// `shardctl verify`: whether shards are what they claim to be.
enum VerifyCommand {
  static let files = Argument<[String]>.list(.file("SHARD"), atLeast: 0, "shard files")

  static let command = Command(
    CommandDefinition(
      "verify", "check shards or the plan's release: every byte, order, count", section: "Shards",
      discussion: """
        With files, each by itself. Without, the current release of the plan: each file against its manifest, limits and \
        accounts.
        """,
      arguments: [files],
      exits: [
        CommandDefinition.Exit(.negativeAnswer, "something is wrong"), CommandDefinition.Exit(.noInput),
        CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let (checked, problems) = arguments[files].isEmpty ? try release(arguments) : try shards(arguments[files])
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "shardctl.verify/1")
      json.member("ok", problems.isEmpty)
      json.member("checked", checked)
      json.key("problems")
      json.beginArray()
      for problem in problems {
        json.beginObject()
        json.member("file", problem.place)
        json.member("text", problem.what)
        json.endObject()
      }
      json.endArray()
      json.endObject()
      try console.print(json)
    } else {
      for problem in problems { console.report(problem) }
      if problems.isEmpty { for file in checked { try console.print("\(file): ok") } }
    }
    return problems.isEmpty ? .success : .negativeAnswer
  }

  private static func release(_ arguments: ParsedArguments) throws -> (checked: [String], problems: [Diagnostic]) {
    let releases = try PlanContext(arguments).installer.releases
    guard let current = try releases.current() else {
      throw Diagnostic(
        releases.path, "there is no release yet", hint: "`shardctl build` or `shardctl apply` makes one",
        status: .noInput)
    }
    let problems = releases.verify(current).map { problem in
      Diagnostic(problem.path, problem.what, hint: problem.hint, status: .negativeAnswer)
    }
    return (current.providers.map { releases.shardPath($0.file) }, problems)
  }

  private static func shards(_ paths: [String]) throws -> (checked: [String], problems: [Diagnostic]) {
    var problems: [Diagnostic] = []
    for path in paths {
      do {
        try Shard(path, access: .streaming).verify()
      } catch let error as ShardError {
        problems.append(Diagnostic(path, error.finding, hint: error.fix, status: .negativeAnswer))
      } catch let error as SystemError where paths.count > 1 {
        // The others are told about as well.
        problems.append(Diagnosis.of(error))
      }
    }
    return (paths, problems)
  }
}
