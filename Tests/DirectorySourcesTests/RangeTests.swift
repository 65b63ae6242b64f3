import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

/// A segment as a test compares it.
private struct Segment: Hashable, CustomStringConvertible {
  var first: Int64
  var last: Int64
  /// `file:line label` of its rows.
  var rows: [String]

  var description: String { "\(first)-\(last) \(rows)" }
}

extension SortedRows {
  fileprivate func segments() throws -> [Segment] {
    var segments: [Segment] = []
    try forEachSegment { numbers, rows in
      segments.append(
        Segment(
          first: numbers.lowerBound.rawValue, last: numbers.upperBound.rawValue,
          rows: rows.map { "\($0.file):\($0.line) \(String(decoding: $0.label, as: UTF8.self))" }))
      #expect(rows.allSatisfy { $0.number == numbers.lowerBound })
    }
    return segments
  }
}

extension SourceDescription {
  /// A source of patterns without columns.
  fileprivate static func patterns(
    _ file: String, change: (inout SourceDescription) -> Void = { _ in }
  ) -> SourceDescription {
    var source = SourceDescription(id: "patterns", files: [file])
    source.format = .patterns
    source.action = .fixed(.block)
    source.spelling.region = RegionCode("FR")
    change(&source)
    return source
  }
}

private func read(_ sources: SourceDescription..., tuning: ReadingTuning? = nil) throws -> SortedRows {
  let options = ReadingOptions(memory: 16 << 20)
  guard let tuning else { return try DirectoryReader(sources: sources, options: options).read() }
  return try DirectoryReader(sources: sources, options: options, tuning: tuning).read()
}

@Suite("Ranges in sources")
struct RangeTests {
  @Test("A list of patterns has one per line; a comment is a # with a blank behind it (B-012, B-040)")
  func patternLines() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      # telemarketing, as of today
      ########
      #
      \u{20} 0199*
      +33 1 98 76 ## ##

