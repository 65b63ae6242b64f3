public import CallDirectory

/// What a phone does with one caller, and why every provider won or lost.
public struct CallDecision: Hashable, Sendable {
  /// The four ways a call can go.
  public enum Kind: String, Sendable, CaseIterable {
    /// The call is refused (R-WIN-2).
    case blocked
    /// It rings with the label of a provider (R-WIN-1).
    case identified
    /// It rings with the name of a contact (R-WIN-1).
    case contact
    /// It rings with the number alone.
    case unknown
  }

  /// How the call goes.
  public var kind: Kind
  /// The first provider in settings order that blocks; nil unless the call is blocked (R-WIN-2).
  public var blockedBy: ProviderID?
  /// The first line of the label (R-ENT-4): what is shown, or would be if the call were not blocked; nil when nobody
  /// knows the number.
  public var label: String?
  /// The provider that gave the label; nil when a contact did, or nobody.
  public var labelFrom: ProviderID?
  /// Whether the caller is in the phone's contacts.
  public var isContact: Bool
  /// The rule on contacts that was used; nil when the caller is no contact that a provider blocks (R-WIN-3).
  public var contactRule: ContactRule?
  /// One row per provider in settings order.
  public var providers: [ProviderTrace]
}

extension CallDecision.Kind: CustomStringConvertible {
  /// The word used in reports.
  public var description: String { rawValue }
}
