import CallDirectory
import PhoneNumbering
import Synchronization
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Observing rows")
struct ObservingTests {
  /// Keeps what it is shown as lines of text.
  private final class Recorder: RowObserver {
    let interest: RowInterest
    let seen = Mutex<(lines: [String], isComplete: Bool)>(([], false))
    private let most: Int

    init(_ interest: RowInterest, failingAfter most: Int = .max) {
      self.interest = interest
      self.most = most
    }

    var lines: [String] { seen.withLock(\.lines) }
    var isComplete: Bool { seen.withLock(\.isComplete) }

    func observe(_ row: ObservedRow) throws(SourceError) {
      let outcome =
        switch row.outcome {
        case .accepted(let numbers, let notes): "\(numbers.lowerBound) \(notes)"
        case .refused(let reason): reason
        }
      let line =
        "\(row.file):\(row.line):\(row.column ?? 0)\(row.isSameRow ? "=" : " ")"
        + "\(String(decoding: row.text, as: UTF8.self))|\(String(decoding: row.cell, as: UTF8.self))|\(outcome)"
      let count = seen.withLock { seen in
        seen.lines.append(line)
        return seen.lines.count
      }
      if count > most { throw SourceError(.io, "the observer has had enough") }
    }

    func observedAll() { seen.withLock { $0.isComplete = true } }
  }

  private func read(
    _ source: SourceDescription, _ observer: Recorder, threads: Int = 1, block: Int = 1 << 20, limit: Int = 1 << 20
  ) throws -> SortedRows {
    var options = ReadingOptions()
    options.observer = observer
    var tuning = ReadingTuning(memory: 64 << 20, threads: threads)
    tuning.blockBytes = block
    tuning.mergeBytes = limit
    return try DirectoryReader(sources: [source], options: options, tuning: tuning).read()
  }

