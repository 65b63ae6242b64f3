internal import Glibc

/// Waits until one of a few descriptors has something to read or has lost its other side. One per event loop; waiting
/// allocates nothing.
public struct DescriptorPoll {
  private var entries: [pollfd]

  /// Watches `descriptors`, which are named by their position from then on.
  public init(_ descriptors: [Int32]) {
    entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  /// Waits at most `milliseconds` (0: looks only). An interruption counts as nothing ready.
  public mutating func wait(milliseconds: Int32) {
    let ready = poll(&entries, nfds_t(entries.count), milliseconds)
    if ready < 0 { for index in entries.indices { entries[index].revents = 0 } }
  }

  /// Whether the last wait found the descriptor at `position` readable, at its end or broken.
  public func isReady(_ position: Int) -> Bool { entries[position].revents != 0 }

  /// Watches the descriptor at `position` no longer.
  public mutating func drop(_ position: Int) {
    entries[position].fd = -1
    entries[position].revents = 0
  }
}
