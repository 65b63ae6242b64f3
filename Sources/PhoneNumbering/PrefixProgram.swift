/// A rule that recognises an international or national prefix: a small backtracking program that prefers what its
/// source pattern prefers. The generator documents the operations.
struct PrefixProgram {
  /// Where the program starts in the generated table; 0 is no rule, which matches nothing.
  let address: Int

  /// What a program matched, in digits from the start.
  struct Match {
    /// Where the match ends; 0 is a match of nothing.
    var end: Int
    /// The captured group, or nil when it took no part.
    var group: Range<Int>?
  }

  /// The match at the start of `digits`, or nil. Programs have no loops, so the cost is bounded by their length.
  func match(_ digits: DigitRun) -> Match? {
    address == 0 ? nil : Self.run(address, digits, at: 0, groupStart: -1, group: nil)
  }

  private static func run(
    _ address: Int, _ digits: DigitRun, at start: Int, groupStart: Int, group: Range<Int>?
  ) -> Match? {
    let program = NumberingMetadata.programs
    var counter = address
    var position = start
    var groupStart = groupStart
    var group = group
    while true {
      let operation = program.utf8Start[counter]
      counter &+= 1
      switch operation {
      case UInt8(ascii: "d"):
        guard position < digits.count, (NumberingMetadata.pair(program, counter) >> digits[position]) & 1 == 1
        else { return nil }
        position &+= 1
        counter &+= 2
      case UInt8(ascii: "s"):
        let preferred = run(counter &+ 2, digits, at: position, groupStart: groupStart, group: group)
        if let preferred { return preferred }
        counter = NumberingMetadata.pair(program, counter)
      case UInt8(ascii: "g"):
        counter = NumberingMetadata.pair(program, counter)
      case UInt8(ascii: "("):
        groupStart = position
      case UInt8(ascii: ")"):
        group = groupStart..<position
      case UInt8(ascii: "$"):
        guard position == digits.count else { return nil }
      default:
        return Match(end: position, group: group)
      }
    }
  }
}
