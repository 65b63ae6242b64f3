import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Faults of the system")
struct FaultTests {
  private struct Setup {
    let folder: TemporaryFolder
    let spool: TemporaryFolder
    let reader: DirectoryReader
    let file: String

    init() throws {
      folder = try TemporaryFolder()
      spool = try TemporaryFolder()
      let lines = (0..<3000).map { "+12025550\(100 + $0 % 900)\tlabel \($0)" }
      file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
      var tuning = ReadingTuning(memory: 0, threads: 2)
      tuning.blockBytes = 500
      tuning.share = 5000
      tuning.keepBytes = 10_000
      tuning.leastWindow = 200
      tuning.batchBytes = 200
      tuning.mergeBytes = 20_000
      var options = ReadingOptions()
      options.temporaryFolder = spool.path
      reader = DirectoryReader(sources: [.table(file)], options: options, tuning: tuning)
    }
  }

  /// Fails the `index`-th call of `operation` below `folder`.
  private func fault(_ operation: Syscall.Operation, below folder: String, at index: Int, _ code: Int32)
    -> Syscall.Fault
  {
    let counter = Counter()
    return { called, path in
      guard called == operation, path.hasPrefix(folder) else { return nil }
      return counter.next() == index ? code : nil
    }
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = -1
    func next() -> Int {
      lock.withLock {
        value += 1
        return value
      }
    }
  }

  @Test("Each failing call on a source file ends the run with a typed error that names it")
  func sourceFile() throws {
    let setup = try Setup()
    for (operation, kind) in [(Syscall.Operation.open, SourceError.Kind.noInput), (.read, .io), (.status, .io)] {
      for index in 0..<3 {
        let fault = fault(operation, below: setup.folder.path, at: index, EACCES)
        do {
          let sorted = try Syscall.withFault(fault) { try setup.reader.read() }
          #expect(try sorted.rows().count == 3000, "there are only \(index) calls of \(operation)")
          #expect(index > 0)
        } catch let error as SourceError {
          #expect(error.kind == kind && error.file == setup.file && error.what.contains("Permission denied"))
        }
      }
    }
  }

  @Test("Each failing call on a temporary file ends the run with a typed error that says what would help")
  func temporaryFile() throws {
    let setup = try Setup()
    for operation in [Syscall.Operation.open, .write, .status] {
      for index in [0, 1, 5] {
        let fault = fault(operation, below: setup.spool.path, at: index, ENOSPC)
        do {
          let sorted = try Syscall.withFault(fault) { try setup.reader.read() }
          #expect(try sorted.rows().count == 3000)
          #expect(index > 0)
        } catch let error as SourceError {
          #expect(error.kind == .io && error.what.contains("No space left") && !error.hint.isEmpty)
        }
      }
      #expect(try FileSystem.names(in: setup.spool.path).isEmpty)
    }
  }

  @Test("A failing read of temporary data ends a pass with a typed error; the next pass may do")
  func pass() throws {
    let setup = try Setup()
    let sorted = try setup.reader.read()
    for index in [0, 3, 20] {
      let fault = fault(.read, below: setup.spool.path, at: index, EIO)
      let error = try #require(throws: SourceError.self) { try Syscall.withFault(fault) { try sorted.rows() } }
      #expect(error.kind == .io && error.file == setup.spool.path)
    }
    #expect(try sorted.rows().count == 3000)
  }

  @Test("A folder for temporary files that is not there is said when it is needed")
  func noTemporaryFolder() throws {
    let setup = try Setup()
    var options = ReadingOptions()
    options.temporaryFolder = setup.spool.path("missing")
    var tuning = ReadingTuning(memory: 0, threads: 1)
    let relaxed = try DirectoryReader(sources: [.table(setup.file)], options: options, tuning: tuning).read()
    #expect(try relaxed.rows().count == 3000)
    tuning.keepBytes = 0
    let error = try #require(throws: SourceError.self) {
      try DirectoryReader(sources: [.table(setup.file)], options: options, tuning: tuning).read()
    }
    #expect(error.kind == .io && error.file == options.temporaryFolder)
  }

  @Test("A file that changes while it is read is said; nothing traps when it is cut short")
  func changedFile() throws {
    let setup = try Setup()
    for change in [0, 5000, 200_000] {
      let reads = Counter()
      let file = setup.file
      let content = try Data(contentsOf: URL(fileURLWithPath: file))
      let error = try #require(throws: SourceError.self) {
        try Syscall.withFault({ operation, path in
          if operation == .read, path == file, reads.next() == 3 { truncate(file, change) }
          return nil
        }) { try setup.reader.read() }
      }
      #expect(error.kind == .io && error.what == "the file changed while it was read")
      try content.write(to: URL(fileURLWithPath: file))
    }
  }
}
