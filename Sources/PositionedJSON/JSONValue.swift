/// One value of a parsed text: a reference to the text and a place in it. Copying is cheap; the text lives as long as
/// any of its values.
public struct JSONValue: Sendable {
  /// The six kinds of JSON value.
  public enum Kind: UInt8, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number, kept as written.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  let tape: JSONTape
  let index: Int

  /// What kind of value this is.
  public var kind: Kind { tape.nodes[index].kind }

  /// Whether this is `null`.
  public var isNull: Bool { kind == .null }

  /// The file the text came from, as the caller of the parser named it.
  public var file: String? { tape.file }

  /// Where the value stands in the text, in bytes.
  public var byteRange: Range<Int> {
    Int(tape.nodes[index].start)..<Int(tape.nodes[index].end)
  }

  /// The bytes of the value exactly as they stand in the text.
  public var verbatimBytes: ArraySlice<UInt8> { tape.slice(index) }

  /// The value exactly as it stands in the text, spacing and escapes included.
  public var verbatim: String { String(decoding: verbatimBytes, as: UTF8.self) }

  /// Where the value begins. O(n) for n bytes before it: for messages.
  public var position: JSONPosition {
    JSONPosition(offset: byteRange.lowerBound, in: tape.bytes)
  }

  /// The way to the value: `sources[2].number`; empty for the root. O(n) for n values before it: for messages.
  public var keyPath: String { tape.keyPath(of: index) }

  /// The elements of an array in order; empty for any other kind.
  public var elements: JSONElements { JSONElements(self) }

  /// The members of an object in the order of the text; empty for any other kind.
  public var members: JSONMembers { JSONMembers(self) }

  /// The value of `key` in an object, compared by code points; nil when there is none or this is no object. O(m) for m
  /// members.
  public subscript(key: String) -> JSONValue? {
    for member in members where member.hasKey(key) { return member.value }
    return nil
  }
}

/// A key of an object and its value.
public struct JSONMember: Sendable {
  /// The value.
  public let value: JSONValue

  /// The key, escapes resolved.
  public var key: String { value.tape.string(value.index - 1) }

  /// Where the key begins. O(n) for n bytes before it: for messages.
  public var keyPosition: JSONPosition {
    JSONPosition(offset: Int(value.tape.nodes[value.index - 1].start), in: value.tape.bytes)
  }

  /// Whether the key has exactly the code points of `text`; allocates nothing for a key without escapes.
  public func hasKey(_ text: String) -> Bool { value.tape.string(value.index - 1, equals: text) }
}

/// The elements of an array.
public struct JSONElements: Sequence, Sendable {
  private let container: JSONValue

  init(_ container: JSONValue) { self.container = container }

  /// How many there are.
  public var count: Int { container.kind == .array ? Int(container.tape.nodes[container.index].count) : 0 }

  /// How many there are.
  public var underestimatedCount: Int { count }

  /// Goes through the elements in order.
  public func makeIterator() -> Iterator { Iterator(tape: container.tape, place: container.index + 1, left: count) }

  /// Goes through the elements in order.
  public struct Iterator: IteratorProtocol {
    let tape: JSONTape
    var place: Int
    var left: Int

    /// The next element.
    public mutating func next() -> JSONValue? {
      guard left > 0 else { return nil }
      defer {
        left -= 1
        place = Int(tape.nodes[place].next)
      }
      return JSONValue(tape: tape, index: place)
    }
  }
}

/// The members of an object.
public struct JSONMembers: Sequence, Sendable {
  private let container: JSONValue

  init(_ container: JSONValue) { self.container = container }

  /// How many there are.
  public var count: Int { container.kind == .object ? Int(container.tape.nodes[container.index].count) : 0 }

  /// How many there are.
  public var underestimatedCount: Int { count }

  /// Goes through the members in the order of the text.
  public func makeIterator() -> Iterator { Iterator(tape: container.tape, place: container.index + 1, left: count) }

  /// Goes through the members in the order of the text.
  public struct Iterator: IteratorProtocol {
    let tape: JSONTape
    var place: Int
    var left: Int

    /// The next member.
    public mutating func next() -> JSONMember? {
      guard left > 0 else { return nil }
      let value = place + 1
      defer {
        left -= 1
        place = Int(tape.nodes[value].next)
      }
      return JSONMember(value: JSONValue(tape: tape, index: value))
    }
  }
}
