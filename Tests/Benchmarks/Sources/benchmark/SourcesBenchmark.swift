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
    let output = try OpenFile(self.output, .overwrite)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    var used = 0
    var numbers = 0
    try rows.forEachNumber { number, group in
      numbers += 1
      if buffer.count - used < Self.longestLine {
        try output.write(UnsafeRawBufferPointer(rebasing: buffer[..<used]))
        used = 0
      }
      used += Self.write(number.rawValue, group[0].label, to: UnsafeMutableRawBufferPointer(rebasing: buffer[used...]))
    }
    try output.write(UnsafeRawBufferPointer(rebasing: buffer[..<used]))
    let end = clock.now
    print(
      "rows \(rows.report.total.rows) numbers \(numbers) read+sort \(sorted - start) merge+write \(end - sorted) "
        + "total \(end - start)")
  }

  private static let longestLine = 1 << 17

  /// Writes `number TAB label LF` and returns its bytes.
  private static func write(
    _ number: Int64, _ label: UnsafeRawBufferPointer, to line: UnsafeMutableRawBufferPointer
  ) -> Int {
    // Eight digits at a time, without leading zeros.
    let value = UInt64(number)
    let high = value / 100_000_000
    var end = high > 0 ? write(leading: high, to: line) : 0
    if end > 0 {
      line.storeBytes(of: digits(value % 100_000_000), toByteOffset: end, as: UInt64.self)
      end += 8
    } else {
      end = write(leading: value, to: line)
    }
    line[end] = UInt8(ascii: "\t")
    UnsafeMutableRawBufferPointer(rebasing: line[(end + 1)...]).copyMemory(from: label)
    end += 1 + label.count
    line[end] = UInt8(ascii: "\n")
    return end + 1
  }

  /// Writes the digits of `value`, eight at most, and returns how many.
  private static func write(leading value: UInt64, to line: UnsafeMutableRawBufferPointer) -> Int {
    let digits = digits(value)
    let leading = min((digits ^ zeros).trailingZeroBitCount / 8, 7)
    line.storeBytes(of: digits &>> UInt64(8 * leading), as: UInt64.self)
    return 8 - leading
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The eight digits of `value`, the first one in the lowest byte: halves, then pairs, then digits, side by side.
  private static func digits(_ value: UInt64) -> UInt64 {
    let fours = value / 10_000 | (value % 10_000) << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x7F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) << 16
    let tens = ((pairs &* 103) >> 10) & 0x0F_000F_000F_000F
    return (tens | (pairs &- tens &* 10) << 8) | zeros
  }
}
