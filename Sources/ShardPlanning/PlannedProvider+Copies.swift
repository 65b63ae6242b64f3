extension PlannedProvider {
  /// The copies as the base release has them, for the number of copies there are now; nil where they have to be cut.
  func knownGroup(_ known: CopyGroup?) -> CopyGroup? {
    if fillBy == .score {
      // By value, so there is nothing to cut.
      return switch count {
      case .single: nil
      case .fixed(let count): CopyGroup(copies: count, cuts: [], isByScore: true)
      case .auto: known.map { CopyGroup(copies: $0.copies, cuts: [], isByScore: true) }
      }
    }
    // Copies that were filled by score until now have no ranges yet.
    guard let known, !known.isByScore else { return nil }
    return switch count {
    case .single: nil
    case .fixed(let count): known.resized(to: count)
    case .auto: known
    }
  }
}
