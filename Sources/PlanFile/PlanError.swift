public import PositionedJSON

/// Everything that is wrong with a plan file. The tool ends with exit code 78.
public struct PlanError: Error, Sendable {
  /// How many errors the description shows.
  public static let shown = 10

  /// The errors in the order of the file, at least one.
  public let errors: [JSONError]

  /// Requires: `errors` is not empty.
  public init(errors: [JSONError]) { self.errors = errors }
}

extension PlanError: CustomStringConvertible {
  /// One line per error, the first ten, then how many more there are; hints are the caller's to show.
  public var description: String {
    var lines = errors.prefix(PlanError.shown).map(\.description)
    if let more { lines.append(more) }
    return lines.joined(separator: "\n")
  }

  /// How many errors the description does not show; nil for none.
  public var more: String? {
    let count = errors.count - PlanError.shown
    return count > 0 ? "and \(count) more \(count == 1 ? "error" : "errors")" : nil
  }
}
