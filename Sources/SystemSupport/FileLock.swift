internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An exclusive lock between processes on a file that names its holder. Released when the object goes or the process
/// ends, whatever ends it.
public final class FileLock: Sendable {
  private let file: OpenFile

  /// Somebody else holds the lock.
  public struct Held: Error, Hashable, Sendable {
    /// The lock file.
    public var path: String
    /// What the holder wrote about itself, one line; empty when it could not be read.
    public var holder: String
  }

  /// Takes the lock at `path` without waiting and writes `holder` (one line) into it.
  public init(_ path: String, holder: String) throws {
    let file = try OpenFile(path, .readWrite)
    do {
      _ = try Syscall.perform(.lock, path) { csystem_lock_exclusive(file.descriptor) }
    } catch {
      guard error.errno == EWOULDBLOCK else { throw error }
      throw Held(path: path, holder: Self.holder(of: path) ?? "")
    }
    self.file = file
    try rename(holder: holder)
  }

  /// Unlocks in so many words: closing alone would leave the lock with a child that was started a moment ago and still has
  /// a copy of the descriptor.
  deinit { _ = csystem_unlock(file.descriptor) }

  /// Writes another `holder` (one line) into the lock file. After an error the lock is still held.
  public func rename(holder: String) throws(SystemError) {
    let line = Array("\(holder)\n".utf8)
    let result = line.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try file.write(bytes, at: 0) }
    }
    try result.get()
    // Cut after writing, so that a reader finds a whole first line at any moment.
    try Syscall.perform(.truncate, file.path) { ftruncate(file.descriptor, off_t(line.count)) }
  }

  /// Who holds the lock at `path`: the holder's line, or nil when nobody does. Takes nothing, so that it never makes
  /// another process's attempt fail.
  public static func holder(of path: String) -> String? {
    guard let file = try? OpenFile(path, .read), csystem_is_locked(file.descriptor) == 1 else { return nil }
    let bytes = (try? FileSystem.read(path, limit: 1 << 16)) ?? []
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
