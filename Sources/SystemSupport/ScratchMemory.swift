#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A block of anonymous memory, zeroed, whose pages come into being when they are first touched and go back to the
/// system at once when the block goes: a large reserve costs only what is used of it.
public struct ScratchMemory: ~Copyable {
  /// The bytes; aligned to a page.
  public let bytes: UnsafeMutableRawBufferPointer

  /// Reserves `byteCount` bytes, at least 1. Large pages are asked for where `isHot`, which spares address look-ups when
  /// the block is accessed in no order.
  public init(byteCount: Int, isHot: Bool = false) throws(SystemError) {
    let count = max(byteCount, 1)
    var base: UnsafeMutableRawPointer?
    try Syscall.perform(.map, "") {
      base = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return base == MAP_FAILED ? -1 : 0
    }
    #if os(Linux)
      if isHot { madvise(base, count, MADV_HUGEPAGE) }
    #endif
    bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
