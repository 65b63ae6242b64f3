internal import CProcessSupport
internal import Glibc

/// What a child gives up before it runs foreign code. Called by the child itself, on its first thread, before anything
/// foreign is loaded; nothing of it can be taken back.
///
/// A layer that the kernel lacks is left out and reported, it does not fail the load.
public struct ChildConfinement: Sendable {
  /// Dirty memory the foreign code may use, in bytes (R-MEM-1). The hard stop on reserved memory is set above it, at
  /// what the process has reserved already + twice this + 8 MiB, because memory that is reserved but never written does
  /// not count on a phone. Nil sets no stop (sanitizers reserve terabytes).
  public var memoryLimit: Int?
  /// Seconds of processor time; nil sets no limit. Beyond it: SIGXCPU.
  public var processorSeconds: Int?
  /// The largest file the child may write, in bytes.
  public var largestFile = 64 << 20
  /// How many descriptors it may have open.
  public var openFiles = 64
  /// Stack of each thread it starts, in bytes; the usual 8 MiB would exhaust the hard stop.
  public var threadStack = 256 << 10

  /// Limits as they are by default.
  public init(memoryLimit: Int?) { self.memoryLimit = memoryLimit }

  /// The layers of confinement, as a set of those in force.
  public struct Layers: OptionSet, Hashable, Sendable {
    /// Bits of the layers; they travel to the parent as they are.
    public let rawValue: UInt32
    /// Layers of the given bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The child is killed when the parent goes.
    public static let parentDeathSignal = Layers(rawValue: 1 << 0)
    /// No program can give it more rights.
    public static let noNewPrivileges = Layers(rawValue: 1 << 1)
    /// Huge pages do not inflate its memory.
    public static let noHugePages = Layers(rawValue: 1 << 2)
    /// Threads have small stacks.
    public static let threadStacks = Layers(rawValue: 1 << 3)
    /// Core, file size, open files and processor time are limited.
    public static let resourceLimits = Layers(rawValue: 1 << 4)
    /// Reserved memory has a hard stop.
    public static let memoryStop = Layers(rawValue: 1 << 5)
    /// What it may open is limited to named folders.
    public static let fileAccess = Layers(rawValue: 1 << 6)
    /// What it may ask of the kernel is limited to a list.
    public static let systemCalls = Layers(rawValue: 1 << 7)
  }

  /// The parent is gone already: the child ends at once, nobody would read its answer.
  public struct ParentGone: Error {}

  /// Gives up what can be given up and returns the layers now in force. `parent` is the process that started this one.
  public func apply(parent: Int32) throws(ParentGone) -> Layers {
    var layers: Layers = []
    if cprocess_die_with_parent() == 0 { layers.insert(.parentDeathSignal) }
    // The parent may have died before the signal was asked for.
    guard getppid() == parent else { throw ParentGone() }
    if cprocess_no_new_privileges() == 0 { layers.insert(.noNewPrivileges) }
    if cprocess_no_huge_pages() == 0 { layers.insert(.noHugePages) }
    if cprocess_default_stack_size(threadStack) == 0 { layers.insert(.threadStacks) }
    if applyResourceLimits() { layers.insert(.resourceLimits) }
    if applyMemoryStop() { layers.insert(.memoryStop) }
    // File access and system calls follow here: the last two, because the steps above need what they take away.
    return layers
  }

  private func applyResourceLimits() -> Bool {
    var isComplete = cprocess_lower_limit(CPROCESS_LIMIT_CORE, 0, 0) == 0
    let file = UInt64(max(0, largestFile))
    isComplete = cprocess_lower_limit(CPROCESS_LIMIT_FILE_SIZE, file, file) == 0 && isComplete
    let open = UInt64(max(8, openFiles))
    isComplete = cprocess_lower_limit(CPROCESS_LIMIT_OPEN_FILES, open, open) == 0 && isComplete
    if let processorSeconds {
      // Soft below hard: SIGXCPU can be told from a kill.
      let seconds = UInt64(max(1, processorSeconds))
      isComplete = cprocess_lower_limit(CPROCESS_LIMIT_CPU_SECONDS, seconds, seconds + 1) == 0 && isComplete
    }
    return isComplete
  }

  private func applyMemoryStop() -> Bool {
    guard let memoryLimit, memoryLimit >= 0, let reserved = (try? MemorySampler())?.reservedBytes() else {
      return false
    }
    let (twice, overflow) = memoryLimit.multipliedReportingOverflow(by: 2)
    let stop = UInt64(reserved) + (overflow ? UInt64(Int64.max) : UInt64(twice)) + (8 << 20)
    return cprocess_lower_limit(CPROCESS_LIMIT_DATA, stop, stop) == 0
  }
}
