import CCallDirectory
import Foundation
import TestSupport
import Testing

/// Runs a command and returns its exit status and what it printed; nil when there is no such command.
private func run(_ command: String, _ arguments: [String]) throws -> (status: Int32, output: String)? {
  let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  guard let path = paths.map({ "\($0)/\(command)" }).first(where: FileManager.default.isExecutableFile) else {
    return nil
  }
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

private let package = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
private let strict = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-I\(package)/Sources/CCallDirectory/include"]

@Suite struct HeaderTests {
  @Test(
    "the header compiles alone without a warning, its layout assertions hold",
    arguments: [("gcc", "g++"), ("clang", "clang++")], ["c11", "c17", "c++11", "c++20"])
  func headerCompiles(compilers: (c: String, cxx: String), standard: String) throws {
    let isCxx = standard.hasPrefix("c++")
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      #include <calldir.h>
      #include <calldir.h>
      int main(void) { return CALLDIR_HAS(calldir_provider, calldir_provider_entry_v1(0), load) ? CALLDIR_OK : 1; }
      """, to: isCxx ? "use.cpp" : "use.c")
    let compiler = isCxx ? compilers.cxx : compilers.c
    guard let result = try run(compiler, ["-std=\(standard)"] + strict + ["-fsyntax-only", file]) else {
      return print("\(compiler) is not here: \(standard) not tried")
    }
    #expect(result.status == 0, "\(compiler) \(standard): \(result.output)")
  }

  @Test(
    "the C sample compiles alone as its first comment says and exports the entry",
    arguments: ["gcc", "clang"], ["c11", "c17"])
  func sampleCompiles(compiler: String, standard: String) throws {
    let folder = try TemporaryFolder()
    let library = folder.path("libSpamList.so")
    let arguments =
      ["-std=\(standard)", "-O2", "-shared", "-fPIC", "-fvisibility=hidden"] + strict + [
        "\(package)/Samples/SpamList/SpamList.c", "-o", library,
      ]
    guard let result = try run(compiler, arguments) else { return print("\(compiler) is not here") }
    #expect(result.status == 0, "\(result.output)")
    if let symbols = try run("nm", ["-D", "--defined-only", library]) {
      let functions = symbols.output.split(separator: "\n").filter { $0.contains(" T ") }
      #expect(functions.map { $0.split(separator: " ").last } == ["calldir_provider_entry_v1"])
    }
  }

  @Test func theTablesHaveTheLayoutThatIsReleased() {
    #expect(MemoryLayout<calldir_string>.size == 16)
    #expect(MemoryLayout<calldir_host>.size == 72)
    #expect(MemoryLayout<calldir_configuration>.size == 88)
    #expect(MemoryLayout<calldir_request>.size == 56)
    #expect(MemoryLayout<calldir_provider>.size == 88)
    #expect(MemoryLayout<calldir_request>.offset(of: \.entry_limit) == 16)
    #expect(MemoryLayout<calldir_provider>.offset(of: \.create) == 56)
  }
}
