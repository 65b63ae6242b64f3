public import CallDirectory

/// What one provider had to say about one caller, and what became of it.
public struct ProviderTrace: Hashable, Sendable {
  /// What became of a block.
  public enum BlockOutcome: Hashable, Sendable {
    /// The call is blocked, and this provider is named as the blocker.
    case decides
    /// The call is blocked anyhow; `first`, which stands above, is named.
    case blocksToo(first: ProviderID)
    /// The caller is a contact, and contacts are exempt (R-WIN-3).
    case contactExempt
    /// The provider takes no part.
    case notHeard
  }

  /// What became of a label.
  public enum LabelOutcome: Hashable, Sendable {
    /// It is what the call screen shows.
    case shown
    /// It would be shown if nobody blocked the number.
    case shownIfNotBlocked
    /// A provider above has a label.
    case shadowed(by: ProviderID)
    /// The caller's contact name is shown instead.
    case shadowedByContact
    /// The provider takes no part.
    case notHeard
  }

  /// Who it is.
  public var id: ProviderID
  /// The name shown in the settings.
  public var title: String
  /// Position in the settings, from 1.
  public var position: Int
  /// Where the provider stands.
  public var state: ProviderState
  /// Whether its blocking list has a candidate of the caller.
  public var blocks: Bool
  /// Its labels for the caller as stored, the one it would show first (R-INC-5).
  public var labels: [String]
  /// What became of its block; nil when it has none.
  public var blockOutcome: BlockOutcome?
  /// What became of its label; nil when it has none.
  public var labelOutcome: LabelOutcome?
}

extension ProviderTrace {
  /// The outcome as one phrase: of its block, then of its label. `nothing` when the provider does not know the number;
  /// `off` or `unavailable` when it takes no part, with what is thereby lost where that is known.
  public var outcome: String {
    if state != .on {
      let word = state == .unavailable || state == .loading ? state.rawValue : "off"
      let lost = [blocks ? "would block" : nil, labelOutcome == nil ? nil : "has a label"].compactMap { $0 }
      return lost.isEmpty ? word : "\(word): \(lost.joined(separator: ", "))"
    }
    let parts = [blockOutcome.map(Self.phrase), labelOutcome.map(Self.phrase)].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
  }

  private static func phrase(_ outcome: BlockOutcome) -> String {
    switch outcome {
    case .decides: "decides"
    case .blocksToo(let first): "blocks too, \(first) is named"
    case .contactExempt: "contact exempt"
    case .notHeard: "not heard"
    }
  }

  private static func phrase(_ outcome: LabelOutcome) -> String {
    switch outcome {
    case .shown: "shown"
    case .shownIfNotBlocked: "shown if it were not blocked"
    case .shadowed(let winner): "shadowed by \(winner)"
    case .shadowedByContact: "shadowed by the contact"
    case .notHeard: "not heard"
    }
  }
}
