/// How a source writes its numbers; the plan keys `country`, `numbersAre`, `shortCodes`, `extension` and what belongs
/// to them.
public struct NormalisationOptions: Hashable, Sendable {
  /// What becomes of an extension; the plan key `extension`. A caller's number never carries one.
  public enum ExtensionHandling: String, CaseIterable, Sendable {
    /// The number counts without it; noted.
    case drop
    /// Its digits are put behind the number, which must not exceed 15 digits; noted, because it will not match a caller.
    case append
    /// The number is refused.
    case refuse
  }

  /// What becomes of words behind a number, such as `(справочная)`; the plan key `numberRemarks`.
  public enum RemarkHandling: String, CaseIterable, Sendable {
    /// The number is refused.
    case refuse
    /// The number counts without the remark; noted.
    case strip
  }

  /// The country whose national form is meant; nil where every number is international.
  public var region: RegionCode?
  /// What digits without a `+` mean.
  public var interpretation: NumberInterpretation
  /// Whether 3 … 6 digits that are no assigned number stand for themselves, as dialled.
  public var shortCodes: Bool
  /// What becomes of an extension.
  public var extensionHandling: ExtensionHandling
  /// What becomes of words behind a number.
  public var remarkHandling: RemarkHandling
  /// Digit strings that are dialled in front of a calling code (`00`, `011`, `810`); nil for those of the region, or
  /// `00` without a region. Anything but digits in them never matches.
  public var internationalPrefixes: [String]?

  /// The usual reading of a national list: everything but the region at its default.
  public init(
    region: RegionCode? = nil, interpretation: NumberInterpretation = .auto, shortCodes: Bool = false,
    extensionHandling: ExtensionHandling = .drop, remarkHandling: RemarkHandling = .refuse,
    internationalPrefixes: [String]? = nil
  ) {
    self.region = region
    self.interpretation = interpretation
    self.shortCodes = shortCodes
    self.extensionHandling = extensionHandling
    self.remarkHandling = remarkHandling
    self.internationalPrefixes = internationalPrefixes
  }
}
