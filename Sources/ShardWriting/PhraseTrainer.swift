internal import ShardFormat

/// Finds the phrases that labels are made of.
///
/// First neighbouring pieces that often stand together are joined, many kinds at a time, until there are more phrases than
/// wanted. Then the labels are split so as to cost least, phrases that are hardly used are given up, and phrases that the same
/// ones follow are put into one context; this is done a few times over. Everything is counted in integers and ordered, so the
/// same sample gives the same dictionary everywhere.
struct PhraseTrainer {
  /// The end of a label, as a symbol behind the 256 bytes.
  private static let end: UInt32 = 256
  private static let wall: UInt32 = .max

  private let sample: LabelSample
  private let limit: Int
  private let contextCount: Int
  private var phrases: [PhraseList.Phrase] = []
  /// How often each phrase stands first in a label, and elsewhere.
  private var firsts: [UInt32] = []
  private var others: [UInt32] = []

  /// `limit` phrases at most, of which 257 are the single bytes and the end; `contexts` of 2 to 8.
  init(_ sample: LabelSample, limit: Int = PhraseList.maximumPhrases, contexts: Int = 8) {
    self.sample = sample
    self.limit = limit
    contextCount = contexts
  }

  /// The dictionary. O(bytes of the sample), about 0.3 s a megabyte.
  mutating func train() -> PhraseList {
    join()
    // What the last round has to give up has been split into other phrases by then.
    for size in [limit + limit / 5, limit] {
      let counts = countByParsing(costs: estimatedCosts([firsts, others]), contexts: phrases.map { $0.ends ? 0 : 1 })
      keep(size, counts)
    }
    var contexts = phrases.map { firstContext(of: $0) }
    var tokens = parse(costs: estimatedCosts([firsts, others]), contexts: phrases.map { $0.ends ? 0 : 1 })
    var counts: [[UInt32]] = []
    for round in 0..<2 {
      (contexts, counts) = cluster(tokens, contexts)
      if round == 0 { tokens = parse(costs: estimatedCosts(counts), contexts: contexts) }
    }
    return list(contexts, counts)
  }

  // MARK: Joining

  private mutating func join() {
    phrases = (0..<256).map { PhraseList.Phrase(bytes: [UInt8($0)], ends: false, nextContext: 0) }
    phrases.append(PhraseList.Phrase(bytes: [], ends: true, nextContext: 0))
    var ids: [PhraseList.Phrase: UInt32] = [:]
    for (index, phrase) in phrases.enumerated() { ids[phrase] = UInt32(index) }
    var tokens: [UInt32] = []
    sample.forEach { label in
      for byte in label { tokens.append(UInt32(byte)) }
      tokens += [Self.end, Self.wall]
    }
    let target = limit + limit / 2
    var table = PairCounts(tokens: tokens.count)
    var rounds = 0
    while phrases.count < target, rounds < 64 {
      rounds += 1
      table.count(tokens, wall: Self.wall)
      let wanted = min(max(80, phrases.count / 4), target - phrases.count)
      let sizes = phrases.map { UInt8($0.bytes.count) }
      var pairs = table.mostFrequent(wanted) { left, right in
        Int(sizes[Int(left)]) + Int(sizes[Int(right)]) <= PhraseList.longestPhrase
      }
      if let most = pairs.first?.count { pairs.removeAll { $0.count < max(4, most / 16) } }
      if pairs.isEmpty { break }
      table.empty()
      for pair in pairs {
        let (left, right) = (phrases[Int(pair.left)], phrases[Int(pair.right)])
        let joined = PhraseList.Phrase(bytes: left.bytes + right.bytes, ends: right.ends, nextContext: 0)
        let id: UInt32
        if let known = ids[joined] {
          id = known
        } else {
          id = UInt32(phrases.count)
          ids[joined] = id
          phrases.append(joined)
        }
        table.set(pair.left, pair.right, id)
      }
      replace(in: &tokens, table)
    }
    firsts = [UInt32](repeating: 0, count: phrases.count)
    others = firsts
    var isFirst = true
    for token in tokens {
      if token == Self.wall {
        isFirst = true
      } else {
        if isFirst { firsts[Int(token)] += 1 } else { others[Int(token)] += 1 }
        isFirst = false
      }
    }
  }

  private func replace(in tokens: inout [UInt32], _ table: borrowing PairCounts) {
    var to = 0
    tokens.withUnsafeMutableBufferPointer { tokens in
      var from = 0
      while from < tokens.count {
        let left = tokens[from]
        if left != Self.wall, from + 1 < tokens.count, tokens[from + 1] != Self.wall,
          let joined = table.value(left, tokens[from + 1])
        {
          tokens[to] = joined
          from += 2
        } else {
          tokens[to] = left
          from += 1
        }
        to += 1
      }
    }
    tokens.removeSubrange(to...)
  }

  // MARK: Splitting and giving up

  /// In sixteenths of a bit. A byte or the end can be written in any context, if at a price.
  private func estimatedCosts(_ counts: [[UInt32]]) -> [[UInt32]] {
    counts.map { counts in
      let total = CodeLengths.log16(UInt64(counts.reduce(0) { $0 + UInt64($1) }) * 8 + 1)
      return counts.enumerated().map { index, count in
        if count == 0 { return isNeeded(phrases[index]) ? max(total, 16) : PhraseParser.impossible }
        return max(total - min(total, CodeLengths.log16(UInt64(count) * 8)), 1)
      }
    }
  }

