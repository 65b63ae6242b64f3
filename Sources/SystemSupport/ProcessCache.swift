internal import CSystemSupport

/// Values that live once per process as long as somebody holds them. From any thread; making a value keeps others waiting.
public final class ProcessCache<Value: AnyObject & Sendable>: @unchecked Sendable {
  private struct Held {
    weak var value: Value?
  }

  private var held: [Held] = []

  /// A cache of nothing yet.
  public init() {}

  /// The held value that `fits`, or else the one `make` gives, which is then held as long as somebody else holds it.
  public func value<E: Error>(where fits: (Value) -> Bool, or make: () throws(E) -> Value) throws(E) -> Value {
    csystem_caches_lock()
    defer { csystem_caches_unlock() }
    held.removeAll { $0.value == nil }
    for candidate in held {
      if let value = candidate.value, fits(value) { return value }
    }
    let value = try make()
    held.append(Held(value: value))
    return value
  }
}
