/// Help pages, from the definitions alone: the same definitions and width give the same text.
struct HelpText {
  private let columns: Int
  private(set) var text = ""

  /// A page `columns` wide; held between 40 and 100, beyond which lines are hard to read.
  init(columns: Int) { self.columns = min(max(columns, 40), 100) }

  /// `tool command --output DIR [OPTIONS] FILE…`, with the options that cannot be left out.
  static func usage(_ line: String, _ definition: CommandDefinition) -> String {
    let required = definition.options.filter(\.isRequired).map { option in
      option.spelling + (option.value.map { " \($0.placeholder)" } ?? "")
    }
    let others = definition.options.count > required.count ? ["[OPTIONS]"] : []
    return ([line] + required + others + definition.arguments.map(\.usage)).joined(separator: " ")
  }

  mutating func title(_ name: String, _ summary: String) { paragraph("\(name): \(summary).") }

  /// `text` wrapped, with an empty line before it unless it is the first. A paragraph that begins with a blank is
  /// printed as it is.
  mutating func paragraph(_ paragraph: String, indent: Int = 0) {
    if !text.isEmpty { text += "\n" }
    if paragraph.hasPrefix(" ") {
      text += paragraph + "\n"
    } else {
      lines(paragraph, indent: indent)
    }
  }

  /// One indented line that is never wrapped, because it is made to be copied.
  mutating func line(_ line: String) { text += "  \(line)\n" }

  mutating func heading(_ heading: String) { text += "\n\(heading)\n" }

  mutating func examples(_ examples: [CommandDefinition.Example]) {
    guard !examples.isEmpty else { return }
    heading("Examples")
    for example in examples {
      line(example.line)
      lines(example.purpose, indent: 6)
    }
  }

  /// Two columns: terms, and what they mean.
  mutating func table(_ rows: [(term: String, meaning: String)]) {
    let widest = rows.map(\.term.count).filter { $0 <= 24 }.max() ?? 0
    let indent = min(widest + 4, columns / 2)
    for row in rows {
      let term = "  \(row.term)"
      if term.count + 2 > indent {
        text += "\(term)\n"
        lines(row.meaning, indent: indent)
      } else {
        lines(row.meaning, indent: indent, first: term)
      }
    }
  }

  /// Options under their headings, in order of first appearance.
  mutating func options(_ options: [OptionDefinition]) {
    for section in HelpText.sections(options.map(\.section)) {
      heading(section)
      // Without any short name in the section the column for them would be empty.
      let hasShort = options.contains { $0.section == section && $0.short != nil }
      table(
        options.filter { $0.section == section }.map { option in
          let short = option.short.map { "-\($0), " } ?? (hasShort ? "    " : "")
          let value = option.value.map { " \($0.placeholder)" } ?? ""
          return (short + option.spelling + value, HelpText.meaning(option))
        })
    }
  }

  static func sections(_ names: [String]) -> [String] {
    var sections: [String] = []
    for name in names where !sections.contains(name) { sections.append(name) }
    return sections
  }

  private static func meaning(_ option: OptionDefinition) -> String {
    var remarks: [String] = []
    switch option.value?.kind {
    case .choice(let words)?: remarks.append(words.joined(separator: " | "))
    case .integer(let lowest, let highest)?: remarks.append("\(lowest) to \(highest)")
    default: break
    }
    if option.isRequired { remarks.append("required") }
    if option.isRepeatable { remarks.append("may be repeated") }
    if let text = option.defaultText { remarks.append("default \(text)") }
    return remarks.isEmpty ? option.summary : "\(option.summary) (\(remarks.joined(separator: "; ")))"
  }

  private mutating func lines(_ paragraph: String, indent: Int, first: String = "") {
    let margin = String(repeating: " ", count: indent)
    var line = first + String(repeating: " ", count: max(indent - first.count, 0))
    var width = line.count
    var isEmpty = true
    for word in paragraph.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !isEmpty, width + 1 + word.count > columns {
        text += line + "\n"
        line = margin
        width = indent
        isEmpty = true
      }
      if !isEmpty { line += " " }
      line += word
      width += word.count + (isEmpty ? 0 : 1)
      isEmpty = false
    }
    text += line + "\n"
  }
}