  private func isNeeded(_ phrase: PhraseList.Phrase) -> Bool { phrase.bytes.count + (phrase.ends ? 1 : 0) == 1 }

  /// The sample as phrases, labels one after the other.
  private func parse(costs: [[UInt32]], contexts: [UInt8]) -> [UInt16] {
    let parser = PhraseParser(PhraseTrie(phrases), nextContexts: contexts, costs: costs)
    var tokens: [UInt16] = []
    sample.forEach { label in
      if let parsed = parser.parse(label) { tokens.append(contentsOf: parsed.phrases) }
    }
    return tokens
  }

  private func countByParsing(costs: [[UInt32]], contexts: [UInt8]) -> (firsts: [UInt32], others: [UInt32]) {
    var firsts = [UInt32](repeating: 0, count: phrases.count)
    var others = firsts
    var isFirst = true
    for token in parse(costs: costs, contexts: contexts) {
      if isFirst { firsts[Int(token)] += 1 } else { others[Int(token)] += 1 }
      isFirst = phrases[Int(token)].ends
    }
    return (firsts, others)
  }

  /// Keeps what is needed and the most used of the others, if used more than twice.
  private mutating func keep(_ size: Int, _ counts: (firsts: [UInt32], others: [UInt32])) {
    let uses = zip(counts.firsts, counts.others).map { $0 + $1 }
    let optional = phrases.indices.filter { !isNeeded(phrases[$0]) && uses[$0] > 2 }
      .sorted { (uses[$1], $0) < (uses[$0], $1) }
    let needed = phrases.indices.filter { isNeeded(phrases[$0]) }
    let kept = (needed + optional.prefix(max(0, size - needed.count))).sorted()
    phrases = kept.map { phrases[$0] }
    firsts = kept.map { counts.firsts[$0] }
    others = kept.map { counts.others[$0] }
  }

  // MARK: Contexts

  /// A first guess by the last byte.
  private func firstContext(of phrase: PhraseList.Phrase) -> UInt8 {
    guard !phrase.ends, contextCount > 2, let last = phrase.bytes.last else { return phrase.ends ? 0 : 1 }
    let kind: Int =
      switch last {
      case 0x20: 0
      case 0xC0...0xFF: 1
      case 0x80...0xBF: 2
      case 0x61...0x7A: phrase.bytes.count < 3 ? 3 : 4
      case 0x30...0x39: 5
      default: 6
      }
    return UInt8(1 + kind % (contextCount - 1))
  }

  /// Moves each phrase into the context in which what follows it costs least, until few are moved. Gives the contexts, and
  /// what stands in each of them how often.
  private func cluster(_ tokens: [UInt16], _ start: [UInt8]) -> ([UInt8], [[UInt32]]) {
    var contexts = start
    var counts: [[UInt32]] = []
    let rest = contextCount - 1
    for round in 0..<7 {
      counts = [[UInt32]](repeating: [UInt32](repeating: 0, count: phrases.count), count: contextCount)
      var context = 0
      for token in tokens {
        counts[context][Int(token)] += 1
        context = phrases[Int(token)].ends ? 0 : Int(contexts[Int(token)])
      }
      if round == 6 || rest < 2 { break }
      // By phrase and context; the cost of a phrase that never stood there is that of a rare one.
      var costs = [UInt32](repeating: 0, count: phrases.count * rest)
      for context in 0..<rest {
        let column = counts[context + 1]
        let total = CodeLengths.log16(column.reduce(UInt64(phrases.count)) { $0 + UInt64($1) } * 4)
        for index in phrases.indices {
          costs[index * rest + context] = total - CodeLengths.log16(UInt64(column[index]) * 4 + 1)
        }
      }
      var scores = [UInt32](repeating: 0, count: phrases.count * rest)
      scores.withUnsafeMutableBufferPointer { scores in
        costs.withUnsafeBufferPointer { costs in
          var previous = -1
          for token in tokens {
            if previous >= 0 {
              for context in 0..<rest {
                scores[previous &* rest &+ context] &+= costs[Int(token) &* rest &+ context]
              }
            }
            previous = phrases[Int(token)].ends ? -1 : Int(token)
          }
        }
      }
      for index in phrases.indices where !phrases[index].ends {
        let own = scores[(index * rest)..<(index * rest + rest)]
        guard let best = own.indices.min(by: { (own[$0], $0) < (own[$1], $1) }),
          own[best] < own[own.startIndex + Int(contexts[index]) - 1]
        else { continue }
        contexts[index] = UInt8(1 + best - own.startIndex)
      }
    }
    return (contexts, counts)
  }

  // MARK: The result

  private func list(_ contexts: [UInt8], _ counts: [[UInt32]]) -> PhraseList {
    let order = phrases.indices.sorted { left, right in
      phrases[left].bytes == phrases[right].bytes
        ? !phrases[left].ends : phrases[left].bytes.lexicographicallyPrecedes(phrases[right].bytes)
    }
    let lengths = counts.map { counts in
      CodeLengths.lengths(
        weights: order.map { UInt64(counts[$0]) * 16 + (isNeeded(phrases[$0]) ? 1 : 0) },
        limit: CanonicalCode.longest)
    }
    return PhraseList(
      phrases: order.map {
        PhraseList.Phrase(bytes: phrases[$0].bytes, ends: phrases[$0].ends, nextContext: contexts[$0])
      }, lengths: lengths)
  }
}
