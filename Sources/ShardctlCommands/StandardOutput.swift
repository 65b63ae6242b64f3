internal import CommandLineKit
internal import SystemSupport

/// What commands have in common that write results by themselves, in bulk.
enum StandardOutput {
  /// Runs `body`, which writes. That the reader has gone away ends the command quietly, as for what the console writes
  /// (`shardctl … | head`).
  static func whileRead(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SystemError where error.isBrokenPipe {
      throw ConsoleError(stream: error.path, errno: error.errno)
    }
  }
}
