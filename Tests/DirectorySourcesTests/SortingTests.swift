import CallDirectory
import SystemSupport
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Sorting")
struct SortingTests {
  @Test("The radix sort is a stable sort by number", arguments: [0, 1, 2, 3, 100, 5000])
  func radix(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for bits in [0, 1, 11, 12, 40, 50, 63] as [UInt64] {
      let keys = (0..<count).map { SortKey(number: 7 + generator.next() >> (64 - bits), offset: $0) }
      var first = keys
      var second = keys
      first.withUnsafeMutableBufferPointer { first in
        second.withUnsafeMutableBufferPointer { second in
          let sorted = RadixSort.sort(first, scratch: second)
          let expected = keys.sorted { ($0.number, $0.offset) < ($1.number, $1.offset) }
          #expect(sorted.map(\.offset) == expected.map(\.offset) && sorted.map(\.number) == expected.map(\.number))
        }
      }
    }
  }

  @Test("Equal numbers of many runs come together in the order of lines, with their own labels (B-053)")
  func manyRepeats() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<4000).map { "+1202555010\($0 % 2)\tlabel \($0)" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 500
    tuning.share = 2000
    tuning.keepBytes = 3000
    tuning.leastWindow = 100
    tuning.batchBytes = 100
    tuning.mergeBytes = 5000
    var options = ReadingOptions()
    options.temporaryFolder = folder.path
    let sorted = try DirectoryReader(sources: [.table(file)], options: options, tuning: tuning).read()
    var groups: [[String]] = []
    try sorted.forEachNumber { _, rows in groups.append(rows.map { String(decoding: $0.label, as: UTF8.self) }) }
    #expect(groups.count == 2)
    for (parity, group) in groups.enumerated() {
      #expect(group == stride(from: parity, to: 4000, by: 2).map { "label \($0)" })
    }
  }

  @Test("Temporary files have no name while they are used and are gone afterwards")
  func temporaryFiles() throws {
    let folder = try TemporaryFolder()
    let spool = try TemporaryFolder()
    let lines = (0..<4000).map { "+12025550\(100 + $0 % 900)\tlabel \($0)" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 500
    tuning.share = 2000
    tuning.keepBytes = 0
    var options = ReadingOptions()
    options.temporaryFolder = spool.path
    let sorted = try DirectoryReader(sources: [.table(file)], options: options, tuning: tuning).read()
    #expect(try FileSystem.names(in: spool.path).isEmpty)
    #expect(try sorted.rows().count == 4000)
  }

  @Test("What a body throws ends the pass and comes out as it is; the next pass begins anew", arguments: [1, 2])
  func bodyThrows(threads: Int) throws {
    struct Enough: Error {}
    let folder = try TemporaryFolder()
    let lines = (0..<900).map { "+12025550\(100 + $0)\tlabel \($0)" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    var tuning = ReadingTuning(memory: 0, threads: threads)
    tuning.batchBytes = 100
    let sorted = try DirectoryReader(sources: [.table(file)], options: ReadingOptions(), tuning: tuning).read()
    var count = 0
    #expect(throws: Enough.self) {
      try sorted.forEachNumber { _, _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
    #expect(try sorted.rows().count == 900)
  }

  @Test("Sizes fit the memory they come from", arguments: [0, 16 << 20, 256 << 20, 8 << 30], [1, 2, 64, 100_000])
  func tuning(memory: Int, threads: Int) {
    let tuning = ReadingTuning(memory: memory, threads: threads)
    let budget = max(memory, ReadingTuning.leastMemory)
    let used =
      tuning.threads * (tuning.share + tuning.blockBytes) + tuning.keepBytes + tuning.mergeBytes + tuning.areaBytes
    #expect(used <= budget && tuning.share >= 2 * RowRecord.maximumBytes && tuning.blockBytes >= 1 << 12)
    #expect(tuning.longestRow == ReadingTuning.longestRowLimit && tuning.longestRow <= RowRecord.maximumLines)
  }

  @Test("A long row is read whatever the memory", arguments: [16, 64, 256])
  func longRow(megabytes: Int) throws {
    let folder = try TemporaryFolder()
    let inner = String(repeating: "+12025550199,not a row\n", count: 100_000)
    let file = try folder.write("phone,name\n2025550101,A\n2025550102,\"\(inner)\"\n2025550103,C\n", to: "a.csv")
    let options = ReadingOptions(memory: megabytes << 20)
    let sorted = try DirectoryReader(sources: [.table(file)], options: options).read()
    #expect(try sorted.rows().map(\.number) == [12_025_550_101, 12_025_550_102, 12_025_550_103])
    #expect(sorted.report.total.refused == 0)
  }
}
