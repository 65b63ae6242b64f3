/// How a directory is read and written; nothing here changes what a release consists of.
public struct PublishingOptions: Sendable {
  /// Memory for sorting, in bytes.
  public var memory: Int
  /// Threads for reading and sorting; all processors when nil.
  public var threads: Int?
  /// Whether `stage` goes on when a source exceeds a limit of its `guard`.
  public var acceptsChange: Bool
  /// The release in which entries have places that they keep.
  public var base: BaseChoice
  /// A file that gets the refused rows as they stand; `FILE.reasons.tsv` beside it says why. Nil for none.
  public var rejects: String?
  /// A file that gets the numbers with different labels. Nil for none.
  public var conflicts: String?
  /// The settings change whose effect `preview` tells. Nil for none.
  public var settings: SettingsChange?
  /// Called now and then from any thread.
  public var progress: (@Sendable (PublishingProgress) -> Void)?

  /// 256 MB, all processors, guards that hold, no progress.
  public init() {
    memory = 256 << 20
    threads = nil
    acceptsChange = false
    base = .current
    rejects = nil
    conflicts = nil
    settings = nil
    progress = nil
  }
}

/// Which release the entries' places are taken from.
public enum BaseChoice: Hashable, Sendable {
  /// The current one of the plan's own folder.
  case current
  /// The current one of another folder; the run is compared with it too.
  case folder(String)
  /// None: everything is placed as if for the first time. The run is still compared with the current release.
  case fresh
}

/// How far a run is.
public enum PublishingProgress: Hashable, Sendable {
  /// Sources are read: bytes done and in all, and rows so far.
  case reading(bytes: Int, of: Int, rows: Int)
  /// Numbers are counted against claims and limits.
  case planning(numbers: Int)
  /// Entries are placed and written.
  case writing(numbers: Int, of: Int)
}
