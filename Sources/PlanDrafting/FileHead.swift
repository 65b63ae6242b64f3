internal import DirectorySources

/// The beginning of a file as UTF-8, and what had to be known to read it so.
struct FileHead {
  /// Bytes that are looked at; a file that is not longer is looked at as a whole.
  static let limit = 4 << 20
  /// Bytes that are looked at where all values of a column must be known.
  static let wideLimit = 64 << 20

  /// The bytes, without a byte order mark.
  var bytes: ArraySlice<UInt8>
  /// Whether that is all of the file.
  var isWhole: Bool
  /// How often as much the whole file comes to.
  var scale: Double
  /// The encoding that the plan must state; nil where the file tells it itself.
  var encoding: TextEncoding?

  /// Reads the beginning of the file at `path`. `stated` is the encoding that the user says files have which are not UTF-8.
  init(_ path: String, stated: TextEncoding?, isBinary: Bool, limit: Int = Self.limit) throws {
    let format = isBinary ? SourceFormat.twoGIS : .csv
    var start = try SourceStart(path: path, format: format, encoding: nil, limit: limit)
    if let packer = Self.packers.first(where: { start.bytes.starts(with: $0.mark) }), !isBinary {
      throw DraftError(file: path, what: "is packed with \(packer.name), which is not read", hint: packer.hint)
    }
    if !isBinary, !start.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      guard let found = Self.encoding(of: start, stated: stated) else {
        throw DraftError(
          file: path, what: "is not UTF-8, and its encoding cannot be told for certain",
          hint: "say which it is with --encoding: \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      if found != .utf8 {
        start = try SourceStart(path: path, format: format, encoding: found, limit: limit)
        encoding = found
      }
    }
    isWhole = start.isWhole
    scale = start.scale
    bytes = start.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? start.bytes.dropFirst(3) : start.bytes[...]
  }

  /// What packed files begin with that are not unpacked while they are read.
  private static let packers: [(mark: [UInt8], name: String, hint: String)] = [
    (Array("BZh".utf8), "bzip2", "unpack it first: bunzip2 --keep FILE"),
    ([0x50, 0x4B, 0x03, 0x04], "zip", "unpack it first; a spreadsheet (.xlsx) must be exported as CSV"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z", "unpack it first"),
  ]

  private static func encoding(of start: SourceStart, stated: TextEncoding?) -> TextEncoding? {
    let guess = EncodingGuess.encoding(of: start.bytes[...], isWhole: start.isWhole)
    return guess == .utf8 ? guess : stated ?? guess
  }
}
