public import CallDirectory

/// What if the user of a phone changed its settings: providers switched off, others moved to the top.
public struct SettingsChange: Hashable, Sendable {
  /// Providers that are off. The id of a provider with copies stands for all of them.
  public var without: [ProviderID]
  /// Providers that stand first, in this order, the others behind them as the plan has them.
  public var order: [ProviderID]

  /// A change; none by default.
  public init(without: [ProviderID] = [], order: [ProviderID] = []) {
    self.without = without
    self.order = order
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { without.isEmpty && order.isEmpty }
}

/// A settings change that names what is not there, or something twice. Nothing was run or written.
public struct SettingsChangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The option it came by: `without` or `order`.
  public var option: String
  /// What is wrong.
  public var what: String
  /// What to do about it.
  public var hint: String

  /// `--option what`.
  public var description: String { "--\(option) \(what)" }
}

/// What a settings change does to the numbers of a plan. A phone is taken to have the providers as the plan orders them, those on
/// that the plan starts on; those with data of their own are left out.
public struct SettingsEffect: Hashable, Sendable {
  /// What a phone shows for a number.
  public struct Shown: Hashable, Sendable {
    /// The number.
    public var number: PhoneNumber
    /// The label it had, for a lost block nil.
    public var label: String?
    /// Who gave it, for a lost block who blocked.
    public var provider: ProviderID
    /// The label it gets instead; nil for none.
    public var newLabel: String?
    /// Who gives that.
    public var newProvider: ProviderID?

    /// What a number shows before and after.
    public init(
      number: PhoneNumber, label: String?, provider: ProviderID, newLabel: String?, newProvider: ProviderID?
    ) {
      self.number = number
      self.label = label
      self.provider = provider
      self.newLabel = newLabel
      self.newProvider = newProvider
    }
  }

  /// Numbers to which one thing happens.
  public struct Group: Hashable, Sendable {
    /// How many there are.
    public var count = 0
    /// The first of them, ascending.
    public var samples: [Shown] = []
  }

  /// The change, with copies in place of providers that have such.
  public var change: SettingsChange
  /// Numbers that lose their label.
  public var lostLabels = Group()
  /// Numbers that get another label.
  public var changedLabels = Group()
  /// Numbers that lose their block.
  public var lostBlocks = Group()
  /// Numbers that have a label or a block, before the change.
  public var numbers = 0

  /// How many numbers are shown of each group.
  static let sampleCount = 5

  init(_ change: SettingsChange) { self.change = change }
}

/// Compares what a phone shows before and after a settings change while entries are placed.
final class SettingsComparison: PlacementObserver {
  private(set) var effect: SettingsEffect
  private let ids: [ProviderID]
  /// By provider: its position among those that are on, the first at 0; nil for one that is off.
  private let before: [Int?]
  private let after: [Int?]
  private var held: [(provider: Int, entry: DirectoryEntry)] = []

  /// A comparison over `providers`, of whose copies an id may stand for all: `groups` tells them by position. Throws a
  /// `SettingsChangeError`.
  init(
    _ change: SettingsChange, providers: [ProviderID], isOn: [Bool], isPlanned: [Bool], groups: [ProviderID]
  ) throws(SettingsChangeError) {
    ids = providers
    func expand(_ wanted: [ProviderID], _ option: String) throws(SettingsChangeError) -> [Int] {
      var positions: [Int] = []
      for id in wanted {
        let found = providers.indices.filter { providers[$0] == id || groups[$0] == id }
        let planned = providers.indices.filter { isPlanned[$0] }
        let names = planned.filter { groups[$0] != providers[$0] && groups.firstIndex(of: groups[$0]) == $0 }
        let known =
          planned.map { providers[$0].rawValue }.joined(separator: ", ")
          + names.map { "; \(groups[$0]) for all its copies" }.joined()
        guard !found.isEmpty else {
          throw SettingsChangeError(
            option: option, what: "names a provider that is not there: \(id)", hint: "providers: \(known)")
        }
        guard found.allSatisfy({ isPlanned[$0] }) else {
          throw SettingsChangeError(
            option: option, what: "names \(id), which has data of its own that the plan does not know",
            hint: "providers that the plan fills: \(known); `shardctl lookup` asks what if of installed ones")
        }
        guard !found.contains(where: positions.contains) else {
          throw SettingsChangeError(
            option: option, what: "names a provider twice: \(id)", hint: "name each once")
        }
        positions += found
      }
      return positions
    }
    let without = try expand(change.without, "without")
    let first = try expand(change.order, "order")
    effect = SettingsEffect(
      SettingsChange(without: without.map { providers[$0] }, order: first.map { providers[$0] }))
    let order = first + providers.indices.filter { !first.contains($0) }
    before = providers.indices.map { isOn[$0] ? $0 : nil }
    after = providers.indices.map { isOn[$0] && !without.contains($0) ? order.firstIndex(of: $0) : nil }
  }

  func take(_ provider: Int, _ run: EntryRun) { held.append((provider, run.entry)) }

  func end(_ numbers: ClosedRange<PhoneNumber>) {
    defer { held.removeAll(keepingCapacity: true) }
    let count = Int(numbers.upperBound.rawValue - numbers.lowerBound.rawValue) + 1
    let (block, newBlock) = (first(before, \.isBlocked), first(after, \.isBlocked))
    let (label, newLabel) = (first(before) { $0.label != nil }, first(after) { $0.label != nil })
    if block != nil || label != nil { effect.numbers += count }
    if let block, newBlock == nil { note(\.lostBlocks, numbers, count, block, nil, isLabel: false) }
    guard let label else { return }
    guard let newLabel else { return note(\.lostLabels, numbers, count, label, nil, isLabel: true) }
    if label != newLabel, !text(label).elementsEqual(text(newLabel)) {
      note(\.changedLabels, numbers, count, label, newLabel, isLabel: true)
    }
  }

  /// The position in `held` of the first provider in settings order for which `has` holds.
  private func first(_ order: [Int?], _ has: (DirectoryEntry) -> Bool) -> Int? {
    var best: (position: Int, index: Int)?
    for (index, one) in held.enumerated() where has(one.entry) {
      guard let position = order[one.provider] else { continue }
      if best.map({ position < $0.position }) ?? true { best = (position, index) }
    }
    return best?.index
  }

  private func text(_ index: Int) -> UnsafeRawBufferPointer {
    CallLabel.firstLine(of: held[index].entry.label ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private func note(
    _ group: WritableKeyPath<SettingsEffect, SettingsEffect.Group>, _ numbers: ClosedRange<PhoneNumber>, _ count: Int,
    _ old: Int, _ new: Int?, isLabel: Bool
  ) {
    effect[keyPath: group].count += count
    for offset in 0..<max(0, min(count, SettingsEffect.sampleCount - effect[keyPath: group].samples.count)) {
      effect[keyPath: group].samples.append(
        SettingsEffect.Shown(
          number: PhoneNumber(numbers.lowerBound.rawValue + Int64(offset)),
          label: isLabel ? String(decoding: text(old), as: UTF8.self) : nil, provider: ids[held[old].provider],
          newLabel: new.map { String(decoding: text($0), as: UTF8.self) },
          newProvider: new.map { ids[held[$0].provider] }))
    }
  }
}
