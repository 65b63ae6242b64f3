import TestSupport
import Testing

@testable import DirectorySources

@Suite("Reading against a naive reader")
struct ReadingPropertyTests {
  @Test("Rows, accounts, findings and lines are those of a naive reader, whatever the sizes", arguments: 0..<150)
  func equalsNaiveReader(seed: Int) throws {
    let folder = try TemporaryFolder()
    var random = RandomSource(seed: UInt64(seed), folder: folder)
    let sources = try random.sources()
    let tuning = random.tuning()
    let expected = try NaiveReader.read(sources)
    var options = ReadingOptions()
    options.temporaryFolder = folder.path
    let sorted = try DirectoryReader(sources: sources, options: options, tuning: tuning).read()
    let rows = try sorted.rows()
    let note = Comment(rawValue: "seed \(seed)")
    #expect(rows == expected.rows, note)
    #expect(sorted.report.total == expected.counts, note)
    for group in sorted.report.refusals {
      let places = expected.refusals[group.finding.rawValue] ?? []
      #expect(group.count == places.count, note)
      let paths = sorted.files.map(\.path)
      let shown = group.examples.map { "\(paths.firstIndex(of: $0.file) ?? -1):\($0.line)" }
      #expect(shown == Array(places.prefix(5)), note)
    }
    #expect(sorted.report.refusals.count == expected.refusals.count, note)
    for finding in [RowFinding.labelControlCharacters, .labelCut, .areaNotInMap, .aliasAdded] {
      let count = sorted.report.notes.first { $0.finding == finding }?.count ?? 0
      #expect(count == expected.notes[finding] ?? 0, "\(finding.rawValue), \(note)")
    }
    #expect(try sorted.rows() == rows, "a second pass gives the same; \(note)")
  }
}
