#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A null-terminated list of C strings, as a process is started with; freed with the object.
package final class CStringArray {
  /// The strings and the null behind them.
  package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// Copies of `strings`.
  package init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { (pointers + index).initialize(to: strdup(string)) }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
