internal import CallDirectory
internal import ShardFormat

/// Splits labels into the phrases that cost least. Holds the working memory of one thread, about 0.8 MB.
final class PhraseParser {
  /// What cannot be written in a context.
  static let impossible: UInt32 = 1 << 24

  private let trie: PhraseTrie
  private let phraseCount: Int
  private let costs: UnsafeMutablePointer<UInt32>
  private let nextContexts: UnsafeMutablePointer<UInt8>

  private struct State {
    var cost: UInt32
    var phrase: UInt16
    var byteCount: UInt8
    var context: UInt8
  }
  private let states: UnsafeMutablePointer<State>
  private let parsed: UnsafeMutablePointer<UInt16>
  private static let room = CallLabel.maximumBytes + 4

  /// `costs` holds for each context what each phrase costs there.
  init(_ trie: PhraseTrie, nextContexts: [UInt8], costs: [[UInt32]]) {
    self.trie = trie
    phraseCount = nextContexts.count
    self.nextContexts = .allocate(capacity: max(phraseCount, 1))
    self.nextContexts.initialize(from: nextContexts, count: phraseCount)
    self.costs = .allocate(capacity: max(phraseCount * costs.count, 1))
    for (context, costs) in costs.enumerated() {
      (self.costs + context * phraseCount).initialize(from: costs, count: phraseCount)
    }
    states = .allocate(capacity: Self.room)
    parsed = .allocate(capacity: Self.room)
  }

  deinit {
    costs.deallocate()
    nextContexts.deallocate()
    states.deallocate()
    parsed.deallocate()
  }

  /// The phrases of a label in order, borrowed until the next call, and what they cost. Nil when it cannot be written.
  /// Requires: at most 65,534 bytes. O(bytes × the longest phrase).
  @inline(__always)
  func parse(_ label: UnsafeRawBufferPointer) -> (phrases: UnsafeBufferPointer<UInt16>, cost: UInt32)? {
    let count = label.count
    guard let text = label.baseAddress, count <= CallLabel.maximumBytes else { return nil }
    let unreached = State(cost: .max, phrase: 0, byteCount: 0, context: 0)
    for at in 1...(count &+ 1) { states[at] = unreached }
    states[0] = State(cost: 0, phrase: 0, byteCount: 0, context: 0)
    let nodes = trie.nodes
    var start = 0
    while start <= count {
      let from = states[start]
      guard from.cost < Self.impossible else {
        start &+= 1
        continue
      }
      let costs = costs + Int(from.context) &* phraseCount
      var node = 0
      var at = start
      while true {
        if at == count, nodes[node].ending != PhraseTrie.none {
          let phrase = nodes[node].ending
          let cost = from.cost &+ costs[Int(phrase)]
          if cost < states[count &+ 1].cost {
            states[count &+ 1] = State(
              cost: cost, phrase: phrase, byteCount: UInt8(truncatingIfNeeded: at &- start), context: 0)
          }
        }
        guard at < count else { break }
        let child = Int(nodes[node].base) &+ Int(text.load(fromByteOffset: at, as: UInt8.self))
        guard nodes[child].parent == UInt32(truncatingIfNeeded: node) else { break }
        node = child
        at &+= 1
        let phrase = nodes[node].phrase
        guard phrase != PhraseTrie.none else { continue }
        let cost = from.cost &+ costs[Int(phrase)]
        if cost < states[at].cost {
          states[at] = State(
            cost: cost, phrase: phrase, byteCount: UInt8(truncatingIfNeeded: at &- start),
            context: nextContexts[Int(phrase)])
        }
      }
      start &+= 1
    }
    let end = states[count &+ 1]
    guard end.cost < Self.impossible else { return nil }
    var first = Self.room &- 1
    parsed[first] = end.phrase
    var at = count &- Int(end.byteCount)
    while at > 0 {
      first &-= 1
      parsed[first] = states[at].phrase
      at &-= Int(states[at].byteCount)
    }
    return (UnsafeBufferPointer(start: parsed + first, count: Self.room &- first), end.cost)
  }
}
