#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif
internal import Synchronization

/// One line at the foot of a terminal that shows how far a long command is. Writes nothing where the error stream is
/// no terminal. At most ten updates a second; may be called from any thread, and costs a clock reading when too early.
public final class ProgressLine: Sendable {
  private struct State {
    var isEnabled: Bool
    var isShown = false
    var next = 0.0
  }

  private let state: Mutex<State>
  private let columns: Int
  private let write: @Sendable (String) -> Void
  private let clock: @Sendable () -> Double

  /// A line on `terminal`; `clock` gives seconds that never go back.
  public init(
    terminal: Terminal, write: @escaping @Sendable (String) -> Void,
    clock: @escaping @Sendable () -> Double = { ProgressLine.monotonicSeconds() }
  ) {
    state = Mutex(State(isEnabled: terminal.isTerminal))
    columns = terminal.columns
    self.write = write
    self.clock = clock
  }

  /// Shows nothing from now on, for `--quiet` and `--json`.
  public func disable() {
    clear()
    state.withLock { $0.isEnabled = false }
  }

  /// Shows `activity` and how much of `total` is done; a total of 0 is unknown and only the count is shown.
  public func update(_ activity: @autoclosure () -> String, _ done: Int, of total: Int = 0) {
    state.withLock { state in
      guard state.isEnabled else { return }
      let now = clock()
      guard now >= state.next else { return }
      state.next = now + 0.1
      state.isShown = true
      var text = "\(activity()): \(Self.grouped(done))"
      if total > 0 {
        let share = Int(100 * Double(min(max(done, 0), total)) / Double(total))
        text += " of \(Self.grouped(total)), \(share) %"
      }
      // One column stays free: a full last column makes some terminals wrap.
      write("\r\(text.prefix(max(columns - 1, 1)))\u{1B}[K")
    }
  }

  /// Takes the line away; done before every other message.
  public func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      state.next = 0
      write("\r\u{1B}[K")
    }
  }

  /// `4200000` as `4,200,000`.
  public static func grouped(_ number: Int) -> String {
    var result = ""
    let digits = String(number.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return number < 0 ? "-\(result)" : result
  }

  /// Seconds since an arbitrary start.
  public static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
