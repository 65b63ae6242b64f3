internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The process and thread that run this code.
public enum CurrentProcess {
  /// Ends the process at once: no exit handlers, no destructors of foreign code.
  public static func end(_ status: Int32) -> Never { _exit(status) }

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

  /// Makes the C library hand over standard output line by line, so that nothing is lost when the process ends without
  /// its exit handlers. Call before anything is printed.
  public static func bufferOutputByLine() { csystem_line_buffer_output() }
}
