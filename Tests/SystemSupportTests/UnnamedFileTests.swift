import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite("Unnamed files that get a name")
struct UnnamedFileTests {
  @Test("It has no name until it is complete, then replaces the one from before; errors name what it is going to be")
  func replaces() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "a")
    func make() throws -> OpenFile? {
      guard let file = try OpenFile(unnamedFor: path) else { return nil }
      let writer = FileWriter(file)
      try writer.write("new")
      try writer.flush()
      return file
    }
    guard let file = try make() else { return }
    #expect(try FileSystem.names(in: folder.path) == ["a"])
    #expect(try FileSystem.read(path) == Array("old".utf8))
    for failing in [Syscall.Operation.link, .rename] {
      let error = #expect(throws: SystemError.self) {
        try Syscall.withFault(under: folder.path, { operation, _ in operation == failing ? 28 : nil }) {
          if let failed = try make() { try FileSystem.replace(path, by: failed) }
        }
      }
      #expect(error?.path == path && error?.isDiskFull == true)
      #expect(try FileSystem.names(in: folder.path) == ["a"])
    }
    // What a process with the same number left.
    try folder.write("left", to: ".shardctl-\(CurrentProcess.id).tmp")
    try FileSystem.replace(path, by: file)
    #expect(try FileSystem.names(in: folder.path) == ["a"])
    #expect(try FileSystem.read(path) == Array("new".utf8))
    let missing = #expect(throws: SystemError.self) { try OpenFile(unnamedFor: folder.path("no/b")) }
    #expect(missing?.path == folder.path("no/b") && missing?.isNoSuchFile == true)
  }

  @Test(
    "What has run out says what to do about it",
    arguments: [
      (ENOSPC, "write", "space"), (EMFILE, "open", "ulimit -n"), (ENOMEM, "map", "ulimit -v"),
      (EFBIG, "write", "ulimit -f"), (EFBIG, "read", nil), (ENOENT, "open", nil),
    ] as [(Int32, String, String?)])
  func remedies(errno: Int32, operation: String, word: String?) {
    let remedy = SystemError(operation: operation, path: "/x", errno: errno).remedy
    #expect(word.map { remedy?.contains($0) == true } ?? (remedy == nil))
    let temporary = SystemError(operation: "open", path: Machine.temporaryFolder, errno: ENOENT).remedy
    #expect(temporary?.contains("TMPDIR") == true)
  }
}
