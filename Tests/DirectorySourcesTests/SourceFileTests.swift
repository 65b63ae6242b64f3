import CallDirectory
import Foundation
import Glibc
import PhoneNumbering
import SystemSupport
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Files of a source")
struct SourceFileTests {
  private func read(_ source: SourceDescription) throws -> SortedRows {
    try DirectoryReader(sources: [source], options: ReadingOptions()).read()
  }

  @Test("Globs expand in byte order, lists keep theirs; sources follow each other")
  func order() throws {
    let folder = try TemporaryFolder()
    for name in ["b.tsv", "a.tsv", "B.tsv", "a10.tsv", "a2.tsv"] {
      try folder.write("phone\tname\n2025550101\t\(name)\n", to: name)
    }
    let sorted = try DirectoryReader(
      sources: [.table(folder.path("b.tsv"), folder.path("a*.tsv"), folder.path("B*")), .table(folder.path("a?.tsv"))],
      options: ReadingOptions()
    ).read()
    let names = ["b.tsv", "a.tsv", "a10.tsv", "a2.tsv", "B.tsv", "a2.tsv"]
    #expect(sorted.files.map { Path.name(of: $0.path) } == names)
    #expect(sorted.files.map(\.source) == [0, 0, 0, 0, 0, 1])
    #expect(try sorted.rows().map(\.label) == names)
    #expect(sorted.report.sources.map(\.counts.files) == [5, 1])
  }

