import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import ProcessSupport

@Suite(.serialized) struct MemorySamplerTests {
  @Test func `R-MEM-1: private and shared anonymous memory count, pages of a mapped file do not`() throws {
    let sampler = try MemorySampler()
    let size = 24 << 20
    for flags in [MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS] {
      let before = try #require(sampler.dirtyBytes())
      let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0))
      memset(memory, 1, size)
      let grown = try #require(sampler.dirtyBytes()) - before
      #expect(grown > size - (4 << 20) && grown < size + (12 << 20), "\(grown)")
      let exact = try #require(sampler.exactDirtyBytes())
      #expect(abs(exact - before - grown) < (8 << 20))
      munmap(memory, size)
    }
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 7, count: size), to: "fresh")
    let before = try #require(sampler.dirtyBytes())
    let map = try MappedFile(path, .sequential)
    #expect(map.bytes.reduce(0) { $0 &+ Int($1) } == 7 * size)
    #expect(try #require(sampler.dirtyBytes()) - before < size / 2)
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
