extension CommandTree {
  /// The help page of the tool (an empty path), a group or a command; `columns` is the width of the page.
  public func help(for path: [String], columns: Int = 80) -> String {
    let line = ([tool] + path).joined(separator: " ")
    var page = HelpText(columns: columns)
    guard let command = command(at: path) else {
      page.title(tool, summary)
      page.heading("Usage")
      page.line("\(tool) COMMAND [OPTIONS] …")
      page.examples(examples)
      list(commands, on: &page)
      page.options(globalOptions + [StandardOptions.help.definition, StandardOptions.version.definition])
      page.paragraph("'\(tool) help COMMAND' tells more about a command.")
      return page.text
    }
    let definition = command.definition
    page.title(line, definition.summary)
    page.heading("Usage")
    page.line(command.isGroup ? "\(line) COMMAND [OPTIONS] …" : HelpText.usage(line, definition))
    page.examples(definition.examples)
    for paragraph in Self.paragraphs(definition.discussion) { page.paragraph(paragraph) }
    if command.isGroup {
      list(command.subcommands, on: &page)
    } else if !definition.arguments.isEmpty {
      page.heading("Operands")
      page.table(definition.arguments.map { ($0.usage, $0.summary) })
    }
    page.options(definition.options)
    page.options(
      (globalOptions + [StandardOptions.help.definition]).map { $0.moved(to: "Options of every command") })
    if !command.isGroup { exits(definition.exits, on: &page) }
    return page.text
  }

  /// What is printed when a command line says nothing to do: usage, examples, and where to read on.
  func briefHelp(for path: [String], columns: Int) -> String {
    let line = ([tool] + path).joined(separator: " ")
    let command = command(at: path)
    var page = HelpText(columns: columns)
    page.title(line, command?.definition.summary ?? summary)
    page.heading("Usage")
    page.line("\(line) COMMAND [OPTIONS] …")
    page.examples(Array((command?.definition.examples ?? examples).prefix(2)))
    if let command { list(command.subcommands, on: &page) }
    page.paragraph("'\(line) --help' lists the commands.")
    return String(page.text.dropLast())
  }

  private func list(_ commands: [Command], on page: inout HelpText) {
    for section in HelpText.sections(commands.map(\.definition.section)) {
      page.heading(section)
      page.table(
        commands.filter { $0.definition.section == section }.map { ($0.definition.name, $0.definition.summary) })
    }
  }

  private func exits(_ exits: [CommandDefinition.Exit], on page: inout HelpText) {
    page.heading("Exit status")
    let stated = Set(exits.map(\.status))
    let always = [ExitStatus.success, .usage].filter { !stated.contains($0) }.map { CommandDefinition.Exit($0) }
    page.table(
      (exits + always).sorted { $0.status.rawValue < $1.status.rawValue }
        .map { (String($0.status.rawValue), $0.meaning) })
  }

  private static func paragraphs(_ text: String) -> [String] {
    var paragraphs: [String] = []
    var lines: [Substring] = []
    let all: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false) + [""]
    for line in all {
      if line.isEmpty {
        if !lines.isEmpty { paragraphs.append(lines.joined(separator: "\n")) }
        lines = []
      } else {
        lines.append(line)
      }
    }
    return paragraphs
  }
}

extension OptionDefinition {
  /// The same option under another heading.
  func moved(to section: String) -> OptionDefinition {
    OptionDefinition(
      name: name, short: short, value: value, summary: summary, isRepeatable: isRepeatable, defaultText: defaultText,
      isRequired: isRequired, section: section, read: read)
  }
}
