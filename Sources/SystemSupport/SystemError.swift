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

  /// What to do about it where that depends on nothing but the error: a resource has run out, or the folder for temporary
  /// files is none. Nil otherwise.
  public var remedy: String? {
    switch errno {
    case ENOSPC, EDQUOT:
      return path == Machine.temporaryFolder || path.hasPrefix("\(Machine.temporaryFolder)/(")
        ? "free some space there, or set TMPDIR to a folder on a disk that has room"
        : "free some space on its disk, or name a place on another one"
    case EMFILE: return "raise the limit of open files of this process (ulimit -n)"
    case ENFILE: return "the whole machine has too many files open: end other programs, or raise its limit"
    case ENOMEM: return "end other programs, or raise the limit of memory of this process (ulimit -v)"
    case EFBIG where operation == Syscall.Operation.write.rawValue:
      return "raise the limit of the size of files (ulimit -f)"
    case _ where isRefused && path == Machine.temporaryFolder:
      return "temporary files go there: set TMPDIR to a folder that exists and that this user may write to"
    default: return nil
    }
  }

  /// Whether a file is larger than it may be.
  public var isTooLarge: Bool { errno == EFBIG }

  /// Whether no space is left on a disk.
  public var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

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
