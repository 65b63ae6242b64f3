import CallDirectory
import ProviderWire
import TestSupport
import Testing

@testable import ProviderHost

/// The conversation by bytes, without a child.
@Suite struct LoadSessionTests {
  private static var upToLoading: [ProviderMessage] {
    [
      .hello(version: Frame.protocolVersion), .stage(.started), .stage(.confined), .stage(.libraryLoaded),
      .stage(.entryFound),
      .descriptor(ProviderDescriptor(identifier: "com.example", version: "1", title: "T", abiMinor: 0)),
      .stage(.created), .stage(.loading),
    ]
  }

  private func session(limit: Int = 1000, memoryLimit: Int = 0, sink: any EntrySink = CollectingSink()) -> LoadSession {
    var configuration = LoadConfiguration(
      libraryPath: "/lib.so", providerID: "test", entryLimit: UInt64(limit), parentProcess: 1)
    configuration.memoryLimit = UInt64(memoryLimit)
    return LoadSession(configuration, logLimit: 3, sink: sink)
  }

  private func feed(_ bytes: [UInt8], to session: inout LoadSession, chunk: Int = .max) {
    var position = 0
    while position < bytes.count {
      let space = session.freeSpace
      let count = min(chunk, space.count, bytes.count - position)
      space.copyBytes(from: bytes[position..<position + count])
      session.received(count)
      position += count
    }
  }

  private func feed(_ messages: [ProviderMessage], to session: inout LoadSession) throws {
    for message in messages { feed(try message.encoded(), to: &session) }
  }

  private func blocking(_ numbers: [Int64]) -> [UInt8] {
    var frame = EntryFrame(.blocking)
    for number in numbers { _ = frame.append(number) }
    return Array(frame.sealed())
  }

  private func final(_ status: Int32 = 0, blocking: UInt64 = 0, identification: UInt64 = 0, peak: UInt64 = 0)
    -> ProviderMessage
  {
    .final(
      FinalRecord(
        status: WireStatus(rawValue: status), blocking: blocking, identification: identification, refusedAdds: 0,
        baselineMemory: 0, peakMemory: peak))
  }

  private func verdicts(_ session: LoadSession) throws -> [Int32] {
    var decoder = FrameDecoder()
    let space = decoder.freeSpace
    space.copyBytes(from: session.outbox)
    decoder.advance(by: session.outbox.count)
    var statuses: [Int32] = []
    while let frame = try decoder.next() {
      if case .verdict(let status) = try HostMessage(frame) { statuses.append(status.rawValue) }
    }
    return statuses
  }

  @Test func `a whole conversation is accepted however its bytes are cut`() throws {
    for chunk in [1, 7, 4096] {
      let sink = CollectingSink()
      var session = session(sink: sink)
      var bytes = try Self.upToLoading.flatMap { try $0.encoded() }
      bytes += blocking([1, 2, 3])
      bytes += try ProviderMessage.flush(.blocking, count: 3).encoded()
      bytes += try ProviderMessage.stage(.finished).encoded() + final(blocking: 3).encoded()
      feed(bytes, to: &session, chunk: chunk)
      #expect(session.conclusion?.isAccepted == true)
      #expect(sink.blocking == [1, 2, 3])
      #expect(try verdicts(session) == [0])
      #expect(session.descriptor?.identifier == "com.example")
    }
  }

  @Test func `the configuration is sent only once the child has started`() throws {
    var session = session()
    try feed([.hello(version: Frame.protocolVersion)], to: &session)
    #expect(session.outbox.isEmpty)
    try feed([.stage(.started)], to: &session)
    #expect(!session.outbox.isEmpty)
  }

  @Test func `R-ORD-4, R-LIFE-7: a refused flush is told, later success and later entries do not help`() throws {
    let sink = CollectingSink()
    var session = session(sink: sink)
    try feed(Self.upToLoading, to: &session)
    feed(blocking([1, 2, 2]), to: &session)
    #expect(session.latched == nil)
    try feed([.flush(.blocking, count: 3)], to: &session)
    #expect(try verdicts(session) == [4])
    feed(blocking([7, 8]), to: &session)
    try feed([.flush(.blocking, count: 2), .stage(.finished), final(blocking: 3)], to: &session)
    guard case .rejected(let violation) = session.conclusion else {
      Issue.record("\(String(describing: session.conclusion))")
      return
    }
    #expect(violation.index == 2 && violation.phoneCode == .duplicateEntries)
    #expect(sink.blocking == [1, 2])
    #expect(session.warnings.map(\.kind) == [.refusedAdd])
  }

  @Test func `success needs every entry flushed and counted`() throws {
    for (flushed, told, isAccepted) in [(true, 2, true), (true, 1, false), (true, 3, false), (false, 2, false)] {
      var session = session()
      try feed(Self.upToLoading, to: &session)
      feed(blocking([1, 2]), to: &session)
      if flushed { try feed([.flush(.blocking, count: 2)], to: &session) }
      try feed([.stage(.finished), final(blocking: UInt64(told))], to: &session)
      #expect(session.conclusion?.isAccepted == isAccepted)
      if !isAccepted, case .brokeProtocol = session.conclusion {} else if !isAccepted { Issue.record("not told") }
    }
  }

