import CommandLineKit
import Synchronization

/// A small tool with every kind of option and operand; its commands record what they were given.
enum SampleTool {
  enum Profile: String, CaseIterable, Sendable { case ios10, ios18 }

  static let plan = Option.text("plan", .file(), default: "plan.json", "the plan file")
  static let rows = Option.integer("rows", "N", in: 1...20_000_000, default: 4_200_000, "rows to write")
  static let seed = Option<UInt64?>.integer("seed", "S", in: 0...UInt64.max, "where the random numbers begin")
  static let output = Option<String>.required("output", short: "o", .directory(), "the folder to write into")
  static let force = Option.flag("force", short: "f", "replace what is there")
  static let wide = Option.flag("wide", short: "w", "write address columns too")
  static let without = Option.texts("without", .text("ID"), "leave a provider out", section: "What if")
  static let profile = Option<Profile?>.choice("profile", "PROFILE", "the phone to play", section: "What if")
  static let format = Option.choice("format", "FORMAT", default: Profile.ios18, "the format")
  static let numbers = Argument<[String]>.list(.text("NUMBER"), atLeast: 1, "numbers as written anywhere")
  static let release = Argument<String?>.optional(.text("RELEASE"), "the release to return to")
  static let source = Argument<String>.one(.file("FROM"), "what to copy")
  static let targets = Argument<[String]>.list(.file("TO"), atLeast: 1, "where to")
  static let last = Argument<String>.one(.text("LAST"), "the last word")

  struct Refusal: Error {}

  static let tree = CommandTree(
    tool: "shardctl", version: "1.0.0", summary: "split a caller directory over call directory extensions",
    examples: [
      .init("shardctl lookup +74951234567", "what a call from this number would show"),
      .init("shardctl sample --rows 1000 --seed 1 --output demo", "rows and a plan to try things with"),
      .init("shardctl status", "what is installed"),
    ],
    globalOptions: [plan, StandardOptions.quiet],
    commands: [
      Command(
        CommandDefinition(
          "sample", "write rows and a plan to try things with", section: "Prepare",
          discussion: """
            The rows are invented, but they look like those of a real directory: numbering ranges, chains, runs of \
            numbers and misspelt phones occur about as often.

            The same rows and seed give the same bytes.

              phone   name   city
            """,
          options: [rows, seed, output, force, wide],
          examples: [.init("shardctl sample --rows 1000 --seed 1 --output demo", "a thousand rows in the folder demo")],
          exits: [.init(.cannotCreate, "the folder cannot be made, or has files and --force is not given")])
      ) { arguments, console in
        let seed = arguments[seed].map(String.init) ?? "-"
        try console.print("\(arguments[rows]) \(seed) \(arguments[output]) \(arguments[plan])")
        return .success
      },
      Command(
        CommandDefinition(
          "lookup", "what a call from a number would show", section: "Ask", arguments: [numbers],
          options: [without, profile, StandardOptions.json],
          examples: [.init("shardctl lookup +74951234567", "the decision and the trace")],
          exits: [.init(.negativeAnswer, "nothing found, with --exit-status")])
      ) { arguments, console in
        try console.print("\(arguments[numbers]) \(arguments[without]) \(arguments[profile]?.rawValue ?? "-")")
        return .success
      },
      Command(
        CommandDefinition(
          "rollback", "return to an earlier release", section: "Phone", arguments: [release],
          examples: [.init("shardctl rollback 3", "the content of release 3 under a new number")])
      ) { _, _ in throw Refusal() },
      Command(
        CommandDefinition(
          "copy", "copy files", section: "Phone", arguments: [source, targets, last], options: [format],
          examples: [.init("shardctl copy a b c", "copies")])
      ) { arguments, console in
        try console.print("\(arguments[source]) \(arguments[targets]) \(arguments[last]) \(arguments[format].rawValue)")
        return .success
      },
      Command(
        group: CommandDefinition("provider", "work with provider libraries", section: "Phone"),
        [
          Command(
            CommandDefinition(
              "list", "the libraries found and what they are", options: [StandardOptions.json],
              examples: [.init("shardctl provider list", "all of them")])
          ) { _, console in
            try console.print("listed")
            return .success
          }
        ]),
    ])

  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var error: String
  }

  /// Runs the tool over words and returns what it wrote.
  static func run(_ words: [String], columns: Int = 80) -> Outcome {
    let written = Written()
    let console = Console(
      tool: "shardctl", output: Terminal(isTerminal: false, columns: columns),
      error: Terminal(isTerminal: false, columns: columns),
      writeOutput: { text in written.output.withLock { $0 += text } },
      writeError: { text in written.error.withLock { $0 += text } })
    let status = tree.run(words, console: console) { error in
      Diagnostic("store", "\(type(of: error))", hint: "try again", status: .configuration)
    }
    return Outcome(
      status: status.rawValue, output: written.output.withLock { $0 }, error: written.error.withLock { $0 })
  }

  final class Written: Sendable {
    let output = Mutex("")
    let error = Mutex("")
  }
}
