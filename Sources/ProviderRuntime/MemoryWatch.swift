internal import ProcessSupport
internal import ProviderWire

/// Watches how much dirty memory the process has grown since the library was opened (R-MEM-1). Sampled by the loading
/// thread at every frame, about 5 µs each; nothing is allocated.
struct MemoryWatch {
  /// Dirty bytes when the watch began.
  let baseline: Int
  /// The most seen above the baseline, in bytes.
  private(set) var peak = 0

  private let sampler: MemorySampler
  private let limit: UInt64

  /// Begins to watch; nil when the kernel doesn't tell. `limit` 0 only watches.
  init?(_ sampler: MemorySampler, limit: UInt64) {
    guard let baseline = sampler.dirtyBytes() else { return nil }
    self.sampler = sampler
    self.baseline = baseline
    self.limit = limit
  }

  /// Takes a sample. Beyond the limit the process ends, as the phone kills an extension.
  mutating func check(_ channel: ParentChannel) {
    guard let now = sampler.dirtyBytes() else { return }
    let grown = now - baseline
    if grown > peak { peak = grown }
    guard limit > 0, grown > 0, UInt64(grown) > limit else { return }
    // The quick figure may be off on some kernels; a close call is counted page by page before it ends a load.
    if UInt64(grown) <= limit + UInt64(MemorySampler.uncertainty), let exact = sampler.exactDirtyBytes() {
      guard exact - baseline > 0, UInt64(exact - baseline) > limit else { return }
    }
    channel.end(with: .overMemory(peak: peak, limit: Int(clamping: limit)))
  }
}
