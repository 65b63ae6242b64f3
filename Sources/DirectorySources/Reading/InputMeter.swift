internal import Synchronization

/// How much of the input has been parsed, for progress and for what is still to come. Any thread.
final class InputMeter: Sendable {
  /// Bytes of all files; 0 when not known.
  let total: Int
  private let parsed = Atomic<Int>(0)

  init(total: Int) { self.total = total }

  /// Counts `bytes` as parsed.
  func advance(_ bytes: Int) { parsed.wrappingAdd(bytes, ordering: .relaxed) }

  /// What `amount`, reached with the input parsed so far, comes to at the end of the input.
  func extrapolate(_ amount: Int) -> Int {
    let done = max(parsed.load(ordering: .relaxed), 1)
    return total > done ? Int(Double(amount) * Double(total) / Double(done)) : amount
  }
}
