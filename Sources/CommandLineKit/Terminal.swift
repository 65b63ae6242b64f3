#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What one standard stream is connected to.
public struct Terminal: Hashable, Sendable {
  /// Whether the stream is a terminal.
  public var isTerminal: Bool
  /// Its width in columns; 80 when it has none to tell.
  public var columns: Int
  /// Whether colour is welcome: a terminal, `NO_COLOR` empty, `TERM` not `dumb`.
  public var usesColor: Bool

  /// A stream of these properties.
  public init(isTerminal: Bool, columns: Int = 80, usesColor: Bool = false) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.usesColor = usesColor
  }

  /// What the descriptor is connected to now. `COLUMNS` wins over the terminal's own width.
  public init(descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    var size = winsize()
    let asked = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let stated = Self.environment("COLUMNS").flatMap { Int($0) }
    columns = stated.flatMap { (20...1000).contains($0) ? $0 : nil } ?? (asked ? Int(size.ws_col) : 80)
    usesColor =
      isTerminal && (Self.environment("NO_COLOR") ?? "").isEmpty && Self.environment("TERM") != "dumb"
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
