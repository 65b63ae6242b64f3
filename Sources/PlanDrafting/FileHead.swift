internal import DirectorySources
internal import SystemSupport

/// The beginning of a file as UTF-8, and what had to be known to read it so.
struct FileHead {
  /// Bytes that are looked at; a file that is not longer is looked at as a whole.
  static let limit = 4 << 20

  /// The bytes, without a byte order mark.
  var bytes: ArraySlice<UInt8>
  /// Whether that is all of the file.
  var isWhole: Bool
  /// Bytes of the file.
  var size: Int
  /// The encoding that the plan must state; nil where the file tells it itself.
  var encoding: TextEncoding?

  /// Reads the beginning of the file at `path`. `stated` is the encoding that the user says it has.
  init(_ path: String, stated: TextEncoding?, isBinary: Bool) throws {
    let file = try OpenFile(path, .read)
    size = try file.status().size
    var raw = [UInt8](repeating: 0, count: max(1, min(size, Self.limit)))
    let count = try raw.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    raw.removeLast(raw.count - count)
    isWhole = count == size
    bytes = raw[...]
    if isBinary { return }
    if raw.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = bytes.dropFirst(3)
      return
    }
    let hasMark = raw.starts(with: [0xFF, 0xFE]) || raw.starts(with: [0xFE, 0xFF])
    if hasMark {
      bytes = Self.fromUTF16(bytes, isBigEndian: raw[0] == 0xFE)
      return
    }
    guard let found = stated ?? EncodingGuess.encoding(of: bytes, isWhole: isWhole) else {
      throw DraftError(
        file: path, what: "is not UTF-8, and its encoding cannot be told for certain",
        hint: "say which it is with --encoding: \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    switch found {
    case .utf8:
      if EncodingGuess.isUTF8(bytes, isWhole: isWhole) { return }
      throw DraftError(file: path, what: "is not UTF-8", hint: "leave out --encoding, or name another encoding")
    case .utf16, .utf16LittleEndian: bytes = Self.fromUTF16(bytes, isBigEndian: false)
    case .utf16BigEndian: bytes = Self.fromUTF16(bytes, isBigEndian: true)
    default: bytes = try Self.converted(bytes, from: found, path: path)
    }
    encoding = found
  }

  private static func fromUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> ArraySlice<UInt8> {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index -> UInt16 in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    // Some writers put a mark before every record.
    return Array(String(decoding: units.filter { $0 != 0xFEFF }, as: UTF16.self).utf8)[...]
  }

  private static func converted(
    _ bytes: ArraySlice<UInt8>, from encoding: TextEncoding, path: String
  ) throws -> ArraySlice<UInt8> {
    throw DraftError(file: path, what: "is \(encoding.rawValue), which is not yet read", hint: "convert it to UTF-8")
  }
}
