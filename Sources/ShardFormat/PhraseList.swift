/// The phrase dictionary as its section has it: phrases in order, with the lengths of their codes in each context.
package struct PhraseList {
  /// One phrase.
  package struct Phrase: Hashable {
    /// 0 to 16 bytes of a label.
    package var bytes: [UInt8]
    /// Whether a label ends behind it.
    package var ends: Bool
    /// The context whose codes the next phrase of the label is written in; 0 for one that ends a label.
    package var nextContext: UInt8

    package init(bytes: [UInt8], ends: Bool, nextContext: UInt8) {
      self.bytes = bytes
      self.ends = ends
      self.nextContext = nextContext
    }
  }

  package static let longestPhrase = 16
  package static let maximumPhrases = 16_384
  package static let maximumContexts = 8
  static let headBytes = 4

  package var phrases: [Phrase]
  /// For each context the lengths of all phrases' codes, 0 for a phrase that never stands there.
  package var lengths: [[UInt8]]

  package init(phrases: [Phrase], lengths: [[UInt8]]) {
    self.phrases = phrases
    self.lengths = lengths
  }

  /// Reads and checks a section. O(bytes).
  init(_ bytes: UnsafeRawBufferPointer) throws(PhraseTable.Fault) {
    guard bytes.count >= Self.headBytes else {
      throw PhraseTable.Fault(expectation: "at least \(Self.headBytes) bytes", found: "\(bytes.count)")
    }
    let count = Int(bytes.little(0, as: UInt16.self))
    let contexts = Int(bytes[2])
    guard count <= Self.maximumPhrases, bytes[3] == 0, contexts <= Self.maximumContexts, (contexts == 0) == (count == 0)
    else {
      throw PhraseTable.Fault(
        expectation: "at most \(Self.maximumPhrases) phrases and \(Self.maximumContexts) contexts",
        found: "\(count) and \(contexts)")
    }
    let lengthBytes = (count + 1) / 2
    var suffix = Self.headBytes + 2 * count + contexts * lengthBytes
    guard suffix <= bytes.count else {
      throw PhraseTable.Fault(expectation: "room for \(count) phrases", found: "\(bytes.count) bytes")
    }
    phrases = []
    phrases.reserveCapacity(count)
    var previous: [UInt8] = []
    for index in 0..<count {
      let head: UInt16 = bytes.little(Self.headBytes + 2 * index)
      let shared = Int(head & 31)
      let more = Int(head >> 5 & 31)
      let ends = head >> 10 & 1 == 1
      let next = Int(head >> 11 & 7)
      guard head >> 14 == 0, shared <= previous.count, shared + more <= Self.longestPhrase,
        more <= bytes.count - suffix,
        ends ? next == 0 : next < contexts && shared + more > 0
      else {
        throw PhraseTable.Fault(
          expectation: "phrase \(index) of at most 16 bytes", found: "0x\(String(head, radix: 16))")
      }
      previous = Array(previous[..<shared]) + bytes[suffix..<(suffix + more)]
      suffix += more
      phrases.append(Phrase(bytes: previous, ends: ends, nextContext: UInt8(next)))
    }
    guard suffix == bytes.count else {
      throw PhraseTable.Fault(expectation: "\(suffix) bytes", found: "\(bytes.count)")
    }
    lengths = []
    for context in 0..<contexts {
      let start = Self.headBytes + 2 * count + context * lengthBytes
      let lengths = (0..<count).map { bytes[start + $0 / 2] >> UInt8($0 % 2 * 4) & 15 }
      guard CanonicalCode(lengths: lengths) != nil, count % 2 == 0 || bytes[start + lengthBytes - 1] >> 4 == 0 else {
        throw PhraseTable.Fault(expectation: "a complete code in context \(context)", found: "other lengths")
      }
      self.lengths.append(lengths)
    }
  }

  /// The section. Each phrase shares with the one before as many bytes as it can.
  package var encoded: [UInt8] {
    var heads: [UInt8] = []
    var suffixes: [UInt8] = []
    var previous: [UInt8] = []
    for phrase in phrases {
      let shared = zip(phrase.bytes, previous).prefix { $0 == $1 }.count
      let head =
        UInt16(shared) | UInt16(phrase.bytes.count - shared) << 5 | (phrase.ends ? 1 << 10 : 0)
        | UInt16(phrase.nextContext) << 11
      heads += [UInt8(truncatingIfNeeded: head), UInt8(truncatingIfNeeded: head >> 8)]
      suffixes += phrase.bytes[shared...]
      previous = phrase.bytes
    }
    var packed: [UInt8] = []
    for lengths in lengths {
      for index in stride(from: 0, to: lengths.count, by: 2) {
        packed.append(lengths[index] | (index + 1 < lengths.count ? lengths[index + 1] << 4 : 0))
      }
    }
    let count = UInt16(truncatingIfNeeded: phrases.count)
    return [UInt8(truncatingIfNeeded: count), UInt8(count >> 8), UInt8(lengths.count), 0] + heads + packed + suffixes
  }
}
