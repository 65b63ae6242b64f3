/// Numbers that every sample has, whatever its size and seed, so that a walk through the tool can look them up.
public enum Demonstration {
  /// A number and what a sample says of it.
  public struct Number: Hashable, Sendable {
    /// E.164 with `+`.
    public let number: String
    /// The label in `companies-moscow-spb.tsv`, or nil.
    public let moscowLabel: String?
    /// The label in `companies-russia.tsv`, or nil.
    public let russiaLabel: String?
    /// Whether `blocklist.txt` has it.
    public let isOnBlockList: Bool

    /// The digits as an integer.
    var value: UInt64 { UInt64(number.dropFirst()) ?? 0 }
  }

  /// Labelled by the provider `moscow-spb` alone.
  public static let labelled = Number(
    number: "+74951234567", moscowLabel: "Кофейня Велора", russiaLabel: nil, isOnBlockList: false)
  /// Labelled by `moscow-spb` and, otherwise, by `russia`: the upper one in the settings order is shown.
  public static let overlap = Number(
    number: "+78001234567", moscowLabel: "Тамикс, доставка по Москве", russiaLabel: "Тамикс, единая справочная",
    isOnBlockList: false)
  /// Labelled by `russia` and on the block list, which a provider with data of its own reads: blocked in every order.
  public static let blocked = Number(
    number: "+79991234567", moscowLabel: nil, russiaLabel: "Окна Брависта", isOnBlockList: true)
  /// A number that no file of a sample has.
  public static let unknown = Number(
    number: "+74957654321", moscowLabel: nil, russiaLabel: nil, isOnBlockList: false)

  /// All of them, in the order above.
  public static let all = [labelled, overlap, blocked, unknown]
}