  @Test func `frames out of place end the load`() throws {
    let cases: [[ProviderMessage]] = [
      [.stage(.started)],
      [.hello(version: Frame.protocolVersion), .hello(version: Frame.protocolVersion)],
      Array(Self.upToLoading) + [.stage(.created)],
      Array(Self.upToLoading) + [.flush(.blocking, count: 1)],
      Array(Self.upToLoading) + [final()],
      Array(Self.upToLoading.dropLast()) + [.flush(.blocking, count: 1)],
      Array(Self.upToLoading)
        + [.descriptor(ProviderDescriptor(identifier: "again", version: "1", title: "T", abiMinor: 0))],
      Array(Self.upToLoading) + [.layer(ConfinementLayer(name: "late", state: .applied))],
    ]
    for messages in cases {
      var session = session()
      try feed(messages, to: &session)
      guard case .brokeProtocol = session.conclusion else {
        Issue.record("\(messages.last as Any): \(String(describing: session.conclusion))")
        continue
      }
      #expect(session.conclusion?.phoneError == PhoneError(.loadingInterrupted))
    }
  }

  @Test func `bytes that are no frames end the load, and random ones never trap`() throws {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var session = session()
      var bytes = try Self.upToLoading.prefix(Int.random(in: 0...8, using: &generator)).flatMap { try $0.encoded() }
      if Bool.random(using: &generator), !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
      }
      // A kind that exists, so that the payload is looked at too.
      bytes += [
        UInt8.random(in: 1...13, using: &generator), 0, 0, 0, UInt8.random(in: 0...64, using: &generator), 0, 0, 0,
      ]
      bytes += (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
      feed(bytes, to: &session, chunk: 50)
      #expect(session.conclusion?.isAccepted != true)
    }
  }

  @Test func `a child of another build is told from a misbehaving library`() throws {
    var session = session()
    try feed([.hello(version: Frame.protocolVersion + 1)], to: &session)
    guard case .hostFailed = session.conclusion else {
      Issue.record("\(String(describing: session.conclusion))")
      return
    }
  }

  @Test func `a flush that never ends is a broken protocol, not memory without bound`() throws {
    var session = session(limit: 1_000_000)
    try feed(Self.upToLoading, to: &session)
    for start in stride(from: 1 as Int64, to: 12_001, by: 1_000) {
      feed(blocking(Array(start..<start + 1_000)), to: &session)
    }
    guard case .brokeProtocol = session.conclusion else {
      Issue.record("\(String(describing: session.conclusion))")
      return
    }
  }

  @Test func `R-LIFE-6: the provider's own error comes through unchanged, a bare status gets a domain of its own`()
    throws
  {
    var own = session()
    try feed(
      Self.upToLoading + [
        .providerError(domain: "com.example.first", code: 1, message: "first"),
        .providerError(domain: "com.example.crm", code: -9, message: "no contract"), .stage(.finished), final(34),
      ], to: &own)
    #expect(own.conclusion?.phoneError == PhoneError(domain: "com.example.crm", code: -9))
    var bare = session()
    try feed(Self.upToLoading + [.stage(.finished), final(33)], to: &bare)
    #expect(bare.conclusion?.phoneError == PhoneError(domain: LoadSession.statusDomain, code: 33))
    var both = session()
    try feed(
      Self.upToLoading + [.providerError(domain: "d", code: 1, message: "m"), .stage(.finished), final(0)], to: &both)
    #expect(both.conclusion?.isAccepted == true)
    #expect(both.warnings.map(\.kind) == [.errorThenSuccess])
  }

  @Test func `R-MEM-1: a child that admits to more memory than allowed is over budget`() throws {
    var session = session(memoryLimit: 1000)
    try feed(Self.upToLoading + [.stage(.finished), final(0, peak: 1001)], to: &session)
    guard case .overMemoryBudget(1001, 1000) = session.conclusion else {
      Issue.record("\(String(describing: session.conclusion))")
      return
    }
  }

  @Test func `a cancelled load stays cancelled`() throws {
    var session = session()
    try feed(Self.upToLoading, to: &session)
    session.cancel()
    #expect(session.conclusion == nil)
    try feed([.stage(.finished), final(0)], to: &session)
    guard case .cancelled = session.conclusion else {
      Issue.record("\(String(describing: session.conclusion))")
      return
    }
    var early = self.session()
    early.cancel()
    guard case .cancelled = early.conclusion else {
      Issue.record("not at once")
      return
    }
  }

  @Test func `a sink that fails ends the load as the host's failure`() throws {
    var session = session(sink: CollectingSink(failsAfter: 2))
    try feed(Self.upToLoading, to: &session)
    feed(blocking([1, 2, 3]), to: &session)
    guard case .hostFailed(let error) = session.conclusion else {
      Issue.record("\(String(describing: session.conclusion))")
      return
    }
    #expect(error is CollectingSink.Failure)
    #expect(session.conclusion?.phoneError == PhoneError(.unknown))
  }

  @Test func `logs are bounded and counted`() throws {
    var session = session()
    try feed(Self.upToLoading + Array(repeating: .log(.warning, "line"), count: 10), to: &session)
    #expect(session.log.count == 3)
    #expect(session.omittedLogLines == 7)
  }
}
