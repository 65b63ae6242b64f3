#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The seam through which every system call of this module goes: one `EINTR` loop, one typed error, and one place where
/// a test can make a call fail.
public enum Syscall {
  /// Names the calls a test can make fail.
  public enum Operation: String, Sendable, CaseIterable {
    case open, read, write, sync, map, rename, link, remove, createDirectory = "create folder", list, status, lock,
      truncate
  }

  /// Asked before each call when set: returns an `errno` to fail with, or nil to go on.
  public typealias Fault = @Sendable (_ operation: Operation, _ path: String) -> Int32?

  nonisolated(unsafe) private static var fault: Fault?

  /// Runs `body` with calls made to fail as `fault` says. For tests: the setting is global, so callers run serially.
  package static func withFault<R>(_ fault: @escaping Fault, _ body: () throws -> R) rethrows -> R {
    self.fault = fault
    defer { self.fault = nil }
    return try body()
  }

  /// Calls `body` until it is not interrupted; a negative result becomes a `SystemError`.
  @discardableResult
  package static func perform<N: SignedInteger>(
    _ operation: Operation, _ path: String, _ body: () -> N
  ) throws(SystemError) -> N {
    if let fault, let code = fault(operation, path) {
      throw SystemError(operation: operation.rawValue, path: path, errno: code)
    }
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(operation: operation.rawValue, path: path, errno: code) }
    }
  }
}
