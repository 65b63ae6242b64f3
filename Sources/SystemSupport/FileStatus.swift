#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the system knows about a file.
public struct FileStatus: Hashable, Sendable {
  /// The kinds this product tells apart.
  public enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  /// What kind of file it is.
  public var kind: Kind
  /// Its size in bytes.
  public var size: Int
  /// Last change of the content, in nanoseconds since 1970.
  public var modified: Int64
  /// Device and file number: equal for two names of one file.
  public var device: UInt64
  /// The file number on its device.
  public var inode: UInt64

  init(_ buffer: stat) {
    kind =
      switch buffer.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    size = Int(buffer.st_size)
    #if canImport(Darwin)
      let time = buffer.st_mtimespec
    #else
      let time = buffer.st_mtim
    #endif
    modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    device = UInt64(truncatingIfNeeded: buffer.st_dev)
    inode = UInt64(buffer.st_ino)
  }
}
