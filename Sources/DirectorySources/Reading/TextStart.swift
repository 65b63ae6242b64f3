/// What the first bytes of a text say about its encoding.
struct TextStart {
  /// The encoding the text is read in; never `utf16`, whose order is settled here.
  var encoding: TextEncoding
  /// Bytes of the mark, which is no text.
  var markBytes: Int

  /// Bytes that are looked at.
  static let byteCount = 4

  /// Settles the encoding of a text that begins with `bytes`: by what the source declares, else by a mark, else UTF-8. A
  /// mark that contradicts what is declared is an error (B-121, B-122).
  init(_ bytes: some Sequence<UInt8>, declared: TextEncoding?, file: String) throws(SourceError) {
    let bytes = Array(bytes.prefix(Self.byteCount))
    let mark: TextEncoding?
    if bytes == [0xFF, 0xFE, 0, 0] || bytes == [0, 0, 0xFE, 0xFF] {
      throw SourceError(
        .data, file: file, key: "encoding", "the file begins with a UTF-32 mark; UTF-32 is not read",
        hint: "save it as UTF-8")
    } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      (mark, markBytes) = (.utf8, 3)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      (mark, markBytes) = (.utf16LittleEndian, 2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      (mark, markBytes) = (.utf16BigEndian, 2)
    } else {
      (mark, markBytes) = (nil, 0)
    }
    let declared = declared == .utf16 && mark != .utf8 ? mark ?? .utf16LittleEndian : declared
    if let declared, let mark, mark != declared {
      throw SourceError(
        .data, file: file, key: "encoding",
        "the file begins with a mark of \(mark.rawValue), but the source says \"encoding\": \"\(declared.rawValue)\"",
        hint: "leave \"encoding\" out: the mark says it")
    }
    encoding = declared ?? mark ?? .utf8
  }
}

extension TextEncoding {
  /// The name the C library knows it by.
  var converterName: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16, .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .windows1251: "CP1251"
    case .windows1252: "CP1252"
    case .latin1: "ISO-8859-1"
    case .gb18030: "GB18030"
    case .koi8r: "KOI8-R"
    }
  }

  /// What to do about bytes that are not in the encoding a file was read in.
  static let hint =
    "state the encoding the file really has, \"encoding\": one of "
    + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
}
