#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A dynamic library of foreign code. Once open it stays in the process: closing one that holds Swift code crashes the
/// next dynamic cast.
public struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer

  /// The dynamic linker's refusal.
  public struct Refusal: Error, Hashable, Sendable {
    /// The linker's own words, one line.
    public var text: String
  }

  /// Opens the library at an absolute path and runs its start-up code. All symbols are bound at once, so that a missing
  /// one is an error here and not a crash later; none become visible to other libraries.
  public init(_ path: String) throws(Refusal) {
    // A bare name would be searched for in the linker's folders.
    guard Path.isAbsolute(path) else { throw Refusal(text: "\(path): not an absolute path") }
    #if canImport(Darwin)
      let flags = RTLD_NOW | RTLD_LOCAL
    #else
      let flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE
    #endif
    guard let handle = dlopen(path, flags) else {
      throw Refusal(text: dlerror().map { String(cString: $0) } ?? "\(path): cannot be opened")
    }
    self.handle = handle
  }

  /// The address of an exported symbol, or nil.
  public func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }
}
