public import CCallDirectory

/// The table that a library's entry function returns, for one Swift class. Keep it in a global constant: it is made once
/// and stays.
public final class ProviderEntry: @unchecked Sendable {
  /// The table, constant and valid until the process ends.
  public let table: UnsafePointer<calldir_provider>

  // C functions can't capture the class, so it stands here. Each library has its own copy of this module and with it of
  // this variable; it is written once, before the host has the table.
  nonisolated(unsafe) private static var provider: (any CallDirectoryProvider.Type)?

  /// Makes the table for `provider`. One library makes one.
  public init(_ provider: any CallDirectoryProvider.Type) {
    Self.provider = provider
    let table = UnsafeMutablePointer<calldir_provider>.allocate(capacity: 1)
    var value = calldir_provider()
    value.struct_size = UInt32(MemoryLayout<calldir_provider>.size)
    value.abi_minor = UInt32(CALLDIR_ABI_MINOR)
    value.identifier = calldir_string(provider.identifier)
    value.version = calldir_string(provider.version)
    value.title = calldir_string(provider.title)
    value.create = { host, configuration, instance in
      guard let host, let configuration, let instance, let provider = ProviderEntry.provider else {
        return calldir_status(CALLDIR_BAD_ARGUMENT)
      }
      do throws(ProviderFailure) {
        let made = try provider.init(ProviderConfiguration(configuration), host: HostReference(host))
        let box = InstanceBox(made, HostReference(host))
        instance.pointee = OpaquePointer(Unmanaged.passRetained(box).toOpaque())
        return calldir_status(CALLDIR_OK)
      } catch {
        return HostReference(host).report(error)
      }
    }
    value.load = { instance, request in
      guard let instance, let request else { return calldir_status(CALLDIR_BAD_ARGUMENT) }
      let box = Unmanaged<InstanceBox>.fromOpaque(UnsafeRawPointer(instance)).takeUnretainedValue()
      do throws(ProviderFailure) {
        try box.provider.load(into: ProviderRequest(request))
        return calldir_status(CALLDIR_OK)
      } catch {
        return box.host.report(error)
      }
    }
    value.destroy = { instance in
      guard let instance else { return }
      Unmanaged<InstanceBox>.fromOpaque(UnsafeRawPointer(instance)).release()
    }
    table.initialize(to: value)
    self.table = UnsafePointer(table)
  }
}

/// What the host holds as `calldir_instance`.
private final class InstanceBox {
  let provider: any CallDirectoryProvider
  let host: HostReference

  init(_ provider: any CallDirectoryProvider, _ host: HostReference) {
    self.provider = provider
    self.host = host
  }
}

extension calldir_string {
  /// Text that stays for ever.
  fileprivate init(_ text: StaticString) {
    guard text.hasPointerRepresentation else {
      self.init(bytes: nil, length: 0)
      return
    }
    self.init(
      bytes: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), length: text.utf8CodeUnitCount)
  }
}
