/// One section of a shard file.
public struct ShardSection: Hashable, Sendable {
  /// What a section holds. The numbers are the ids in the file; an unknown one is kept as a number.
  public struct ID: RawRepresentable, Hashable, Sendable {
    /// The id in the file.
    public let rawValue: UInt32
    /// An id as it stands in a file.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The first number of each block.
    public static let blockNumbers = ID(rawValue: 1)
    /// Where each block begins.
    public static let blockOffsets = ID(rawValue: 2)
    /// Blocks of the plain profile.
    public static let plainBlocks = ID(rawValue: 3)
    /// Blocks of the balanced profile.
    public static let codedBlocks = ID(rawValue: 4)
    /// What labels of the balanced profile are made of.
    public static let phraseDictionary = ID(rawValue: 5)
    /// Labels that stand in the shard more than once, and the codes of label heads.
    public static let repeatedLabels = ID(rawValue: 6)
    /// Ranges that stay unexpanded.
    public static let runs = ID(rawValue: 7)
    /// The checksum of each block.
    public static let blockChecksums = ID(rawValue: 8)
    /// The first number of each coded block, and where it begins.
    public static let blockIndex = ID(rawValue: 9)
  }

  /// What the section holds.
  public var id: ID
  /// Whether a reader that does not know the id must refuse the file.
  public var mustBeKnown: Bool
  /// Where it begins in the file, in bytes.
  public var offset: Int
  /// How many bytes it has, padding not included.
  public var byteCount: Int
  /// The CRC32C of those bytes.
  public var checksum: UInt32

  package init(id: ID, mustBeKnown: Bool, offset: Int, byteCount: Int, checksum: UInt32) {
    self.id = id
    self.mustBeKnown = mustBeKnown
    self.offset = offset
    self.byteCount = byteCount
    self.checksum = checksum
  }
}

extension ShardSection.ID: CustomStringConvertible {
  /// A word for reports; `section N` for an id this version does not know.
  public var description: String {
    switch self {
    case .blockNumbers: "block numbers"
    case .blockOffsets: "block offsets"
    case .plainBlocks: "blocks"
    case .codedBlocks: "coded blocks"
    case .phraseDictionary: "phrase dictionary"
    case .repeatedLabels: "repeated labels"
    case .runs: "runs"
    case .blockChecksums: "block checksums"
    case .blockIndex: "block index"
    default: "section \(rawValue)"
    }
  }
}
