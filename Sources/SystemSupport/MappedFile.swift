#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file mapped for reading. Its pages are clean: they do not count against a provider's memory ceiling (R-MEM-1).
///
/// Only for files that nobody changes (published shards, temporary spools): a mapped file that is cut short while it is
/// read kills the process. Source files are read in blocks.
public final class MappedFile: @unchecked Sendable {
  /// The bytes of the file; valid as long as this object lives.
  public let bytes: UnsafeRawBufferPointer
  /// The path, for messages.
  public let path: String

  /// How the bytes are going to be read.
  public enum Access: Sendable {
    case sequential, random
  }

  /// Maps the file at `path`. An empty file gives no bytes.
  public convenience init(_ path: String, _ access: Access) throws(SystemError) {
    try self.init(OpenFile(path, .read), access)
  }

  /// Maps an open file; the descriptor may be closed afterwards.
  public init(_ file: OpenFile, _ access: Access) throws(SystemError) {
    path = file.path
    let status = try file.status()
    guard status.kind != .directory else {
      throw SystemError(operation: Syscall.Operation.map.rawValue, path: file.path, errno: EISDIR)
    }
    guard status.size > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    var base: UnsafeMutableRawPointer?
    try Syscall.perform(.map, file.path) {
      base = mmap(nil, status.size, PROT_READ, MAP_SHARED, file.descriptor, 0)
      return base == MAP_FAILED ? -1 : 0
    }
    bytes = UnsafeRawBufferPointer(start: base, count: status.size)
    madvise(base, status.size, access == .sequential ? MADV_SEQUENTIAL : MADV_RANDOM)
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }
}
