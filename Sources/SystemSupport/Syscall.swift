internal import CSystemSupport

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
    case open, read, write, sync, map, rename, link, remove, createDirectory = "create folder", list, status =
      "examine", lock,
      truncate, start, wait
  }

  /// Asked before each call when installed: returns an `errno` to fail with, or nil to go on. `EINTR` is met as the
  /// system's own is: the call is made again, and asked about again.
  public typealias Fault = @Sendable (_ operation: Operation, _ path: String) -> Int32?

  private struct Installed {
    var id: Int
    var folder: String
    var fault: Fault
  }

  /// Read and written only between `csystem_faults_lock` and `csystem_faults_unlock`.
  nonisolated(unsafe) private static var faults: [Installed] = []
  nonisolated(unsafe) private static var lastID = 0

  /// Runs `body` with calls made to fail as `fault` says. For tests.
  ///
  /// The calls of all threads are asked about as long as `body` runs, and several tests may have faults installed at
  /// once: name the test's own folder as `folder`, and only paths that begin with it are.
  package static func withFault<R>(
    under folder: String = "", _ fault: @escaping Fault, _ body: () throws -> R
  ) rethrows -> R {
    csystem_faults_lock()
    lastID += 1
    let id = lastID
    faults.append(Installed(id: id, folder: folder, fault: fault))
    csystem_faults_unlock(Int32(faults.count))
    defer {
      csystem_faults_lock()
      faults.removeAll { $0.id == id }
      csystem_faults_unlock(Int32(faults.count))
    }
    return try body()
  }

  /// Calls `body` until it is not interrupted; a negative result becomes a `SystemError`.
  @discardableResult
  package static func perform<N: SignedInteger>(
    _ operation: Operation, _ path: String, _ body: () -> N
  ) throws(SystemError) -> N {
    while true {
      let code: Int32
      if csystem_faults_installed() > 0, let injected = injected(operation, path) {
        code = injected
      } else {
        let result = body()
        if result >= 0 { return result }
        code = errno
      }
      if code != EINTR { throw SystemError(operation: operation.rawValue, path: path, errno: code) }
    }
  }

  @inline(never)
  private static func injected(_ operation: Operation, _ path: String) -> Int32? {
    csystem_faults_lock()
    let asked = faults
    csystem_faults_unlock(Int32(asked.count))
    for entry in asked where path.utf8.starts(with: entry.folder.utf8) {
      if let code = entry.fault(operation, path) { return code }
    }
    return nil
  }
}
