/// What a source row asks for.
public enum EntryAction: String, Sendable, CaseIterable {
  /// An identification entry.
  case identify
  /// A blocking entry.
  case block
  /// A blocking and an identification entry.
  case both
  /// Cuts the number out of every block of the plan; labels stay.
  case allow
  /// Cuts the number out of the plan altogether.
  case remove

  /// The families in which a row with this action contributes an entry; empty for the two that cut.
  public var families: [EntryFamily] {
    switch self {
    case .identify: [.identification]
    case .block: [.blocking]
    case .both: [.blocking, .identification]
    case .allow, .remove: []
    }
  }
}
