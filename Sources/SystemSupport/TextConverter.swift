internal import CSystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Turns text in another encoding into UTF-8, block by block, with the C library's converters.
///
/// A character that begins in one block and ends in the next is kept in between. For encodings without shift states. One
/// thread at a time.
public final class TextConverter: @unchecked Sendable {
  /// The C library has no converter for an encoding.
  public struct Unavailable: Error, Hashable, Sendable {
    /// The encoding's name, as it was asked for.
    public var encoding: String
  }

  /// Bytes that are no text in the encoding.
  public struct InvalidText: Error, Hashable, Sendable {
    /// Where the first of them stands, counted in bytes from the first byte that was ever given.
    public var offset: Int
    /// The first of them.
    public var byte: UInt8
    /// Whether the text ends in the middle of a character.
    public var isTruncated: Bool
  }

  /// Bytes of the longest character that is kept between blocks; longer than any encoding's.
  private static let keepLimit = 16

  private let handle: UnsafeMutableRawPointer
  /// The beginning of a character whose end is still to come.
  private var kept: [UInt8] = []
  /// Bytes converted so far; `kept` is not.
  private var offset = 0

  /// A converter from the encoding of the given name, as `iconv` knows it.
  public init(from encoding: String) throws(Unavailable) {
    guard let handle = csystem_converter_open(encoding) else { throw Unavailable(encoding: encoding) }
    self.handle = handle
  }

  deinit { csystem_converter_close(handle) }

  /// Converts as much of `input` as there is room for in `output`, which has at least 16 bytes: how many bytes it took
  /// and how many it wrote. It takes all of `input` unless `output` is full or the bytes behind are invalid; those make
  /// the next call fail.
  public func convert(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(InvalidText) -> (taken: Int, written: Int) {
    guard !kept.isEmpty else { return try run(input, into: output) }
    // The kept beginning and some bytes behind it, so that its character is whole.
    let before = kept.count
    let joined = kept + input.prefix(Self.keepLimit)
    let result = joined.withUnsafeBytes { bytes in
      Result { () throws(InvalidText) in try run(bytes, into: output) }
    }
    let (taken, written) = try result.get()
    if taken < before {
      // No room for it.
      kept = Array(joined[taken..<before])
      return (0, written)
    }
    if taken == joined.count, !kept.isEmpty {
      let rest = kept.count
      guard rest < taken, rest <= taken - before else { return (taken - before, written) }
      // What is incomplete at the end of `joined` need not be so in `input`.
      kept = []
      return (taken - before - rest, written)
    }
    return (taken - before, written)
  }

  /// Fails when the text given so far ends in the middle of a character.
  public func finish() throws(InvalidText) {
    if let byte = kept.first { throw InvalidText(offset: offset, byte: byte, isTruncated: true) }
  }

  /// Converts what is whole in `input`; an incomplete character at its end becomes `kept`.
  private func run(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(InvalidText) -> (taken: Int, written: Int) {
    kept = []
    var source = input.baseAddress?.assumingMemoryBound(to: CChar.self)
    var sourceLeft = input.count
    var target = output.baseAddress?.assumingMemoryBound(to: CChar.self)
    var targetLeft = output.count
    let failed = csystem_converter_run(handle, &source, &sourceLeft, &target, &targetLeft) == -1
    let code = failed ? errno : 0
    var taken = input.count - sourceLeft
    let written = output.count - targetLeft
    offset += taken
    if code == EINVAL, sourceLeft <= Self.keepLimit {
      kept = Array(input[taken...])
      taken = input.count
    } else if code != 0, code != E2BIG, taken == 0, written == 0 {
      throw InvalidText(offset: offset, byte: input[0], isTruncated: false)
    }
    return (taken, written)
  }
}
