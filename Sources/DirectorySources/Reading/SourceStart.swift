internal import SystemSupport

/// The beginning of a file as the reader would get it: unpacked, and UTF-8 where a mark or `encoding` says how.
package struct SourceStart {
  /// The bytes; those of a text without mark and stated encoding are as they stand in the file.
  package var bytes: [UInt8]
  /// Whether that is all of the file.
  package var isWhole: Bool
  /// How often as much the whole file comes to.
  package var scale: Double

  /// Reads at most `limit` bytes of the file at `path`. Throws for one that is cut short within them.
  package init(path: String, format: SourceFormat, encoding: TextEncoding?, limit: Int) throws(SourceError) {
    var source = SourceDescription(id: "", files: [path])
    source.format = format
    source.encoding = encoding
    guard let file = try InputFile.expand([source]).first else {
      throw SourceError(.noInput, file: path, "no such file", hint: "check the name")
    }
    let input = try SequentialInput(file, source: source, tuning: ReadingTuning(memory: 0, threads: 1))
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    var failure: SourceError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(SourceError) { count = try input.read(into: buffer, at: 0) } catch { failure = error }
    }
    if let failure = failure ?? (count < limit ? input.failure : nil) { throw failure }
    bytes.removeLast(limit - count)
    self.bytes = bytes
    isWhole = count < limit && input.failure == nil
    let taken = input.taken(reading: count)
    scale = isWhole || taken == 0 ? 1 : max(1, Double(file.size ?? taken) / Double(taken))
  }
}
