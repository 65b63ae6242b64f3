import CallDirectory
import Foundation
import ProviderHost
import TestSupport
import Testing

/// Files that are no libraries are told apart before anything of them runs.
@Suite struct ProviderLibraryTests {
  private func reason(_ path: String) -> LibraryProblem.Reason? { ProviderLibrary(path).problem?.reason }

  @Test func `a provider library passes`() throws { #expect(reason(try FaultyLibrary.c()) == nil) }

  @Test func `files that are no libraries are refused with their reason`() throws {
    let folder = try TemporaryFolder()
    #expect(reason(folder.path("missing.so")) == .missing)
    #expect(reason(folder.path) == .notAFile)
    #expect(reason("/dev/null") == .notAFile)
    #expect(reason(try folder.write("", to: "empty.so")) == .empty)
    #expect(reason(try folder.write("\u{7F}EL", to: "short.so")) == .cutShort(size: 3, needed: 64))
    #expect(reason(try folder.write("no\n", to: "short-text.so")) == .notELF)
    #expect(reason(try folder.write(String(repeating: "a text file\n", count: 100), to: "text.so")) == .notELF)
    #expect(reason("/bin/true") == .program)
    #expect(reason(try FaultyLibrary.compile("int f(void) { return 1; }", ["-c", "-fPIC"])) == .otherType(1))
    #expect(reason(try FaultyLibrary.compile("int main(void) { return 0; }", ["-fPIE", "-pie"])) == .program)
    #expect(reason(try FaultyLibrary.compile("int main(void) { return 0; }", ["-no-pie"])) == .program)
  }

  @Test func `libraries of other machines are refused with the machine's name`() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try FaultyLibrary.c())))
    var other = bytes
    other[18] = bytes[18] == 183 ? 62 : 183
    #expect(reason(try folder.write(other, to: "machine.so")) == .otherMachine(UInt16(other[18])))
    #expect(ProviderLibrary(folder.path("machine.so")).problem?.description.contains("is a library for") == true)
    var small = bytes
    small[4] = 1
    #expect(reason(try folder.write(small, to: "class.so")) == .otherClass("32-bit"))
    var big = bytes
    big[5] = 2
    #expect(reason(try folder.write(big, to: "order.so")) == .otherClass("big-endian"))
  }

  @Test func `a library cut anywhere within what it loads is refused`() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try FaultyLibrary.c())))
    for length in [1, 4, 63, 64, 100, 500, 2_000, 6_000] where length < bytes.count {
      let path = try folder.write(Array(bytes[..<length]), to: "cut\(length).so")
      guard case .cutShort(length, _) = reason(path) else {
        Issue.record("\(length): \(String(describing: reason(path)))")
        continue
      }
    }
  }

  @Test func `no header byte changed in any way traps`() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try FaultyLibrary.c())))
    for offset in 0..<400 {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[offset] = value
        _ = reason(try folder.write(changed, to: "changed.so"))
      }
    }
  }

  @Test func `a folder lists its libraries by name, broken ones with their problem, without running any`() throws {
    let folder = try TemporaryFolder()
    let good = try Data(contentsOf: URL(fileURLWithPath: try FaultyLibrary.c(["AT_START=1"])))
    try folder.write([UInt8](good), to: "libSpamList.so")
    try folder.write([UInt8](good), to: "Other.so")
    try folder.write("not a library", to: "libBroken.so")
    try folder.write("ignored", to: "notes.txt")
    try folder.write("ignored", to: ".hidden.so")
    let found = try ProviderLibrary.discover(in: folder.path)
    #expect(found.map(\.stem) == ["Other", "Broken", "SpamList"])
    #expect(found.map { $0.problem?.reason } == [nil, .notELF, nil])
    #expect(found.map { $0.providerID?.rawValue } == ["Other", "Broken", "SpamList"])
    #expect(try ProviderLibrary.discover(in: folder.path("nowhere")).isEmpty)
    #expect(try found[0].digest() == found[2].digest())
    #expect(try found[0].digest() != found[1].digest())
  }
}
