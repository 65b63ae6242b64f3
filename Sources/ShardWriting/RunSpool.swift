internal import CallDirectory
internal import ShardFormat
internal import SystemSupport

/// The runs of a shard until their section is written. Memory is under 400 KB, whatever their number: what is more lies in
/// unnamed files.
final class RunSpool {
  /// Runs shorter than this are written as rows.
  static let leastNumbers = ShardWriter.leastNumbersOfRun

  private let directory: String
  private let entries: IndexSpool
  private(set) var count = 0
  private var labels: FileWriter?
  /// Where labels begin that were written already.
  private var places: [[UInt8]: UInt64] = [:]
  private var placedBytes = 0

  /// Bytes of labels, and of what keeps them, that are known again when they come again.
  private static let mostPlacedBytes = 1 << 17
  private static let bytesPerPlace = 80

  /// An empty spool whose files lie in `directory`.
  init(directory: String) {
    self.directory = directory
    entries = IndexSpool(directory: directory, capacity: 3 << 10)
  }

  /// Takes a run above those before it. Requires: at most `ShardLayout.Run.mostNumbers` numbers.
  func append(_ run: EntryRun) throws(SystemError) {
    let flags = run.entry.isBlocked ? UInt64(ShardLayout.Run.flagBlocked) : 0
    let length = UInt64(run.entry.label?.count ?? 0)
    var place: UInt64 = 0
    if let label = run.entry.label { place = try self.place(of: label) }
    try entries.append(UInt64(bitPattern: run.entry.number.rawValue))
    try entries.append(UInt64(run.count) | flags << 32 | length << 48)
    try entries.append(place)
    count += 1
  }

  private func place(of label: UnsafeRawBufferPointer) throws(SystemError) -> UInt64 {
    let key = Array(label)
    if let known = places[key] { return known }
    let writer: FileWriter
    if let open = labels {
      writer = open
    } else {
      writer = FileWriter(try OpenFile(temporaryIn: directory), bufferSize: 1 << 14)
    }
    labels = writer
    let place = UInt64(writer.position)
    try writer.write(label)
    if placedBytes < Self.mostPlacedBytes {
      places[key] = place
      placedBytes += key.count + Self.bytesPerPlace
    }
    return place
  }

  /// Writes the section.
  func write(to output: ShardOutput) throws(SystemError) -> ShardSection {
    try output.beginSection()
    try output.write(UInt64(count), byteCount: ShardLayout.Run.headBytes)
    try entries.copy(to: output)
    if let labels {
      try labels.flush()
      let mapped = try MappedFile(labels.file, .sequential)
      defer { withExtendedLifetime(mapped) {} }
      var rest = mapped.bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 << 16)
        try output.write(UnsafeRawBufferPointer(rebasing: piece))
        rest = rest.dropFirst(piece.count)
      }
    }
    return output.endSection(.runs)
  }
}
