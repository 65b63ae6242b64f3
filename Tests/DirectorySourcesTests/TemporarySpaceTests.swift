import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Space for temporary files")
struct TemporarySpaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Hands one run of `count` bytes to a store that has read `done` bytes of a `total`.
  private func add(_ count: Int, keepLimit: Int, done: Int, total: Int) throws {
    let meter = InputMeter(total: total)
    meter.advance(done, text: done)
    let store = RunStore(keepLimit: keepLimit, folder: folder.path, meter: meter)
    var builder = try RunBuilder(store: store, share: 2 * count)
    try Array(repeating: UInt8(ascii: "x"), count: count - 40).withUnsafeBytes { label in
      try builder.append(number: 1, order: 0, score: 0, area: 0, label: label)
    }
    try builder.flush()
  }

  @Test("Too little space is said with figures when the first run is complete, before the disk is needed")
  func early() throws {
    let free = try FileSystem.freeBytes(at: folder.path)
    try add(1000, keepLimit: 10_000, done: 1000, total: 1_000_000)
    let error = try #require(throws: SourceError.self) {
      try add(1000, keepLimit: 10_000, done: 1000, total: 4 * free)
    }
    #expect(error.kind == .io && error.file == folder.path && error.what.contains("No space left"))
    #expect(error.hint.contains("MB in \(folder.path), where ") && error.hint.contains("MB are free"))
    #expect(throws: SourceError.self) { try add(1000, keepLimit: 0, done: 1000, total: 4 * free) }
    // What is sure to fit in memory asks for no disk.
    try add(1000, keepLimit: 4 * free, done: 1000, total: 3 * free)
  }

  @Test("What packed files will come to is judged by what they came to so far")
  func packed() {
    let meter = InputMeter(total: 1000)
    meter.advance(100, text: 10_000)
    #expect(meter.extrapolate(9_000) == 90_000)
    #expect(meter.extrapolate(1_000_000) == 1_000_000 + 2 * 90_000)
  }

  @Test("Temporary data never has a name: nothing is left however the process ends")
  func unnamed() throws {
    let lines = (0..<3000).map { "+12025550\(100 + $0 % 900)\tlabel \($0)" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "source/a.tsv")
    try FileManager.default.createDirectory(atPath: folder.path("spool"), withIntermediateDirectories: true)
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 500
    tuning.share = 5000
    tuning.keepBytes = 0
    tuning.leastWindow = 200
    tuning.mergeBytes = 2000
    var options = ReadingOptions()
    options.temporaryFolder = folder.path("spool")
    let seen = Seen()
    let spool = folder.path("spool")
    let reader = DirectoryReader(sources: [.table(file)], options: options, tuning: tuning)
    let sorted = try Syscall.withFault(
      under: spool,
      { operation, path in
        if operation == .write || operation == .read {
          seen.note((try? FileManager.default.contentsOfDirectory(atPath: spool)) ?? ["unreadable"])
        }
        return nil
      }
    ) {
      let sorted = try reader.read()
      #expect(try sorted.rows().count == 3000)
      return sorted
    }
    #expect(seen.calls > 50 && seen.names.isEmpty)
    #expect(try FileSystem.names(in: spool).isEmpty)
    withExtendedLifetime(sorted) {}
  }

  private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    private var count = 0
    func note(_ names: [String]) {
      lock.withLock {
        count += 1
        all += names
      }
    }
    var names: [String] { lock.withLock { all } }
    var calls: Int { lock.withLock { count } }
  }
}
