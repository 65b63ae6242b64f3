internal import CallDirectory
internal import CallLookup
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectoryStore
internal import PhoneNumbering
internal import PlanFile
internal import PositionedJSON

/// `shardctl explain`: what became of a number, from the rows that name it to the phone.
enum ExplainCommand {
  static let numbers = Argument<[String]>.list(
    .text("NUMBER"), atLeast: 1, "the numbers as a user types them or the network presents them")

  static let command = Command(
    CommandDefinition(
      "explain", "show which rows name a number, who gets it and why, and what a phone does with it",
      section: "Publishing",
      discussion: """
        Runs the plan over the sources and writes nothing. Numbers are looked for in every spelling that `lookup` compares. \
        Rows that were refused are shown when their text, stripped to the digits 0 to 9, contains the number without its \
        country calling code; not for fewer than 7 digits, which are no whole number. When the plan fails over its rows, \
        the rows are shown and then the error. The last part is what `lookup` says of what is installed, which may be older than the sources.
        """,
      arguments: [numbers],
      options: [LookupCommand.country, PlanContext.layoutOption, PlanContext.memoryOption] + PlanContext.baseOptions,
      examples: [
        CommandDefinition.Example("shardctl explain +74951234567", "back to file and line, forward to the decision")
      ],
      exits: [
        CommandDefinition.Exit(.dataError, "the text is no number, the rows do not fit the plan, or a source is wrong"),
        CommandDefinition.Exit(.noInput), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption])
    let region = arguments[LookupCommand.country] ?? context.plan.country
    let questions = try arguments[numbers].map { try NumberQuestion($0, region: region) }
    let asked = Array(Set(questions.flatMap(\.numbers))).sorted()
    let report = try context.publisher(arguments, console, writesLists: false, ofLayout: true).histories(of: asked)
    let opened: OpenedStore? =
      try context.installer.store.readIfPresent() == nil ? nil : context.installer.store.open(includingOff: true)
    let answers = try questions.map { question in
      let own = question.numbers.compactMap { number in report.histories.first { $0.number == number } }
      let lookup = try opened.map { opened in
        try LookupAnswer(
          question.query, region: region, opened.contents.plan.title, LookupCommand.resolver(opened))
      }
      return NumberExplanation(question: question, histories: own, lookup: lookup)
    }
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", NumberExplanation.schema)
      json.key("numbers")
      json.beginArray()
      for answer in answers { answer.write(to: &json) }
      json.endArray()
      json.endObject()
      try console.print(json)
    } else {
      for (index, answer) in answers.enumerated() {
        if index > 0 { try console.print("") }
        for line in answer.lines { try console.print(line) }
      }
    }
    for breach in report.breaches { console.note("warning: \(breach)") }
    if let failure = report.failure { throw failure }
    return .success
  }
}

/// A number as it was asked for, with every number that it may be installed as.
struct NumberQuestion {
  let query: String
  let region: RegionCode?
  let outcome: Result<NormalisedNumber, NumberRefusal>
  /// The number first, then what else a phone compares and the other form of a line that has two.
  let numbers: [PhoneNumber]
  /// The number and its line's other form, where it has one; empty for a text that is no number.
  var forms: [PhoneNumber] {
    if case .success(let result) = outcome { NumberAliases.forms(of: result.number) } else { [] }
  }

  init(_ query: String, region: RegionCode?) throws {
    self.query = query
    self.region = region
    let normaliser = PhoneNormaliser(NormalisationOptions(region: region))
    outcome = Result { () throws(NumberRefusal) in try normaliser.normalise(query) }
    let candidates = CallerMatching.candidates(for: query, region: region)
    var numbers: [PhoneNumber] = []
    if case .success(let result) = outcome {
      numbers = [result.number] + NumberAliases.forms(of: result.number).filter { $0 != result.number }
    }
    for number in candidates.identification + candidates.blocking where !numbers.contains(number) {
      numbers.append(number)
    }
    guard !numbers.isEmpty else {
      throw Diagnostic(
        query, "this is not a number", hint: "digits with +, blanks and punctuation", status: .dataError)
    }
    self.numbers = numbers
  }
}
