internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import PositionedJSON

/// Operands that name providers, and what commands on single providers print.
enum ProviderArguments {
  /// One provider.
  static let one = Argument<ProviderID>.one(ValueSyntax.text("ID"), "the provider", read: read)
  /// One provider or more.
  static let some = Argument<[String]>.list(.text("ID"), atLeast: 1, "the providers")
  /// Any number of providers.
  static let any = Argument<[String]>.list(.text("ID"), atLeast: 0, "the providers")

  /// Reads an id.
  static func read(_ word: String) throws(ValueProblem) -> ProviderID {
    guard let id = ProviderID(word) else {
      throw ValueProblem("\"\(word)\" is no provider id", hint: "an id has \(ProviderID.expectation)")
    }
    return id
  }

  /// Reads ids.
  static func ids(_ words: [String]) throws -> [ProviderID] {
    try words.map { word in
      do throws(ValueProblem) {
        return try read(word)
      } catch {
        throw Diagnostic("", error.what, hint: error.hint, status: .usage)
      }
    }
  }

  /// Prints what loads of a command came to and gives its exit status.
  static func finish(
    _ loads: [ProviderLoad], schema: String, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitStatus {
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", schema)
      LoadReport.write(loads, to: &json)
      json.endObject()
      try console.print(json)
    } else {
      for line in ReportText.lines(loads.filter(\.isAccepted)) { try console.print(line) }
    }
    return LoadReport.report(loads, console) ? .unavailable : .success
  }
}
