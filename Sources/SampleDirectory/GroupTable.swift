/// The numbers of one group in the order of their rows, with what their rows were made from.
struct GroupTable {
  /// What the row of a number says of it.
  enum Kind: UInt8 {
    /// A company: label, no block.
    case company
    /// Reported callers with a label: both families.
    case spam
    /// Reported callers without one: block only.
    case hidden
    /// In `spam.txt` alone; has no row in the table.
    case listed
    /// A company that `spam.txt` has too.
    case listedCompany

    /// The cell of the `kind` column.
    var cell: StaticString {
      switch self {
      case .company, .listedCompany: "company"
      case .spam: "spam"
      case .hidden, .listed: "hidden"
      }
    }
  }

  private(set) var numbers: [UInt64] = []
  private(set) var labels: [UInt32] = []
  private(set) var places: [UInt8] = []
  private(set) var kinds: [UInt8] = []

  init(capacity: Int) {
    numbers.reserveCapacity(capacity)
    labels.reserveCapacity(capacity)
    places.reserveCapacity(capacity)
    kinds.reserveCapacity(capacity)
  }

  var count: Int { numbers.count }

  mutating func append(_ number: UInt64, label: UInt32, place: UInt8, kind: Kind) {
    numbers.append(number)
    labels.append(label)
    places.append(place)
    kinds.append(kind.rawValue)
  }

  /// Notes that `spam.txt` has the company at `index` too.
  mutating func list(_ index: Int) { kinds[index] = Kind.listedCompany.rawValue }

  @inline(__always)
  func kind(_ index: Int) -> Kind { Kind(rawValue: kinds[index]) ?? .company }

  /// Whether the row is one of the numbers every sample has, which no other rule may touch.
  @inline(__always)
  func isDemonstration(_ index: Int) -> Bool { labels[index] >= Self.firstReserved }

  /// Label seeds from here up stand for the labels of ``Demonstration``.
  static let firstReserved = UInt32.max - 15
}

/// Spreads `total` events evenly over `steps` steps: exact at every size, where a probability could miss small ones.
struct Schedule {
  private let total: Int
  private let steps: Int
  private(set) var done = 0

  init(_ total: Int, over steps: Int) {
    self.total = total
    self.steps = max(steps, 1)
  }

  /// Whether the event is due in this step.
  @inline(__always)
  func isDue(_ step: Int) -> Bool { done < total && done < (step + 1) * total / steps }

  /// How many of the events are still to come.
  var left: Int { total - done }

  @inline(__always)
  mutating func count(_ events: Int = 1) { done += events }
}
