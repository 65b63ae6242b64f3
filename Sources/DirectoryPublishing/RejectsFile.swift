internal import CallDirectory
internal import DirectorySources
internal import SystemSupport

/// `--rejects FILE`: the refused rows as they stand in their files, and beside it `FILE.reasons.tsv`, a line
/// `file TAB line TAB column TAB reason` for each refusal, both in the order of sources, files and lines.
///
/// A row may be refused several times, once for each of its numbers: it stands once among the rows and once per refusal
/// among the reasons. That nobody gives a number a label shows only when all rows are sorted. So everything that may be
/// refused waits in an unnamed temporary file, and `finish` writes both files. Memory is a constant.
// Unchecked: the reader makes one call at a time, and nobody else uses it until reading has ended.
final class RejectsFile: RowObserver, @unchecked Sendable {
  let interest = RowInterest(refused: .all, unlabelled: true)

  private let path: String
  private let spool: OpenFile
  private let writer: FileWriter
  private var paths: [String] = []
  private var file = -1
  /// Whether all rows have been read.
  private(set) var isComplete = false
  /// Whether the files have been written, or could not be.
  private(set) var isFinished = false

  /// Where the reasons stand.
  static func reasonsPath(_ path: String) -> String { "\(path).reasons.tsv" }

  /// Rejects for the file `path`; temporary data lies in `folder`. Fails with a `ReleaseError` where no file can be made.
  init(_ path: String, folder: String) throws {
    self.path = path
    if let status = try FileSystem.status(path), status.kind != .regular {
      throw ReleaseError(
        kind: .notWritable, path: path, what: "is no file", hint: "name a file: the reasons are written beside it")
    }
    // What cannot be written is found out before hours of reading.
    for path in [path, Self.reasonsPath(path)] { try ReplacedFile(path).discard() }
    spool = try OpenFile(temporaryIn: folder)
    writer = FileWriter(spool)
  }

  func observedAll() { isComplete = true }

  func observe(_ row: ObservedRow) throws(SourceError) {
    do {
      try keep(row)
    } catch {
      throw SourceError(
        .io, file: error.path, "cannot \(error.operation) temporary data: \(error.reason)", hint: error.remedy ?? "")
    }
  }

  // MARK: Temporary data

  /// How a refusal lies in temporary data: file, column (4 bytes each), line, first and last number (8 each; 0 for a row
  /// that is refused for certain), bytes of reason and of text (4 each; text is -1 for the row before), both.
  private func keep(_ row: ObservedRow) throws(SystemError) {
    if file != row.file {
      file = row.file
      paths.append(row.path)
    }
    var reason = ""
    var numbers: ClosedRange<Int64> = 0...0
    switch row.outcome {
    case .accepted(let accepted, _): numbers = accepted.lowerBound.rawValue...accepted.upperBound.rawValue
    case .refused(let why): reason = why
    }
    try writer.write(Int32(paths.count - 1))
    try writer.write(Int32(row.column ?? 0))
    try writer.write(Int64(row.line))
    try writer.write(numbers.lowerBound)
    try writer.write(numbers.upperBound)
    try writer.write(Int32(reason.utf8.count))
    try writer.write(Int32(row.isSameRow ? -1 : row.text.count))
    try writer.write(reason)
    if !row.isSameRow { try writer.write(row.text) }
  }

  private static let headBytes = 40

  // MARK: The files

  /// Writes both files: every row that was refused, and of those without a label the ones whose number is `unlabelled`.
  /// After an error files from before stand, or the rows are there and the reasons are not.
  func finish(_ unlabelled: UnlabelledNumbers?) throws {
    isFinished = true
    try writer.flush()
    let rows = try ReplacedFile(path)
    let reasons = try ReplacedFile(Self.reasonsPath(path))
    let map = try MappedFile(spool, .sequential)
    try write(map.bytes, unlabelled, rows, reasons)
    withExtendedLifetime(map) {}
    try rows.commit()
    try reasons.commit()
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ unlabelled: UnlabelledNumbers?, _ rows: ReplacedFile, _ reasons: ReplacedFile
  ) throws(SystemError) {
    func integer<I: FixedWidthInteger>(_ offset: Int, as type: I.Type) -> I {
      I(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
    var text = 0..<0
    var isWritten = false
    var at = 0
    while at < bytes.count {
      let path = paths[Int(integer(at, as: Int32.self))]
      let column = integer(at + 4, as: Int32.self)
      let line = integer(at + 8, as: Int64.self)
      let (first, last) = (integer(at + 16, as: Int64.self), integer(at + 24, as: Int64.self))
      let reason = at + Self.headBytes..<at + Self.headBytes + Int(integer(at + 32, as: Int32.self))
      let count = Int(integer(at + 36, as: Int32.self))
      if count >= 0 {
        text = reason.upperBound..<reason.upperBound + count
        isWritten = false
      }
      at = reason.upperBound + max(0, count)
      let isCandidate = first != 0
      if isCandidate, unlabelled?.contains(oneOf: PhoneNumber(first)...PhoneNumber(last)) != true { continue }
      if !isWritten { try rows.write(UnsafeRawBufferPointer(rebasing: bytes[text])) }
      isWritten = true
      try reasons.field(path)
      try reasons.write("\t\(line)\t\(column > 0 && !isCandidate ? "\(column)" : "")\t")
      if isCandidate {
        try reasons.field(RowFinding.noLabel.text)
      } else {
        try reasons.field(UnsafeRawBufferPointer(rebasing: bytes[reason]))
      }
      try reasons.write("\n")
    }
  }
}
