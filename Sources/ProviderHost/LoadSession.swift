internal import CallDirectory
internal import ProviderWire

/// The host's side of one load's conversation, without processes: frames in, bytes to send and a conclusion out.
///
/// Nothing the child says is believed: frames must come in the protocol's order, counts must match what was received,
/// and success needs every entry judged and a final record that agrees. The first error of the entries is kept whatever
/// the provider does afterwards.
struct LoadSession {
  /// Bytes to send to the child, oldest first; the caller removes what it has sent.
  var outbox: [UInt8] = []
  /// Set once nothing that the child may still say counts: the caller ends the process and reports this.
  private(set) var conclusion: LoadOutcome?
  /// Set once the entries were refused or the load was cancelled: the provider has a grace period to return.
  private(set) var latched: LoadOutcome?
  private(set) var stage = LoadStage.starting
  private(set) var descriptor: LoadResult.Descriptor?
  private(set) var confinement: [LoadResult.ConfinementLayer] = []
  private(set) var log: [LoadResult.LogLine] = []
  private(set) var omittedLogLines = 0
  /// The most growth of memory the child itself reported, in bytes.
  private(set) var reportedPeak = 0
  private(set) var checker: EntryChecker

  private let configuration: LoadConfiguration
  private let logLimit: Int
  private let sink: any EntrySink
  private var decoder = Decoder()
  private var tally = WarningTally()
  private var hasHello = false
  private var providerError: (domain: String, code: Int, message: String)?
  /// Records received since the family's last flush, dropped ones included.
  private var unflushed = EntryCounts()

  /// The most bytes that wait for a child that does not read: no honest one leaves more than its configuration.
  private static let outboxLimit = 1 << 18
  /// The most layers of confinement that are remembered.
  private static let layerLimit = 32

  /// The domain of failures that a provider states by a status alone.
  static let statusDomain = "shardctl.provider-status"

  init(_ configuration: LoadConfiguration, logLimit: Int, sink: any EntrySink) {
    self.configuration = configuration
    self.logLimit = logLimit
    self.sink = sink
    checker = EntryChecker(entryLimit: Int(clamping: configuration.entryLimit))
  }

  /// Warnings so far, ordered by kind.
  var warnings: [LoadWarning] { (checker.warnings + tally.warnings).sorted { $0.kind.rawValue < $1.kind.rawValue } }

  /// Where the next bytes from the child go.
  var freeSpace: UnsafeMutableRawBufferPointer { decoder.frames.freeSpace }

  /// Takes `count` bytes that were put into `freeSpace`.
  mutating func received(_ count: Int) {
    decoder.frames.advance(by: count)
    do {
      while conclusion == nil, let frame = try decoder.frames.next() { try take(frame) }
    } catch let error as WireError {
      conclude(.brokeProtocol(error.description))
    } catch {
      // Only the sink throws anything else.
      conclude(.hostFailed(error))
    }
  }

  /// Cancels the load: at once while nothing of the library runs, else the provider is told and gets its grace period.
  mutating func cancel() {
    guard conclusion == nil, latched == nil else { return }
    latched = .cancelled
    if stage.isForeignCodeRunning { post(.cancel) } else { conclude(.cancelled) }
  }

  /// Ends the session because of the time limit or the memory ceiling. An error found before stands.
  mutating func end(with outcome: LoadOutcome) {
    if conclusion == nil { conclusion = latched ?? outcome }
  }

  /// Notes that the provider had to be killed after its grace period.
  mutating func endAfterGrace() {
    tally.add(.killedAfterGrace)
    if conclusion == nil { conclusion = latched ?? .cancelled }
  }

  private mutating func conclude(_ outcome: LoadOutcome) { end(with: outcome) }

  private mutating func post(_ message: HostMessage) {
    do {
      outbox += try message.encoded()
      if outbox.count > Self.outboxLimit { conclude(.brokeProtocol("flushes without end, verdicts unread")) }
    } catch {
      conclude(.hostFailed(HostProblem("the options of the provider are too long: at most 120 kB with all paths")))
    }
  }

  private mutating func broke(_ what: String, _ frame: Frame) {
    conclude(.brokeProtocol("\(what) at byte \(frame.offset) of its stream"))
  }

