/// One frame of the stream between a provider's process and the host, in either direction.
///
/// A frame is 8 bytes of header and a payload:
///
///     offset  width  meaning
///          0      1  kind
///          1      3  zero
///          4      4  payload length in bytes, little-endian, at most 131,072
///          8      …  payload
///
/// All integers in payloads are little-endian; a text is a `u32` byte length and UTF-8 bytes.
public struct Frame {
  /// What the payload holds.
  public var kind: Kind
  /// The bytes after the header; borrowed from the decoder until its next call.
  public var payload: UnsafeRawBufferPointer
  /// Position of the header in the stream, in bytes from its start; for messages.
  public var offset: Int

  /// A frame of given parts.
  public init(kind: Kind, payload: UnsafeRawBufferPointer, offset: Int = 0) {
    self.kind = kind
    self.payload = payload
    self.offset = offset
  }

  /// Bytes of a header.
  public static let headerBytes = 8
  /// The longest payload, in bytes.
  public static let maximumPayload = 131_072
  /// The longest text in a message from the child, in UTF-8 bytes. The child cuts longer ones; a decoder refuses them.
  public static let maximumText = 4_096
  /// Version of this protocol. Both sides come from one build; a child that says another version is refused.
  public static let protocolVersion: UInt32 = 1

  /// The kinds of frames. 14 … 16 are kept for incremental loads (removals, remove-all, "the flag was read").
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Child: see ``ProviderMessage/hello(version:)``.
    case hello = 1
    /// Child: see ``ProviderMessage/stage(_:)``.
    case stage = 2
    /// Child: see ``ProviderMessage/layer(_:)``.
    case layer = 3
    /// Child: see ``ProviderMessage/descriptor(_:)``.
    case descriptor = 4
    /// Child: see ``ProviderMessage/refusal(_:text:)``.
    case refusal = 5
    /// Child: see ``ProviderMessage/entries(_:)``.
    case entries = 6
    /// Child: see ``ProviderMessage/flush(_:count:)``.
    case flush = 7
    /// Child: see ``ProviderMessage/log(_:_:)``.
    case log = 8
    /// Child: see ``ProviderMessage/providerError(domain:code:message:)``.
    case providerError = 9
    /// Child: see ``ProviderMessage/progress(completed:total:)``.
    case progress = 10
    /// Child: see ``ProviderMessage/overMemory(peak:limit:)``.
    case overMemory = 11
    /// Child: see ``ProviderMessage/runtimeFailure(_:)``.
    case runtimeFailure = 12
    /// Child: see ``ProviderMessage/final(_:)``.
    case final = 13

    /// Parent: see ``HostMessage/configuration(_:)``.
    case configuration = 64
    /// Parent: see ``HostMessage/verdict(_:)``.
    case verdict = 65
    /// Parent: see ``HostMessage/cancel``.
    case cancel = 66
  }
}
