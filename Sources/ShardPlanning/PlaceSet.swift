/// A set of places: positions among the providers of the base release, 256 at most.
public struct PlaceSet: Hashable, Sendable {
  @usableFromInline internal var words: SIMD4<UInt64>

  /// The most places that can be told apart.
  public static let capacity = 256
  /// No place.
  @inlinable public static var none: PlaceSet { PlaceSet(words: .zero) }

  @inlinable init(words: SIMD4<UInt64>) { self.words = words }

  /// Adds a place. Requires: it is below `capacity`.
  @inlinable
  public mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }

  /// Whether the place is in the set.
  @inlinable
  public func contains(_ place: Int) -> Bool { words[place >> 6] >> UInt64(place & 63) & 1 == 1 }

  /// Whether there is none.
  @inlinable
  public var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  /// How many places there are.
  public var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  /// A value that spreads sets over a table.
  var spread: UInt64 { words[0] ^ words[1] &<< 1 ^ words[2] &<< 2 ^ words[3] &<< 3 }
}

/// Where the entries of one number were in the base release.
public struct HeldPlaces: Hashable, Sendable {
  /// The places that had the number's block.
  public var blocking: PlaceSet
  /// The places that had its label.
  public var identification: PlaceSet

  /// The number was nowhere.
  @inlinable public static var none: HeldPlaces { HeldPlaces(blocking: .none, identification: .none) }

  /// Places of the two families.
  @inlinable
  public init(blocking: PlaceSet, identification: PlaceSet) {
    self.blocking = blocking
    self.identification = identification
  }

  /// Whether the number was nowhere.
  @inlinable public var isEmpty: Bool { blocking.isEmpty && identification.isEmpty }
}