  @Test("Rows of a JSON file that share a line are told apart by the character they begin with (B-121)")
  func columnsOfJSON() throws {
    let rows = (0..<40).map { #"{"phone": "é\#($0)", "name": "Ж"}"# }
    let text = "\u{FEFF}{\"v\": 1,\n \"rows\": [" + rows.joined(separator: ", ") + ",\n  {\"phone\": \"x\"}]}"
    var expected: [String] = []
    var column = #" "rows": ["#.count + 1
    for row in rows {
      expected.append("2:\(column)")
      column += row.count + 2
    }
    expected.append("3:3")
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "a.json")
    for (block, threads) in [(1 << 20, 1), (64, 2), (150, 1), (333, 2)] {
      let recorder = Recorder(RowInterest(refused: .all))
      var source = SourceDescription.table(path) {
        $0.records = "rows"
        $0.allowEmpty = true
      }
      let report = try read(source, recorder, threads: threads, block: block).report
      #expect(
        recorder.lines.map {
          $0.split(separator: ":").dropFirst().prefix(2).joined(separator: ":").split(separator: " ")[0].description
        } == expected, "\(block)")
      let examples = report.refusals[0].examples
      #expect(examples.map { "\($0.line):\($0.column ?? 0)" } == Array(expected.prefix(5)), "\(block)")
      #expect(examples[1].place == "\(path):\(expected[1])")
      source.onBadRow = .fail
      let error = #expect(throws: SourceError.self) { try read(source, Recorder(RowInterest()), block: block) }
      #expect(error?.line == 2 && error?.column == 11, "\(String(describing: error))")
    }
  }

  @Test("A refused row is shown with its own bytes and line end, whichever line end that is")
  func ownBytes() throws {
    let cases: [(name: String, content: String, rows: [String])] = [
      ("a.tsv", "phone\tname\nfoo\tA\n2025550101\tB\nbar\tC", ["foo\tA\n", "bar\tC\n"]),
      ("a.tsv", "phone\tname\r\nfoo\tA\r\n\r\nbar\tC\r\n", ["foo\tA\r\n", "bar\tC\r\n"]),
      ("a.tsv", "phone\tname\rfoo\tA\rbar\tC", ["foo\tA\r", "bar\tC\r"]),
      (
        "a.csv", "phone,name\nfoo,\"a\n\"\"b\"\"\"\n2025550101,x\nbar,\"\"\n", ["foo,\"a\n\"\"b\"\"\"\n", "bar,\"\"\n"]
      ),
      ("a.csv", "phone,name\nfoo,\"x\n", ["foo,\"x\n"]),
      ("a.txt", "  foo \t\n# no\n2025550101\n\n bar", ["  foo \t\n", " bar\n"]),
    ]
    for (name, content, rows) in cases {
      let folder = try TemporaryFolder()
      let source = SourceDescription.table(try folder.write(content, to: name)) { $0.allowEmpty = true }
      let observer = Recorder(RowInterest(refused: .all))
      _ = try read(source, observer)
      let texts = observer.lines.map { line in
        String(line.drop { $0 != " " }.dropFirst().prefix { $0 != "|" })
      }
      #expect(texts == rows, "\(name) \(content.debugDescription)")
      #expect(observer.isComplete)
    }
  }

  @Test("Whatever the number of threads, the sizes and the room for what is early, rows are shown in their order")
  func order() throws {
    let folder = try TemporaryFolder()
    var content = "phone\tname\n"
    for index in 0..<3_000 {
      content += index % 3 == 0 ? "bad \(index)\tx\n" : index % 7 == 0 ? "\n" : "+1202555\(1000 + index)\t\n"
    }
    let source = SourceDescription.table(
      try folder.write(content, to: "a.tsv"), try folder.write(content, to: "b.tsv"))
    let interest = RowInterest(refused: .all, unlabelled: true)
    let expected = Recorder(interest)
    _ = try read(source, expected)
    #expect(expected.lines.count > 4_000 && expected.lines[0].hasPrefix("0:2:1 bad 0\tx\n|bad 0|"))
    for (threads, block, limit) in [(1, 64, 0), (2, 100, 0), (4, 64, 1), (8, 512, 4_000), (3, 1 << 20, 0)] {
      let observer = Recorder(interest)
      _ = try read(source, observer, threads: threads, block: block, limit: limit)
      #expect(observer.lines == expected.lines, "\(threads) threads, \(block)")
    }
  }

  @Test("Only what is asked for is shown: numbers, rows without label, refused rows with certain digits")
  func interest() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "phone\tname\n+12025550101\tA\n(202) 555-0101\tB\n2025550102\t\n202555010x\tC\nx 202-5550101\tD\n+12025550103\n",
      to: "a.tsv")
    let cases: [(RowInterest, [String])] = [
      (RowInterest(), []),
      (RowInterest(unlabelled: true), ["0:4"]),
      (RowInterest(numbers: [PhoneNumber(12_025_550_101)]), ["0:2", "0:3"]),
      (RowInterest(refused: .containing(digits: [Array("2025550101".utf8)])), ["0:6"]),
      (RowInterest(refused: .containing(digits: [Array("2025550103".utf8)])), ["0:7"]),
      (RowInterest(refused: .all), ["0:5", "0:6", "0:7"]),
    ]
    for (interest, places) in cases {
      let observer = Recorder(interest)
      _ = try read(.table(file), observer)
      #expect(observer.lines.map { $0.split(separator: ":").prefix(2).joined(separator: ":") } == places)
    }
  }

  @Test("A row with several numbers is shown once per number, as the same row")
  func severalNumbers() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\nfoo; 2025550101; 12\tA\nbar\tB\n", to: "a.tsv")
    let observer = Recorder(RowInterest(refused: .all))
    _ = try read(.table(file) { $0.numberSeparator = ";" }, observer)
    #expect(observer.lines.count == 3)
    #expect(observer.lines[0].hasPrefix("0:2:1 foo; 2025550101; 12\tA\n|foo|"))
    #expect(observer.lines[1].hasPrefix("0:2:1=foo; 2025550101; 12\tA\n|12|"))
    #expect(observer.lines[2].hasPrefix("0:3:1 bar\tB\n|bar|"))
  }

  @Test("A refused number is looked for in its own cell, a row that is refused for something else in the whole row")
  func refusedCells() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "phone\tname\tscore\n;2025550101\tA\t\nfoo 2025550101; 2025550102\tB\t\n2025550101\tC\tx\n2025550101\n",
      to: "a.tsv")
    let observer = Recorder(RowInterest(refused: .containing(digits: [Array("2025550101".utf8)])))
    let other = Recorder(RowInterest(refused: .containing(digits: [Array("2025550102".utf8)])))
    for observer in [observer, other] {
      _ = try read(
        .table(file) {
          $0.numberSeparator = ";"; $0.score = .name("score")
        }, observer)
    }
    #expect(observer.lines.map { $0.prefix(3) } == ["0:3", "0:4", "0:5"])
    #expect(other.lines == [])
  }

  @Test("What the observer throws ends the reading with that error, with one thread and with many")
  func failure() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<2_000).map { "bad \($0)\tx\n" }.joined()
    let file = try folder.write("phone\tname\n+12025550101\tA\n" + rows, to: "a.tsv")
    for threads in [1, 4] {
      let observer = Recorder(RowInterest(refused: .all), failingAfter: 20)
      let error = #expect(throws: SourceError.self) {
        try read(.table(file), observer, threads: threads, block: 64, limit: 0)
      }
      #expect(error?.what == "the observer has had enough")
      #expect(!observer.isComplete)
    }
  }
}
