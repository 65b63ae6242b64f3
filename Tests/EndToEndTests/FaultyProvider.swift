import CallDirectory
import Foundation
import TestSupport

/// The provider of `Tests/FaultyProviders` that misbehaves as its options say, compiled once.
enum FaultyProvider {
  struct CannotCompile: Error {
    var log: String
  }

  private static let built = Result { try build() }

  /// The path of the library.
  static func library() throws -> String { try built.get().path("libFaulty.so") }

  private static func build() throws -> TemporaryFolder {
    let folder = try TemporaryFolder.ofProcess()
    let run = try ToolProcess(
      "/usr/bin/env",
      [
        "clang", "-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread", "-I",
        "\(ToolRun.package)/Sources/CCallDirectory/include",
        "\(ToolRun.package)/Tests/FaultyProviders/FaultyProvider.c",
        "-o", folder.path("libFaulty.so"),
      ], in: folder.path
    ).wait()
    guard run.status == 0 else { throw CannotCompile(log: run.errors) }
    return folder
  }
}

/// An id that the test knows to be valid.
func id(_ text: String) -> ProviderID {
  guard let id = ProviderID(text) else { preconditionFailure("\(text) is no provider id") }
  return id
}
