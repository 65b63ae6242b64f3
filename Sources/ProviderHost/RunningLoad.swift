internal import CallDirectory
internal import ProcessSupport
internal import ProviderWire
internal import SystemSupport

/// One child from its start to its end: moves bytes between it and the session, watches its memory, its time and its
/// life, and sees to it that nothing of it is left.
struct RunningLoad {
  private let request: LoadRequest
  private let child: ChildProcess
  private let start: Double
  private var session: LoadSession
  private var memory: MemoryWatch
  private var captured: CapturedText
  private var poll: DescriptorPoll
  private var isStreamOpen = true
  private var isOutputOpen = true
  private var graceEnds: Double?
  private var endedAt: Double?
  private var outcome: LoadOutcome?

  /// Positions in `poll`.
  private static let streamPosition = 0
  private static let outputPosition = 1
  private static let endPosition = 2
  /// Seconds between two samples of the child's memory, and between two looks at clocks and switches.
  private static let tick = 0.001
  private static let tickMilliseconds: Int32 = 2
  /// Reads of the stream in a row before clocks and memory are looked at again.
  private static let readsInARow = 16
  /// Seconds for which the pipes of an ended child are read on: a process that it left behind may hold them open for
  /// ever.
  private static let drainSeconds = 0.2
  /// Seconds the child has to exit after its last record.
  private static let exitSeconds = 1.0

  init(
    _ request: LoadRequest, _ configuration: LoadConfiguration, _ child: ChildProcess, _ sink: any EntrySink,
    start: Double
  ) {
    self.request = request
    self.child = child
    self.start = start
    session = LoadSession(configuration, logLimit: request.logLimit, sink: sink)
    memory = MemoryWatch(pid: child.pid, limit: request.memoryLimit)
    captured = CapturedText(limit: request.capturedOutputLimit)
    poll = DescriptorPoll([
      child.stream.descriptor, child.output.descriptor, child.pidDescriptor.descriptor,
    ])
  }

  /// Runs the load to its end and the child's.
  mutating func run() {
    var lastTick = 0.0
    while outcome == nil {
      poll.wait(milliseconds: session.stage.isForeignCodeRunning ? Self.tickMilliseconds : 5)
      if poll.isReady(Self.outputPosition) { readOutput() }
      if poll.isReady(Self.streamPosition) { readStream() }
      sendOutbox()
      let now = Clock.monotonicSeconds
      if now - lastTick >= Self.tick {
        lastTick = now
        watch(now)
      }
      if session.conclusion != nil { return finish() }
      noteEnd(now)
    }
    finish()
  }

  /// Enters what the load came to.
  func report(in result: inout LoadResult) {
    result.outcome = outcome ?? .cancelled
    result.counts = session.checker.accepted
    result.warnings = session.warnings
    result.descriptor = session.descriptor
    result.log = session.log
    result.omittedLogLines = session.omittedLogLines
    result.confinement = session.confinement
    result.peakMemory = max(memory.peak, session.reportedPeak)
    result.capturedOutput = captured.text
  }

  private mutating func readStream() {
    for _ in 0..<Self.readsInARow where session.conclusion == nil {
      switch ChildProcess.read(child.stream, into: session.freeSpace) {
      case .bytes(let count):
        let stage = session.stage
        session.received(count)
        note(stage)
        sendOutbox()
      case .nothingYet: return
      case .end:
        isStreamOpen = false
        poll.drop(Self.streamPosition)
        return
      }
    }
  }

  /// Measures the child's memory where the stage has changed; before the outbox goes, so that a child that has just
  /// started still waits for its configuration.
  private mutating func note(_ before: LoadStage) {
    if before < .preparing, session.stage >= .preparing { memory.noteStart() }
    if before < .entering, session.stage >= .entering { memory.noteOpened() }
  }

  private mutating func readOutput() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) { buffer in
      for _ in 0..<Self.readsInARow {
        switch ChildProcess.read(child.output, into: buffer) {
        case .bytes(let count): captured.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .nothingYet: return
        case .end:
          isOutputOpen = false
          poll.drop(Self.outputPosition)
          return
        }
      }
    }
  }

  private mutating func sendOutbox() {
    guard !session.outbox.isEmpty else { return }
    guard let sent = session.outbox.withUnsafeBytes({ child.send($0) }) else {
      // Nobody reads any more; how the child ended will tell the rest.
      session.outbox.removeAll(keepingCapacity: true)
      return
    }
    if sent == session.outbox.count {
      session.outbox.removeAll(keepingCapacity: true)
    } else {
      session.outbox.removeFirst(sent)
    }
  }

  /// Looks at memory, clocks and the caller's switch.
  private mutating func watch(_ now: Double) {
    if let peak = memory.excess() { session.end(with: .overMemoryBudget(peak: peak, limit: request.memoryLimit)) }
    if let limit = request.watchdogSeconds, now - start >= limit {
      session.end(with: .timedOut(seconds: limit, stage: session.stage))
    }
    if request.cancellation?.isCancelled == true { session.cancel() }
    if session.latched != nil {
      let ends = graceEnds ?? now + request.graceSeconds
      graceEnds = ends
      if now >= ends { session.endAfterGrace() }
    }
  }

  /// The child's end is the load's once its pipes are read out.
  private mutating func noteEnd(_ now: Double) {
    if endedAt == nil {
      guard poll.isReady(Self.endPosition), child.reap() else { return }
      poll.drop(Self.endPosition)
      endedAt = now
    }
    guard let endedAt else { return }
    if !isStreamOpen && !isOutputOpen || now - endedAt >= Self.drainSeconds { outcome = unfinishedOutcome() }
  }

  /// Ends the child and takes the session's conclusion where it has come to one.
  private mutating func finish() {
    if let conclusion = session.conclusion {
      outcome = conclusion
      // A child that said its last word is given the time to exit by itself; any other is killed.
      if case .accepted = conclusion { waitForEnd(Self.exitSeconds) }
    }
    child.killGroup()
    while !child.reap() { waitForEnd(1) }
    readOutput()
  }

  private mutating func waitForEnd(_ seconds: Double) {
    let deadline = Clock.monotonicSeconds + seconds
    while !child.reap(), Clock.monotonicSeconds < deadline {
      var end = DescriptorPoll([child.pidDescriptor.descriptor])
      end.wait(milliseconds: 10)
      if isOutputOpen { readOutput() }
    }
  }

  /// What a load came to whose child ended without a last word.
  private func unfinishedOutcome() -> LoadOutcome {
    if let latched = session.latched { return latched }
    let stage = session.stage
    let isAllocationFailure = Self.allocationFailures.contains { captured.endContains($0) }
    switch child.termination {
    case .signalled(let signal):
      if isAllocationFailure { return .overMemoryBudget(peak: memory.peak, limit: request.memoryLimit) }
      if signal == Self.badSystemCall { return .sandboxViolation(stage: stage) }
      return .crashed(signal: signal, stage: stage)
    case .exited(let status) where stage == .starting:
      return .hostFailed(
        HostProblem("\(ProviderLoader.executableName) exited with status \(status) before its greeting"))
    case .exited(let status): return .exitedWithoutResult(status: status, stage: stage)
    case nil: return .exitedWithoutResult(status: 0, stage: stage)
    }
  }

  private static let badSystemCall: Int32 = 31
  /// Last words of the Swift, C++ and Rust runtimes when memory can no longer be had.
  private static let allocationFailures: [StaticString] = [
    "failed to allocate", "std::bad_alloc", "memory allocation of",
  ]
}
