import CallDirectory
import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Packed input")
struct PackedInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(
    _ file: String, block: Int = 4096, programFolders: [String] = Machine.programFolders,
    change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> SortedRows {
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = block
    tuning.programFolders = programFolders
    return try DirectoryReader(sources: [.table(file, change: change)], options: ReadingOptions(), tuning: tuning)
      .read()
  }

  /// The ways of packing whose program is there.
  static let packings = Compression.allCases.filter { Machine.program($0.rawValue) != nil }

  private static let lines = ["phone\tname"] + (0..<400).map { "20255501\(10 + $0 % 90)\tАптека \($0 * $0)" }
  private static let text = Array(lines.joined(separator: "\n").utf8)

  private func packed(_ bytes: [UInt8], _ compression: Compression) throws -> [UInt8] {
    try Program.run(compression.rawValue, ["-c"], bytes)
  }

  @Test("A packed file gives the rows of the unpacked one, by its first bytes or its name", arguments: packings)
  func rows(compression: Compression) throws {
    let plain = try read(folder.write(Self.text, to: "plain.tsv"))
    let bytes = try packed(Self.text, compression)
    for name in ["a.tsv.\(compression.fileExtension)", "A.TSV.\(compression.fileExtension.uppercased())", "b.tsv"] {
      let file = try folder.write(bytes, to: name)
      for block in [1, 100, 100_000] {
        let sorted = try read(file, block: block)
        #expect(try sorted.rows() == plain.rows())
        #expect(sorted.files == [SourceFile(path: file, source: 0, bytes: bytes.count, rows: 400, lines: 401)])
      }
    }
    // Files that were put together are read to the end of the last one.
    let half = Self.text.count / 2
    let joined = try packed(Array(Self.text[..<half]), compression) + packed(Array(Self.text[half...]), compression)
    #expect(try read(folder.write(joined, to: "joined.tsv")).rows() == plain.rows())
  }

  @Test("Packed text in another encoding is unpacked, then converted; offsets are those of the unpacked data")
  func encoding() throws {
    let compression = try #require(Self.packings.first)
    let wide = try Program.run("iconv", ["-f", "UTF-8", "-t", "UTF-16"], Self.text)
    let plain = try read(folder.write(Self.text, to: "plain.tsv"))
    #expect(try read(folder.write(packed(wide, compression), to: "a.tsv.gz")).rows() == plain.rows())
    for (encoding, name) in [(TextEncoding.windows1252, "windows-1252"), (.utf8, "UTF-8")] {
      let bytes = Array("phone\tname\n2025550101\t".utf8) + [0x81]
      let file = try folder.write(packed(bytes, compression), to: "bad.tsv")
      let error = try #require(throws: SourceError.self) { try read(file) { $0.encoding = encoding } }
      #expect(error.what == "byte 0x81 at offset 22 of the unpacked data is not valid \(name)")
    }
  }

  @Test("A file that is cut short anywhere is an error in the program's words, never a shorter list (C-19)")
  func truncated() throws {
    for compression in Self.packings {
      let bytes = try packed(Self.text, compression)
      for count in Set([0, 1, 2, 5, 6, 10, bytes.count / 2, bytes.count - 9, bytes.count - 4, bytes.count - 1]) {
        let file = try folder.write(Array(bytes[..<count]), to: "a.tsv.\(compression.fileExtension)")
        let error = try #require(throws: SourceError.self) { try read(file, block: 500) { $0.allowEmpty = true } }
        #expect(error.kind == .data && error.key == "file" && error.source == "companies" && error.file == file)
        #expect(error.what.hasPrefix("\(compression.rawValue) cannot unpack the file: "), "\(count): \(error.what)")
        #expect(error.hint.contains("\(compression.rawValue) -t"))
      }
    }
  }

  @Test("A damaged file is an error or reads as it was, never otherwise (C-19)")
  func damaged() throws {
    for compression in Self.packings {
      let bytes = try packed(Self.text, compression)
      let rows = try read(folder.write(bytes, to: "a.tsv")).rows()
      for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
        var changed = bytes
        changed[place] ^= 0x55
        let file = try folder.write(changed, to: "a.tsv.\(compression.fileExtension)")
        guard let sorted = try? read(file) else { continue }
        #expect(try sorted.rows() == rows, "\(compression.rawValue), byte \(place)")
      }
    }
  }

  @Test("What is packed in name only, and rubbish behind the packed data, is an error in the program's words")
  func inNameOnly() throws {
    for compression in Self.packings {
      let packed = try packed(Self.text, compression)
      for bytes in [Self.text, packed + Array("rubbish".utf8)] {
        let file = try folder.write(bytes, to: "a.tsv.\(compression.fileExtension)")
        let error = try #require(throws: SourceError.self) { try read(file) }
        #expect(error.what.hasPrefix("\(compression.rawValue) cannot unpack the file: "))
      }
    }
  }

  @Test("Where the program is missing the error names it and what to do", arguments: Compression.allCases)
  func missingProgram(compression: Compression) throws {
    let file = try folder.write(compression.mark + [0, 0, 0], to: "a.tsv.\(compression.fileExtension)")
    for folders in [[], ["", ".", folder.path]] {
      let error = try #require(throws: SourceError.self) { try read(file, programFolders: folders) }
      #expect(error.what.hasSuffix("the program \(compression.rawValue) is not installed"))
      #expect(error.hint.contains("install \(compression.rawValue), or unpack the file"))
      #expect(error.kind == .io && error.file == file && error.source == "companies")
    }
  }

  @Test("Very compressible input streams: a hundred thousand equal labels in blocks of a few kilobytes (C-15)")
  func compressible() throws {
    let line = Array("2025550101\tthe same label for all of them, again and again\n".utf8)
    let text = Array("phone\tname\n".utf8) + (0..<100_000).flatMap { _ in line }
    for compression in Self.packings {
      let bytes = try packed(text, compression)
      let sorted = try read(folder.write(bytes, to: "a.tsv"), block: 1 << 14)
      #expect(sorted.report.total.rows == 100_000 && sorted.report.total.bytes == bytes.count)
      #expect(bytes.count * 8 < text.count)
    }
  }

  @Test("A stop at a row of a packed file ends the program too")
  func stop() throws {
    let compression = try #require(Self.packings.first)
    let text = Array("phone\tname\nbad\tA\n".utf8) + (0..<200_000).flatMap { Array("\($0)\tx\n".utf8) }
    let file = try folder.write(packed(text, compression), to: "a.tsv")
    let error = try #require(throws: SourceError.self) { try read(file) { $0.onBadRow = .fail } }
    #expect(error.line == 2)
  }

  @Test("Progress counts the bytes on disk, up to all of them")
  func progress() throws {
    let compression = try #require(Self.packings.first)
    let file = try folder.write(packed(Self.text, compression), to: "a.tsv")
    let seen = Progress()
    var options = ReadingOptions()
    options.progress = { progress in seen.append(progress) }
    var tuning = ReadingTuning(memory: 0, threads: 1)
    tuning.blockBytes = 300
    _ = try DirectoryReader(sources: [.table(file)], options: options, tuning: tuning).read()
    #expect(seen.all.count > 10 && seen.all.last.map { $0.bytesRead == $0.bytesTotal && $0.rows == 400 } == true)
    #expect(zip(seen.all, seen.all.dropFirst()).allSatisfy { $0.bytesRead <= $1.bytesRead })
  }

  private final class Progress: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [ReadingProgress] = []
    func append(_ progress: ReadingProgress) { lock.withLock { list.append(progress) } }
    var all: [ReadingProgress] { lock.withLock { list } }
  }

  @Test("A pipe is unpacked when its name says so; packed data from another pipe is an error, not rows")
  func pipes() throws {
    let compression = try #require(Self.packings.first)
    let bytes = try packed(Self.text, compression)
    let wide = try Program.run("iconv", ["-f", "UTF-8", "-t", "UTF-16"], Self.text)
    let plain = try read(folder.write(Self.text, to: "plain.tsv"))
    for (name, content) in [
      ("pipe.tsv.\(compression.fileExtension)", bytes), ("pipe", wide), ("other", Self.text),
    ] {
      let path = folder.path(name)
      #expect(mkfifo(path, 0o600) == 0)
      Thread.detachNewThread { try? Data(content).write(to: URL(fileURLWithPath: path), options: []) }
      let sorted = try read(path, block: 700) { $0.format = .tsv }
      #expect(try sorted.rows() == plain.rows())
    }
    let path = folder.path("packed")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread { try? Data(bytes).write(to: URL(fileURLWithPath: path), options: []) }
    let error = try #require(throws: SourceError.self) { try read(path) { $0.format = .tsv } }
    #expect(error.what == "the pipe gives data packed with \(compression.rawValue)" && error.hint.contains("-dc"))
  }

  @Test("Each failing call on a packed or converted file ends the run with a typed error that names it")
  func faults() throws {
    let compression = try #require(Self.packings.first)
    let wide = try Program.run("iconv", ["-f", "UTF-8", "-t", "UTF-16"], Self.text)
    for bytes in [try packed(Self.text, compression), wide] {
      let file = try folder.write(bytes, to: "a.tsv")
      for operation in [Syscall.Operation.open, .read, .status, .start, .wait] {
        for index in 0..<4 {
          let counter = Counter()
          do {
            let sorted = try Syscall.withFault(
              under: folder.path, { called, _ in called == operation && counter.next() == index ? EMFILE : nil }
            ) { try read(file) }
            #expect(try sorted.rows().count == 400)
          } catch let error as SourceError {
            #expect(error.file == file && error.what.contains("Too many open files"), "\(operation) \(index)")
            #expect(error.source == "companies")
          }
        }
      }
    }
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = -1
    func next() -> Int {
      lock.withLock {
        value += 1
        return value
      }
    }
  }

  @Test(
    "The packed registry files read with the rows and numbers their page states",
    .enabled(if: SharedData.isPresent && Machine.program("xz") != nil, "no shared data or no xz"),
    arguments: [("ru_abc3xx_2021.csv.xz", 57_581), ("ru_abc8xx_2021.csv.xz", 75_626)])
  func registry(name: String, rows: Int) throws {
    var source = SourceDescription(id: "registry", files: [SharedData.path("numbering/\(name)")])
    source.hasHeader = false
    source.numbers = .number(.position(1))
    source.label = .column(.position(5))
    source.area = .position(6)
    source.allowEmpty = true
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    #expect(sorted.report.total.rows == rows && sorted.files.first?.separator == .semicolon)
    #expect(!sorted.report.refusals.contains { $0.finding.rawValue.hasPrefix("row.") })
    let size = try FileSystem.status(source.files[0])?.size
    #expect(sorted.report.total.bytes == size)
  }
}
