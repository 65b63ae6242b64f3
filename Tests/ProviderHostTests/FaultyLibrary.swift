import CallDirectory
import Foundation
import ProviderHost
import TestSupport
import Testing

/// The misbehaving providers of `Tests/FaultyProviders`, compiled once for each set of macros.
enum FaultyLibrary {
  struct CannotCompile: Error {
    var log: String
  }

  private static let folder = Result { try TemporaryFolder.ofProcess() }
  private static let lock = NSLock()
  nonisolated(unsafe) private static var built: [String: String] = [:]

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static var header: String { package.appendingPathComponent("Sources/CCallDirectory/include").path }
  private static func source(_ name: String) -> String {
    package.appendingPathComponent("Tests/FaultyProviders/\(name)").path
  }

  /// The provider in C; `macros` such as `ENTRY=1`.
  static func c(_ macros: [String] = []) throws -> String {
    try build("c \(macros)") { output in
      ["clang", "-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread", "-I", header]
        + macros.map { "-D\($0)" } + [source("FaultyProvider.c"), "-o", output]
    }
  }

  /// The provider in Swift.
  static func swift() throws -> String {
    try build("swift") { output in
      [
        "swiftc", "-O", "-parse-as-library", "-emit-library", "-module-name", "FaultySwift", "-import-objc-header",
        "\(header)/calldir.h", source("FaultySwiftProvider.swift"), "-o", output,
      ]
    }
  }

  /// A C source of the test's own, as whatever `flags` make of it.
  static func compile(_ text: String, _ flags: [String]) throws -> String {
    try build("\(flags) \(text)") { output in
      let source = output + ".c"
      try Data(text.utf8).write(to: URL(fileURLWithPath: source))
      return ["clang", "-O0"] + flags + [source, "-o", output]
    }
  }

  private static func build(_ key: String, _ command: (_ output: String) throws -> [String]) throws -> String {
    lock.lock()
    defer { lock.unlock() }
    if let path = built[key] { return path }
    let output = try folder.get().path("libFaulty\(built.count).so")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = try command(output)
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let log = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CannotCompile(log: log) }
    built[key] = output
    return output
  }
}

/// One load of a library in a test.
struct TestLoad {
  var result: LoadResult
  var sink: CollectingSink

  /// Loads `library` with `options`; a load that hangs ends after `watchdog` seconds.
  init(
    _ library: String, options: String = "{}", watchdog: Double = 120, grace: Double = 10, memoryLimit: Int? = nil,
    profile: PhoneProfile = PhoneProfile(.ios18), shard: String? = nil, keepsEntries: Bool = true,
    sink: CollectingSink? = nil, cancellation: LoadCancellation? = nil
  ) throws {
    let container = try TemporaryFolder()
    let request = LoadRequest(
      providerID: try #require(ProviderID("faulty")), title: "Faulty", libraryPath: library,
      containerPath: container.path, shardPath: shard, optionsJSON: options, profile: profile, memoryLimit: memoryLimit,
      watchdogSeconds: watchdog, graceSeconds: grace, cancellation: cancellation)
    let sink = sink ?? CollectingSink(keepsEntries: keepsEntries)
    self.sink = sink
    result = ProviderLoader().load(request, into: sink)
  }

  /// Loads the C provider with one of its behaviours and `count` good entries before it.
  init(
    behaviour: String, count: Int = 0, more: String = "", watchdog: Double = 120, grace: Double = 10,
    memoryLimit: Int? = nil, profile: PhoneProfile = PhoneProfile(.ios18), keepsEntries: Bool = true,
    sink: CollectingSink? = nil, cancellation: LoadCancellation? = nil
  ) throws {
    try self.init(
      FaultyLibrary.c(), options: "{\"behaviour\": \"\(behaviour)\", \"count\": \(count)\(more)}", watchdog: watchdog,
      grace: grace, memoryLimit: memoryLimit, profile: profile, keepsEntries: keepsEntries, sink: sink,
      cancellation: cancellation)
  }
}
