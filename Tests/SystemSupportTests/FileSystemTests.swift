import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite struct FileSystemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("reading a whole file, up to a limit", arguments: [0, 1, 4_095, 4_096, 4_097, 1_048_577])
  func read(size: Int) throws {
    var random = SeededGenerator(seed: UInt64(size))
    let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = try folder.write(bytes, to: "file")
    #expect(try FileSystem.read(path) == bytes)
    #expect(try FileSystem.read(path, limit: size) == bytes)
    if size > 0 { #expect(errno { try FileSystem.read(path, limit: size - 1) } == EFBIG) }
  }

  @Test("what is no readable file says so: nothing, a folder, a file in the way")
  func unreadable() throws {
    let file = try folder.write("x", to: "file")
    #expect(errno { try FileSystem.read(folder.path("none")) } == ENOENT)
    #expect(errno { try FileSystem.read(folder.path) } == EISDIR)
    #expect(errno { try FileSystem.read("\(file)/x") } == ENOTDIR)
    #expect(errno { try MappedFile(folder.path, .random) } == EISDIR)
    #expect(errno { try MappedFile(folder.path("none"), .random) } == ENOENT)
    #expect(
      SystemError(operation: "open", path: "a", errno: ENOENT).description
        == "a: cannot open: No such file or directory")
  }

  @Test("status tells kinds apart, follows links, and is nil where nothing is")
  func status() throws {
    let file = try folder.write("four", to: "file")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: file)
    #expect(try FileSystem.status(file)?.kind == .regular)
    #expect(try FileSystem.status(file)?.size == 4)
    #expect(try FileSystem.status(folder.path)?.kind == .directory)
    #expect(try FileSystem.status(folder.path("link")) == FileSystem.status(file))
    #expect(try FileSystem.status("/dev/null")?.kind == .other)
    #expect(try FileSystem.status(folder.path("none")) == nil)
    #expect(try FileSystem.status("\(file)/none") == nil)
  }

  @Test("folders are made with those above; one that is there is fine, a file in its place is not")
  func createDirectory() throws {
    try FileSystem.createDirectory(folder.path("a/b/c"))
    try FileSystem.createDirectory(folder.path("a/b/c"))
    #expect(try FileSystem.status(folder.path("a/b/c"))?.kind == .directory)
    try folder.write("", to: "file")
    #expect(errno { try FileSystem.createDirectory(folder.path("file")) } == EEXIST)
    #expect(errno { try FileSystem.createDirectory(folder.path("file/a")) } == ENOTDIR)
  }

  @Test("names come in byte order, without the dots; an error half way is an error")
  func names() throws {
    for name in ["b", "B", "ä", "a", ".h"] { try folder.write("", to: name) }
    #expect(try FileSystem.names(in: folder.path) == [".h", "B", "a", "b", "ä"])
    #expect(errno { try FileSystem.names(in: folder.path("none")) } == ENOENT)
    let counter = Counter()
    let code = Syscall.withFault(under: folder.path, { _, _ in counter.next() == 3 ? EIO : nil }) {
      errno { try FileSystem.names(in: folder.path) }
    }
    #expect(code == EIO)
  }

  @Test("removing a tree leaves what a link in it points to; removing nothing is fine")
  func removeTree() throws {
    let kept = try folder.write("x", to: "kept/file")
    try folder.write("x", to: "tree/a/b")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("tree/link"), withDestinationPath: folder.path("kept"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("tree/none"), withDestinationPath: "nowhere")
    try FileSystem.removeTree(folder.path("tree"))
    try FileSystem.removeTree(folder.path("tree"))
    try FileSystem.remove(folder.path("none"))
    #expect(try FileSystem.names(in: folder.path) == ["kept"])
    #expect(try FileSystem.read(kept) == Array("x".utf8))
  }

  @Test("rename replaces, link gives a second name")
  func renameAndLink() throws {
    let (a, b) = (try folder.write("a", to: "a"), try folder.write("b", to: "b"))
    try FileSystem.rename(a, to: b)
    #expect(try FileSystem.read(b) == Array("a".utf8))
    #expect(errno { try FileSystem.rename(a, to: b) } == ENOENT)
    try FileSystem.link(b, to: a)
    #expect(try FileSystem.status(a) == FileSystem.status(b))
    #expect(errno { try FileSystem.link(b, to: a) } == EEXIST)
  }

  @Test("replacing a file with any one call failing leaves the old file and nothing else, but for the folder's sync")
  func replaceWithFailingCall() throws {
    for step in 0... {
      let path = try folder.write("old", to: "\(step)/file")
      let counter = Counter()
      let code = Syscall.withFault(under: folder.path, { _, _ in counter.next() == step ? EIO : nil }) {
        errno { try FileSystem.replace(path, with: Array("new".utf8)) }
      }
      let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
      #expect(try FileSystem.names(in: folder.path("\(step)")) == ["file"])
      if counter.count <= step {
        #expect(code == nil && text == "new")
        #expect(step == 6)
        break
      }
      #expect(code == EIO)
      // open, write, sync, rename | open folder, sync folder
      #expect(text == (step < 4 ? "old" : "new"), "step \(step)")
    }
  }

  @Test("free bytes of a disk are known, and unknown ones are an error")
  func freeBytes() throws {
    #expect(try FileSystem.freeBytes(at: folder.path) > 0)
    #expect(errno { try FileSystem.freeBytes(at: folder.path("none")) } == ENOENT)
  }
}

