import CallDirectory
import DirectorySources
import PhoneNumbering
import SystemSupport

/// Reads, normalises, sorts and merges one table with the columns `phone` and `name`, and writes `number TAB name` of the
/// first row of each number, as the command lines it is compared with do.
struct SourcesBenchmark {
  private let file: String
  private let output: String
  private var options: ReadingOptions

  init(_ arguments: [String]) {
    file = arguments.argument(0) ?? "raw.tsv"
    output = arguments.argument(1) ?? "sorted.tsv"
    options = ReadingOptions(memory: (arguments.argument(2).flatMap { Int($0) } ?? 256) << 20)
    if let threads = arguments.argument(3).flatMap({ Int($0) }) { options.threads = threads }
  }

  func run() throws {
    var source = SourceDescription(id: "rows", files: [file])
    source.numbers = .number(.name("phone"))
    source.label = .column(.name("name"))
    source.spelling.region = RegionCode("RU")
    let clock = ContinuousClock()
    let start = clock.now
    let rows = try DirectoryReader(sources: [source], options: options).read()
    let sorted = clock.now
    let writer = FileWriter(try OpenFile(output, .overwrite), bufferSize: 1 << 20)
    var numbers = 0
    let line = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
    defer { line.deallocate() }
    try rows.forEachNumber { number, group in
      numbers += 1
      try writer.write(Self.format(number.rawValue, group[0].label, in: line))
    }
    try writer.flush()
    let end = clock.now
    print(
      "rows \(rows.report.total.rows) numbers \(numbers) read+sort \(sorted - start) merge+write \(end - sorted) "
        + "total \(end - start)")
  }

  /// `number TAB label LF`, written into `line`.
  private static func format(
    _ number: Int64, _ label: UnsafeRawBufferPointer, in line: UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    // Digits from behind, before the place of the tab; 20 is enough for any.
    var start = 20
    var rest = UInt64(number)
    repeat {
      start -= 1
      line[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    line[20] = UInt8(ascii: "\t")
    UnsafeMutableRawBufferPointer(rebasing: line[21...]).copyMemory(from: label)
    let end = 21 + label.count
    line[end] = UInt8(ascii: "\n")
    return UnsafeRawBufferPointer(rebasing: line[start...end])
  }
}
