internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An open file descriptor, closed when the last reference goes.
public final class OpenFile: Sendable {
  /// What the file is opened for.
  public enum Mode: Sendable {
    /// Reading an existing file.
    case read
    /// Writing a file that must not exist yet.
    case createNew
    /// Writing a file from its start, made or emptied.
    case overwrite
    /// Reading and writing, made if missing, kept as it is.
    case readWrite
  }

  /// The descriptor; owned by this object.
  public let descriptor: Int32
  /// The path it was opened by, for messages.
  public let path: String

  /// Opens `path`. A file that is made gets the permissions 0644 less the umask. Errors name `shown` where it is given:
  /// what the file is going to be called.
  public init(_ path: String, _ mode: Mode, shownAs shown: String? = nil) throws(SystemError) {
    let flags =
      switch mode {
      case .read: O_RDONLY
      case .createNew: O_WRONLY | O_CREAT | O_EXCL
      case .overwrite: O_WRONLY | O_CREAT | O_TRUNC
      case .readWrite: O_RDWR | O_CREAT
      }
    let shown = shown ?? path
    descriptor = try Syscall.perform(.open, shown) { csystem_open(path, flags, 0o644) }
    self.path = shown
  }

  /// Makes an unnamed file for reading and writing in `directory`; it vanishes with its descriptor, however the process
  /// ends.
  public init(temporaryIn directory: String) throws(SystemError) {
    descriptor = try Syscall.perform(.open, directory) { csystem_open_temporary(directory) }
    path = "\(directory)/(temporary)"
  }

  /// Makes an unnamed file for writing on the disk of `path`, which vanishes with its descriptor unless
  /// `FileSystem.replace(_:by:)` gives it that name. Nil where the disk has no such files. Errors name `path`.
  public init?(unnamedFor path: String) throws(SystemError) {
    let folder = Path.directory(of: path)
    do {
      descriptor = try Syscall.perform(.open, path) { csystem_open_unnamed(folder, 0o644) }
    } catch  where error.errno == EOPNOTSUPP {
      return nil
    }
    self.path = path
  }

  /// Takes over an open descriptor.
  public init(owning descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// The process's standard input, under a descriptor of its own.
  public static func standardInput() -> OpenFile { OpenFile(owning: dup(STDIN_FILENO), path: "standard input") }

  /// The process's standard error stream, under a descriptor of its own.
  public static func standardError() -> OpenFile { OpenFile(owning: dup(STDERR_FILENO), path: "standard error") }

  /// The process's standard output, under a descriptor of its own.
  public static func standardOutput() -> OpenFile { OpenFile(owning: dup(STDOUT_FILENO), path: "standard output") }

  deinit { close(descriptor) }

  /// Size, kind and identity of the file.
  public func status() throws(SystemError) -> FileStatus {
    var buffer = stat()
    try Syscall.perform(.status, path) { fstat(descriptor, &buffer) }
    return FileStatus(buffer)
  }

  /// Where the next read without offset begins; a process that shares the open file moves it too. Fails for a pipe.
  public func position() throws(SystemError) -> Int {
    Int(try Syscall.perform(.status, path) { lseek(descriptor, 0, SEEK_CUR) })
  }

  /// Reads at most `buffer.count` bytes at `offset`; fewer only at the end of the file. Returns the bytes read.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = try Syscall.perform(.read, path) {
        pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads what is there, at most `buffer.count` bytes, from a stream; 0 at its end.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try Syscall.perform(.read, path) { Platform.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes all of `bytes` at the descriptor's position.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try Syscall.perform(.write, path) {
        Platform.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      }
    }
  }

  /// Writes all of `bytes` at `offset`.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try Syscall.perform(.write, path) {
        pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
      }
    }
  }

  /// Waits until the file's bytes are on the disk.
  public func synchronize() throws(SystemError) {
    try Syscall.perform(.sync, path) { csystem_sync_data(descriptor) }
  }
}

/// The C functions that have the name of a method above.
private enum Platform {
  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, buffer, count)
    #else
      Glibc.read(descriptor, buffer, count)
    #endif
  }

  static func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, buffer, count)
    #else
      Glibc.write(descriptor, buffer, count)
    #endif
  }
}