      33162000001
      +33163000000–+33163000009
      #telemarketing
      3950
      +7*
      """, to: "list.txt")
    let rows = try read(.patterns(file))
    #expect(
      try rows.segments() == [
        Segment(first: 33_162_000_001, last: 33_162_000_001, rows: ["0:7 "]),
        Segment(first: 33_163_000_000, last: 33_163_000_009, rows: ["0:8 "]),
        Segment(first: 33_198_760_000, last: 33_198_769_999, rows: ["0:5 "]),
        Segment(first: 33_199_000_000, last: 33_199_999_999, rows: ["0:4 "]),
      ])
    let counts = rows.report.total
    #expect(counts.rows == 7 && counts.refusedRows == 3 && counts.lines == 11)
    #expect(counts.rangeRows == 4 && counts.rangeNumbers == 1_010_011)
    // A refused pattern never became numbers: it counts as one, whatever its price.
    #expect(counts.refused == 3 && counts.read == 1_010_011 + 3)
    let reasons = rows.report.refusals.map { "\($0.finding.rawValue) \($0.examples.map(\.line))" }
    #expect(reasons == ["number.letters [9]", "number.shortCode [10]", "pattern.tooManyNumbers [11]"])
    #expect(rows.report.refusals[2].examples[0].reason.hasPrefix("100,010,000,000,000 numbers"))
  }

  @Test("Patterns and ranges stand in columns of tables, with labels, areas, scores and actions of their rows")
  func columns() throws {
    let folder = try TemporaryFolder()
    let csv = try folder.write(
      "name,first,last,city,kind\n\"A \"\"quoted\"\" name\",\"33 1 99 00 00 10\",33199000019,Paris,both\n"
        + "B,0199000015,\"+33199000015\",,identify\nC,0199000020,0199000010,,block\nD,0199000020,,,block\n",
      to: "a.csv")
    var table = SourceDescription.table(csv) { source in
      source.numbers = .range(from: .name("first"), to: .name("last"))
      source.area = .name("city")
      source.action = .column(.name("kind"), values: ["both": .both, "block": .block, "identify": .identify])
      source.spelling.region = RegionCode("FR")
    }
    table.id = "table"
    let tsv = try folder.write("+33199000###\t7\n+3319900000#\t8\n", to: "b.tsv")
    let other = SourceDescription.table(tsv) { source in
      source.hasHeader = false
      source.numbers = .pattern(.position(1))
      source.label = nil
      source.score = .position(2)
      source.action = .fixed(.block)
    }
    let rows = try read(table, other)
    #expect(
      try rows.segments() == [
        Segment(first: 33_199_000_000, last: 33_199_000_009, rows: ["1:1 ", "1:2 "]),
        Segment(first: 33_199_000_010, last: 33_199_000_014, rows: ["0:2 A \"quoted\" name", "1:1 "]),
        Segment(first: 33_199_000_015, last: 33_199_000_015, rows: ["0:2 A \"quoted\" name", "0:3 B", "1:1 "]),
        Segment(first: 33_199_000_016, last: 33_199_000_019, rows: ["0:2 A \"quoted\" name", "1:1 "]),
        Segment(first: 33_199_000_020, last: 33_199_000_999, rows: ["1:1 "]),
      ])
    // `both` counts each number twice.
    let counts = rows.report.sources[0].counts
    #expect(counts.read == 20 + 1 + 1 + 1 && counts.refused == 2 && counts.rangeNumbers == 11)
    #expect(rows.report.refusals.map(\.finding.rawValue) == ["number.empty", "range.descending"])
    let first = try rows.rows().first { $0.number == 33_199_000_015 }
    #expect(first?.area == "Paris" && first?.action == .both)
    #expect(try rows.rows().filter { $0.file == 1 && $0.line == 2 }.allSatisfy { $0.score == 8 })
  }

  @Test("Numbers one by one are the numbers of the segments, each with its own number")
  func numbersOfSegments() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("0199000###\n019900001#\n0199000015\n", to: "a.txt")
    let rows = try read(.patterns(file))
    var expected: [[Int64]] = []
    try rows.forEachSegment { numbers, rows in
      for number in numbers.lowerBound.rawValue...numbers.upperBound.rawValue {
        expected.append([number] + rows.map { Int64($0.line) })
      }
    }
    var found: [[Int64]] = []
    try rows.forEachNumber { number, rows in
      found.append([number.rawValue] + rows.map { Int64($0.line) })
      #expect(rows.allSatisfy { $0.number == number })
    }
    #expect(found == expected && found.count == 1000)
  }

  @Test("Short codes are taken in ranges where the source allows them, emergency numbers never (B-037)")
  func emergencies() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("395#\n11#\n3950\n112\n", to: "a.txt")
    let rows = try read(.patterns(file) { $0.spelling.shortCodes = true })
    #expect(
      try rows.segments() == [
        Segment(first: 3950, last: 3950, rows: ["0:1 ", "0:3 "]),
        Segment(first: 3951, last: 3959, rows: ["0:1 "]),
      ])
    #expect(rows.report.total.refused == 2 && rows.report.total.read == 13)
    #expect(rows.report.refusals.map(\.finding.rawValue) == ["number.emergency"])
    let allowed = try read(
      .patterns(file) {
        $0.spelling.shortCodes = true
        $0.action = .fixed(.remove)
      })
    #expect(try allowed.segments().first?.first == 110)
    #expect(allowed.report.total.refused == 0)
  }

  @Test("A cell may hold several patterns, and ranges have aliases like numbers")
  func severalAndAliases() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("pattern\n+5255123400##; +74950000###;;+99\n", to: "a.tsv")
    let source = SourceDescription.table(file) { source in
      source.numbers = .pattern(.name("pattern"))
      source.label = nil
      source.action = .fixed(.block)
      source.numberSeparator = ";"
      source.aliases = true
    }
    let rows = try read(source)
    #expect(
      try rows.segments().map { [$0.first, $0.last] } == [
        [74_950_000_000, 74_950_000_999], [525_512_340_000, 525_512_340_099], [5_215_512_340_000, 5_215_512_340_099],
      ])
    let counts = rows.report.total
    #expect(counts.read == 1201 && counts.refused == 1 && counts.refusedRows == 0 && counts.rangeNumbers == 1200)
  }

  @Test("Refused patterns count as one number in each family, whatever they would have come to")
  func hugePrices() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<3000).map { _ in "*\n+7*\n" }.joined()
    let file = try folder.write(lines + "0199000001\n", to: "a.txt")
    let rows = try read(.patterns(file) { $0.action = .fixed(.both) })
    let counts = rows.report.total
    #expect(counts.refusedRows == 6000 && counts.refused == 2 * 6000 && counts.read == counts.refused + 2)
    #expect(rows.report.refusals.map(\.count) == [3000, 3000])
  }

  // MARK: Segments against a naive map

  @Test(
    "Segments are the maximal runs with equal rows: nested, overlapping, touching and equal ranges", arguments: 0..<60)
  func segmentsAgainstMap(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let span = Int64([12, 40, 300].randomElement(using: &random) ?? 40)
    var sources: [SourceDescription] = []
    var covering: [Int64: [String]] = [:]
    for index in 0..<Int.random(in: 1...3, using: &random) {
      var lines = "from\tto\tname\n"
      for row in 0..<Int.random(in: 0...40, using: &random) {
        let first = Int64.random(in: 0..<span, using: &random)
        let length = Int.random(in: 0..<3, using: &random) == 0 ? 0 : Int64.random(in: 0..<span, using: &random)
        let last = min(span - 1, first + length)
        let label = String(repeating: "x", count: Int.random(in: 0..<20, using: &random)) + "\(row)"
        lines += "\(33_199_000_000 + first)\t\(33_199_000_000 + last)\t\(label)\n"
        for number in first...last { covering[number, default: []].append("\(index):\(row + 2) \(label)") }
      }
      let file = try folder.write(lines, to: "\(index).tsv")
      sources.append(
        SourceDescription.table(file) { source in
          source.numbers = .range(from: .name("from"), to: .name("to"))
          source.spelling.region = RegionCode("FR")
          source.allowEmpty = true
        })
    }
    var expected: [Segment] = []
    for number in covering.keys.sorted() {
      let rows = covering[number] ?? []
      if let last = expected.last, last.last == 33_199_000_000 + number - 1, last.rows == rows {
        expected[expected.count - 1].last += 1
      } else {
        expected.append(Segment(first: 33_199_000_000 + number, last: 33_199_000_000 + number, rows: rows))
      }
    }
    var tuning = ReadingTuning(memory: 16 << 20, threads: 1 + seed % 2)
    tuning.blockBytes = [20, 100, 4096].randomElement(using: &random) ?? 100
    tuning.longestRow = 1 << 20
    tuning.share = [100, 1000, 100_000].randomElement(using: &random) ?? 1000
    tuning.keepBytes = [0, 300, 1 << 20].randomElement(using: &random) ?? 0
    tuning.leastWindow = 100
    tuning.mergeBytes = [0, 1000].randomElement(using: &random) ?? 0
    let rows = try DirectoryReader(sources: sources, options: ReadingOptions(memory: 16 << 20), tuning: tuning).read()
    #expect(try rows.segments() == expected)
    #expect(try rows.segments() == expected)
    var numbers: [Int64] = []
    try rows.forEachNumber { number, _ in numbers.append(number.rawValue - 33_199_000_000) }
    #expect(numbers == covering.keys.sorted())
  }

  @Test("What a body throws in the middle of a range ends the pass; the labels of open ranges are let go")
  func bodyThrows() throws {
    struct Enough: Error {}
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "from\tto\tname\n33199000000\t33199000009\tA\n33199000005\t33199000006\tB\n", to: "a.tsv")
    let rows = try read(
      .table(file) {
        $0.numbers = .range(from: .name("from"), to: .name("to"))
        $0.spelling.interpretation = .international
      })
    var count = 0
    #expect(throws: Enough.self) {
      try rows.forEachNumber { _, _ in
        count += 1
        if count == 7 { throw Enough() }
      }
    }
    #expect(count == 7)
  }

  // MARK: Real lists

  @Test(
    "The French list of telemarketing patterns comes to 14,951,001 numbers, a short code among them (B-139)",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
  func frenchPatterns() throws {
    var source = SourceDescription(id: "fr", files: [SharedData.path("spam/fr_block_patterns.json")])
    source.numbers = .pattern(.name("pattern"))
    source.spelling.region = RegionCode("FR")
    source.spelling.interpretation = .international
    source.spelling.shortCodes = true
    source.action = .fixed(.block)
    let rows = try read(source)
    #expect(rows.report.total.rows == 804 && rows.report.total.refused == 0)
    #expect(rows.report.total.rangeRows == 804 && rows.report.total.rangeNumbers == 14_951_001)
    var covered = 0
    try rows.forEachSegment { numbers, rows in covered += NumberRanges.count(of: numbers) }
    #expect(covered <= 14_951_001 && covered > 14_000_000)
    // `start` and `end` of the list say the same.
    source.numbers = .range(from: .name("start"), to: .name("end"))
    #expect(try read(source).segments().count == rows.segments().count)
    source.spelling.shortCodes = false
    let withoutCode = try read(source)
    #expect(withoutCode.report.total.rangeNumbers == 14_951_000 && withoutCode.report.total.refused == 1)
    source.maxPatternNumbers = 999_999
    let cheap = try read(source).report
    #expect(cheap.refusals.map(\.finding.rawValue) == ["number.shortCode", "pattern.tooManyNumbers"])
    #expect(cheap.refusals.last?.examples.first?.reason.hasPrefix("1,000,000 numbers") == true)
    let wide = try #require(cheap.refusals.last?.count)
    #expect(cheap.total.read == 14_951_001 - wide * 999_999 && cheap.total.refused == wide + 1)
  }

  @Test(
    "Every Russian numbering range is refused with its price where a pattern may have few numbers",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
  func russianRanges() throws {
    var source = SourceDescription(id: "ru", files: [SharedData.path("numbering/ru_ranges_2021_merged.csv")])
    source.separator = .semicolon
    source.numbers = .range(from: .name("from"), to: .name("to"))
    source.spelling.region = RegionCode("RU")
    source.action = .fixed(.block)
    source.allowEmpty = true
    source.maxPatternNumbers = 1
    let rows = try read(source)
    let text = try String(contentsOfFile: source.files[0], encoding: .utf8)
    var sum = 0
    var single = 0
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ";")
      let size = try #require(Int(fields[1])) - #require(Int(fields[0])) + 1
      sum += size
      single += size == 1 ? 1 : 0
    }
    let counts = rows.report.total
    #expect(counts.rows == 62_341 && counts.read == counts.rows && counts.refused == counts.rows - single)
    #expect(sum == 710_149_925)
    #expect(rows.report.refusals.map(\.finding.rawValue) == ["pattern.tooManyNumbers"])
    #expect(rows.report.refusals.first?.count == 62_341 - single)
    #expect(rows.report.refusals.first?.examples.first?.reason.hasPrefix("20,000 numbers") == true)
  }
}
