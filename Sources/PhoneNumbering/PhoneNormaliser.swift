internal import CallDirectory

/// Text → E.164 number, the one way every row, hole, contact, pattern end and looked-up number goes.
///
/// Bytes in, number out: no allocation, no regular expression, no locale. Plain digits take about as long as parsing
/// them; formatted text is one pass over its bytes. A value can be shared by any number of threads.
public struct PhoneNormaliser: Sendable {
  /// What digits mean; shared with the matching of callers.
  let resolver: NumberResolver

  /// A normaliser for texts that are written as `options` say.
  public init(_ options: NormalisationOptions) { resolver = NumberResolver(options) }

  /// How numbers are written.
  public var options: NormalisationOptions { resolver.options }

  /// The number a UTF-8 text stands for, or why it stands for none. O(bytes), constant memory.
  public func outcome(of text: UnsafeRawBufferPointer) -> Result<NormalisedNumber, NumberRefusal> {
    guard let base = text.baseAddress, !text.isEmpty else { return .failure(.empty) }
    let start = base.assumingMemoryBound(to: UInt8.self)
    if let digits = DigitRun(plain: start, count: text.count) {
      if let result = resolver.resolvePlain(digits) { return .success(result) }
      return outcomeOfPlain(digits, plus: false)
    }
    if start[0] == UInt8(ascii: "+"), let digits = DigitRun(plain: start + 1, count: text.count - 1) {
      return outcomeOfPlain(digits, plus: true)
    }
    return outcomeOfFormatted(text)
  }

  /// The number a UTF-8 text stands for. Throws why it stands for none. O(bytes), constant memory.
  public func normalise(_ text: UnsafeRawBufferPointer) throws(NumberRefusal) -> NormalisedNumber {
    try outcome(of: text).get()
  }

  /// The number a text stands for. Throws why it stands for none.
  public func normalise(_ text: String) throws(NumberRefusal) -> NormalisedNumber {
    var text = text
    return try text.withUTF8 { outcome(of: UnsafeRawBufferPointer($0)) }.get()
  }

  @inline(never)
  private func outcomeOfPlain(_ digits: DigitRun, plus: Bool) -> Result<NormalisedNumber, NumberRefusal> {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberResolver.scratchSize) { room in
      guard let scratch = room.baseAddress else { return .failure(.empty) }
      return resolver.resolve(digits, plus: plus, scratch: scratch)
    }
  }

  @inline(never)
  private func outcomeOfFormatted(_ text: UnsafeRawBufferPointer) -> Result<NormalisedNumber, NumberRefusal> {
    withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: NumberResolver.scratchSize + DialledText.bufferSize
    ) { room in
      guard let scratch = room.baseAddress else { return .failure(.empty) }
      var dialled = DialledText(
        text, stripsRemarks: resolver.options.remarkHandling == .strip, buffer: scratch + NumberResolver.scratchSize)
      if let refusal = dialled.scan() { return .failure(refusal) }
      let outcome = resolver.resolve(dialled.digits, plus: dialled.plus, scratch: scratch)
      guard case .success(var result) = outcome else {
        return dialled.isSuspect ? .failure(.severalNumbers) : outcome
      }
      if dialled.remark { result.notes.insert(.remarkStripped) }
      return dialled.extensionDigits.count == 0 ? .success(result) : adding(dialled.extensionDigits, to: result)
    }
  }

  private func adding(
    _ digits: DigitRun, to result: NormalisedNumber
  ) -> Result<NormalisedNumber, NumberRefusal> {
    var result = result
    switch resolver.options.extensionHandling {
    case .refuse:
      return .failure(.extensionRefused)
    case .drop:
      result.notes.insert(.extensionDropped)
    case .append:
      let limit = powerOfTen(PhoneNumber.maximumDigits)
      guard digits.count < PhoneNumber.maximumDigits, result.number.rawValue < limit / powerOfTen(digits.count)
      else { return .failure(.extensionTooLong) }
      result.number = PhoneNumber(result.number.rawValue * powerOfTen(digits.count) + digits.value)
      result.notes.insert(.extensionAppended)
    }
    return .success(result)
  }
}
