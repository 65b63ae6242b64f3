internal import CCallDirectory
internal import ProviderWire

/// A library's table, copied and checked, so that a shorter table of an older library is never read past its end.
struct ProviderTable {
  let descriptor: ProviderDescriptor
  let create:
    @convention(c) (
      UnsafePointer<calldir_host>?, UnsafePointer<calldir_configuration>?, UnsafeMutablePointer<OpaquePointer?>?
    ) -> calldir_status
  let load: @convention(c) (OpaquePointer?, UnsafePointer<calldir_request>?) -> calldir_status
  let destroy: @convention(c) (OpaquePointer?) -> Void

  /// A table that can't be used.
  struct Refusal: Error {
    var reason: LibraryRefusal
    var text: String
  }

  /// Copies and checks what `foreign` points to.
  init(_ foreign: UnsafeRawPointer) throws(Refusal) {
    let size = Int(foreign.loadUnaligned(as: UInt32.self))
    // Everything through `destroy` belongs to minor 0 and must be there.
    let needed = (MemoryLayout<calldir_provider>.offset(of: \.destroy) ?? 0) + MemoryLayout<UInt>.size
    guard size >= needed else {
      throw Refusal(reason: .malformedTable, text: "struct_size is \(size), expected at least \(needed)")
    }
    var table = calldir_provider()
    withUnsafeMutableBytes(of: &table) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: foreign, count: min(size, $0.count)))
    }
    descriptor = ProviderDescriptor(
      identifier: try Self.text(table.identifier, "identifier"), version: try Self.text(table.version, "version"),
      title: try Self.text(table.title, "title"), abiMinor: table.abi_minor)
    guard !descriptor.identifier.isEmpty else {
      throw Refusal(reason: .malformedTable, text: "identifier is empty")
    }
    guard let create = table.create else { throw Self.missing("create") }
    guard let load = table.load else { throw Self.missing("load") }
    guard let destroy = table.destroy else { throw Self.missing("destroy") }
    self.create = create
    self.load = load
    self.destroy = destroy
  }

  private static func missing(_ function: String) -> Refusal {
    Refusal(reason: .malformedTable, text: "\(function) is NULL")
  }

  private static func text(_ string: calldir_string, _ field: String) throws(Refusal) -> String {
    guard let text = BorrowedText.string(string) else {
      throw Refusal(reason: .malformedTable, text: "\(field) is NULL with a length of \(string.length)")
    }
    return text
  }
}

/// Texts that cross the ABI.
enum BorrowedText {
  /// A copy of at most ``Frame/maximumText`` bytes, what isn't UTF-8 replaced; nil for NULL with a length.
  static func string(_ text: calldir_string) -> String? {
    guard text.length > 0 else { return "" }
    guard let bytes = text.bytes else { return nil }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: min(Int(clamping: text.length), Frame.maximumText))
    return String(decoding: buffer, as: UTF8.self)
  }
}
