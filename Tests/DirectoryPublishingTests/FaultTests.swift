import CallDirectory
import DirectoryPublishing
import Foundation
import ShardFormat
import TestSupport
import Testing

@testable import SystemSupport

/// Fails the call of an operation with a given index, and says whether it came to that.
private final class Fault: @unchecked Sendable {
  private let operation: Syscall.Operation
  private let index: Int
  private let lock = NSLock()
  private var calls = 0

  init(_ operation: Syscall.Operation, _ index: Int) {
    self.operation = operation
    self.index = index
  }

  var hasStruck: Bool { lock.withLock { calls > index } }

  func run(under folder: String, _ body: () throws -> Void) rethrows {
    try Syscall.withFault(under: folder, { called, _ in self.ask(called) }, body)
  }

  private func ask(_ called: Syscall.Operation) -> Int32? {
    lock.withLock {
      guard called == operation else { return nil }
      calls += 1
      return calls == index + 1 ? ENOSPC : nil
    }
  }
}

@Suite struct FaultTests {
  @Test(arguments: Syscall.Operation.allCases)
  func `A call that fails leaves a whole release in force, and nothing after the next run`(
    operation: Syscall.Operation
  ) throws {
    var index = 0
    while true {
      let world = try World.threeProviders(count: 30)
      let first = try world.publish().candidate.manifest
      try world.writeCompanies(count: 30, label: "Firm")
      let before = try world.files()
      let fault = Fault(operation, index)
      var error: (any Error)?
      do { try fault.run(under: world.shards.path) { try world.publish() } } catch let thrown { error = thrown }
      guard fault.hasStruck else { break }

      let current = try #require(try world.shards.current())
      #expect(world.shards.verify(current).isEmpty, "\(operation) \(index)")
      #expect(error != nil || current.release == 2, "\(operation) \(index): \(current.release)")
      let after = try world.files()
      for provider in first.providers where current.release == 1 {
        #expect(after[provider.file] == before[provider.file], "\(operation) \(index)")
      }

      try world.writeCompanies(count: 30, label: "Third")
      let last = try world.publish().candidate.manifest
      #expect(try world.shards.current() == last && world.shards.verify(last).isEmpty, "\(operation) \(index)")
      #expect(try world.shards.releases().dropLast().allSatisfy { $0 <= current.release }, "\(operation) \(index)")
      #expect(Set(try world.files().keys) == (try world.expectedNames()), "\(operation) \(index)")
      index += 1
    }
    #expect(index > 0 || [.truncate, .link, .start, .wait].contains(operation), "\(operation) never came")
  }

  @Test(arguments: Syscall.Operation.allCases)
  func `A stage that fails leaves the published files as they were`(operation: Syscall.Operation) throws {
    let world = try World.threeProviders(count: 30)
    try world.publish()
    try world.writeCompanies(count: 30, label: "Firm")
    let before = try world.files()
    var index = 0
    while true {
      let fault = Fault(operation, index)
      var candidate: ReleaseCandidate?
      var error: (any Error)?
      do {
        try fault.run(under: world.shards.path) { candidate = try world.publisher().stage().candidate }
      } catch let thrown { error = thrown }
      try candidate?.discard()
      guard fault.hasStruck else { break }
      // What could not be removed goes with the next one; all else is gone at once.
      if operation != .remove, operation != .list, operation != .status {
        #expect(try world.files() == before, "\(operation) \(index)")
      }
      #expect(error != nil || candidate != nil)
      index += 1
    }
    try world.publisher().stage().candidate.discard()
    #expect(try world.files() == before)
  }
}
