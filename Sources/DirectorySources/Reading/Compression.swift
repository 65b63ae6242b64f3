internal import SystemSupport

/// How a file is packed. Unpacking is left to the system's own program for it.
enum Compression: String, CaseIterable, Sendable {
  case gzip
  case xz
  case zstd

  /// What a file's name ends in, in small letters.
  var fileExtension: String {
    switch self {
    case .gzip: "gz"
    case .xz: "xz"
    case .zstd: "zst"
    }
  }

  /// What a packed file begins with.
  var mark: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    }
  }

  /// The longest of the marks.
  static let longestMark = 6

  /// Unpacks standard input to standard output; says nothing unless it fails.
  var arguments: [String] { self == .gzip ? ["-dc"] : ["-dcq"] }

  /// The one whose mark `bytes` begin with.
  init?(mark bytes: some Sequence<UInt8>) {
    guard let found = Self.allCases.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
    self = found
  }

  /// The one whose extension `path` has.
  init?(path: String) {
    let ending = Path.fileExtension(of: path).lowercased()
    guard let found = Self.allCases.first(where: { $0.fileExtension == ending }) else { return nil }
    self = found
  }

  /// `path` without the extension of a packed file.
  static func unpackedName(of path: String) -> String {
    guard let compression = Compression(path: path) else { return path }
    return String(decoding: path.utf8.dropLast(compression.fileExtension.utf8.count + 1), as: UTF8.self)
  }
}
