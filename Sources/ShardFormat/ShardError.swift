/// Why a file is not a sound shard, or why an entry cannot go into one.
public struct ShardError: Error, Hashable, Sendable {
  /// The kind of problem. Open: later versions may add kinds.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file is something else.
    public static let notAShard = Code(rawValue: "notAShard")
    /// The file needs a newer reader.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The file is shorter or longer than it says.
    public static let wrongSize = Code(rawValue: "wrongSize")
    /// A checksum or a digest does not match.
    public static let checksum = Code(rawValue: "checksum")
    /// A field contradicts another one or the specification.
    public static let malformed = Code(rawValue: "malformed")
    /// An entry given to a writer does not come after its predecessor.
    public static let order = Code(rawValue: "order")
    /// An entry given to a writer cannot be stored.
    public static let entry = Code(rawValue: "entry")
    /// A writer was used after it had finished or failed.
    public static let closed = Code(rawValue: "closed")
  }

  /// The two entries of an order error.
  public struct Neighbours: Hashable, Sendable {
    /// The place of the later entry in what was given, from 0.
    public var index: Int
    /// The number before it.
    public var previous: Int64
    /// Its own number.
    public var number: Int64

    package init(index: Int, previous: Int64, number: Int64) {
      self.index = index
      self.previous = previous
      self.number = number
    }
  }

  /// The kind of problem.
  public var code: Code
  /// The file.
  public var path: String
  /// What is wrong: a field, a section or an entry.
  public var what: String
  /// Where in the file, in bytes; nil for entries given to a writer.
  public var offset: Int?
  /// What was expected.
  public var expectation: String
  /// What is there.
  public var found: String
  /// What to do about it.
  public var fix: String
  /// Both entries of an order error.
  public var neighbours: Neighbours?

  package init(
    _ code: Code, path: String, what: String, offset: Int? = nil, expectation: String, found: String, fix: String,
    neighbours: Neighbours? = nil
  ) {
    self.code = code
    self.path = path
    self.what = what
    self.offset = offset
    self.expectation = expectation
    self.found = found
    self.fix = fix
    self.neighbours = neighbours
  }

  /// What is wrong without the file it is in: `what at byte N: expected X, found Y`.
  public var finding: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "\(what)\(place): expected \(expectation), found \(found)"
  }

  /// What to do about a file that is damaged.
  package static let replaceFile = "replace the file: build the release again or fetch it again"
}

extension ShardError: CustomStringConvertible {
  /// `path: what at byte N: expected X, found Y`.
  public var description: String { "\(path): \(finding)" }
}
