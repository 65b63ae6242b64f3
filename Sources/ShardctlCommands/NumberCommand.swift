internal import CallDirectory
internal import CommandLineKit
internal import PhoneNumbering
internal import PlanFile
internal import PositionedJSON
internal import SystemSupport

/// `shardctl number`: text to E.164, as sources and look-ups do it.
enum NumberCommand {
  static let text = Argument<String?>.optional(.text("TEXT"), "a number as it is written")
  static let country = Option<RegionCode?>.value(
    "country", .text("CC"),
    "the country whose national numbers are meant, for example RU (default: the plan's, where there is one)",
    read: readCountry)
  static let numbersAre = Option<NumberInterpretation>.choice(
    "numbers-are", "HOW", default: .auto, "how numbers without + are understood")
  static let shortCodes = Option.flag("short-codes", "accept short codes such as 112 as dialled")
  static let batch = Option<String?>.text(
    "batch", .file("FILE|-"), "read raw[TAB]country lines, write raw TAB number TAB reason for each")

  static let command = Command(
    CommandDefinition(
      "number", "turn a number as written into E.164", section: "Data",
      discussion: """
        National numbers are those of --country, else of the country that the plan states (./plan.json or --plan). Without \
        both, numbers need +.

        --batch writes one line for each line it reads, in the same order. A line that is no number has an empty number and \
        the reason, an empty line the reason "no number"; neither changes the exit code, which is 0 when all lines were read.
        """,
      arguments: [text],
      options: [country, numbersAre, shortCodes, batch],
      examples: [
        CommandDefinition.Example("shardctl number '8 (495) 123-45-67' --country RU", "prints 74951234567")
      ],
      exits: [
        CommandDefinition.Exit(.dataError, "the text is not accepted as a number"), CommandDefinition.Exit(.noInput),
        CommandDefinition.Exit(.configuration, "there is a plan that cannot be read, and no --country"),
      ])
  ) { arguments, console in
    if let file = arguments[batch] {
      guard arguments[text] == nil else {
        throw Diagnostic("--batch", "takes no number on the command line", status: .usage)
      }
      let home = try home(arguments)
      try StandardOutput.whileRead { try runBatch(file, home: home, arguments) }
      return .success
    }
    guard let raw = arguments[text] else {
      throw Diagnostic("TEXT", "is missing", hint: "give a number, or --batch FILE", status: .usage)
    }
    let normaliser = PhoneNormaliser(options(arguments, try home(arguments)))
    switch Result(catching: { () throws(NumberRefusal) in try normaliser.normalise(raw) }) {
    case .success(let result):
      try print(raw, result, arguments, console)
      return .success
    case .failure(let refusal):
      if arguments[StandardOptions.json] {
        try console.print(json(raw, nil, refusal.reason))
        return .dataError
      }
      throw Diagnostic(
        raw, refusal.reason, hint: refusal == .shortCode ? "--short-codes takes short codes as dialled" : nil,
        status: .dataError)
    }
  }

  /// Reads a country code.
  static func readCountry(_ word: String) throws(ValueProblem) -> RegionCode {
    guard let region = RegionCode(word) else {
      throw ValueProblem("\"\(word)\" is no country code", hint: "two capital letters, for example RU")
    }
    return region
  }

  /// The country given, else that of the plan, which need not be there unless it is named.
  private static func home(_ arguments: ParsedArguments) throws -> RegionCode? {
    if let stated = arguments[country] { return stated }
    let hasPlan = try FileSystem.status(arguments[PlanContext.planOption]) != nil
    guard hasPlan || arguments.has(PlanContext.planOption) else { return nil }
    return try PlanContext.plan(arguments[PlanContext.planOption]).country
  }

  private static func options(_ arguments: ParsedArguments, _ region: RegionCode?) -> NormalisationOptions {
    var options = NormalisationOptions(region: region)
    options.interpretation = arguments[numbersAre]
    options.shortCodes = arguments[shortCodes]
    return options
  }

  private static func print(
    _ raw: String, _ result: NormalisedNumber, _ arguments: ParsedArguments, _ console: Console
  ) throws {
    if arguments[StandardOptions.json] {
      try console.print(json(raw, result, nil))
      return
    }
    try console.print(String(result.number.rawValue))
    if !result.notes.isEmpty { console.note("note: \(result.notes)") }
    if let other = NumberAliases.otherForm(of: result.number) {
      console.note("note: the same line may be called \(other); \"aliases\" in a source installs both forms")
    }
  }

  private static func json(_ raw: String, _ result: NormalisedNumber?, _ reason: String?) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", "shardctl.number/1")
    json.member("query", raw)
    json.member("number", result?.number.description)
    json.member("country", result.flatMap { NumberingPlan.region(of: $0.number)?.rawValue })
    json.member("forms", result.map { NumberAliases.forms(of: $0.number).map(\.description) } ?? [])
    json.member("notes", result.map { $0.notes.isEmpty ? [] : [$0.notes.description] } ?? [])
    json.member("reason", reason)
    json.endObject()
    return json
  }

  /// One output line per input line: `raw TAB number TAB reason`; an accepted number with a note has both.
  private static func runBatch(_ file: String, home: RegionCode?, _ arguments: ParsedArguments) throws {
    try LineBatch.run(file) {
      let normalisers = CountryCache { PhoneNormaliser(options(arguments, $0)) }
      return { line, output in
        let (raw, code) = BatchLine.split(line)
        output.field(raw)
        output.tab()
        if let region = BatchLine.region(code, default: home) {
          write(normalisers[region.code].outcome(of: raw), to: output)
        } else {
          output.tab()
          output.field("unknown country code")
        }
        output.endLine()
      }
    }
  }

  private static func write(_ outcome: Result<NormalisedNumber, NumberRefusal>, to output: LineOutput) {
    switch outcome {
    case .success(let result):
      output.field(result.number.rawValue)
      output.tab()
      if !result.notes.isEmpty { output.field(result.notes.description) }
    case .failure(let refusal):
      output.tab()
      output.field(refusal.reason)
    }
  }
}
