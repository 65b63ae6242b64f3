import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite struct SyscallTests {
  @Test("an interrupted call is made again, however often")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("abc", to: "file")
    let counter = Counter()
    let bytes = try Syscall.withFault(under: folder.path, { _, _ in counter.next() % 3 == 2 ? nil : EINTR }) {
      try FileSystem.read(path)
    }
    #expect(bytes == Array("abc".utf8))
    #expect(counter.count >= 9)
  }

  @Test("a fault meets the calls on its folder and no others, and is gone after its body")
  func scope() throws {
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    let paths = try [one, other].map { try $0.write("x", to: "file") }
    Syscall.withFault(under: one.path, { _, _ in EIO }) {
      #expect(errno { try FileSystem.read(paths[0]) } == EIO)
      #expect(errno { try FileSystem.read(paths[1]) } == nil)
      Syscall.withFault(under: other.path, { operation, _ in operation == .read ? ENOSPC : nil }) {
        #expect(errno { try FileSystem.read(paths[0]) } == EIO)
        #expect(errno { try FileSystem.read(paths[1]) } == ENOSPC)
      }
      #expect(errno { try FileSystem.read(paths[1]) } == nil)
    }
    #expect(errno { try FileSystem.read(paths[0]) } == nil)
  }

  @Test("faults of several threads at once meet each its own calls")
  func threads() throws {
    let folders = try (0..<8).map { _ in try TemporaryFolder() }
    let paths = try folders.map { try $0.write("x", to: "file") }
    let wrong = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      let expected: Int32 = index % 2 == 0 ? EIO : ENOSPC
      for _ in 0..<50 {
        let code = Syscall.withFault(under: folders[index].path, { _, _ in expected }) {
          errno { try FileSystem.read(paths[index]) }
        }
        if code != expected || errno({ try FileSystem.read(paths[index]) }) != nil { _ = wrong.next() }
      }
    }
    #expect(wrong.count == 0)
  }

  @Test("a failed call names itself, its file and its reason")
  func description() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SystemError.self) { try FileSystem.rename(folder.path("a"), to: folder.path("b")) }
    #expect(error?.operation == "rename")
    #expect(error?.path == folder.path("b"))
    #expect(error?.description == "\(folder.path("b")): cannot rename: No such file or directory")
  }

  @Test("the monotonic clock does not go back, and the wall clock is in this century")
  func clocks() {
    let first = Clock.monotonicSeconds
    #expect(Clock.monotonicSeconds >= first)
    #expect((1_700_000_000..<4_102_444_800).contains(Clock.unixSeconds))
  }
}

@Suite struct FileLockTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("lock") }

  init() throws { folder = try TemporaryFolder() }

  @Test("one holder at a time; the other is told who, and gets it when the first has gone")
  func exclusive() throws {
    var first: FileLock? = try FileLock(path, holder: "first, a longer line")
    let held = #expect(throws: FileLock.Held.self) { try FileLock(path, holder: "second") }
    #expect(held?.path == path)
    #expect(held?.holder == "first, a longer line")
    #expect(FileLock.holder(of: path) == "first, a longer line")
    try first?.rename(holder: "renamed")
    #expect(FileLock.holder(of: path) == "renamed")
    first = nil
    #expect(FileLock.holder(of: path) == nil)
    let second = try FileLock(path, holder: "2")
    #expect(FileLock.holder(of: path) == "2")
    withExtendedLifetime(second) {}
  }

  @Test("nobody holds a lock that is not there, and a lock in no folder is a system error")
  func missing() throws {
    #expect(FileLock.holder(of: path) == nil)
    #expect(errno { try FileLock(folder.path("none/lock"), holder: "x") } == ENOENT)
  }

  @Test("a lock that goes is free at once, also while another thread is starting processes that copy descriptors")
  func startingProcesses() throws {
    let done = Counter()
    Thread {
      for _ in 0..<40 {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/true")
        try? child.run()
        child.waitUntilExit()
      }
      _ = done.next()
    }.start()
    while done.count == 0 { _ = try FileLock(path, holder: "writer") }
  }

  @Test("asking who holds a lock never makes somebody else's attempt fail")
  func askingDoesNotTake() throws {
    try folder.write("", to: "lock")
    let done = Counter()
    let path = path
    // Many at once: if asking took the lock for a moment, the moments would overlap and the writer would meet one.
    let askers = 8
    for _ in 0..<askers {
      Thread {
        for _ in 0..<3_000 { _ = FileLock.holder(of: path) }
        _ = done.next()
      }.start()
    }
    while done.count < askers {
      let lock = try FileLock(path, holder: "writer")
      withExtendedLifetime(lock) {}
    }
  }
}
