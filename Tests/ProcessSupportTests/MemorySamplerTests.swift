import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import ProcessSupport

@Suite struct MemorySamplerTests {
  private static let size = 24 << 20

  // Each in a process of its own: what other tests allocate beside it would be measured too.

  @Test(arguments: [MAP_PRIVATE, MAP_SHARED])
  func `R-MEM-1: private and shared anonymous memory count`(sharing: Int32) async {
    await #expect(processExitsWith: .success) { [sharing] in
      let sampler = try MemorySampler()
      let before = try #require(sampler.dirtyBytes())
      let memory = try #require(mmap(nil, Self.size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0))
      memset(memory, 1, Self.size)
      let grown = try #require(sampler.dirtyBytes()) - before
      let exact = try #require(sampler.exactDirtyBytes()) - before
      print("grown \(grown), exact \(exact)")
      exit([grown, exact].allSatisfy { abs($0 - Self.size) < 4 << 20 } ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func `R-MEM-1: pages of a mapped file do not count`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = try folder.write([UInt8](repeating: 7, count: Self.size), to: "fresh")
      let sampler = try MemorySampler()
      let before = try #require(sampler.dirtyBytes())
      let map = try MappedFile(path, .sequential)
      let sum = map.bytes.reduce(0) { $0 &+ Int($1) }
      let grown = try #require(sampler.dirtyBytes()) - before
      try FileManager.default.removeItem(atPath: folder.path)
      print("grown \(grown)")
      exit(sum == 7 * Self.size && grown < 4 << 20 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func `another process is sampled until it ends`() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "read x <&4"])
    let sampler = try MemorySampler(pid: child.pid)
    #expect(try #require(sampler.dirtyBytes()) > 0)
    #expect(Array("\n".utf8).withUnsafeBytes { child.send($0) } == 1)
    child.killGroup()
    while !child.reap() { usleep(1000) }
    #expect(sampler.dirtyBytes() == nil)
    #expect(sampler.exactDirtyBytes() == nil)
  }

  @Test(
    arguments: [
      ("\nRssAnon:\t     116 kB\n", 116), ("\nRssAnon:0", 0), ("\nRssAnon:  kB", nil), ("RssAnon: 5 kB", nil),
      ("", nil),
    ] as [(String, Int?)])
  func `a figure is found only as a line of its own`(text: String, expected: Int?) {
    #expect(Array(text.utf8).withUnsafeBytes { MemorySampler.kilobytes("\nRssAnon:", in: $0) } == expected)
  }
}
