// A provider in Swift that ends as its options say: {"behaviour": "NAME"}. Compiled by the tests with calldir.h as its
// bridging header.
import Glibc

nonisolated(unsafe) private var behaviour = ""

private func text(_ string: StaticString) -> calldir_string {
  calldir_string(
    bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self), length: string.utf8CodeUnitCount)
}

nonisolated(unsafe) private let table: UnsafePointer<calldir_provider> = {
  let table = UnsafeMutablePointer<calldir_provider>.allocate(capacity: 1)
  table.initialize(
    to: calldir_provider(
      struct_size: UInt32(MemoryLayout<calldir_provider>.size), abi_minor: 0, identifier: text("com.example.swift"),
      version: text("1"), title: text("Swift"),
      create: { _, configuration, instance in
        instance?.pointee = nil
        guard let options = configuration?.pointee.options_json else { return 35 }
        behaviour = String(
          decoding: UnsafeRawBufferPointer(start: options.bytes, count: options.length), as: UTF8.self)
        return 0
      },
      load: { _, request in load(request) }, destroy: { _ in }, get_extension: nil))
  return UnsafePointer(table)
}()

private func load(_ request: UnsafePointer<calldir_request>?) -> calldir_status {
  guard let request, let add = request.pointee.add_blocking else { return 34 }
  for number in 1...100 where add(request, Int64(number)) != 0 { return 34 }
  if behaviour.contains("good") { return 0 }
  if behaviour.contains("fatal error") { fatalError("the contacts are gone") }
  if behaviour.contains("overflow") { return calldir_status(Int.max &- Int(add(request, 101)) + 1) }
  if behaviour.contains("one big array") { return [UInt8](repeating: 1, count: 1 << 30)[5] == 1 ? 0 : 34 }
  if behaviour.contains("keeps everything") {
    var kept: [(Int64, String)] = []
    for number in 0..<2_000_000 as Range<Int64> { kept.append((number, "a label that does not fit inline \(number)")) }
    return kept.isEmpty ? 34 : 0
  }
  return 35
}

/// The one exported function.
@c @implementation
public func calldir_provider_entry_v1(_ host_abi_minor: UInt32) -> UnsafePointer<calldir_provider>? { table }
