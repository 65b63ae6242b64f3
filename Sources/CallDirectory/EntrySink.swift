/// Where accepted entries go. Entries of one family arrive in ascending order; the two families may interleave.
public protocol EntrySink: AnyObject {
  /// Takes one blocking entry. After an error no further entry may be given.
  func addBlocking(_ number: PhoneNumber) throws
  /// Takes one identification entry; `label` is borrowed until the call returns.
  func addIdentification(_ number: PhoneNumber, label: UnsafeRawBufferPointer) throws
}
