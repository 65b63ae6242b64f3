#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A system call that failed: which, on what, and why.
public struct SystemError: Error, Hashable, Sendable {
  /// What was tried, as a verb for messages: `open`, `write`, `rename` ….
  public var operation: String
  /// The file it was about; empty when there is none.
  public var path: String
  /// The value of `errno`.
  public var errno: Int32

  /// A failure of `operation` on `path`.
  public init(operation: String, path: String, errno: Int32) {
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  /// Whether the file or a folder on the way to it does not exist.
  public var isNoSuchFile: Bool { errno == ENOENT || errno == ENOTDIR }

  /// Whether a broken pipe stopped a write: the reader has gone.
  public var isBrokenPipe: Bool { errno == EPIPE }

  /// Whether the file could not be opened for what was wanted: it is missing, a folder, or not this user's to use.
  public var isRefused: Bool { isNoSuchFile || [EACCES, EPERM, EROFS, EISDIR, EEXIST].contains(errno) }

  /// What is wrong without the file it is about: `cannot open: No such file or directory`.
  public var finding: String { "cannot \(operation): \(reason)" }

  /// The system's text for `errno`.
  public var reason: String { String(cString: strerror(errno)) }
}

extension SystemError: CustomStringConvertible {
  /// `path: cannot open: No such file or directory`.
  public var description: String {
    path.isEmpty ? finding : "\(path): \(finding)"
  }
}
