public import CallDirectory

/// How a load ended. Only `accepted` delivers entries; after every other outcome what the sink was given is to be thrown
/// away (R-LIFE-2).
public enum LoadOutcome: Sendable {
  /// All entries were taken.
  case accepted
  /// The entries broke a rule of the phone.
  case rejected(OrderViolation)
  /// The provider ended the load with its own error, kept unchanged (R-LIFE-6).
  case failed(domain: String, code: Int, message: String)
  /// A signal ended the process (R-LIFE-5).
  case crashed(signal: Int32, stage: LoadStage)
  /// The watchdog ended it after that many seconds (R-TIME-1).
  case timedOut(seconds: Double, stage: LoadStage)
  /// The process exited before the load was complete; the exit status proves nothing (R-LIFE-5).
  case exitedWithoutResult(status: Int32, stage: LoadStage)
  /// It asked the kernel for something that a provider may not do.
  case sandboxViolation(stage: LoadStage)
  /// The process sent what no child of this host sends: the library wrote to the host's pipe.
  case brokeProtocol(String)
  /// There is no provider in the file.
  case notAProvider(reason: String)
  /// The library needs another version of the interface.
  case unsupportedABI(reason: String)
  /// It grew beyond the ceiling (R-MEM-1); bytes. The peak is 0 when only the library's last words tell.
  case overMemoryBudget(peak: Int, limit: Int)
  /// The caller cancelled the load.
  case cancelled
  /// The host itself could not go on: no child could be started, or the sink failed with this error.
  case hostFailed(any Error)

  /// Whether the entries count.
  public var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }

  /// What the caller of a reload is told on a phone; nil for `accepted`.
  public var phoneError: PhoneError? {
    switch self {
    case .accepted: nil
    case .rejected(let violation): PhoneError(violation.phoneCode)
    case .failed(let domain, let code, _): PhoneError(domain: domain, code: code)
    case .crashed, .timedOut, .exitedWithoutResult, .sandboxViolation, .brokeProtocol, .overMemoryBudget, .cancelled:
      PhoneError(.loadingInterrupted)
    // The phone finds no extension in a bundle that has none.
    case .notAProvider, .unsupportedABI: PhoneError(.noExtensionFound)
    case .hostFailed: PhoneError(.unknown)
    }
  }

  /// Whether the library is to be kept from loading again until it changes or is forgiven: it took its process down.
  public var isQuarantined: Bool {
    switch self {
    case .crashed, .timedOut, .exitedWithoutResult, .sandboxViolation, .brokeProtocol: true
    case .accepted, .rejected, .failed, .notAProvider, .unsupportedABI, .overMemoryBudget, .cancelled, .hostFailed:
      false
    }
  }

  /// The word used in reports.
  public var name: String {
    switch self {
    case .accepted: "accepted"
    case .rejected: "rejected"
    case .failed: "failed"
    case .crashed: "crashed"
    case .timedOut: "timedOut"
    case .exitedWithoutResult: "exitedWithoutResult"
    case .sandboxViolation: "sandboxViolation"
    case .brokeProtocol: "brokeProtocol"
    case .notAProvider: "notAProvider"
    case .unsupportedABI: "unsupportedABI"
    case .overMemoryBudget: "overMemoryBudget"
    case .cancelled: "cancelled"
    case .hostFailed: "hostFailed"
    }
  }
}

/// A reason for `hostFailed` that is neither the system's nor the sink's.
public struct HostProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var description: String

  init(_ description: String) { self.description = description }
}
