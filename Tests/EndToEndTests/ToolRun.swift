import Foundation
import TestSupport
import Testing

/// One run of the real `shardctl` in a process of its own, and what came of it.
struct ToolRun {
  /// The exit status; nothing to go by when a signal ended the process.
  var status: Int32
  /// The signal that ended the process, or nil.
  var signal: Int32?
  var output: String
  var errors: String

  /// The folder of the built products, in which this test runs.
  static let products: String =
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
  /// The package's folder.
  static let package: String =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path

  /// Runs the tool with `arguments` in the folder `directory`.
  init(_ arguments: [String], in directory: String, input: String? = nil) throws {
    self = try ToolProcess("\(Self.products)/shardctl", arguments, in: directory, input: input).wait()
  }

  /// Runs a line of bash in which `shardctl` is the tool.
  init(shell line: String, in directory: String) throws {
    // Whoever runs the tests may ignore signals, which is inherited and would hide that the tool has to.
    let setUp = "shardctl() { env --default-signal=XFSZ,PIPE '\(Self.products)/shardctl' \"$@\"; }; "
    self = try ToolProcess("/bin/bash", ["-c", setUp + line], in: directory).wait()
  }

  init(status: Int32, signal: Int32?, output: String, errors: String) {
    self.status = status
    self.signal = signal
    self.output = output
    self.errors = errors
  }

  /// The output as one JSON object.
  func json() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(self)")
  }

  /// Expects an exit with `status` and every one of `words` in the error text.
  func expect(
    _ status: Int32, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(signal == nil, "\(self)", sourceLocation: sourceLocation)
    #expect(self.status == status, "\(self)", sourceLocation: sourceLocation)
    for word in words { #expect(errors.contains(word), "\(self)", sourceLocation: sourceLocation) }
  }
}

extension ToolRun: CustomStringConvertible {
  var description: String {
    "\(signal.map { "signal \($0)" } ?? "status \(status)")\n\(output.prefix(2000))\n\(errors.prefix(2000))"
  }
}

/// A tool that is running.
final class ToolProcess {
  private let process = Process()
  private let files: TemporaryFolder
  private static let longest = 240.0

  init(_ executable: String, _ arguments: [String], in directory: String, input: String? = nil) throws {
    files = try TemporaryFolder()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    if let input {
      process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: files.write(input, to: "input")))
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: files.write("", to: "output")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: files.write("", to: "errors")))
    try process.run()
  }

  /// Starts the tool with `arguments` in the folder `directory`.
  convenience init(_ arguments: [String], in directory: String) throws {
    try self.init("\(ToolRun.products)/shardctl", arguments, in: directory)
  }

  var pid: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// Ends it as nothing can prevent.
  func kill() { Foundation.kill(pid, SIGKILL) }

  /// Waits for its end.
  func wait() throws -> ToolRun {
    let deadline = Date(timeIntervalSinceNow: Self.longest)
    while process.isRunning {
      if Date() > deadline { kill() }
      usleep(500)
    }
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return ToolRun(
      status: process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
      output: try text("output"), errors: try text("errors"))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: files.path(name))), as: UTF8.self)
  }
}
