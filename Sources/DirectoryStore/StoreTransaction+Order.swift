public import CallDirectory

extension StoreTransaction {
  /// Lists `first` first in the settings, the others after them as they were (R-WIN-5). From now on the order is the
  /// store's own, until `resetOrder()`.
  public func order(_ first: [ProviderID]) throws(StoreError) {
    for id in first where contents.provider(id) == nil { throw unknown(id) }
    guard let order = contents.order.reordered(first: first) else {
      throw StoreError(
        .repeatedProvider, file: store.manifestPath, what: "the order names a provider twice", hint: "name each id once"
      )
    }
    contents.customOrder = order
  }

  /// Lets the plan's order stand again, then libraries dropped in (R-WIN-4).
  public func resetOrder() { contents.customOrder = nil }

  /// Puts the settings in an order drawn from `seed`, because the phone promises none (R-WIN-4). The same seed and the
  /// same providers give the same order.
  public func shuffleOrder(seed: UInt64) {
    // Sorted first, so that the result does not depend on the order before.
    var ids = contents.providers.map(\.id).sorted()
    var state = seed
    for last in ids.indices.dropFirst().reversed() {
      // SplitMix64 (Steele, Lea and Flood 2014).
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      ids.swapAt(last, Int(bits % UInt64(last + 1)))
    }
    contents.customOrder = SettingsOrder(ids)
  }
}
