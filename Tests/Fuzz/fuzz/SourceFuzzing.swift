import CallDirectory
import Glibc
import PhoneNumbering
import SystemSupport

@testable import DirectorySources

/// Any bytes as a file of a source. It is read twice, whole and in the smallest blocks that occur, which must make no
/// difference: not to the rows, not to the accounts, not to the error.
enum SourceFuzzing {
  @Sendable static func run(_ format: SourceFormat, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 2 else { return }
    let path = "/dev/shm/shardctl-fuzz-\(getpid())"
    do {
      let file = try OpenFile(path, .overwrite)
      try file.write(UnsafeRawBufferPointer(rebasing: bytes[2...]), at: 0)
    } catch {
      fatalError("cannot write the input: \(error)")
    }
    let source = description(format, path: path, options: Int(bytes[0]) | Int(bytes[1]) << 8)
    let whole = outcome(source, block: 1 << 16, share: 1 << 20)
    let pieces = outcome(source, block: 1 + Int(bytes[0] & 63), share: 300)
    require(whole == pieces, "read whole:\n\(whole)\nread in pieces:\n\(pieces)")
  }

  private static func description(_ format: SourceFormat, path: String, options: Int) -> SourceDescription {
    var source = SourceDescription(id: "fuzz", files: [path])
    source.format = format
    source.spelling.region = options & 1 != 0 ? RegionCode("RU") : nil
    source.action = .fixed(options & 2 != 0 ? .block : .both)
    source.numberSeparator = options & 4 != 0 ? "," : nil
    source.aliases = options & 8 != 0
    source.encoding = options & 16 != 0 ? TextEncoding.allCases[options >> 8 & 255 % TextEncoding.allCases.count] : nil
    source.maxPatternNumbers = 1000
    source.allowEmpty = true
    let hasPatterns = options & 32 != 0
    switch format {
    case .tsv, .csv:
      source.hasHeader = false
      source.numbers = hasPatterns ? .pattern(.position(1)) : .number(.position(1))
      source.label = options & 64 != 0 ? .template([.column(.position(2)), .text(", "), .column(.position(1))]) : nil
      source.separator = options & 128 != 0 ? .semicolon : .comma
    case .json, .jsonl:
      source.numbers = hasPatterns ? .pattern(.name("n")) : .number(.name(options & 64 != 0 ? "$value" : "n"))
      source.label = .column(.name("a.l"))
      source.records = options & 128 != 0 ? "r" : ""
    case .numbers, .patterns, .vcard, .twoGIS: break
    }
    return source
  }

  private static func outcome(_ source: SourceDescription, block: Int, share: Int) -> String {
    var tuning = ReadingTuning(memory: 0, threads: 1)
    tuning.blockBytes = block
    tuning.share = share
    tuning.longestRow = 1 << 16
    var text = ""
    do {
      let sorted = try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()
      try sorted.forEachNumber { number, rows in
        for row in rows {
          text += "\(number.rawValue) \(row.action) \(row.line) \(row.area.rawValue) \(Array(row.label))\n"
        }
      }
      text += "\(sorted.report)"
    } catch {
      // How much of the text an error shows depends on how much of it is at hand, and so do the names it suggests.
      text += String("\(error)".unicodeScalars.prefix { $0 != "'" && $0 != "\"" })
    }
    return text
  }
}
