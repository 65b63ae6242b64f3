/// Rows with the same finding.
public struct FindingGroup: Hashable, Sendable {
  /// What was found.
  public var finding: RowFinding
  /// Rows it was found in.
  public var count: Int
  /// The first rows in file order, at most `exampleLimit`.
  public var examples: [RowExample]

  /// How many examples a group keeps.
  public static let exampleLimit = 5

  /// A group with the given parts.
  public init(finding: RowFinding, count: Int, examples: [RowExample]) {
    self.finding = finding
    self.count = count
    self.examples = examples
  }

  /// Groups of equal findings joined, ordered by finding; examples stay in the order given.
  static func merge(_ groups: [FindingGroup]) -> [FindingGroup] {
    var joined: [RowFinding: FindingGroup] = [:]
    for group in groups {
      var sum = joined[group.finding] ?? FindingGroup(finding: group.finding, count: 0, examples: [])
      sum.count += group.count
      sum.examples.append(contentsOf: group.examples.prefix(exampleLimit - sum.examples.count))
      joined[group.finding] = sum
    }
    return joined.values.sorted { $0.finding < $1.finding }
  }
}

/// One row that a finding is about.
public struct RowExample: Hashable, Sendable {
  /// The file.
  public var file: String
  /// The line on which the row begins, from 1.
  public var line: Int
  /// Position of the field in the row, from 1; nil when the whole row is meant. In a JSON file, whose rows may share a
  /// line, the character on its line that the row begins with, from 1.
  public var column: Int?
  /// The field, or the whole row, as it stands in the file, cut after 1,024 bytes; bytes that are not UTF-8 are shown
  /// as U+FFFD.
  public var raw: String
  /// What is wrong with this one, for people.
  public var reason: String

  /// File, line and, where there is one, column: `a.tsv:7:1`.
  public var place: String { "\(file):\(line)" + (column.map { ":\($0)" } ?? "") }

  /// An example with the given parts.
  public init(file: String, line: Int, column: Int?, raw: String, reason: String) {
    self.file = file
    self.line = line
    self.column = column
    self.raw = raw
    self.reason = reason
  }
}
