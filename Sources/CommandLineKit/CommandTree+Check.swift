extension CommandTree {
  /// What is wrong with the definitions themselves, one line each; empty when all is well. For the tool's tests:
  /// names are unique in their scope and spelled in small letters, digits and dashes; placeholders are in capitals;
  /// summaries are 60 characters or fewer without a full stop; every command that runs has an example that begins
  /// with its own words; operands of any number come last but for operands of fixed number.
  public func definitionProblems() -> [String] {
    var problems: [String] = []
    check(commands, path: [], &problems)
    return problems
  }

  private func check(_ commands: [Command], path: [String], _ problems: inout [String]) {
    let names = commands.map(\.definition.name)
    for command in commands {
      let definition = command.definition
      let path = path + [definition.name]
      let line = path.joined(separator: " ")
      if names.filter({ $0 == definition.name }).count > 1 || definition.name == "help" {
        problems.append("\(line): the name is taken")
      }
      Self.check(name: definition.name, summary: definition.summary, of: line, &problems)
      if !command.isGroup {
        let prefix = ([tool] + path).joined(separator: " ")
        if !definition.examples.contains(where: { $0.line.contains(prefix) }) {
          problems.append("\(line): no example begins with '\(prefix)'")
        }
      }
      if definition.arguments.filter({ $0.minimum != $0.maximum }).count > 1 {
        problems.append("\(line): more than one operand of variable number")
      }
      for argument in definition.arguments { Self.check(placeholder: argument.name, of: line, &problems) }
      check(definition.options, of: line, &problems)
      check(command.subcommands, path: path, &problems)
    }
  }

  private func check(_ own: [OptionDefinition], of line: String, _ problems: inout [String]) {
    let options = own + globalOptions + [StandardOptions.help.definition]
    for option in own {
      let place = "\(line) \(option.spelling)"
      if options.filter({ $0.name == option.name }).count > 1 { problems.append("\(place): the name is taken") }
      if let short = option.short, options.filter({ $0.short == short }).count > 1 {
        problems.append("\(place): -\(short) is taken")
      }
      Self.check(name: option.name, summary: option.summary, of: place, &problems)
      if let value = option.value { Self.check(placeholder: value.placeholder, of: place, &problems) }
    }
  }

  private static func check(name: String, summary: String, of place: String, _ problems: inout [String]) {
    let isSpelled = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "-")
    }
    if !isSpelled || name.isEmpty { problems.append("\(place): not in small letters, digits and dashes") }
    if summary.isEmpty || summary.count > 60 || summary.hasSuffix(".") {
      problems.append("\(place): the summary is empty, longer than 60 characters or ends with a full stop")
    }
  }

  private static func check(placeholder: String, of place: String, _ problems: inout [String]) {
    if placeholder.isEmpty || placeholder.contains(where: { $0.isLowercase || $0 == " " }) {
      problems.append("\(place): the placeholder '\(placeholder)' is not in capitals")
    }
  }
}
