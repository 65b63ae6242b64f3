#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Where a command writes: results to the output, everything else to the error stream. May be used from any thread.
public struct Console: Sendable {
  /// Takes all of a text or throws.
  public typealias Writer = @Sendable (String) throws -> Void

  /// The name errors begin with.
  public var tool: String
  /// What the output is connected to.
  public var output: Terminal
  /// What the error stream is connected to.
  public var error: Terminal
  /// Whether errors are written as JSON objects; set by ``CommandTree`` where the command's `--json` is given.
  public var writesJSON = false
  /// Whether remarks are written; set by ``CommandTree``, not with `--quiet`.
  public var showsNotes = true
  /// The line that shows how far a long command is.
  public var progress: ProgressLine

  private let writeOutput: Writer
  private let writeError: Writer

  /// A console over two writers.
  public init(
    tool: String, output: Terminal, error: Terminal, writeOutput: @escaping Writer, writeError: @escaping Writer
  ) {
    self.tool = tool
    self.output = output
    self.error = error
    self.writeOutput = writeOutput
    self.writeError = writeError
    progress = ProgressLine(terminal: error, write: { text in try? writeError(text) })
  }

  /// The process's own streams, unbuffered.
  public static func standard(tool: String) -> Console {
    Console(
      tool: tool, output: Terminal(descriptor: STDOUT_FILENO), error: Terminal(descriptor: STDERR_FILENO),
      writeOutput: { text in try write(text, to: STDOUT_FILENO, name: "standard output") },
      writeError: { text in try write(text, to: STDERR_FILENO, name: "standard error") })
  }

  /// Writes `text` to the output, its control characters but line feed and tab escaped.
  public func print(_ text: String, terminator: String = "\n") throws {
    try write(PrintableText.escapingControls(text) + terminator)
  }

  /// Writes `text` as it is to the output: for documents of a format that has its own escapes.
  public func write(_ text: String) throws {
    progress.clear()
    try writeOutput(text)
  }

  /// Writes a remark to the error stream, as text or as a JSON object; a stream that cannot be written to is no reason to
  /// stop.
  public func note(_ text: String) {
    guard showsNotes else { return }
    progress.clear()
    if writesJSON {
      try? writeError(Diagnostic.json(note: text, tool: tool))
      return
    }
    try? writeError(PrintableText.escapingControls(text) + "\n")
  }

  /// Writes an error or a warning to the error stream, as text or as a JSON object.
  public func report(_ diagnostic: Diagnostic) {
    progress.clear()
    try? writeError(writesJSON ? diagnostic.json(tool: tool) : diagnostic.text(tool: tool))
  }

  private static func write(_ text: String, to descriptor: Int32, name: String) throws(ConsoleError) {
    var text = text
    let failure: ConsoleError? = text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = systemWrite(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno != EINTR {
          return ConsoleError(stream: name, errno: errno)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }
}

/// A standard stream that cannot be written to.
public struct ConsoleError: Error, Hashable, Sendable {
  /// `standard output` or `standard error`.
  public let stream: String
  /// The system's error number.
  public let errno: Int32

  /// A failure with error number `errno`.
  public init(stream: String, errno: Int32) {
    self.stream = stream
    self.errno = errno
  }

  /// Whether the reader has gone away, which is no failure of the command (`shardctl … | head`).
  public var isBrokenPipe: Bool { errno == EPIPE }

  /// For printing.
  public var diagnostic: Diagnostic {
    Diagnostic(stream, "cannot write: \(String(cString: strerror(errno)))", status: .ioError)
  }
}

/// `write` of the C library, apart because `Console` has a method of that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
