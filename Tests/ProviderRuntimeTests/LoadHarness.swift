import CCallDirectory
import CallDirectory
import Foundation
import ProviderRuntime
import ProviderWire
import Synchronization
import SystemSupport

/// Runs a provider made of Swift closures through `ProviderLoad` in this process, with this test as its host.
///
/// A C function can't capture, so the closures stand in variables: suites that use the harness are serialized.
struct LoadHarness {
  typealias Request = UnsafePointer<calldir_request>

  var configuration = LoadConfiguration(
    libraryPath: "/unused", providerID: "test", entryLimit: 1_999_999, parentProcess: 0)
  /// What the host answers to a flush; nil sends nothing, and `cancels` may have been set.
  var verdict: (EntryFamily, [String]) -> WireStatus = { _, _ in .ok }
  /// Sent instead of the verdict of the flush with this number, from 0.
  var cancelAtFlush: Int?
  /// The host's end closes instead of the verdict of the flush with this number, from 0.
  var closeAtFlush: Int?
  /// A cancellation follows the verdict of the flush with this number at once, from 0.
  var cancelAfterFlush: Int?
  /// A cancellation stands in the pipe before the load begins.
  var cancelsBefore = false
  /// Changes the table before it is used.
  var changeTable: (inout calldir_provider) -> Void = { _ in }

  /// What the provider does.
  struct Script {
    var create: (UnsafePointer<calldir_host>, UnsafePointer<calldir_configuration>) -> Int32 = { _, _ in 0 }
    var load: (Request) -> Int32 = { _ in 0 }
    var destroy: () -> Void = {}
  }

  /// What came of it.
  struct Outcome {
    var record: FinalRecord?
    /// Everything the child sent, in words: entries as they come, `FLUSH family count`, and the messages.
    var events: [String] = []

    var flushes: [String] { events.filter { $0.hasPrefix("FLUSH") } }
    var entries: [String] { events.filter { $0.hasPrefix("+") } }
  }

  nonisolated(unsafe) static var script = Script()
  nonisolated(unsafe) static var host: UnsafePointer<calldir_host>?

  func run(_ script: Script) throws -> Outcome {
    Self.script = script
    let up = Pipe()
    let down = Pipe()
    let channel = ParentChannel(
      output: OpenFile(owning: dup(up.fileHandleForWriting.fileDescriptor), path: "up"),
      input: OpenFile(owning: dup(down.fileHandleForReading.fileDescriptor), path: "down")
    ) { fatalError("the child ended with \($0)") }
    try up.fileHandleForWriting.close()
    if cancelsBefore { try down.fileHandleForWriting.write(contentsOf: HostMessage.cancel.encoded()) }

    nonisolated(unsafe) var outcome = Outcome()
    nonisolated(unsafe) let harness = self
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { try harness.answer(up.fileHandleForReading, down.fileHandleForWriting, &outcome) } catch {
        outcome.events.append("ERROR \(error)")
      }
      done.signal()
    }
    var table = Self.table()
    changeTable(&table)
    let record = withUnsafePointer(to: table) { ProviderLoad(channel, configuration).run($0) }
    channel.send(.runtimeFailure("end of test"))
    done.wait()
    outcome.record = record
    return outcome
  }

  private func answer(_ reading: FileHandle, _ writing: FileHandle, _ outcome: inout Outcome) throws {
    var decoder = FrameDecoder()
    var pending: [EntryFamily: [String]] = [:]
    var flushes = 0
    while true {
      while let frame = try decoder.next() {
        switch try ProviderMessage(frame) {
        case .entries(var records):
          let sign = records.family == .blocking ? "+b" : "+i"
          while let record = try records.next() {
            let label = record.isOverlong ? "overlong" : String(decoding: record.label, as: UTF8.self)
            let words = "\(sign) \(record.number.rawValue)" + (label.isEmpty ? "" : " \(label)")
            pending[records.family, default: []].append(words)
            outcome.events.append(words)
          }
        case .flush(let family, let count):
          let entries = pending.removeValue(forKey: family) ?? []
          outcome.events.append("FLUSH \(family) \(count)" + (entries.count == count ? "" : " BUT \(entries.count)"))
          if flushes == closeAtFlush {
            try writing.close()
          } else if flushes == cancelAtFlush {
            try writing.write(contentsOf: HostMessage.cancel.encoded())
          } else {
            let answer = try HostMessage.verdict(verdict(family, entries)).encoded()
            try writing.write(contentsOf: answer + (flushes == cancelAfterFlush ? HostMessage.cancel.encoded() : []))
          }
          flushes += 1
        case .runtimeFailure: return
        case .log(_, let text): outcome.events.append("LOG \(text)")
        case .stage(let stage): outcome.events.append("STAGE \(stage.rawValue)")
        case .providerError(let domain, let code, let message):
          outcome.events.append("PROVIDER ERROR \(domain) \(code) \(message)")
        case .refusal(let reason, let text): outcome.events.append("REFUSAL \(reason) \(text)")
        case let message: outcome.events.append("\(message)")
        }
      }
      let space = decoder.freeSpace
      let count = read(reading.fileDescriptor, space.baseAddress, space.count)
      guard count > 0 else { return outcome.events.append("END") }
      decoder.advance(by: count)
    }
  }

  private static func text(_ text: StaticString) -> calldir_string {
    calldir_string(
      bytes: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), length: text.utf8CodeUnitCount)
  }

  private static func table() -> calldir_provider {
    var table = calldir_provider()
    table.struct_size = UInt32(MemoryLayout<calldir_provider>.size)
    table.identifier = text("test.provider")
    table.version = text("1")
    table.title = text("Test")
    table.create = { host, configuration, instance in
      guard let host, let configuration else { return 99 }
      LoadHarness.host = host
      return LoadHarness.script.create(host, configuration)
    }
    table.load = { _, request in request.map { LoadHarness.script.load($0) } ?? 99 }
    table.destroy = { _ in LoadHarness.script.destroy() }
    return table
  }
}

extension UnsafePointer<calldir_request> {
  func block(_ number: Int64) -> Int32 { pointee.add_blocking(self, number) }

  func identify(_ number: Int64, _ label: String) -> Int32 {
    var label = label
    return label.withUTF8 { utf8 in
      pointee.add_identification(
        self, number, UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self), utf8.count)
    }
  }
}
