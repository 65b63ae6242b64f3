import PhoneNumbering

/// Any text as a number, with any options: what is accepted is a number, and an assigned one
/// normalises to itself.
enum NumberFuzzing {
  private static let regions = RegionCode.all

  @Sendable static func run(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 2 else { return }
    var options = NormalisationOptions(region: regions[Int(bytes[0]) % regions.count])
    options.shortCodes = bytes[1] & 1 != 0
    options.extensionHandling = bytes[1] & 2 != 0 ? .append : .drop
    options.remarkHandling = bytes[1] & 4 != 0 ? .strip : .refuse
    let text = UnsafeRawBufferPointer(rebasing: bytes[2...])
    guard case .success(let first) = PhoneNormaliser(options).outcome(of: text) else { return }
    let value = first.number.rawValue
    require(value > 0 && value < 1_000_000_000_000_000, "\(value) is no E.164 number")
    // Of a number that nobody has been given, other digits may pass for a trunk prefix.
    guard NumberingPlan.isAssigned(first.number) else { return }
    let again = PhoneNormaliser(NormalisationOptions(interpretation: .international)).outcome(of: "+\(value)")
    if case .success(let second) = again {
      require(second.number == first.number, "\(value) becomes \(second.number.rawValue)")
    }
  }
}

extension PhoneNormaliser {
  fileprivate func outcome(of text: String) -> Result<NormalisedNumber, NumberRefusal> {
    Array(text.utf8).withUnsafeBytes { outcome(of: $0) }
  }
}