@Suite struct FileContentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "a writer with a small buffer writes what an array would hold, whatever the sizes",
    arguments: 1...30 as ClosedRange<UInt64>)
  func writer(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let writer = FileWriter(try OpenFile(folder.path("file"), .createNew), bufferSize: 16)
    var expected: [UInt8] = []
    for _ in 0..<50 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let value = UInt64.random(in: 0 ... .max, using: &random)
        try writer.write(value)
        withUnsafeBytes(of: value.littleEndian) { expected.append(contentsOf: $0) }
      case 1:
        try writer.write(UInt8(7))
        expected.append(7)
      case 2:
        let text = String(repeating: "ж", count: Int.random(in: 0...20, using: &random))
        try writer.write(text)
        expected.append(contentsOf: text.utf8)
      default:
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
        try bytes.withUnsafeBytes { try writer.write($0) }
        expected.append(contentsOf: bytes)
      }
      #expect(writer.position == expected.count)
    }
    try writer.flush()
    #expect(try FileSystem.read(folder.path("file")) == expected)
    let map = try MappedFile(folder.path("file"), .sequential)
    #expect(content(of: map) == expected)
  }

  @Test("a full disk under a writer is an error of the write that met it")
  func fullDisk() throws {
    let writer = FileWriter(try OpenFile(folder.path("file"), .createNew), bufferSize: 16)
    let code = Syscall.withFault(under: folder.path, { operation, _ in operation == .write ? ENOSPC : nil }) {
      errno { for _ in 0..<3 { try writer.write(UInt64(1)) } }
    }
    #expect(code == ENOSPC)
  }

  @Test("modes: createNew refuses what is there, overwrite empties it, readWrite keeps it")
  func modes() throws {
    let path = try folder.write("content", to: "file")
    #expect(errno { try OpenFile(path, .createNew) } == EEXIST)
    try Array("CON".utf8).withUnsafeBytes { try OpenFile(path, .readWrite).write($0, at: 0) }
    #expect(try FileSystem.read(path) == Array("CONtent".utf8))
    _ = try OpenFile(path, .overwrite)
    #expect(try FileSystem.read(path) == [])
    #expect(errno { try OpenFile(folder.path("none"), .read) } == ENOENT)
  }

  @Test("reading at a place gives fewer bytes only at the end")
  func readAt() throws {
    let file = try OpenFile(try folder.write("0123456789", to: "file"), .read)
    for (offset, count, expected) in [(0, 4, "0123"), (8, 4, "89"), (10, 4, ""), (99, 4, "")] {
      var buffer = [UInt8](repeating: 0, count: count)
      let read = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      #expect(String(decoding: buffer[..<read], as: UTF8.self) == expected)
    }
  }

  @Test("a temporary file has no name and can be read back")
  func temporary() throws {
    let file = try OpenFile(temporaryIn: folder.path)
    try Array("abc".utf8).withUnsafeBytes { try file.write($0) }
    #expect(try FileSystem.names(in: folder.path) == [])
    #expect(content(of: try MappedFile(file, .random)) == Array("abc".utf8))
    #expect(errno { try OpenFile(temporaryIn: folder.path("none")) } == ENOENT)
  }

  @Test("an empty file maps to no bytes, and a map outlives the descriptor and the name")
  func maps() throws {
    #expect(content(of: try MappedFile(try folder.write("", to: "empty"), .random)).isEmpty)
    let path = try folder.write("abc", to: "file")
    let map = try MappedFile(path, .random)
    try FileSystem.remove(path)
    #expect(content(of: map) == Array("abc".utf8))
    let code = Syscall.withFault(under: folder.path, { operation, _ in operation == .map ? ENOMEM : nil }) {
      errno { try MappedFile(try folder.write("abc", to: "file"), .random) }
    }
    #expect(code == ENOMEM)
  }
}

/// The `errno` of the system error that `body` throws; nil when it throws none.
func errno<R>(_ body: () throws -> R) -> Int32? {
  do {
    _ = try body()
    return nil
  } catch let error as SystemError {
    return error.errno
  } catch {
    Issue.record("\(error) is no system error")
    return nil
  }
}

/// A copy of the bytes of a map, which must live until they are copied.
private func content(of map: MappedFile) -> [UInt8] { withExtendedLifetime(map) { Array(map.bytes) } }

/// Counts calls from 0.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  func next() -> Int {
    lock.withLock {
      value += 1
      return value - 1
    }
  }

  var count: Int { lock.withLock { value } }
}
