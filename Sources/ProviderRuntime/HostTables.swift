internal import CCallDirectory
internal import ProviderWire

/// The C tables that a provider is given, and what their functions do.
///
/// The functions trust no argument but the table pointers themselves.
enum HostTables {
  /// What stands behind `calldir_host.host_data`.
  final class Host {
    let channel: ParentChannel
    let identifier: String

    init(_ channel: ParentChannel, identifier: String) {
      self.channel = channel
      self.identifier = identifier
    }
  }

  static func withHost<R>(
    _ channel: ParentChannel, _ descriptor: ProviderDescriptor, _ configuration: LoadConfiguration,
    _ body: (UnsafePointer<calldir_host>) -> R
  ) -> R {
    let host = Host(channel, identifier: descriptor.identifier)
    return withBorrowed(["shardctl", configuration.hostVersion]) { texts in
      var table = calldir_host()
      table.struct_size = UInt32(MemoryLayout<calldir_host>.size)
      table.abi_minor = UInt32(CALLDIR_ABI_MINOR)
      table.host_data = Unmanaged.passUnretained(host).toOpaque()
      table.name = texts[0]
      table.version = texts[1]
      table.log = { host, severity, message in
        guard let host = HostTables.host(host) else { return }
        let severity = LogSeverity(rawValue: UInt8(clamping: severity)) ?? .error
        host.channel.send(.log(severity, BorrowedText.string(message) ?? "(NULL message)"))
      }
      table.report_error = { host, domain, code, message in
        guard let host = HostTables.host(host) else { return }
        let domain = BorrowedText.string(domain) ?? ""
        host.channel.send(
          .providerError(
            domain: domain.isEmpty ? host.identifier : domain, code: Int(code),
            message: BorrowedText.string(message) ?? "(NULL message)"))
      }
      table.get_extension = { _, _ in nil }
      return withExtendedLifetime(host) { withUnsafePointer(to: table, body) }
    }
  }

  static func withConfiguration<R>(
    _ configuration: LoadConfiguration, _ body: (UnsafePointer<calldir_configuration>) -> R
  ) -> R {
    let values = [
      configuration.providerID, configuration.title, configuration.containerPath, configuration.shardPath,
      configuration.optionsJSON,
    ]
    return withBorrowed(values) { texts in
      var table = calldir_configuration()
      table.struct_size = UInt32(MemoryLayout<calldir_configuration>.size)
      table.abi_minor = UInt32(CALLDIR_ABI_MINOR)
      table.provider_id = texts[0]
      table.title = texts[1]
      table.container_path = texts[2]
      table.shard_path = texts[3]
      table.options_json = texts[4]
      return withUnsafePointer(to: table, body)
    }
  }

  static func withRequest<R>(
    _ state: UnsafeMutablePointer<LoadState>, entryLimit: UInt64, _ body: (UnsafePointer<calldir_request>) -> R
  ) -> R {
    var table = calldir_request()
    table.struct_size = UInt32(MemoryLayout<calldir_request>.size)
    table.abi_minor = UInt32(CALLDIR_ABI_MINOR)
    table.host_data = UnsafeMutableRawPointer(state)
    table.entry_limit = entryLimit
    table.add_blocking = { request, number in
      guard let state = HostTables.state(request) else { return WireStatus.badArgument.rawValue }
      return state.pointee.addBlocking(number).rawValue
    }
    table.add_identification = { request, number, label, length in
      guard let state = HostTables.state(request) else { return WireStatus.badArgument.rawValue }
      return state.pointee.addIdentification(number, label: label, length: length).rawValue
    }
    table.report_progress = { request, completed, total in
      HostTables.state(request)?.pointee.reportProgress(completed, of: total)
    }
    table.is_cancelled = { request in HostTables.state(request)?.pointee.isCancelled ?? true }
    // On the heap and never freed, like the state: a call that comes too late is answered and not a crash.
    let request = UnsafeMutablePointer<calldir_request>.allocate(capacity: 1)
    request.initialize(to: table)
    return body(UnsafePointer(request))
  }

  @inline(__always)
  private static func state(_ request: UnsafePointer<calldir_request>?) -> UnsafeMutablePointer<LoadState>? {
    request?.pointee.host_data?.assumingMemoryBound(to: LoadState.self)
  }

  private static func host(_ table: UnsafePointer<calldir_host>?) -> Host? {
    table?.pointee.host_data.map { Unmanaged<Host>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Lends the UTF-8 bytes of `texts`, each followed by a zero byte.
  private static func withBorrowed<R>(_ texts: [String], _ body: ([calldir_string]) -> R) -> R {
    let bytes: [UInt8] = texts.flatMap { Array($0.utf8) + [0] }
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      var offset = 0
      let strings = texts.map { text in
        defer { offset += text.utf8.count + 1 }
        return calldir_string(bytes: base.map { $0 + offset }, length: text.utf8.count)
      }
      return body(strings)
    }
  }
}
