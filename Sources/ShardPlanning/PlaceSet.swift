/// A set of places: positions among the providers of the base release, 256 at most.
public struct PlaceSet: Hashable, Sendable {
  private var words: SIMD4<UInt64>

  /// The most places that can be told apart.
  public static let capacity = 256
  /// No place.
  public static let none = PlaceSet(words: .zero)

  private init(words: SIMD4<UInt64>) { self.words = words }

  /// Adds a place. Requires: it is below `capacity`.
  @inline(__always)
  public mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }

  /// Whether the place is in the set.
  @inline(__always)
  public func contains(_ place: Int) -> Bool { words[place >> 6] >> UInt64(place & 63) & 1 == 1 }

  /// Whether there is none.
  @inline(__always)
  public var isEmpty: Bool { words == .zero }

  /// How many places there are.
  public var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  /// A value that spreads sets over a table.
  var spread: UInt64 { words[0] ^ words[1] &* 3 ^ words[2] &* 5 ^ words[3] &* 7 }
}

/// Where the entries of one number were in the base release.
public struct HeldPlaces: Hashable, Sendable {
  /// The places that had the number's block.
  public var blocking: PlaceSet
  /// The places that had its label.
  public var identification: PlaceSet

  /// The number was nowhere.
  public static let none = HeldPlaces(blocking: .none, identification: .none)

  /// Places of the two families.
  public init(blocking: PlaceSet, identification: PlaceSet) {
    self.blocking = blocking
    self.identification = identification
  }
}
