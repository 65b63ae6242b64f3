/// What a process reports to its caller: the values of `sysexits.h` that this tool uses, and 0 and 1.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
  /// The value given to `exit`.
  public let rawValue: Int32

  /// Any value, for statuses outside the list.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The work is done.
  public static let success = ExitStatus(rawValue: 0)
  /// The work is done and its answer is no.
  public static let negativeAnswer = ExitStatus(rawValue: 1)
  /// The command line is wrong.
  public static let usage = ExitStatus(rawValue: 64)
  /// Input data or a shard is wrong.
  public static let dataError = ExitStatus(rawValue: 65)
  /// Input is missing or unreadable.
  public static let noInput = ExitStatus(rawValue: 66)
  /// A provider was refused, crashed or did not answer.
  public static let unavailable = ExitStatus(rawValue: 69)
  /// A defect of the tool.
  public static let software = ExitStatus(rawValue: 70)
  /// An output file cannot be made.
  public static let cannotCreate = ExitStatus(rawValue: 73)
  /// Reading or writing failed.
  public static let ioError = ExitStatus(rawValue: 74)
  /// Another run holds the lock; trying again later may work.
  public static let temporaryFailure = ExitStatus(rawValue: 75)
  /// The plan or the store is malformed.
  public static let configuration = ExitStatus(rawValue: 78)

  /// The meaning in help texts; nil for a value outside the list.
  public var meaning: String? {
    switch self {
    case .success: "success"
    case .negativeAnswer: "the answer is no"
    case .usage: "the command line is wrong"
    case .dataError: "input data or a shard is wrong"
    case .noInput: "input is missing or unreadable"
    case .unavailable: "a provider was refused, crashed or timed out"
    case .software: "a defect of this tool; please report it"
    case .cannotCreate: "an output file cannot be made"
    case .ioError: "reading or writing failed"
    case .temporaryFailure: "another run holds the lock; try again later"
    case .configuration: "the plan or the store is malformed"
    default: nil
    }
  }
}
