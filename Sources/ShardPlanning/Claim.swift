public import CallDirectory
public import PhoneNumbering

/// Which entries a provider asks for. Identification and block of a number are claimed each by itself.
public enum Claim: Hashable, Sendable {
  /// What no other provider claims.
  case rest
  /// Entries for which every key of `all` holds and, unless `anyOf` is empty, every key of one of its clauses.
  case matching(all: ClaimClause, anyOf: [ClaimClause])
}

/// Keys that must all hold for an entry; a nil key always holds.
public struct ClaimClause: Hashable, Sendable {
  /// The entry's areas include one of these texts.
  public var areas: [String]?
  /// The number begins with one of these digit strings (without `+`).
  public var prefixes: [String]?
  /// The number belongs to one of these countries.
  public var countries: [RegionCode]?
  /// One of these sources contributed a row to the entry.
  public var sources: [String]?
  /// The entry's family is one of these: `identify` for identification, `block` for blocking, `both` for either.
  public var actions: [EntryAction]?
  /// The number lies in one of these ranges, ends included.
  public var ranges: [ClosedRange<PhoneNumber>]?

  /// A clause with the given keys.
  public init(
    areas: [String]? = nil, prefixes: [String]? = nil, countries: [RegionCode]? = nil, sources: [String]? = nil,
    actions: [EntryAction]? = nil, ranges: [ClosedRange<PhoneNumber>]? = nil
  ) {
    self.areas = areas
    self.prefixes = prefixes
    self.countries = countries
    self.sources = sources
    self.actions = actions
    self.ranges = ranges
  }
}
