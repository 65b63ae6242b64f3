import Foundation
import TestSupport
import Testing

@testable import SystemSupport

@Suite("Filters as child processes")
struct FilterProcessTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write("first\nsecond\n", to: "file")
  }

  private func shell(_ script: String) throws -> FilterProcess {
    try FilterProcess("/bin/sh", ["-c", script], input: try OpenFile(file, .read))
  }

  private func readAll(_ filter: FilterProcess, block: Int = 4096) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: block)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try filter.read(into: $0) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  @Test("Its output is the file's, and its end is a success")
  func output() throws {
    for block in [1, 5, 4096] {
      let filter = try shell("cat")
      #expect(try readAll(filter, block: block) == "first\nsecond\n")
      #expect(try filter.end() == nil)
      #expect(try readAll(filter).isEmpty && filter.end() == nil, "the end stays the end")
    }
  }

  @Test("A failure has the status and the words of the program, on one line and bounded")
  func failure() throws {
    let filter = try shell("head -c 3; printf 'a\\n\\n  b\\tc\\n' >&2; exit 7")
    #expect(try readAll(filter) == "fir")
    #expect(try filter.end() == FilterProcess.Failure(status: 7, message: "a b c"))
    let killed = try shell("kill -TERM $$")
    #expect(try readAll(killed).isEmpty)
    #expect(try killed.end() == FilterProcess.Failure(status: 128 + 15, message: ""))
  }

  @Test("A program that writes a megabyte of messages neither blocks nor fills the memory")
  func manyMessages() throws {
    for script in [
      "head -c 1000000 /dev/zero | tr '\\0' x >&2; cat; exit 1",
      "cat; exec >&-; head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1",
    ] {
      let filter = try shell(script)
      #expect(try readAll(filter) == "first\nsecond\n")
      #expect(try filter.end() == FilterProcess.Failure(status: 1, message: String(repeating: "x", count: 2048)))
    }
  }

  @Test("It has its three streams, few variables, default signals and nothing else of this process")
  func inheritance() throws {
    let filter = try shell("ls /proc/self/fd | tr '\\n' ' '; env | cut -d= -f1 | sort | tr '\\n' ' '")
    // The descriptor of the folder that is listed comes on top.
    #expect(try readAll(filter).split(separator: " ") == ["0", "1", "2", "3", "LC_ALL", "PATH", "PWD"])
    let signals = try shell("grep -E 'SigBlk|SigIgn' /proc/self/status | tr -d '0\\n\\t'")
    let text = try readAll(signals)
    // The C library keeps two signals of its own, 32 and 33, from children it starts.
    #expect(text == "SigBlk:SigIgn:" || text == "SigBlk:SigIgn:18")
  }

  @Test("When reading stops early the child is gone with the object")
  func earlyEnd() throws {
    var filter: FilterProcess? = try shell("echo $$; exec sleep 1000")
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = try buffer.withUnsafeMutableBytes { try filter?.read(into: $0) } ?? 0
    let text = String(decoding: buffer[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let process = try #require(Int32(text))
    #expect(kill(process, 0) == 0)
    filter = nil
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test("The position of the file is how far the program is")
  func position() throws {
    let input = try OpenFile(file, .read)
    #expect(try input.position() == 0)
    let filter = try FilterProcess("/bin/cat", [], input: input)
    #expect(try readAll(filter) == "first\nsecond\n")
    #expect(try input.position() == 13)
  }

  @Test(
    "Each failing call is a typed error, and the child is gone", arguments: [Syscall.Operation.start, .read, .wait])
  func faults(operation: Syscall.Operation) throws {
    for index in 0..<(operation == .read ? 3 : 4) {
      let counter = Counter()
      let text = try? Syscall.withFault(
        under: folder.path, { called, _ in called == operation && counter.next() == index ? EMFILE : nil }
      ) {
        let filter = try shell("cat")
        let text = try readAll(filter)
        return try filter.end() == nil ? text : ""
      }
      // Reading takes at least three calls: waiting, data, end.
      let calls = operation == .wait ? 1 : 3
      #expect((text == nil) == (index < calls), "\(operation) \(index)")
      #expect(text == nil || text == "first\nsecond\n")
    }
  }

  @Test("A program is found in absolute folders alone, and only where it can be run")
  func program() throws {
    try folder.write("#!/bin/sh\n", to: "bin/tool")
    #expect(Machine.program("tool", in: [folder.path("bin")]) == nil)
    chmod(folder.path("bin/tool"), 0o755)
    #expect(Machine.program("tool", in: ["", "bin", folder.path, folder.path("bin")]) == folder.path("bin/tool"))
    #expect(Machine.program("bin", in: [folder.path]) == nil, "a folder is no program")
    #expect(Machine.program("sh", in: []) == nil)
    #expect(Machine.program("sh") != nil)
  }
}
