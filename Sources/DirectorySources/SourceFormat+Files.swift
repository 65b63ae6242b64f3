internal import SystemSupport

extension SourceFormat {
  private static let extensions: [(ending: String, format: SourceFormat)] = [
    ("tsv", .tsv), ("tab", .tsv), ("csv", .csv), ("txt", .numbers), ("json", .json), ("jsonl", .jsonl),
    ("ndjson", .jsonl), ("vcf", .vcard), ("2gis", .twoGIS),
  ]

  /// The extensions that tell a format, for messages: `.tsv`, `.tab` ….
  public static var knownExtensions: [String] { extensions.map { ".\($0.ending)" } }

  /// The extensions that tell `format`, without a dot; nil when none does.
  public static func endings(of format: SourceFormat) -> [String]? {
    let endings = extensions.filter { $0.format == format }.map(\.ending)
    return endings.isEmpty ? nil : endings
  }

  /// The format that a file's extension stands for, a compressed file's by the extension before `.gz`, `.xz` or `.zst`;
  /// nil when it stands for none.
  public init?(path: String) {
    let ending = Self.ending(of: path).lowercased()
    guard let format = Self.extensions.first(where: { $0.ending == ending })?.format else { return nil }
    self = format
  }

  /// Whether `path` is a pattern of file names that leaves the extension open, so that each file tells its own format.
  public static func isOpen(path: String) -> Bool {
    let ending = ending(of: path)
    return Glob.isPattern(ending.isEmpty ? Path.name(of: path) : ending)
  }

  /// The extension, of a compressed file that before the compression's.
  private static func ending(of path: String) -> String {
    Path.fileExtension(of: Compression.unpackedName(of: Path.name(of: path)))
  }
}
