internal import SystemSupport

/// Why the sources of a plan could not be read as a whole. Single bad rows are no error; the report lists them.
public struct SourceError: Error, Hashable, Sendable {
  /// Groups errors by what the caller does about them. Open: more kinds may come.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public var rawValue: String
    /// A kind by name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A file is not there or may not be read (exit status 66).
    public static let noInput = Kind(rawValue: "noInput")
    /// The content is not what the plan says it is (exit status 65).
    public static let data = Kind(rawValue: "data")
    /// The system failed while reading or while sorting on disk (exit status 74).
    public static let io = Kind(rawValue: "io")
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// The id of the source; empty when no source is to blame.
  public var source: String
  /// The file, as the plan names it or as its pattern expanded; empty when there is none.
  public var file: String
  /// The line, from 1.
  public var line: Int?
  /// The position of the field in its row, from 1; in broken JSON that of the character in its line.
  public var column: Int?
  /// The key of the source that is concerned: `file`, `number`, `label` ….
  public var key: String?
  /// What is wrong.
  public var what: String
  /// What to do about it; empty when nothing better can be said.
  public var hint: String

  /// An error with the given fields.
  public init(
    _ kind: Kind, source: String = "", file: String = "", line: Int? = nil, column: Int? = nil, key: String? = nil,
    _ what: String, hint: String = ""
  ) {
    self.kind = kind
    self.source = source
    self.file = file
    self.line = line
    self.column = column
    self.key = key
    self.what = what
    self.hint = hint
  }

  /// A failed system call on a file of `source`.
  init(_ error: SystemError, source: String) {
    let isOpening = error.operation == Syscall.Operation.open.rawValue
    let isFinding = isOpening || error.operation == Syscall.Operation.status.rawValue
    self.init(
      isOpening && error.remedy == nil ? .noInput : .io, source: source, file: error.path,
      "cannot \(error.operation): \(error.reason)",
      hint: error.remedy ?? (isFinding ? "check the path and the permissions of the file" : ""))
  }
}

extension SourceError: CustomStringConvertible {
  /// Where, as `file:line, column n` or the source's name.
  public var location: String {
    var text = file.isEmpty ? (source.isEmpty ? "sources" : "source \"\(source)\"") : file
    if let line { text += ":\(line)" }
    if let column { text += ", column \(column)" }
    return text
  }

  /// `where: what`, without the hint.
  public var description: String { "\(location): \(what)" }
}
