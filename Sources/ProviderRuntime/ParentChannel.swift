package import CallDirectory
package import ProviderWire
internal import ProcessSupport
internal import Synchronization
package import SystemSupport

/// The child's side of the two pipes to the host. Sending and asking whether the load is cancelled are safe on any
/// thread; waiting for a verdict belongs to the loading thread.
///
/// When the host is gone nobody would read an answer: the process ends.
package final class ParentChannel: @unchecked Sendable {
  private let output: OpenFile
  private let input: OpenFile
  private let terminate: @Sendable (Int32) -> Never

  /// Keeps frames of different threads apart on the pipe.
  private let sending = Mutex(())
  /// Guards the decoder and the poll. Held while a verdict is awaited, so that another thread that asks for a
  /// cancellation never takes a verdict on its way for one.
  private let receiving = Mutex(())
  private var decoder = FrameDecoder()
  private var poll: DescriptorPoll
  private let cancelled = Atomic(false)

  /// Exit statuses of a child that could not go on; they inform a person, the host goes by the stream.
  package enum ExitStatus {
    package static let done: Int32 = 0
    package static let usage: Int32 = 64
    package static let hostGone: Int32 = 74
    package static let protocolError: Int32 = 76
  }

  /// A channel that writes to `output` and reads from `input`; `terminate` ends the process.
  package init(output: OpenFile, input: OpenFile, terminate: @escaping @Sendable (Int32) -> Never) {
    self.output = output
    self.input = input
    self.terminate = terminate
    poll = DescriptorPoll([input.descriptor])
  }

  /// Whether the host has cancelled the load. A system call, unless the loading thread waits for a verdict.
  package var isCancelled: Bool {
    if cancelled.load(ordering: .relaxed) { return true }
    // Between configuration and end, and outside an answer, only a cancellation or the host's end makes the pipe readable.
    let isReadable =
      receiving.withLockIfAvailable { _ in
        poll.wait(milliseconds: 0)
        return poll.isReady(0)
      } ?? false
    if isReadable { cancelled.store(true, ordering: .relaxed) }
    return isReadable
  }

  /// Sends one message.
  package func send(_ message: ProviderMessage) {
    // Only entries can be too long to encode, and those are sent as sealed frames.
    guard let frame = try? message.encoded() else { terminate(ExitStatus.protocolError) }
    frame.withUnsafeBytes { send(frame: $0) }
  }

  /// Sends one frame.
  package func send(frame: UnsafeRawBufferPointer) {
    sending.withLock { _ in
      do throws(SystemError) { try output.write(frame) } catch { terminate(ExitStatus.hostGone) }
    }
  }

  /// Sends `message` as the last frame and ends the process. No other thread can add a frame behind it.
  package func end(with message: ProviderMessage) -> Never {
    sending.withLock { _ in
      if let frame = try? message.encoded() { frame.withUnsafeBytes { try? output.write($0) } }
      return terminate(ExitStatus.done)
    }
  }

  /// The host's first message, or nil when it closed the pipe instead.
  package func receiveConfiguration() throws(WireError) -> LoadConfiguration? {
    switch try receive() {
    case .configuration(let configuration): return configuration
    case nil: return nil
    case .verdict: throw WireError(.unknownKind, kind: Frame.Kind.verdict.rawValue, field: "first message")
    case .cancel: throw WireError(.unknownKind, kind: Frame.Kind.cancel.rawValue, field: "first message")
    }
  }

  /// Tells the host that a flush is complete and waits for its verdict; a cancellation and the host's end count as
  /// `cancelled`.
  package func flush(_ family: EntryFamily, count: Int) -> WireStatus {
    receiving.withLock { _ in
      // No verdict follows a cancellation, and this one may have been read already.
      if cancelled.load(ordering: .relaxed) { return .cancelled }
      // Inside the lock: from here on the answer may stand in the pipe.
      send(.flush(family, count: count))
      do throws(WireError) { return try receiveVerdict() } catch { terminate(ExitStatus.protocolError) }
    }
  }

  private func receiveVerdict() throws(WireError) -> WireStatus {
    switch try receive() {
    case .verdict(let status):
      // A cancellation that came in the same read no longer makes the pipe readable.
      if let frame = try decoder.next(), case .cancel = try HostMessage(frame) {
        cancelled.store(true, ordering: .relaxed)
      }
      return status
    case .cancel, nil:
      cancelled.store(true, ordering: .relaxed)
      return .cancelled
    case .configuration:
      throw WireError(.unknownKind, kind: Frame.Kind.configuration.rawValue, field: "answer to a flush")
    }
  }

  private func receive() throws(WireError) -> HostMessage? {
    while true {
      if let frame = try decoder.next() { return try HostMessage(frame) }
      let count: Int
      do throws(SystemError) { count = try input.read(into: decoder.freeSpace) } catch {
        terminate(ExitStatus.hostGone)
      }
      guard count > 0 else {
        try decoder.finish()
        return nil
      }
      decoder.advance(by: count)
    }
  }
}