  private mutating func take(_ frame: Frame) throws {
    guard hasHello || frame.kind == .hello else { return broke("no greeting", frame) }
    switch try ProviderMessage(frame) {
    case .hello(let version):
      guard !hasHello else { return broke("a second greeting", frame) }
      guard version == Frame.protocolVersion else {
        return conclude(
          .hostFailed(HostProblem("shardctl-provider-host is of another version; install both from one build")))
      }
      hasHello = true
    case .stage(let stage): take(LoadStage(stage), frame)
    case .layer(let layer):
      guard stage == .preparing else { return broke("a layer of confinement too late", frame) }
      guard confinement.count < Self.layerLimit else { return broke("too many layers of confinement", frame) }
      confinement.append(
        LoadResult.ConfinementLayer(name: layer.name, isApplied: layer.state == .applied, detail: layer.detail))
    case .descriptor(let told):
      guard stage == .creating, descriptor == nil else { return broke("a descriptor out of place", frame) }
      descriptor = LoadResult.Descriptor(identifier: told.identifier, version: told.version, title: told.title)
    case .refusal(let reason, let text):
      conclude(reason == .unsupportedABI ? .unsupportedABI(reason: text) : .notAProvider(reason: text))
    case .entries(let records): try take(records, frame)
    case .flush(let family, let count): flush(family, count, frame)
    case .log(let severity, let text):
      guard log.count < logLimit else {
        omittedLogLines += 1
        return
      }
      log.append(LoadResult.LogLine(severity: Int(severity.rawValue), text: text))
    case .providerError(let domain, let code, let message): providerError = (domain, code, message)
    case .progress: break
    case .overMemory(let peak, let limit):
      reportedPeak = max(reportedPeak, peak)
      conclude(.overMemoryBudget(peak: peak, limit: limit))
    case .runtimeFailure(let text): conclude(.hostFailed(HostProblem(text)))
    case .final(let record): finish(record, frame)
    }
  }

  private mutating func take(_ next: LoadStage, _ frame: Frame) {
    guard next > stage else { return broke("stages out of order", frame) }
    stage = next
    // The child waits for its configuration and nothing foreign runs yet: the caller measures its memory here.
    if next == .preparing { post(.configuration(configuration)) }
  }

  private mutating func take(_ records: EntryRecords, _ frame: Frame) throws {
    guard stage == .loading else { return broke("entries outside load", frame) }
    // After a verdict or a cancellation no entry counts, and none should come.
    guard latched == nil else {
      tally.add(.refusedAdd, count: records.count)
      return
    }
    var records = records
    switch records.family {
    case .blocking:
      while let record = try records.next() {
        if checker.checkBlocking(record.number) == .take { try sink.addBlocking(record.number) }
      }
      unflushed.blocking += records.count
    case .identification:
      while let record = try records.next() {
        if checker.checkIdentification(record.number, label: record.label, isOverlong: record.isOverlong) == .take {
          try sink.addIdentification(record.number, label: record.label)
        }
      }
      unflushed.identification += records.count
    }
    if checker.pending(records.family) > Int(configuration.flushEntries) { broke("a flush without end", frame) }
  }

  private mutating func flush(_ family: EntryFamily, _ count: Int, _ frame: Frame) {
    guard stage == .loading else { return broke("a flush outside load", frame) }
    // A cancellation answers every later flush too: no verdict follows one.
    guard latched == nil else { return }
    guard count == unflushed[family] else {
      return broke("a flush of \(count) entries after \(unflushed[family])", frame)
    }
    unflushed[family] = 0
    guard let violation = checker.endFlush(family) else { return post(.verdict(.ok)) }
    latched = .rejected(violation)
    post(.verdict(WireStatus(rawValue: Int32(violation.phoneCode.rawValue))))
  }

  private mutating func finish(_ record: FinalRecord, _ frame: Frame) {
    if record.refusedAdds > 0 { tally.add(.refusedAdd, count: Int(clamping: record.refusedAdds)) }
    reportedPeak = max(reportedPeak, Int(clamping: record.peakMemory))
    if let latched { return conclude(latched) }
    if configuration.memoryLimit > 0, record.peakMemory > configuration.memoryLimit {
      return conclude(
        .overMemoryBudget(peak: Int(clamping: record.peakMemory), limit: Int(clamping: configuration.memoryLimit)))
    }
    guard record.status == .ok else { return conclude(failure(record.status)) }
    guard stage == .destroying else { return broke("a final record before the end of load", frame) }
    guard unflushed.total == 0 else { return broke("a final record before the last flush", frame) }
    guard record.blocking == UInt64(checker.seen(.blocking)),
      record.identification == UInt64(checker.seen(.identification))
    else { return broke("a final record that miscounts the entries", frame) }
    if let providerError { tally.add(.errorThenSuccess, detail: providerError.message) }
    conclude(.accepted)
  }

  /// The provider ended the load: with the error it reported, or with a status alone.
  private func failure(_ status: WireStatus) -> LoadOutcome {
    if let providerError {
      return .failed(domain: providerError.domain, code: providerError.code, message: providerError.message)
    }
    return .failed(domain: Self.statusDomain, code: Int(status.rawValue), message: Self.meaning(of: status))
  }

  private static func meaning(of status: WireStatus) -> String {
    switch status {
    case .dataUnavailable: "its data is missing or cannot be read"
    case .dataCorrupt: "its data is damaged"
    case .providerFailure: "it gave no reason"
    case .badConfiguration: "it cannot work with its options"
    case .wrongThread: "it added entries on a thread other than the one inside load"
    case .wrongState: "it added entries while no load was running"
    case .badArgument: "it passed an argument the interface forbids"
    case .cancelled: "it says that it was cancelled, and was not"
    default: status.isPhoneCode ? "it says the phone refused it, and the phone did not" : ""
    }
  }
}

/// Holds the decoder, which cannot be copied, for a session that is passed around as a value.
private final class Decoder {
  var frames = FrameDecoder()
}
