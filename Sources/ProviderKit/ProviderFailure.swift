internal import CCallDirectory

/// Why a provider can't be made or a load fails.
///
/// An author throws one of the four below, with a message of one line that says what is wrong and where. A `verdict` is
/// thrown by the adds of ``ProviderRequest``: let it through, the host has refused what was added.
public struct ProviderFailure: Error, Hashable, Sendable {
  /// The status of the C interface: 3 to 31 for the host's verdicts, 32 to 47 for the provider's failures.
  public let status: Int32
  /// The error's family, which reaches the user unchanged; empty for the provider's identifier.
  public let domain: String
  /// The number in the family, which reaches the user unchanged.
  public let code: Int
  /// What is wrong; empty for a verdict.
  public let message: String

  /// Data is missing or can't be read.
  public static func dataUnavailable(_ message: String) -> ProviderFailure {
    ProviderFailure(CALLDIR_DATA_UNAVAILABLE, message)
  }

  /// Data is damaged or malformed.
  public static func dataCorrupt(_ message: String) -> ProviderFailure {
    ProviderFailure(CALLDIR_DATA_CORRUPT, message)
  }

  /// The configuration isn't one to work with, for example an option that isn't known.
  public static func badConfiguration(_ message: String) -> ProviderFailure {
    ProviderFailure(CALLDIR_BAD_CONFIGURATION, message)
  }

  /// An error of a family of the author's own.
  public static func error(domain: String, code: Int, _ message: String) -> ProviderFailure {
    ProviderFailure(status: Int32(CALLDIR_PROVIDER_FAILURE), domain: domain, code: code, message: message)
  }

  /// Whether the host refused what was added, or cancelled the load.
  public var isVerdict: Bool { !(32..<48).contains(status) }

  init(verdict: Int32) { self.init(status: verdict, domain: "", code: Int(verdict), message: "") }

  private init(_ status: Int, _ message: String) {
    self.init(status: Int32(status), domain: "", code: status, message: message)
  }

  private init(status: Int32, domain: String, code: Int, message: String) {
    self.status = status
    self.domain = domain
    self.code = code
    self.message = message
  }
}

extension ProviderFailure: CustomStringConvertible {
  /// The message, or the verdict's number.
  public var description: String { isVerdict ? "the host's verdict is \(status)" : message }
}
