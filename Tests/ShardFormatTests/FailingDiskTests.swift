import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import SystemSupport
import Synchronization
import TestSupport
import Testing

/// Each system call of a write fails once, at each of its occurrences.
@Suite(.serialized) struct FailingDiskTests {
  static let operations: [Syscall.Operation] = [.open, .write, .sync, .rename, .map, .status]

  /// Fails the call number `index` of `operation` whose path lies in `folder`; tells whether there was one.
  private func failing<R>(
    _ operation: Syscall.Operation, _ index: Int, in folder: String, _ body: () throws -> R
  ) throws -> (result: R?, failed: Bool) {
    let seen = Mutex(0)
    let failed = Mutex(false)
    let result = try Syscall.withFault(
      under: folder,
      { asked, _ in
        guard asked == operation else { return nil }
        let number = seen.withLock { seen in
          seen += 1
          return seen - 1
        }
        guard number == index else { return nil }
        failed.withLock { $0 = true }
        return ENOSPC
      },
      { () -> R? in
        do { return try body() } catch let error as SystemError {
          #expect(error.errno == ENOSPC)
          return nil
        }
      })
    return (result, failed.withLock { $0 })
  }

  @Test(arguments: operations) func `A failing call leaves what stood under the name, and nothing beside it`(
    _ operation: Syscall.Operation
  ) throws {
    let rows = randomRows(3000, seed: 40)
    for index in 0..<1000 {
      let folder = try TemporaryFolder()
      let path = try folder.write("old", to: "a")
      let (result, failed) = try failing(operation, index, in: folder.path) { try write(rows, to: path) }
      if !failed {
        #expect(result != nil)
        #expect(index > 0 || operation == .map || operation == .status)
        return
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
      // The last sync is the folder's, after the name was given.
      if (try? Shard(path)) == nil { #expect(try String(contentsOfFile: path, encoding: .utf8) == "old") }
      #expect(result == nil)
    }
  }

  @Test(arguments: operations) func `The same holds when the families have to be merged`(
    _ operation: Syscall.Operation
  ) throws {
    let rows = randomRows(3000, seed: 41)
    for index in 0..<1000 {
      let folder = try TemporaryFolder()
      let path = try folder.write("old", to: "a")
      let (result, failed) = try failing(operation, index, in: folder.path) {
        let writer = try FamilyMergingShardWriter(path)
        for row in rows where row.isBlocked { try writer.addBlocking(PhoneNumber(row.number)) }
        for row in rows {
          guard let label = row.label else { continue }
          try Array(label.utf8).withUnsafeBytes { try writer.addIdentification(PhoneNumber(row.number), label: $0) }
        }
        return try writer.finish()
      }
      if !failed {
        #expect(result != nil)
        #expect(index > 0)
        return
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
      if (try? Shard(path)) == nil { #expect(try String(contentsOfFile: path, encoding: .utf8) == "old") }
      #expect(result == nil)
    }
  }

  @Test func `A full disk in the middle closes the writer at once and removes its temporary file`() throws {
    let folder = try TemporaryFolder()
    let writer = try ShardWriter(folder.path("a"))
    let rows = randomRows(40_000, seed: 42)
    let outcome = try failing(.write, 0, in: folder.path) { for row in rows { try append(row, to: writer) } }
    #expect(outcome.failed && outcome.result == nil)
    // The writer is still there: it is not its end that cleaned up.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let error = #expect(throws: ShardError.self) { try writer.finish() }
    #expect(error?.code == .closed)
  }
}
