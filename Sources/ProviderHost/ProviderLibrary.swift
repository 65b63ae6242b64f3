public import CallDirectory
public import Digests
public import SystemSupport

/// A file that is, or claims to be, a provider library. Looking at one runs none of it.
public struct ProviderLibrary: Hashable, Sendable {
  /// The file.
  public var path: String
  /// What keeps it from being loaded, as far as its headers tell; nil when nothing does.
  public var problem: LibraryProblem?

  /// The file at `path`, with its headers checked.
  public init(_ path: String) {
    self.path = path
    do throws(LibraryProblem) {
      try Self.check(path)
    } catch {
      problem = error
    }
  }

  /// The name without `lib` in front and `.so` behind: `SpamList` for `Plugins/libSpamList.so`.
  public var stem: String { Self.stem(of: path) }

  /// The id of a provider that is dropped into the folder: its stem; nil when that is no valid id.
  public var providerID: ProviderID? { ProviderID(stem) }

  /// The file's content, by which a library that crashed is remembered. O(size).
  public func digest() throws(SystemError) -> SHA256Digest { try Self.digest(of: path) }

  /// The libraries of a folder: every `*.so`, in byte order of their names, broken ones with their problem. A folder that
  /// is not there has none.
  public static func discover(in folder: String) throws(SystemError) -> [ProviderLibrary] {
    guard try FileSystem.status(folder) != nil else { return [] }
    return try FileSystem.names(in: folder)
      .filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") }
      .map { ProviderLibrary(Path.join(folder, $0)) }
  }

  /// Checks that the dynamic linker of this machine can take the file at `path`: an ELF shared library of this machine,
  /// whole as far as its headers tell. Reads a few hundred bytes.
  public static func check(_ path: String) throws(LibraryProblem) {
    if let reason = problem(of: path) { throw LibraryProblem(path: path, reason: reason) }
  }

  private static func problem(of path: String) -> LibraryProblem.Reason? {
    do throws(SystemError) {
      guard let status = try FileSystem.status(path) else { return .missing }
      guard status.kind == .regular else { return .notAFile }
      let file = try OpenFile(path, .read)
      let size = try file.status().size
      let read = { (offset: Int, count: Int) -> [UInt8]? in
        var bytes = [UInt8](repeating: 0, count: count)
        let done = bytes.withUnsafeMutableBytes { buffer in (try? file.read(into: buffer, at: offset)) ?? -1 }
        return done == count ? bytes : nil
      }
      guard let head = read(0, min(size, ELFHeader.byteCount)) else { return .cutShort(size: 0, needed: UInt64(size)) }
      return head.withUnsafeBytes { ELFHeader.problem(head: $0, size: size, read: read) }
    } catch {
      return .unreadable(error.reason)
    }
  }

  static func digest(of path: String) throws(SystemError) -> SHA256Digest {
    let file = try OpenFile(path, .read)
    var digest = SHA256()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { chunk.deallocate() }
    while true {
      let count = try file.read(into: chunk)
      if count == 0 { return digest.finish() }
      digest.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    }
  }

  private static func stem(of path: String) -> String {
    var stem = Substring(Path.name(of: path))
    if stem.hasSuffix(".so") { stem = stem.dropLast(3) }
    if stem.hasPrefix("lib"), stem.count > 3 { stem = stem.dropFirst(3) }
    return String(stem)
  }
}
