internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import PositionedJSON
internal import ShardFormat
internal import ShardPacks
internal import SystemSupport

/// `shardctl verify`: whether shards and releases are what they claim to be.
enum VerifyCommand {
  static let files = Argument<[String]>.list(.file("SHARD"), atLeast: 0, "shard files and indexes of packs")
  static let releaseOnly = Option.flag("release-only", "do not read the sources: check the release by itself")

  static let command = Command(
    CommandDefinition(
      "verify", "check shards or the plan's release: every byte, order, count, place", section: "Shards",
      discussion: """
        With files, each by itself. Without, the current release of the plan: each file against its manifest, limits and \
        accounts; whether labels depend on the settings order; and, from the sources as they are, whether every number is \
        in just those providers that the plan's rules give it. What cannot be checked is said and is no error.
        """,
      arguments: [files], options: [releaseOnly, PlanContext.memoryOption],
      exits: [
        CommandDefinition.Exit(.negativeAnswer, "something is wrong"), CommandDefinition.Exit(.noInput),
        CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    if arguments[files].isEmpty { return try release(arguments, console) }
    guard !arguments[releaseOnly] else {
      throw Diagnostic("--release-only", "takes no shard files", status: .usage)
    }
    let problems = try shards(arguments[files])
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      begin(&json, arguments[files], problems)
      json.endObject()
      try console.print(json)
    } else {
      for problem in problems { console.report(problem) }
      if problems.isEmpty { for file in arguments[files] { try console.print("\(file): ok") } }
    }
    return problems.isEmpty ? .success : .negativeAnswer
  }

  private static func begin(_ json: inout JSONWriter, _ checked: [String], _ problems: [Diagnostic]) {
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
  }

  // MARK: Releases

  private static func release(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
    let context = try PlanContext(arguments)
    let releases = context.installer.releases
    guard let current = try releases.current() else {
      throw Diagnostic(
        releases.path, "there is no release yet", hint: "`shardctl build` or `shardctl apply` makes one",
        status: .noInput)
    }
    var options = PublishingOptions()
    options.memory = arguments[PlanContext.memoryOption] << 20
    let proof = try DirectoryPublisher(context.plan, options: options)
      .verify(current, releaseOnly: arguments[releaseOnly])
    let problems = proof.problems.map { problem in
      Diagnostic(problem.path, problem.what, hint: problem.hint, status: .negativeAnswer)
    }
    let checked = current.files.map(releases.shardPath)
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      begin(&json, checked, problems)
      json.member("release", current.release)
      write(proof, to: &json)
      json.endObject()
      try console.print(json)
    } else {
      for problem in problems { console.report(problem) }
      if problems.isEmpty { for file in checked { try console.print("\(file): ok") } }
      for line in lines(proof) { try console.print(line) }
    }
    return problems.isEmpty ? .success : .negativeAnswer
  }

  /// A line for each check that holds or was not made, and below each check what numbers it found.
  private static func lines(_ proof: ReleaseProof) -> [String] {
    var lines: [String] = []
    for check in proof.checks {
      let found = samples(proof, check.name)
      switch check.outcome {
      case .holds: lines.append("holds: " + PrintableText.oneLine(check.text))
      case .notChecked: lines.append("not checked: " + PrintableText.oneLine(check.text))
      // Told as an error already; only its samples are not.
      case .fails: if !found.isEmpty { lines.append("fails: " + PrintableText.oneLine(check.text)) }
      }
      lines += found
    }
    return lines
  }

  private static func samples(_ proof: ReleaseProof, _ check: String) -> [String] {
    let (samples, count): ([String], Int) =
      switch check {
      case "order":
        (
          proof.rivalries.map { rivalry in
            let labels = rivalry.labels.map { "\"\(PrintableText.oneLine($0.label))\" from \($0.provider)" }
            return "\(rivalry.number)  \(labels.joined(separator: ", "))"
          }, proof.labelsByOrder ?? 0
        )
      case "rules": (proof.differenceSamples.map(PrintableText.oneLine), proof.differences ?? 0)
      default: ([], 0)
      }
    let more = count - samples.count
    return samples.map { "  \($0)" } + (more > 0 ? ["  and \(ReportText.grouped(more)) more"] : [])
  }

  private static func write(_ proof: ReleaseProof, to json: inout JSONWriter) {
    json.key("checks")
    json.beginArray()
    for check in proof.checks {
      json.beginObject(inline: true)
      json.member("name", check.name)
      json.member("outcome", check.outcome.rawValue)
      json.member("text", check.text)
      json.endObject()
    }
    json.endArray()
    json.member("differences", proof.differences)
    json.member("differenceSamples", proof.differenceSamples)
    json.key("dependOnOrder")
    guard let labels = proof.labelsByOrder else { return json.null() }
    json.beginObject()
    json.member("labels", labels)
    json.member("blocks", 0)
    json.key("samples")
    json.beginArray()
    for rivalry in proof.rivalries {
      json.beginObject(inline: true)
      json.member("number", rivalry.number.description)
      json.key("labels")
      json.beginArray(inline: true)
      for (provider, label) in rivalry.labels {
        json.beginObject(inline: true)
        json.member("id", provider.rawValue)
        json.member("label", label)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  // MARK: Shards

  private static func shards(_ paths: [String]) throws -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for path in paths {
      if PackIndex.isIndex(path) {
        problems += PackText.verify(path)
        continue
      }
      do {
        try Shard(path, access: .streaming).verify()
      } catch let error as ShardError {
        problems.append(Diagnostic(path, error.finding, hint: error.fix, status: .negativeAnswer))
      } catch let error as SystemError where paths.count > 1 {
        // The others are told about as well.
        problems.append(Diagnosis.of(error))
      }
    }
    return problems
  }
}
