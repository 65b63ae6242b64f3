internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The process and thread that run this code.
public enum CurrentProcess {
  /// Its number.
  public static var id: Int32 { getpid() }

  /// Tells threads apart while they run; never 0. About 1 ns.
  public static var thread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// The path of its executable, with symbolic links resolved.
  public static func executable() throws(SystemError) -> String {
    #if canImport(Darwin)
      return Path.absolute(CommandLine.arguments.first ?? "")
    #else
      let link = "/proc/self/exe"
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = try Syscall.perform(.read, link) { readlink(link, &buffer, buffer.count - 1) }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #endif
  }

  /// Makes the C library hand over standard output line by line, so that nothing is lost when the process ends without
  /// its exit handlers. Call before anything is printed.
  public static func bufferOutputByLine() { csystem_line_buffer_output() }

  /// Makes a write to a pipe without reader, or beyond the process's limit on the size of files, fail with an error where
  /// it would end the process.
  public static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Takes the places of standard input, output and error where they are closed, so that no file opened later gets
  /// their numbers and what is meant for a reader. Writing there fails. Call before anything is opened.
  public static func occupyStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is this one.
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Ends the process at once: no exit handlers, no destructors of foreign code.
  public static func end(_ status: Int32) -> Never { _exit(status) }
}
