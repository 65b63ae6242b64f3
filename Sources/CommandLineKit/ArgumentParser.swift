internal import NameSuggestion

/// Reads one command line from left to right: command words, options anywhere, operands.
struct ArgumentParser {
  private let tree: CommandTree
  private let words: [String]
  private var position = 0
  private var path: [String] = []
  private var command: Command?
  private var operands: [String] = []
  /// The words given to each option, by spelling; an empty word per occurrence of a flag.
  private var given: [String: [String]] = [:]

  init(tree: CommandTree, words: [String]) {
    self.tree = tree
    self.words = words
  }

  mutating func parse() throws(UsageError) -> CommandTree.Request {
    var onlyOperands = false
    while position < words.count {
      let word = words[position]
      position += 1
      if onlyOperands || word == "-" || !word.hasPrefix("-") {
        if path.isEmpty, word == "help", !onlyOperands { return try help(words[position...].prefix { $0 != "--" }) }
        try take(word)
      } else if word == "--" {
        onlyOperands = true
      } else if word == "--help" || word == "-h" {
        return try help(words[position...].prefix { command == nil && !$0.hasPrefix("-") })
      } else if word == "--version", path.isEmpty {
        return .version
      } else if word.hasPrefix("--") {
        try takeLong(word)
      } else {
        try takeShort(word)
      }
    }
    guard let command, !command.isGroup else { return .nothing(path: path) }
    return .run(command, try values(of: command.definition))
  }

  // MARK: Words

  private var line: String { ([tree.tool] + path).joined(separator: " ") }
  private var seeHelp: String { "'\(line) --help' shows what it takes" }

  private mutating func take(_ word: String) throws(UsageError) {
    if let command, !command.isGroup {
      operands.append(word)
    } else {
      try descend(to: word)
    }
  }

  private mutating func descend(to word: String) throws(UsageError) {
    let commands = command?.subcommands ?? tree.commands
    guard let next = commands.first(where: { $0.definition.name == word }) else {
      let near = NearestName.find(word, among: commands.map(\.definition.name))
      throw UsageError(
        word, path.isEmpty ? "no such command" : "no such command of '\(line)'",
        hint: near.map { "did you mean \($0)?" } ?? "'\(line) --help' lists the commands")
    }
    command = next
    path.append(word)
  }

  private mutating func help(_ more: ArraySlice<String>) throws(UsageError) -> CommandTree.Request {
    for word in more {
      guard command?.isGroup ?? true else { break }
      try descend(to: word)
    }
    return .help(path: path)
  }

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let equals = word.firstIndex(of: "=")
    let spelling = String(word[..<(equals ?? word.endIndex)])
    let attached = equals.map { String(word[word.index(after: $0)...]) }
    guard let option = inScope.first(where: { $0.spelling == spelling }) else { throw unknown(spelling) }
    try add(option, attached: attached, as: spelling)
  }

  /// `-q`, `-qv`, `-o FILE`, `-oFILE`, `-o=FILE`.
  private mutating func takeShort(_ word: String) throws(UsageError) {
    var rest = word.dropFirst()
    while let letter = rest.popFirst() {
      guard let option = inScope.first(where: { $0.short == letter }) else { throw unknown("-\(letter)", in: word) }
      if option.value == nil {
        try add(option, attached: rest.first == "=" ? String(rest.dropFirst()) : nil, as: "-\(letter)")
      } else {
        let hasEquals = rest.first == "="
        if hasEquals { rest.removeFirst() }
        return try add(option, attached: rest.isEmpty && !hasEquals ? nil : String(rest), as: "-\(letter)")
      }
    }
  }

  private var inScope: [OptionDefinition] {
    let own = (command?.isGroup ?? true) ? [] : command?.definition.options ?? []
    return own + tree.globalOptions
  }

  private func unknown(_ spelling: String, in word: String? = nil) -> UsageError {
    if path.isEmpty || command?.isGroup ?? true {
      return UsageError(
        spelling, "no option of '\(line)'",
        hint: "options of a command stand after its name; '\(line) --help' lists the commands")
    }
    let names = inScope.map(\.spelling) + ["--help"]
    if let near = NearestName.find(spelling, among: names), spelling.hasPrefix("--") {
      return UsageError(spelling, "no option of '\(line)'", hint: "did you mean \(near)?")
    }
    let dashes = spelling.hasPrefix("--") ? "" : "; '--' before '\(word ?? spelling)' makes it an operand"
    return UsageError(spelling, "no option of '\(line)'", hint: seeHelp + dashes)
  }

  private mutating func add(
    _ option: OptionDefinition, attached: String?, as spelling: String
  ) throws(UsageError) {
    var value = ""
    if let syntax = option.value {
      if let attached {
        value = attached
      } else if position < words.count, words[position] == "-" || !words[position].hasPrefix("-") {
        value = words[position]
        position += 1
      } else {
        let next = position < words.count ? "; a value that begins with '-' is written \(option.spelling)=VALUE" : ""
        throw UsageError(
          spelling, "needs a value", hint: "write \(option.spelling) \(syntax.placeholder)\(next)")
      }
      guard !value.isEmpty || syntax.kind == .text else {
        throw UsageError(spelling, "has an empty value", hint: "write \(option.spelling) \(syntax.placeholder)")
      }
    } else if let attached {
      throw UsageError(spelling, "takes no value, but has '\(attached)'", hint: "write \(option.spelling) alone")
    }
    if given[option.spelling] != nil, !option.isRepeatable {
      throw UsageError(option.spelling, "is given twice", hint: "keep one of them")
    }
    given[option.spelling, default: []].append(value)
  }

  // MARK: Values

  private func values(of definition: CommandDefinition) throws(UsageError) -> ParsedArguments {
    var values: [String: any Sendable] = [:]
    for option in inScope {
      do {
        values[option.spelling] = try option.read(given[option.spelling] ?? [])
      } catch {
        throw UsageError(option.spelling, error.what, hint: error.hint ?? seeHelp)
      }
    }
    var taken = 0
    var needed = 0
    for argument in definition.arguments {
      needed += argument.minimum
      guard operands.count >= needed else {
        throw UsageError(
          argument.name, "is missing: \(argument.summary)", hint: "write \(HelpText.usage(line, definition))")
      }
    }
    for argument in definition.arguments {
      // What the operands behind this one need is left for them.
      needed -= argument.minimum
      let count = min(argument.maximum ?? Int.max, operands.count - taken - needed)
      do {
        values[argument.name] = try argument.read(Array(operands[taken..<(taken + count)]))
      } catch {
        throw UsageError(argument.name, error.what, hint: error.hint ?? seeHelp)
      }
      taken += count
    }
    guard taken == operands.count else {
      throw UsageError(
        operands[taken], "is one operand more than '\(line)' takes",
        hint: "write \(HelpText.usage(line, definition))")
    }
    return ParsedArguments(path: path, values: values, given: Set(given.keys))
  }
}
