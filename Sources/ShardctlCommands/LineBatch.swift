internal import CommandLineKit
internal import Dispatch
internal import SystemSupport

/// Answers the lines of a file on all processors: one output line per input line, in the order of the input.
enum LineBatch {
  /// Reads a line and appends its answer, line end included.
  typealias Answer = (UnsafeRawBufferPointer, LineOutput) -> Void

  /// Refuses an option that has no meaning for a batch: its answers are lines.
  static func refuse(_ option: Option<Bool>, _ arguments: ParsedArguments) throws {
    guard arguments.has(option) else { return }
    throw Diagnostic(
      option.definition.spelling, "cannot be given with --batch, whose answers are lines of text", status: .usage)
  }

  /// Runs a batch over `path` (`-` is standard input) to standard output.
  ///
  /// - Parameter makeAnswer: Makes what answers the lines of one thread; called once per thread, so that each has a state
  ///   of its own.
  static func run(_ path: String, makeAnswer: () -> Answer) throws {
    let input = try LineInput(path)
    let output = OpenFile.standardOutput()
    // Each worker is used by one thread at a time: by the iteration of its own index.
    nonisolated(unsafe) let workers = (0..<Machine.activeProcessors).map { _ in
      (answer: makeAnswer(), output: LineOutput())
    }
    while let block = try input.next() {
      nonisolated(unsafe) let parts = LineInput.split(block, into: workers.count)
      DispatchQueue.concurrentPerform(iterations: parts.count) { index in
        let worker = workers[index]
        LineInput.forEachLine(in: parts[index]) { worker.answer($0, worker.output) }
      }
      for worker in workers.prefix(parts.count) { try worker.output.flush(to: output) }
    }
  }
}
