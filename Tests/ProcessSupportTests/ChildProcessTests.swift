import Foundation
import SystemSupport
import Testing

@testable import ProcessSupport

@Suite struct ChildProcessTests {
  /// Runs a shell script to its end and returns what it wrote to descriptor 3, what to its output, and how it ended.
  private func run(_ script: String, feed: [UInt8] = []) throws -> (String, String, ChildProcess.Termination?) {
    let child = try ChildProcess("/bin/sh", ["-c", script])
    if !feed.isEmpty { #expect(feed.withUnsafeBytes { child.send($0) } == feed.count) }
    var poll = DescriptorPoll([child.pidDescriptor.descriptor, child.stream.descriptor, child.output.descriptor])
    var texts: [[UInt8]] = [[], []]
    var open = 2
    var buffer = [UInt8](repeating: 0, count: 4096)
    let deadline = Date(timeIntervalSinceNow: 30)
    while open > 0 || !child.reap() {
      try #require(Date() < deadline)
      poll.wait(milliseconds: 100)
      if poll.isReady(0) { poll.drop(0) }
      for (index, file) in [child.stream, child.output].enumerated() where poll.isReady(index + 1) {
        switch buffer.withUnsafeMutableBytes({ ChildProcess.read(file, into: $0) }) {
        case .bytes(let count): texts[index] += buffer[..<count]
        case .nothingYet: break
        case .end:
          poll.drop(index + 1)
          open -= 1
        }
      }
    }
    return (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self), child.termination)
  }

  @Test func `a child talks on descriptors 3 and 4 and its output and errors are captured`() throws {
    let (stream, output, end) = try run(
      "read x <&4; echo got $x >&3; echo out; echo err >&2; exit 7", feed: Array("hi\n".utf8))
    #expect(stream == "got hi\n")
    #expect(output == "out\nerr\n")
    #expect(end == .exited(7))
  }

  @Test func `a child sees no descriptor but its own and no environment but the fixed one`() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    // The program's own descriptor for the folder it lists comes after those it was given.
    #expect(try run("exec ls /proc/self/fd").1 == "0\n1\n2\n3\n4\n5\n")
    #expect(try run("exec readlink /proc/self/fd/0").1 == "/dev/null\n")
    let environment = try run("exec cat /proc/self/environ").1.split(separator: "\0").filter { !$0.hasPrefix("PWD=") }
    #expect(environment.sorted() == ["LANG=C.UTF-8", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"])
  }

  @Test func `a child leads a process group of its own and has no signal blocked or ignored`() throws {
    let numbers = try run("exec cut -d' ' -f1,5 /proc/self/stat").1.split(separator: "\n").first?.split(separator: " ")
    #expect(numbers?.count == 2 && numbers?.first == numbers?.last)
    let lines = try run("exec grep -E 'SigBlk|SigIgn' /proc/self/status").1.split(separator: "\n")
    // Signals 1 to 31; the two above belong to the C library.
    let masks = lines.map { UInt64($0.suffix(16), radix: 16).map { $0 & 0x7FFF_FFFF } }
    #expect(masks == [0, 0])
  }

  @Test func `an end by signal is told from an exit status`() throws {
    #expect(try run("kill -SEGV $$").2 == .signalled(SIGSEGV))
    #expect(try run("kill -KILL $$").2 == .signalled(SIGKILL))
    #expect(try run("exit 139").2 == .exited(139))
  }

  @Test func `killing the group ends the processes the child started`() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "sleep 600 & echo $! >&3; wait"])
    var poll = DescriptorPoll([child.stream.descriptor])
    var buffer = [UInt8](repeating: 0, count: 64)
    var text = ""
    while !text.hasSuffix("\n") {
      poll.wait(milliseconds: 1000)
      if case .bytes(let count) = buffer.withUnsafeMutableBytes({ ChildProcess.read(child.stream, into: $0) }) {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }
    let grandchild = try #require(Int32(text.dropLast()))
    child.killGroup()
    var watch = DescriptorPoll([child.pidDescriptor.descriptor])
    while !child.reap() { watch.wait(milliseconds: 1000) }
    #expect(child.termination == .signalled(SIGKILL))
    for _ in 0..<1000 where isRunning(grandchild) { usleep(2000) }
    #expect(!isRunning(grandchild))
  }

  @Test func `a child is killed when its object goes`() throws {
    var child: ChildProcess? = try ChildProcess("/bin/sleep", ["600"])
    let pid = try #require(child?.pid)
    #expect(isRunning(pid))
    child = nil
    #expect(!isRunning(pid))
  }

  @Test func `writing to a child that no longer reads fails and raises no signal here`() throws {
    let child = try ChildProcess("/bin/true", [])
    var poll = DescriptorPoll([child.pidDescriptor.descriptor])
    while !child.reap() { poll.wait(milliseconds: 1000) }
    #expect(Array("abc".utf8).withUnsafeBytes { child.send($0) } == nil)
  }

  @Test func `writing to a child that does not read takes what the pipe holds and does not wait`() throws {
    let child = try ChildProcess("/bin/sleep", ["600"])
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    var sent = 0
    while case .some(let count) = bytes.withUnsafeBytes({ child.send($0) }), count > 0 { sent += count }
    #expect(sent >= 4096 && sent <= 1 << 20)
  }

  @Test func `an executable that is not there is named`() throws {
    #expect(throws: SystemError(operation: "start", path: "/nowhere/host", errno: ENOENT)) {
      _ = try ChildProcess("/nowhere/host", [])
    }
  }

  @Test func `a child outlives the thread that asked for it`() throws {
    // The death signal follows the starting thread; were that the thread below, the child would be killed with it.
    nonisolated(unsafe) var child: ChildProcess?
    let thread = Thread {
      child = try? ChildProcess("/bin/sh", ["-c", "exec 9<&4; read x <&4; echo alive >&3"])
    }
    thread.start()
    while !thread.isFinished { usleep(1000) }
    usleep(20_000)
    let running = try #require(child)
    #expect(Array("\n".utf8).withUnsafeBytes { running.send($0) } == 1)
    var poll = DescriptorPoll([running.pidDescriptor.descriptor])
    while !running.reap() { poll.wait(milliseconds: 1000) }
    #expect(running.termination == .exited(0))
  }

  private func isRunning(_ pid: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
    return stat.split(separator: " ").dropFirst(2).first != "Z"
  }
}
