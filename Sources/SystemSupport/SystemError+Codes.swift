#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Codes that this product gives itself, where the system reports by other means than `errno`.
extension SystemError {
  /// No space left on the device.
  package static var noSpace: Int32 { ENOSPC }
  /// The device gave less than it holds.
  package static var inputOutput: Int32 { EIO }
  /// A folder where a file is expected.
  package static var isFolder: Int32 { EISDIR }
}
