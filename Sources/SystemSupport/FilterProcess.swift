internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A child process that reads a file and whose standard output is read here: `gzip -dc <file`.
///
/// It gets the file as its standard input, an environment of its own (text of messages in English), and no other
/// descriptor. What it writes to its standard error is read along with its output; the beginning is kept. It stays in
/// this process's group, so that what a terminal sends to one reaches both. When the object goes before the child has
/// ended, the child is killed; when this process is killed, the child ends at its next write. One thread at a time.
public final class FilterProcess {
  /// The environment of every filter: options that a user's shell keeps for these programs must not change what is read.
  private static let environment = ["LC_ALL=C", "PATH=/usr/bin:/bin"]
  /// Bytes of its standard error that are kept.
  private static let messageLimit = 2048

  private let path: String
  private let process: Int32
  private let output: OpenFile
  private let errors: OpenFile
  private var errorsAreOpen = true
  private var isRunning = true
  private var message: [UInt8] = []

  /// Starts `program` (a path) with `arguments`, its name not among them, on `input` from its current position.
  public init(_ program: String, _ arguments: [String], input: OpenFile) throws(SystemError) {
    path = input.path
    let output = try Self.pipe(path)
    let errors = try Self.pipe(path)
    let argv = CStringArray([program] + arguments)
    let envp = CStringArray(Self.environment)
    process = try Syscall.perform(.start, path) {
      csystem_start_filter(
        program, argv.pointers, envp.pointers, input.descriptor, output.writing.descriptor, errors.writing.descriptor)
    }
    // The child's ends close with the pipes that held them; only then does its end show as the end of a stream.
    self.output = output.reading
    self.errors = errors.reading
  }

  deinit {
    guard isRunning else { return }
    kill(process, SIGKILL)
    while csystem_wait(process) < 0, errno == EINTR {}
  }

  /// Waits for output and reads what is there, at most `buffer.count` bytes; 0 at its end, which says nothing yet about
  /// success: see `end`.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while errorsAreOpen {
      var waiting = [output.descriptor, errors.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      try Syscall.perform(.read, path) { poll(&waiting, nfds_t(waiting.count), -1) }
      if waiting[1].revents != 0 { try readErrors() }
      if waiting[0].revents != 0 { break }
    }
    return try output.read(into: buffer)
  }

  /// Waits until the child has ended, after its output has been read to its end. Returns nil when it reports success,
  /// else what it said about itself.
  public func end() throws(SystemError) -> Failure? {
    while errorsAreOpen { try readErrors() }
    guard isRunning else { return nil }
    let status = try Syscall.perform(.wait, path) { csystem_wait(process) }
    isRunning = false
    return status == 0 ? nil : Failure(status: status, message: Self.line(message))
  }

  /// How a filter failed.
  public struct Failure: Error, Hashable, Sendable {
    /// Its exit status; 128 plus the number of the signal that ended it.
    public var status: Int32
    /// What it wrote to its standard error, as one line; may be empty.
    public var message: String
  }

  private func readErrors() throws(SystemError) {
    let result = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      Result { () throws(SystemError) in
        let count = try errors.read(into: buffer)
        if count == 0 { errorsAreOpen = false }
        message += buffer[..<min(count, Self.messageLimit - message.count)]
      }
    }
    try result.get()
  }

  /// The words of a message: what stands between blanks and control characters, one space apart.
  private static func line(_ message: [UInt8]) -> String {
    message.split { $0 <= 0x20 || $0 == 0x7F }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  private static func pipe(_ path: String) throws(SystemError) -> (reading: OpenFile, writing: OpenFile) {
    var ends: [Int32] = [-1, -1]
    try Syscall.perform(.start, path) { csystem_pipe(&ends) }
    return (OpenFile(owning: ends[0], path: path), OpenFile(owning: ends[1], path: path))
  }
}
