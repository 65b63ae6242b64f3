internal import Synchronization

/// How much of the input has been parsed, for progress and for what is still to come. Any thread.
final class InputMeter: Sendable {
  /// Bytes of all files; 0 when not known.
  let total: Int
  private let parsed = Atomic<Int>(0)

  init(total: Int) { self.total = total }

  /// Counts `bytes` as parsed.
  func advance(_ bytes: Int) { parsed.wrappingAdd(bytes, ordering: .relaxed) }

  /// What `amount` bytes of records, reached with the input parsed so far, come to at the end of the input. Never more
  /// than twice the input on top: the shortest line, a number and a line end, becomes no larger record.
  func extrapolate(_ amount: Int) -> Int {
    let done = parsed.load(ordering: .relaxed)
    guard total > done else { return amount }
    let most = amount + 2 * (total - done)
    return done == 0 ? most : min(most, Int(Double(amount) * Double(total) / Double(done)))
  }
}