  @Test("What is no readable file is said before anything is read")
  func noInput() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "sub/a.tsv")
    for (entry, what) in [
      ("missing.tsv", "no such file"), ("*.csv", "the pattern matches no file"), ("sub", "is a folder, not a file"),
    ] {
      let error = try #require(throws: SourceError.self) { try read(.table(folder.path(entry))) }
      #expect(error.kind == .noInput && error.what == what && error.file == folder.path(entry))
      #expect(error.source == "companies" && error.key == "file" && !error.hint.isEmpty)
    }
  }

  @Test("A file named twice within a source is an error: its rows would count twice")
  func namedTwice() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\n2025550101\tA\n", to: "a.tsv")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.tsv"), withDestinationPath: file)
    for (entries, what) in [
      ([file, folder.path("*.tsv")], "the file is named twice, by \"\(file)\" and \"\(folder.path("*.tsv"))\""),
      ([file, file], "the file is named twice, by \"\(file)\""),
      ([file, folder.path("link.tsv")], "is the same file as \(file), named by"),
    ] {
      var source = SourceDescription.table()
      source.files = entries
      let error = try #require(throws: SourceError.self) { try read(source) }
      #expect(error.kind == .data && error.key == "file" && error.what.hasPrefix(what) && !error.hint.isEmpty)
    }
    #expect(
      try DirectoryReader(sources: [.table(file), .table(file)], options: ReadingOptions()).read().files.count == 2,
      "two sources may read one file")
  }

  @Test("As many files as expected, or an error with the number and the names", arguments: [0, 1, 2, 3, 4])
  func expectedFiles(expected: Int) throws {
    let folder = try TemporaryFolder()
    for name in ["a.tsv", "b.tsv", "c.tsv"] { try folder.write("phone\tname\n2025550101\tA\n", to: name) }
    let source = SourceDescription.table(folder.path("?.tsv")) { $0.expectFiles = expected }
    if expected == 3 {
      #expect(try read(source).files.count == 3)
      return
    }
    let error = try #require(throws: SourceError.self) { try read(source) }
    #expect(error.kind == .noInput && error.key == "expectFiles" && error.source == "companies")
    let names = ["a.tsv", "b.tsv", "c.tsv"].map(folder.path).joined(separator: ", ")
    #expect(
      error.what == "\(expected) \(expected == 1 ? "file is" : "files are") expected, 3 found: \(names)")
  }

  @Test("The extension tells the format, in letters of any case and behind that of a packed file")
  func extensions() throws {
    for (name, format) in [
      ("a.tsv", SourceFormat.tsv), ("a.TAB", .tsv), ("a.csv.gz", .csv), ("a.txt.xz", .numbers), ("a.b.json.zst", .json),
      ("a.jsonl", .jsonl), ("a.NDJSON.GZ", .jsonl), ("a.vcf", .vcard), ("a.2gis", .twoGIS),
    ] {
      #expect(SourceFormat(path: "/x.csv/\(name)") == format)
    }
    for name in ["a", "a.gz", ".csv", "a.csv.gz.gz", "a.tsv.bz2", "csv.gz"] { #expect(SourceFormat(path: name) == nil) }
  }

  @Test("A file whose name holds a wildcard is meant as it stands")
  func literalWildcard() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\n2025550101\tA\n", to: "a*.tsv")
    try folder.write("phone\tname\n2025550102\tB\n", to: "ab.tsv")
    #expect(try read(.table(file)).files.count == 1)
  }

  @Test("An extension that tells no format needs a stated one")
  func format() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\n2025550101\tA\n", to: "a.dat")
    let error = try #require(throws: SourceError.self) { try read(.table(file)) }
    #expect(error.kind == .data && error.key == "format" && error.hint.contains("\"tsv\""))
    #expect(try read(.table(file) { $0.format = .tsv }).rows().count == 1)
  }

  @Test("A source without accepted rows is an error, unless it may be empty (B-125)")
  func empty() throws {
    let folder = try TemporaryFolder()
    for (content, what) in [("", "no rows"), ("phone\tname\n", "no rows"), ("\u{FEFF}", "no rows")] {
      let file = try folder.write(content, to: "a.tsv")
      let error = try #require(throws: SourceError.self) { try read(.table(file)) }
      #expect(error.kind == .data && error.what == what && error.hint.contains("allowEmpty"))
      let sorted = try read(.table(file) { $0.allowEmpty = true })
      #expect(try sorted.rows().isEmpty && sorted.areas == [""])
    }
    let file = try folder.write("phone\tname\nbad\tA\nworse\tB\n", to: "a.tsv")
    let error = try #require(throws: SourceError.self) { try read(.table(file)) }
    #expect(error.kind == .data && error.what.hasPrefix("all 2 rows are refused") && error.what.contains(":2:1: bad"))
    #expect(try read(.table(file) { $0.allowEmpty = true }).report.total.refusedRows == 2)
  }

  @Test("No sources give no rows; a source without files is an error like one without rows")
  func nothing() throws {
    let sorted = try DirectoryReader(sources: [], options: ReadingOptions()).read()
    #expect(try sorted.rows().isEmpty && sorted.report.sources.isEmpty && sorted.areas == [""])
    let error = try #require(throws: SourceError.self) { try read(SourceDescription(id: "none", files: [])) }
    #expect(error.kind == .data && error.source == "none" && error.what == "no rows")
  }

  @Test("A stop at the first bad row names the first in the order of lines, whatever the threads", arguments: 0..<20)
  func failFast(seed: Int) throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: UInt64(seed))
    // From one row on all are bad, so that both threads meet one at about the same time.
    let first = Int.random(in: 0..<3000, using: &generator)
    let lines = (0..<3000).map { $0 < first ? "+12025550\(100 + $0 % 900)\tA" : "bad\($0)\tA" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 256
    let reader = DirectoryReader(
      sources: [.table(file) { $0.onBadRow = .fail }], options: ReadingOptions(), tuning: tuning)
    let error = try #require(throws: SourceError.self) { try reader.read() }
    #expect(error.line == first + 2 && error.column == 1 && error.what.hasSuffix("bad\(first)"))
    #expect(error.kind == .data && error.hint.contains("skip"))
  }

  @Test("Of two failures the one in the earlier chunk counts, then the one on the earlier line")
  func failureOrder() {
    func failure(_ chunk: UInt32, _ line: Int) -> ReadingFailure {
      ReadingFailure(chunk: chunk, line: line, error: SourceError(.data, "x"), isAtLine: true)
    }
    #expect(failure(1, 9).isBefore(failure(2, 0)) && !failure(2, 0).isBefore(failure(1, 9)))
    #expect(failure(1, 3).isBefore(failure(1, 4)) && !failure(1, 4).isBefore(failure(1, 3)))
    let places = [1, 12].map { ChunkPlace(source: 0, file: 0, offset: 0, lines: 11, firstLine: $0) }
    #expect(failure(1, 3).located(in: places).line == 15)
  }

  @Test("The expected size of temporary files grows from the input read so far, within bounds")
  func extrapolation() {
    let meter = InputMeter(total: 1000)
    #expect(meter.extrapolate(50) == 2050)
    meter.advance(100, text: 100)
    #expect(meter.extrapolate(50) == 500 && meter.extrapolate(1000) == 2800)
    meter.advance(900, text: 900)
    #expect(meter.extrapolate(700) == 700)
    #expect(InputMeter(total: 0).extrapolate(700) == 700)
  }

  @Test("Results and reports do not depend on threads or memory")
  func deterministic() throws {
    let folder = try TemporaryFolder()
    var random = RandomSource(seed: 4711, folder: folder)
    let sources = try random.sources()
    var options = ReadingOptions()
    options.temporaryFolder = folder.path
    options.threads = 1
    let plain = try DirectoryReader(sources: sources, options: options).read()
    for _ in 0..<10 {
      let other = try DirectoryReader(sources: sources, options: options, tuning: random.tuning()).read()
      #expect(try other.rows() == plain.rows())
      #expect(other.report == plain.report && other.areas == plain.areas && other.files == plain.files)
    }
  }

  @Test("A pipe is read like a file")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let lines = (0..<5000).map { "+12025550\(100 + $0 % 900)\tрядом \($0)" }
    let content = Array(("\u{FEFF}phone\tname\n" + lines.joined(separator: "\n")).utf8)
    Thread.detachNewThread { try? Data(content).write(to: URL(fileURLWithPath: path), options: []) }
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 1000
    let source = SourceDescription.table(path) { $0.format = .tsv }
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()
    #expect(try sorted.rows().sorted { $0.line < $1.line }.map(\.label) == (0..<5000).map { "рядом \($0)" })
    #expect(sorted.report.total.bytes == content.count)
  }

  @Test("B-076: Progress counts up to all bytes and rows")
  func progress() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<5000).map { "+12025550\(100 + $0 % 900)\tA" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    let seen = Seen()
    var options = ReadingOptions()
    options.progress = { progress in seen.append(progress) }
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 1000
    _ = try DirectoryReader(sources: [.table(file)], options: options, tuning: tuning).read()
    let all = seen.all
    #expect(all.count > 50 && all.last?.rows == 5000)
    #expect(all.last.map { $0.bytesTotal - $0.bytesRead } == "phone\tname\n".utf8.count)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesRead < $1.bytesRead })
  }

  /// Collects what a callback reports.
  private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [ReadingProgress] = []
    func append(_ progress: ReadingProgress) { lock.withLock { list.append(progress) } }
    var all: [ReadingProgress] { lock.withLock { list } }
  }
}
