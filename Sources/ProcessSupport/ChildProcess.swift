internal import CProcessSupport
internal import Glibc
public import SystemSupport

/// A child process with two pipes to talk over and its standard output and error on a third.
///
/// The child sees: standard input from /dev/null, its output on the capture pipe, descriptor 3 to write to this process,
/// descriptor 4 to read from it, and nothing else; a process group of its own; the given environment only; all signals
/// at their defaults. Used by one thread at a time. When the object goes before the child has ended, the child's group
/// is killed.
public final class ChildProcess {
  /// The process number, also the number of its group.
  public let pid: Int32
  /// What the child writes to descriptor 3. Reading does not wait: see `read`.
  public let stream: OpenFile
  /// What the child reads on descriptor 4.
  public let control: OpenFile
  /// What the child writes to its standard output and error.
  public let output: OpenFile
  /// Readable when the child has ended.
  public let pidDescriptor: OpenFile
  /// How the child ended, once `reap` has said so.
  public private(set) var termination: Termination?

  /// How a process ends.
  public enum Termination: Hashable, Sendable {
    /// By itself, with a status 0 … 255.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
  }

  /// The environment of every child: no backtrace process at a crash (it would hold the pipes open), and text in UTF-8.
  public static let environment = ["SWIFT_BACKTRACE=enable=no", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"]

  /// Starts `executable` (a path) with `arguments`, the name of the program not among them. 1 to 4 ms.
  public init(
    _ executable: String, _ arguments: [String], environment: [String] = ChildProcess.environment
  ) throws(SystemError) {
    let stream = try Pipe(executable)
    let control = try Pipe(executable)
    let output = try Pipe(executable)
    for end in [stream.reading, output.reading, control.writing] where cprocess_set_nonblocking(end.descriptor) != 0 {
      throw SystemError(operation: "start", path: executable, errno: errno)
    }
    let descriptors = cprocess_descriptors(
      output: output.writing.descriptor, stream: stream.writing.descriptor, control: control.reading.descriptor)
    pid = try Self.spawn(executable, arguments, environment, descriptors)
    let pidfd = cprocess_pidfd(pid)
    guard pidfd >= 0 else {
      let code = errno
      kill(-pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw SystemError(operation: "watch", path: executable, errno: code)
    }
    pidDescriptor = OpenFile(owning: pidfd, path: executable)
    // The child's ends close here, with the pipes that held them; only then does its exit show as an end of stream.
    self.stream = stream.reading
    self.control = control.writing
    self.output = output.reading
  }

  deinit {
    guard termination == nil else { return }
    killGroup()
    var end = cprocess_termination()
    while cprocess_reap(pidDescriptor.descriptor, &end) == 0 {
      var poll = DescriptorPoll([pidDescriptor.descriptor])
      poll.wait(milliseconds: 1_000)
    }
  }

  /// Kills the child and every process of its group. A process that left the group is not reached. Does nothing once the
  /// child is reaped, when its number may belong to somebody else.
  public func killGroup() {
    if termination == nil { kill(-pid, SIGKILL) }
  }

  /// Takes note of the child's end: true once it has ended. Does not wait. Processes the child left in its group are
  /// killed first, while the number is still its own.
  public func reap() -> Bool {
    if termination != nil { return true }
    var poll = DescriptorPoll([pidDescriptor.descriptor])
    poll.wait(milliseconds: 0)
    guard poll.isReady(0) else { return false }
    killGroup()
    var end = cprocess_termination()
    let result = cprocess_reap(pidDescriptor.descriptor, &end)
    if result == 0 { return false }
    // A process that ignores SIGCHLD is not told how its children end: then `end` keeps "exited with 0", which proves
    // nothing anyway.
    termination = end.by_signal != 0 ? .signalled(end.value) : .exited(end.value)
    return true
  }

  /// What a read found.
  public enum ReadResult: Hashable, Sendable {
    /// That many bytes, at least one.
    case bytes(Int)
    /// Nothing for now.
    case nothingYet
    /// No writer is left, or the pipe is broken.
    case end
  }

  /// Reads what is there from `stream` or `output` without waiting.
  public static func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
    while true {
      let count = Glibc.read(file.descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EAGAIN { return .nothingYet }
      if errno != EINTR { return .end }
    }
  }

  /// Writes as much of `bytes` to the child as its pipe takes, without waiting: how many bytes went, or nil when the
  /// child no longer reads.
  public func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    let count = cprocess_write(control.descriptor, base, bytes.count)
    if count >= 0 { return count }
    return errno == EAGAIN ? 0 : nil
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String], _ descriptors: cprocess_descriptors
  ) throws(SystemError) -> Int32 {
    var pid: pid_t = 0
    var code: Int32 = EAGAIN
    let argv = CStringArray([executable] + arguments)
    let envp = CStringArray(environment)
    withUnsafeMutablePointer(to: &pid) { pid in
      withUnsafeMutablePointer(to: &code) { code in
        _ = SpawnerThread.shared.run {
          code.pointee = cprocess_spawn(pid, executable, argv.pointers, envp.pointers, descriptors)
        }
      }
    }
    guard code == 0 else { throw SystemError(operation: "start", path: executable, errno: code) }
    return pid
  }
}

/// Both ends of a pipe, each closed with its last reference.
private struct Pipe {
  let reading: OpenFile
  let writing: OpenFile

  init(_ path: String) throws(SystemError) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: Int32.self) { cprocess_pipe($0.baseAddress) }
    }
    guard result == 0 else { throw SystemError(operation: "start", path: path, errno: errno) }
    reading = OpenFile(owning: ends.0, path: path)
    writing = OpenFile(owning: ends.1, path: path)
  }
}
