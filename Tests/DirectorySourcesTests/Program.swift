import Foundation
import Testing

/// A program of the system, as a test uses it to make its input.
enum Program {
  /// What `name` writes to its standard output when it gets `input`.
  static func run(_ name: String, _ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    Thread.detachNewThread {
      try? stdin.fileHandleForWriting.write(contentsOf: Data(input))
      try? stdin.fileHandleForWriting.close()
    }
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(name) \(arguments)")
    return [UInt8](output)
  }
}
