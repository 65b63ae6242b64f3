/// An error as the phone reports it to the app that asked for a reload: a domain and an open code. Unknown codes are
/// kept as numbers (R-LIFE-8).
public struct PhoneError: Error, Hashable, Sendable {
  /// The reverse-DNS name of the error family.
  public var domain: String
  /// The number inside the family.
  public var code: Int

  /// An error of any domain.
  public init(domain: String, code: Int) {
    self.domain = domain
    self.code = code
  }

  /// The domain of the call directory manager.
  public static let managerDomain = "com.apple.CallKit.error.calldirectorymanager"

  /// An error of the call directory manager.
  public init(_ code: ManagerCode) { self.init(domain: Self.managerDomain, code: code.rawValue) }

  /// The call directory manager's codes (SEMANTICS, "Error codes").
  public enum ManagerCode: Int, Sendable, CaseIterable {
    case unknown = 0
    case noExtensionFound = 1
    case loadingInterrupted = 2
    case entriesOutOfOrder = 3
    case duplicateEntries = 4
    case maximumEntriesExceeded = 5
    case extensionDisabled = 6
    case currentlyLoading = 7
    case unexpectedIncrementalRemoval = 8
  }

  /// The manager code, or nil for another domain or a number that has no name.
  public var managerCode: ManagerCode? { domain == Self.managerDomain ? ManagerCode(rawValue: code) : nil }
}

extension PhoneError: CustomStringConvertible {
  /// `error 3 entriesOutOfOrder` for a manager code, else `error CODE (DOMAIN)`.
  public var description: String {
    if let managerCode { "error \(code) \(managerCode)" } else { "error \(code) (\(domain))" }
  }
}
