import TestSupport

@testable import DirectorySources

/// Reads one JSON text with the columns `phone` and `name`; rows as `line number label`, in the order delivered.
enum JSONReading {
  static func read(
    _ content: String, as name: String = "a.json", block: Int? = nil,
    change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [String], report: SourceReport) {
    try read(Array(content.utf8), as: name, block: block, change: change)
  }

  static func read(
    _ content: [UInt8], as name: String = "a.json", block: Int? = nil,
    tune: (inout ReadingTuning) -> Void = { _ in }, change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [String], report: SourceReport) {
    let folder = try TemporaryFolder()
    let file = try folder.write(content, to: name)
    var tuning = ReadingTuning(memory: 0, threads: 2)
    if let block { tuning.blockBytes = block }
    tune(&tuning)
    let sorted = try DirectoryReader(
      sources: [.table(file, change: change)], options: ReadingOptions(), tuning: tuning
    ).read()
    return (try sorted.rows().map { "\($0.line) \($0.number % 10_000) \($0.label)" }, sorted.report.sources[0])
  }
}
