internal import CCallDirectory

/// The host's services, valid as long as the provider's instance. Safe on any thread.
public struct HostReference: @unchecked Sendable {
  private let table: UnsafePointer<calldir_host>

  init(_ table: UnsafePointer<calldir_host>) { self.table = table }

  /// How urgent a log line is.
  public enum Severity: Int32, Sendable {
    case debug = 0
    case info = 1
    case warning = 2
    case error = 3
  }

  /// Writes one line to the host's log; it keeps at most 4,096 bytes of UTF-8.
  public func log(_ severity: Severity, _ message: String) {
    Self.withText(message) { table.pointee.log(table, severity.rawValue, $0) }
  }

  /// Tells the host why `create` or `load` fails and gives the status to return. A verdict is the host's own and needs
  /// no telling.
  func report(_ failure: ProviderFailure) -> calldir_status {
    if !failure.isVerdict {
      Self.withText(failure.domain) { domain in
        Self.withText(failure.message) { message in
          table.pointee.report_error(table, domain, Int64(failure.code), message)
        }
      }
    }
    return failure.status
  }

  private static func withText(_ text: String, _ body: (calldir_string) -> Void) {
    var text = text
    text.withUTF8 { utf8 in
      body(
        calldir_string(
          bytes: UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self), length: utf8.count))
    }
  }
}
