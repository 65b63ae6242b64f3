import PhoneNumbering
import TestSupport

@testable import DirectorySources

/// Reads one file of cards, written by people in the United States.
func readCards(
  _ content: [UInt8], blockBytes: Int = 1 << 20, longestRow: Int = 1 << 20,
  change: (inout SourceDescription) -> Void = { _ in }
) throws -> SortedRows {
  let folder = try TemporaryFolder()
  var source = SourceDescription(id: "cards", files: [try folder.write(content, to: "a.vcf")])
  source.spelling.region = RegionCode("US")
  source.allowEmpty = true
  change(&source)
  var tuning = ReadingTuning(memory: 0, threads: 2)
  tuning.blockBytes = blockBytes
  tuning.longestRow = longestRow
  return try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()
}
