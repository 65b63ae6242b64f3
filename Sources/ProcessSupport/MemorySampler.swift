internal import CProcessSupport
internal import Glibc
public import SystemSupport

/// Reads how much dirty memory a process holds: anonymous pages and shared memory, `RssAnon + RssShmem` of
/// `/proc/PID/status` (R-MEM-1). Pages of mapped files do not count, however freshly written the file is.
///
/// The file stays open, so that a sample costs one read of about 5 µs, allocates nothing and works after a child has
/// given up the right to open files.
public struct MemorySampler: Sendable {
  private let file: OpenFile
  private let directory: String

  /// A sampler of the process `pid`, or of this one.
  public init(pid: Int32? = nil) throws(SystemError) {
    directory = pid.map { "/proc/\($0)" } ?? "/proc/self"
    file = try OpenFile("\(directory)/status", .read)
  }

  /// Dirty bytes now, to the page as far as the kernel counts; nil when the process has ended.
  public func dirtyBytes() -> Int? {
    Self.withText(of: file) { text in
      guard let anonymous = Self.kilobytes("\nRssAnon:", in: text),
        let shared = Self.kilobytes("\nRssShmem:", in: text)
      else { return nil }
      return (anonymous + shared) << 10
    }
  }

  /// Dirty bytes counted page by page: about 0.5 ms. Kernels 6.2 to 6.15 keep the quick figures per processor and may be
  /// off by `uncertainty`; ask here before killing on a close call. nil when the process has ended or forbids it.
  public func exactDirtyBytes() -> Int? {
    guard let rollup = try? OpenFile("\(directory)/smaps_rollup", .read) else { return nil }
    let anonymous = Self.withText(of: rollup) { Self.kilobytes("\nAnonymous:", in: $0) }
    let shared = Self.withText(of: file) { Self.kilobytes("\nRssShmem:", in: $0) }
    guard let anonymous, let shared else { return nil }
    return (anonymous + shared) << 10
  }

  /// By how many bytes `dirtyBytes` may be off at most: the kernel's batch of pages on every processor.
  public static let uncertainty: Int = {
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
    return max(32, 2 * processors) * processors * max(4096, sysconf(Int32(_SC_PAGESIZE)))
  }()

  /// Bytes of private writable memory reserved, dirty or not: what `RLIMIT_DATA` counts.
  func reservedBytes() -> Int? {
    Self.withText(of: file) { Self.kilobytes("\nVmData:", in: $0) }.map { $0 << 10 }
  }

  private static func withText(of file: OpenFile, _ body: (UnsafeRawBufferPointer) -> Int?) -> Int? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      let count = pread(file.descriptor, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return nil }
      return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// The number after `key` in lines such as `RssAnon:     116 kB`.
  static func kilobytes(_ key: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
    let start = cprocess_find(text.baseAddress, text.count, key.utf8Start, key.utf8CodeUnitCount)
    guard start >= 0 else { return nil }
    var index = start + key.utf8CodeUnitCount
    while index < text.count, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
    var value = 0
    let first = index
    while index < text.count, (0x30...0x39).contains(text[index]) {
      value = value &* 10 &+ Int(text[index] &- 0x30)
      index += 1
    }
    return index > first ? value : nil
  }
}
