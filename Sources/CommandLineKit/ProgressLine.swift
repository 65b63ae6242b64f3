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
  /// What is counted, for people: `megabytes` of bytes.
  public struct Unit: Sendable {
    /// Its name behind figures.
    public var name: String
    /// How many of what is counted make one.
    public var size: Int

    /// A unit of `size`, which is at least 1.
    public init(name: String, size: Int) {
      self.name = name
      self.size = max(size, 1)
    }

    /// Bytes in millions.
    public static let megabytes = Unit(name: "MB", size: 1_000_000)
  }

  private struct State {
    var isEnabled: Bool
    var isShown = false
    var next = 0.0
    var pace = Pace()
  }

  /// How fast the work goes, measured over all of one stretch of it: while the total stays and the count only grows.
  private struct Pace {
    private var total = -1
    private var first = 0
    private var last = 0
    private var start = 0.0

    mutating func take(_ done: Int, of total: Int, at now: Double) {
      if total != self.total || done < last { (self.total, first, start) = (total, done, now) }
      last = done
    }

    /// Counts a second; nil while it is too early to tell.
    func rate(at now: Double) -> Double? {
      let seconds = now - start
      return seconds >= 0.5 && last > first ? Double(last - first) / seconds : nil
    }
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

  /// Shows `activity` and how much of `total` is done; a total of 0 is unknown. With a total the share and, once the pace
  /// is known, the time left are shown, with a `unit` the pace.
  public func update(_ activity: @autoclosure () -> String, _ done: Int, of total: Int = 0, in unit: Unit? = nil) {
    state.withLock { state in
      guard state.isEnabled else { return }
      let now = clock()
      state.pace.take(done, of: total, at: now)
      guard now >= state.next else { return }
      state.next = now + 0.1
      state.isShown = true
      let size = unit?.size ?? 1
      let name = unit.map { " \($0.name)" } ?? ""
      var text = "\(activity()): \(Self.grouped(done / size))"
      if total > 0 {
        let share = Int(100 * Double(min(max(done, 0), total)) / Double(total))
        text += " of \(Self.grouped(total / size))\(name), \(share) %"
      } else {
        text += name
      }
      if let rate = state.pace.rate(at: now) {
        if let unit, rate < 1e15 { text += ", \(Self.grouped(Int(rate) / size)) \(unit.name)/s" }
        if total > done { text += ", \(Self.duration(Double(total - done) / rate)) left" }
      }
      // One column stays free: a full last column makes some terminals wrap.
      write("\r\(text.prefix(max(columns - 1, 1)))\u{1B}[K")
    }
  }

  /// `42 s`, `12 min` or `3 h 5 min`, rounded up.
  static func duration(_ seconds: Double) -> String {
    guard seconds < 1e9 else { return "days" }
    let whole = Int(seconds.rounded(.up))
    if whole < 100 { return "\(whole) s" }
    let minutes = (whole + 59) / 60
    return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
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
