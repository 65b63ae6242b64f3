internal import Synchronization

/// A switch that ends a running load; usable from any thread, also a signal's.
public final class LoadCancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// A switch that is off.
  public init() {}

  /// Ends every load that was given this switch, those that have not begun included. Cannot be taken back.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether `cancel` was called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
