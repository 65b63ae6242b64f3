internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Operations on names in the file system.
public enum FileSystem {
  /// What `path` is, following symbolic links; nil when nothing is there.
  public static func status(_ path: String) throws(SystemError) -> FileStatus? {
    var buffer = stat()
    do {
      try Syscall.perform(.status, path) { stat(path, &buffer) }
    } catch  where error.errno == ENOENT || error.errno == ENOTDIR {
      return nil
    }
    return FileStatus(buffer)
  }

  /// The names in a folder, in byte order, without `.` and `..`.
  public static func names(in directory: String) throws(SystemError) -> [String] {
    var stream: OpaquePointer?
    try Syscall.perform(.list, directory) {
      stream = opendir(directory)
      return stream == nil ? -1 : 0
    }
    guard let stream else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      var entry: UnsafeMutablePointer<dirent>?
      try Syscall.perform(.list, directory) {
        errno = 0
        entry = readdir(stream)
        return entry == nil && errno != 0 ? -1 : 0
      }
      guard let entry else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Makes a folder and the missing ones above it; one that is there already is fine.
  public static func createDirectory(_ path: String) throws(SystemError) {
    if try status(path)?.kind == .directory { return }
    let parent = Path.directory(of: path)
    if parent != path, try status(parent) == nil { try createDirectory(parent) }
    do {
      try Syscall.perform(.createDirectory, path) { mkdir(path, 0o755) }
    } catch  where error.errno == EEXIST {
      guard try status(path)?.kind == .directory else { throw error }
    }
  }

  /// Removes a file; nothing there is fine.
  public static func remove(_ path: String) throws(SystemError) {
    do {
      try Syscall.perform(.remove, path) { unlink(path) }
    } catch  where error.errno == ENOENT {}
  }

  /// Removes a folder and all in it, never following a symbolic link; nothing there is fine.
  public static func removeTree(_ path: String) throws(SystemError) {
    var buffer = stat()
    do {
      try Syscall.perform(.status, path) { lstat(path, &buffer) }
    } catch  where error.errno == ENOENT {
      return
    }
    guard FileStatus(buffer).kind == .directory else { return try remove(path) }
    for name in try names(in: path) { try removeTree(Path.join(path, name)) }
    try Syscall.perform(.remove, path) { rmdir(path) }
  }

  /// Renames `source` to `target`, replacing it in one step.
  public static func rename(_ source: String, to target: String) throws(SystemError) {
    try Syscall.perform(.rename, target) { PlatformRename.call(source, target) }
  }

  /// Gives the file at `source` a second name.
  public static func link(_ source: String, to target: String) throws(SystemError) {
    try Syscall.perform(.link, target) { PlatformRename.link(source, target) }
  }

  /// Waits until the names in `directory` are on the disk.
  public static func synchronizeDirectory(_ directory: String) throws(SystemError) {
    let file = try OpenFile(directory, .read)
    try Syscall.perform(.sync, directory) { fsync(file.descriptor) }
  }

  /// All bytes of a regular file of at most `limit` bytes; a larger one fails with `EFBIG`.
  public static func read(_ path: String, limit: Int = 1 << 30) throws(SystemError) -> [UInt8] {
    let file = try OpenFile(path, .read)
    let status = try file.status()
    guard status.kind != .directory else {
      throw SystemError(operation: Syscall.Operation.read.rawValue, path: path, errno: EISDIR)
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: max(4096, min(status.size + 1, 1 << 20)))
    while true {
      let result = chunk.withUnsafeMutableBytes { buffer in
        Result { () throws(SystemError) in try file.read(into: buffer) }
      }
      let count = try result.get()
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw SystemError(operation: Syscall.Operation.read.rawValue, path: path, errno: EFBIG)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Replaces the file at `path` by `bytes` in one step that survives a power cut: temporary file beside it, data
  /// synced, renamed, folder synced. After an error the old file stands and the temporary one is gone, unless it was
  /// syncing the folder that failed: then the new file stands and may not outlive a power cut.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let temporary = "\(path).\(getpid()).tmp"
    do throws(SystemError) {
      let file = try OpenFile(temporary, .overwrite)
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(SystemError) in try file.write(buffer) }
      }
      try result.get()
      try file.synchronize()
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
    try synchronizeDirectory(Path.directory(of: path))
  }

  /// Gives a file from `OpenFile(unnamedFor:)` the name `path` in one step. It has another name in that folder for the
  /// moment in between. After an error a file from before stands, and the new one has no name.
  public static func replace(_ path: String, by file: OpenFile) throws(SystemError) {
    let temporary = Path.join(Path.directory(of: path), ".shardctl-\(getpid()).tmp")
    // Of a process that had this number and was stopped just then.
    try? remove(temporary)
    try Syscall.perform(.link, path) { csystem_link_unnamed(file.descriptor, temporary) }
    do throws(SystemError) {
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
  }

  /// Free bytes for this user on the disk that holds `path`.
  public static func freeBytes(at path: String) throws(SystemError) -> Int {
    Int(try Syscall.perform(.status, path) { csystem_free_bytes(path) })
  }
}

private enum PlatformRename {
  static func call(_ source: String, _ target: String) -> Int32 {
    #if canImport(Darwin)
      Darwin.rename(source, target)
    #else
      Glibc.rename(source, target)
    #endif
  }

  static func link(_ source: String, _ target: String) -> Int32 {
    #if canImport(Darwin)
      Darwin.link(source, target)
    #else
      Glibc.link(source, target)
    #endif
  }
}
