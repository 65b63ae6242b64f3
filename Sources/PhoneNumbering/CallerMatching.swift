public import CallDirectory

/// The integers a phone compares with its directories for one caller (R-MAT-1 … R-MAT-5).
///
/// A look-up without a region compares what it can: the digits, and the E.164 value where the text is international.
/// The candidates themselves say which integers were compared.
public struct CallerMatching: Sendable {
  /// The region of the line that is called; nil when it is not known.
  public let region: RegionCode?
  private let normaliser: PhoneNormaliser

  /// Matching on a line of `region`. Cheap, but worth keeping over a batch.
  public init(region: RegionCode?) {
    self.region = region
    normaliser = PhoneNormaliser(NormalisationOptions(region: region))
  }

  /// The candidates of one caller on a line of `region`.
  public static func candidates(for text: String, region: RegionCode?) -> LookupCandidates {
    CallerMatching(region: region).candidates(for: text)
  }

  /// The candidates of a caller as the network presents it, or as a user types it.
  public func candidates(for text: String) -> LookupCandidates {
    var text = text
    return text.withUTF8 { candidates(for: UnsafeRawBufferPointer($0)) }
  }

  /// The candidates of a caller in UTF-8. Both lists are empty when the text is not a number (R-MAT-1). O(bytes).
  public func candidates(for text: UnsafeRawBufferPointer) -> LookupCandidates {
    withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: CanonicalCaller.maximumDigits + NumberResolver.scratchSize
    ) { room in
      guard let buffer = room.baseAddress, let caller = CanonicalCaller(text, buffer: buffer) else {
        return LookupCandidates(blocking: [], identification: [])
      }
      return candidates(of: caller, text, scratch: buffer + CanonicalCaller.maximumDigits)
    }
  }

  private func candidates(
    of caller: CanonicalCaller, _ text: UnsafeRawBufferPointer, scratch: UnsafeMutablePointer<UInt8>
  ) -> LookupCandidates {
    let raw = caller.integer.map { PhoneNumber($0) }
    let received = raw.map { [$0] } ?? []
    // R-MAT-4: fewer than seven digits are compared as they are.
    guard caller.digits.count >= 7 else { return LookupCandidates(blocking: received, identification: received) }
    let international: PhoneNumber? =
      switch normaliser.outcome(of: text) {
      case .success(let result): result.number
      case .failure: nil
      }
    guard let international else {
      // R-MAT-2: the digits, then the calling code of the line in front of them.
      var identification = received
      if !caller.plus, let joined = normaliser.resolver.joiningHomeCallingCode(caller.digits, scratch: scratch) {
        if !identification.contains(joined) { identification.append(joined) }
      }
      return LookupCandidates(blocking: received, identification: identification)
    }
    var identification = [international]
    // Digits that are the E.164 value already have their calling code.
    if !caller.plus, international != raw,
      let joined = normaliser.resolver.joiningHomeCallingCode(caller.digits, scratch: scratch), joined != international
    {
      identification.append(joined)
    }
    // R-MAT-3: the digits as received, then the E.164 value.
    let blocking = received.contains(international) ? received : received + [international]
    return LookupCandidates(blocking: blocking, identification: identification)
  }
}
