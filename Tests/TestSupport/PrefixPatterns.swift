/// Enumerates the strings of the small regular expressions that describe international prefixes: literals, `\d`,
/// classes, groups, alternatives and `?`. A second reading of those patterns, independent of the compiled one.
public struct PrefixPatterns {
  private var rest: Substring

  /// Every string of `pattern`, shortest first.
  public static func strings(of pattern: String) -> [String] {
    var reader = PrefixPatterns(rest: pattern[...])
    return reader.alternatives().sorted { ($0.count, $0) < ($1.count, $1) }
  }

  private mutating func alternatives() -> [String] {
    var found = sequence()
    while rest.first == "|" {
      rest.removeFirst()
      found += sequence()
    }
    return found
  }

  private mutating func sequence() -> [String] {
    var found = [""]
    while let next = rest.first, next != "|", next != ")" {
      var choices = element()
      if rest.first == "?" {
        rest.removeFirst()
        choices.append("")
      }
      found = found.flatMap { start in choices.map { start + $0 } }
    }
    return found
  }

  private mutating func element() -> [String] {
    let first = rest.removeFirst()
    switch first {
    case "\\":
      rest.removeFirst()
      return (0...9).map { "\($0)" }
    case "(":
      if rest.hasPrefix("?:") { rest.removeFirst(2) }
      let found = alternatives()
      rest.removeFirst()
      return found
    case "[":
      var found: [String] = []
      while let next = rest.first, next != "]" {
        rest.removeFirst()
        if rest.first == "-", let from = next.wholeNumberValue {
          rest.removeFirst()
          let to = rest.removeFirst().wholeNumberValue ?? from
          found += (from...to).map { "\($0)" }
        } else {
          found.append("\(next)")
        }
      }
      rest.removeFirst()
      return found
    default: return ["\(first)"]
    }
  }
}
