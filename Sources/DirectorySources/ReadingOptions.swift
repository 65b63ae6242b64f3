public import SystemSupport

/// What a run of reading may use, and whom it tells how far it is.
public struct ReadingOptions: Sendable {
  /// Memory for all of reading and sorting, in bytes. Below 16 MB it counts as 16 MB. Rows beyond it wait in temporary
  /// files, so the number of rows is bounded by the disk alone.
  public var memory: Int
  /// Folder of the temporary files; they have no name there and vanish however the process ends.
  public var temporaryFolder: String
  /// Threads that parse and sort; at least 1.
  public var threads: Int
  /// Called after each chunk of input, one call at a time, from the reading threads.
  public var progress: (@Sendable (ReadingProgress) -> Void)?
  /// Is shown rows as they stand in their files; nil costs nothing.
  public var observer: (any RowObserver)?

  /// Options with 256 MB of memory and a thread per processor.
  public init(
    memory: Int = 256 << 20, temporaryFolder: String = Machine.temporaryFolder,
    threads: Int = Machine.activeProcessors, progress: (@Sendable (ReadingProgress) -> Void)? = nil
  ) {
    self.memory = memory
    self.temporaryFolder = temporaryFolder
    self.threads = threads
    self.progress = progress
    observer = nil
  }
}

/// How far reading is.
public struct ReadingProgress: Hashable, Sendable {
  /// Bytes of input parsed so far.
  public var bytesRead: Int
  /// Bytes of all input files; 0 when one of them is not a regular file.
  public var bytesTotal: Int
  /// Rows parsed so far, refused ones included.
  public var rows: Int

  /// A state of reading.
  public init(bytesRead: Int, bytesTotal: Int, rows: Int) {
    self.bytesRead = bytesRead
    self.bytesTotal = bytesTotal
    self.rows = rows
  }
}
