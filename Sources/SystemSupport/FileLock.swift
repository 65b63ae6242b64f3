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
    try Syscall.perform(.truncate, path) { ftruncate(file.descriptor, 0) }
    try Array("\(holder)\n".utf8).withUnsafeBytes { try file.write($0, at: 0) }
    self.file = file
  }

  /// Who holds the lock at `path`: the holder's line, or nil when nobody does.
  public static func holder(of path: String) -> String? {
    guard let file = try? OpenFile(path, .read) else { return nil }
    if csystem_lock_exclusive(file.descriptor) == 0 {
      _ = csystem_unlock(file.descriptor)
      return nil
    }
    let bytes = (try? FileSystem.read(path, limit: 4096)) ?? []
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
