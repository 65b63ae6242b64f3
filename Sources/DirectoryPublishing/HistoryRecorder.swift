internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering

/// Keeps the rows of a few numbers while they are read.
// Unchecked: the reader makes one call at a time, and nobody else uses it until reading has ended.
final class HistoryRecorder: RowObserver, @unchecked Sendable {
  /// A row of one of the numbers, as it was read.
  struct Observation {
    var file: Int
    var line: Int
    var numbers: ClosedRange<PhoneNumber>
    var text: String
    var cell: String
    var notes: String
  }

  let interest: RowInterest
  private let sources: [String]
  private(set) var rows: [Observation] = []
  private(set) var refused: [(digits: [UInt8], row: NumberHistory.RefusedRow)] = []
  /// The national significant numbers.
  private let wanted: [[UInt8]]

  /// The most refused rows that are kept: a short number is part of many.
  private static let mostRefused = 1_000

  init(_ numbers: [PhoneNumber], sources: [String]) {
    self.sources = sources
    let digits = numbers.compactMap { Self.digits(of: $0) }
    wanted = digits
    interest = RowInterest(refused: .containing(digits: digits), numbers: numbers)
  }

  func observe(_ row: ObservedRow) {
    switch row.outcome {
    case .accepted(let numbers, let notes):
      rows.append(
        Observation(
          file: row.file, line: row.line, numbers: numbers, text: Self.text(row.text), cell: Self.text(row.cell),
          notes: notes.description))
    case .refused(let reason):
      guard refused.count < Self.mostRefused else { return }
      // It was the cell that was looked at, where that is one of a number.
      let own = Self.digits(row.cell)
      let digits = wanted.contains { Self.contains(own, $0) } ? own : Self.digits(row.text)
      let refusal = NumberHistory.RefusedRow(
        source: sources[row.source], file: row.path, line: row.line, column: row.column, text: Self.text(row.text),
        reason: reason)
      refused.append((digits, refusal))
    }
  }

  func observedAll() {}

  /// The refused rows that may have meant `number`.
  func refused(for number: PhoneNumber) -> [NumberHistory.RefusedRow] {
    guard let wanted = Self.digits(of: number) else { return [] }
    return refused.filter { Self.contains($0.digits, wanted) }.map(\.row)
  }

  private static func digits(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    bytes.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }

  private static func contains(_ digits: [UInt8], _ wanted: [UInt8]) -> Bool {
    digits.count >= wanted.count
      && (0...digits.count - wanted.count).contains { digits[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }

  /// What a refused row that may have meant `number` holds; nil for fewer digits than a number has, which would be found
  /// in nearly every row.
  private static func digits(of number: PhoneNumber) -> [UInt8]? {
    guard number.rawValue >= 1_000_000 else { return nil }
    return Array(NumberingPlan.nationalSignificantNumber(of: number).utf8)
  }

  /// What is shown of a row: without its line end, and no more than a report shows.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    var bytes = bytes[...]
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes.prefix(4096), as: UTF8.self)
  }
}
