internal import CCallDirectory

/// One load, to which a provider adds its entries; it can't outlive the call of `load`. For the thread that is inside
/// `load` alone, but ``isCancelled``.
///
/// Nothing is judged at an add: the host checks each 10,000 entries of a family and the end of the load, so an error may
/// speak of an earlier entry. After an error nothing more is accepted.
public struct ProviderRequest: ~Copyable {
  private let table: UnsafePointer<calldir_request>

  init(_ table: UnsafePointer<calldir_request>) { self.table = table }

  /// The most entries of both families together in this load.
  public var entryLimit: Int { Int(clamping: table.pointee.entry_limit) }

  /// Adds a number whose calls are refused: country calling code and national significant number, such as 74951234567.
  @inline(__always)
  public borrowing func addBlocking(_ number: Int64) throws(ProviderFailure) {
    let status = table.pointee.add_blocking(table, number)
    guard status == 0 else { throw ProviderFailure(verdict: status) }
  }

  /// Adds a number with the UTF-8 bytes shown for it, copied at once: no allocation, about 20 ns. An empty label, and
  /// one over 65,534 bytes, is dropped with a warning.
  @inline(__always)
  public borrowing func addIdentification(_ number: Int64, label: UnsafeRawBufferPointer) throws(ProviderFailure) {
    let bytes = label.baseAddress?.assumingMemoryBound(to: CChar.self)
    let status = table.pointee.add_identification(table, number, bytes, label.count)
    guard status == 0 else { throw ProviderFailure(verdict: status) }
  }

  /// Adds a number with the text shown for it. As above.
  public borrowing func addIdentification(_ number: Int64, label: String) throws(ProviderFailure) {
    var label = label
    let status = label.withUTF8 { utf8 in
      table.pointee.add_identification(
        table, number, UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self), utf8.count)
    }
    guard status == 0 else { throw ProviderFailure(verdict: status) }
  }

  /// Tells how far the load is, in entries; `total` nil when that isn't known. A hint, cheap enough for every thousand.
  public borrowing func reportProgress(_ completed: Int, of total: Int? = nil) {
    table.pointee.report_progress(table, UInt64(clamping: completed), UInt64(clamping: total ?? 0))
  }

  /// Whether the load was cancelled. A system call: ask every few thousand entries, and while waiting for something.
  public var isCancelled: Bool { table.pointee.is_cancelled(table) }
}
