public import SystemSupport

/// Why a sample was not written. Files written before the error stay; the plan, written last, is not among them.
public struct SampleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is.
  public enum Code: Hashable, Sendable {
    /// The recipe asks for too few or too many rows.
    case rowsOutOfRange
    /// The folder has a file of the sample's already.
    case fileExists
    /// The system refused an operation.
    case system(SystemError)
  }

  /// What kind of error it is.
  public let code: Code
  /// The file or option it is about.
  public let place: String
  /// What is wrong.
  public let what: String
  /// What to do.
  public let hint: String

  /// `place: what`.
  public var description: String { "\(place): \(what)" }

  static func rowsOutOfRange(_ rows: Int) -> SampleError {
    let range = SampleRecipe.possibleRows
    return SampleError(
      code: .rowsOutOfRange, place: "rows", what: "\(rows) is not from \(range.lowerBound) to \(range.upperBound)",
      hint: "ask for a number of rows in that range")
  }

  static func fileExists(_ path: String) -> SampleError {
    SampleError(
      code: .fileExists, place: path, what: "is there already",
      hint: "name another folder, or replace the sample with --force")
  }

  static func system(_ error: SystemError) -> SampleError {
    SampleError(
      code: .system(error), place: error.path, what: "cannot \(error.operation): \(error.reason)",
      hint: "check that the folder may be written to and the disk has room: about 50 bytes a row")
  }
}
