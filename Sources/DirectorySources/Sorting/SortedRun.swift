internal import SystemSupport

/// Records in ascending order, in memory or in a temporary file.
final class SortedRun: Sendable {
  enum Place: Sendable {
    case memory(MemoryBlock)
    case file(OpenFile, offset: Int)
  }

  let place: Place
  let byteCount: Int

  init(_ place: Place, byteCount: Int) {
    self.place = place
    self.byteCount = byteCount
  }
}

/// Memory that several may hold; written by one thread before others see it, then only read.
final class MemoryBlock: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  private let memory: ScratchMemory

  init(byteCount: Int, isHot: Bool = false) throws(SystemError) {
    memory = try ScratchMemory(byteCount: byteCount, isHot: isHot)
    bytes = memory.bytes
  }
}
