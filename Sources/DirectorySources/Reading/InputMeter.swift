internal import Synchronization

/// How much of the input has been parsed, for progress and for what is still to come. Any thread.
final class InputMeter: Sendable {
  /// Bytes of all files; 0 when not known.
  let total: Int
  private let parsed = Atomic<Int>(0)
  private let parsedText = Atomic<Int>(0)

  init(total: Int) { self.total = total }

  /// Counts `bytes` of files as parsed, which came to `text` bytes of text.
  func advance(_ bytes: Int, text: Int) {
    parsed.wrappingAdd(bytes, ordering: .relaxed)
    parsedText.wrappingAdd(text, ordering: .relaxed)
  }

  /// Whether anything has been parsed.
  var hasBegun: Bool { parsed.load(ordering: .relaxed) > 0 }

  /// What `amount` bytes of records, reached with the input parsed so far, come to at the end of the input. Never more
  /// than twice the text on top: the shortest line, a number and a line end, becomes no larger record.
  func extrapolate(_ amount: Int) -> Int {
    let done = parsed.load(ordering: .relaxed)
    guard total > done else { return amount }
    // Packed files come to more text than they have bytes; the rest is taken to be like what was parsed.
    let growth = done == 0 ? 1 : max(1, Double(parsedText.load(ordering: .relaxed)) / Double(done))
    let most = amount + 2 * Int(min(Double(total - done) * growth, 1e18))
    return done == 0 ? most : min(most, Int(Double(amount) * Double(total) / Double(done)))
  }
}
