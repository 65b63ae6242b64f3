internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The process's standard output and error stream.
public enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The width of the terminal in columns, or nil.
  public var columns: Int? {
    let columns = csystem_terminal_columns(rawValue)
    return columns > 0 ? Int(columns) : nil
  }

  /// Writes all of `bytes`.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    let file = OpenFile(owning: dup(rawValue), path: self == .output ? "standard output" : "standard error")
    try file.write(bytes)
  }

  /// Writes the UTF-8 bytes of `text`.
  public func write(_ text: String) throws(SystemError) {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { buffer in Result { () throws(SystemError) in try write(buffer) } }
    try result.get()
  }
}
