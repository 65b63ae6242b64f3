/// Draws numbers of other countries from a few of their real area codes.
struct ForeignPlan {
  /// The language labels are made in.
  enum Language: Int, CaseIterable {
    case russian, english, german, french, italian, turkish, chinese
  }

  struct Country {
    let code: StaticString
    let calling: UInt64
    let language: Language
    /// How many of a thousand numbers are from here.
    let share: Int
    let areas: [Area]
  }

  /// Numbers that begin with `prefix` (calling code included) and have so many free digits behind it, of which the first
  /// is from `from` to `to`: other first digits are not in use there.
  struct Area {
    private let first: UInt64
    private let count: Int

    init(_ prefix: UInt64, _ free: Int, from: UInt64 = 2, to: UInt64 = 9) {
      let step: UInt64 = (1..<free).reduce(1) { power, _ in power * 10 }
      first = (prefix * 10 + from) * step
      count = Int((to - from + 1) * step)
    }

    @inline(__always)
    func draw(_ random: inout SampleRandom) -> UInt64 { first + UInt64(random.below(count)) }
  }

  /// The countries, numbered as ``PhonePlace`` does; the last stands for Russian numbers in the table of abroad.
  static let countries: [Country] = [
    Country(
      code: "US", calling: 1, language: .english, share: 330,
      areas: [
        201, 202, 206, 210, 212, 213, 214, 215, 216, 253, 267, 281, 301, 303, 305, 312, 313, 314, 317, 323, 334, 404,
        407,
        408, 412, 415, 469, 502, 503, 504, 512, 513, 602, 612, 614, 615, 617, 619, 646, 702, 704, 713, 718, 720, 773,
        801,
        804, 813, 816, 818, 901, 904, 915, 916, 917, 919, 949, 954, 972,
      ].map { Area(1000 + $0, 7) }),
    Country(
      code: "CA", calling: 1, language: .english, share: 40,
      areas: [204, 236, 250, 403, 416, 418, 438, 450, 506, 514, 604, 613, 647, 778, 780, 902, 905].map {
        Area(1000 + $0, 7)
      }),
    Country(
      code: "KZ", calling: 7, language: .russian, share: 160,
      areas: [701, 702, 705, 707, 747, 771, 775, 776, 777, 778].map { Area(7000 + $0, 7, from: 1) }
        + [7172, 7212, 7252, 7292].map { Area(70000 + $0, 6) } + [Area(7727, 7, to: 3)]),
    Country(
      code: "BY", calling: 375, language: .russian, share: 60,
      areas: [Area(37529, 7, from: 5), Area(37533, 7, from: 6), Area(37544, 7, from: 4), Area(37517, 7)]),
    Country(
      code: "DE", calling: 49, language: .german, share: 90,
      areas: [30, 40, 69, 89].map { Area(4900 + $0, 8) } + [221, 211, 711, 351].map { Area(49000 + $0, 7) }
        + [151, 160, 170, 171, 172, 175, 176].map { Area(49000 + $0, $0 == 151 || $0 == 176 ? 8 : 7) }),
    Country(
      code: "GB", calling: 44, language: .english, share: 70,
      areas: [
        Area(44207, 7), Area(44208, 7), Area(44121, 7, to: 7), Area(44131, 7, to: 8), Area(44161, 7),
        Area(44113, 7, to: 5),
      ]
        + [7712, 7723, 7740, 7801, 7860, 7900, 7973].map { Area(440000 + $0, 6, from: 0) }),
    Country(
      code: "FR", calling: 33, language: .french, share: 60,
      areas: [Area(331, 8, from: 4), Area(334, 8, from: 7), Area(335, 8, from: 5, to: 8), Area(336, 8, from: 4, to: 8)]),
    Country(
      code: "IT", calling: 39, language: .italian, share: 60,
      areas: [Area(3906, 7), Area(3902, 7), Area(39011, 7), Area(39055, 6), Area(39051, 6)]
        + [320, 328, 333, 338, 347].map { Area(39000 + $0, 7, from: 1) }),
    Country(
      code: "TR", calling: 90, language: .turkish, share: 70,
      areas: [212, 216, 232, 242, 312].map { Area(90000 + $0, 7) }
        + [532, 533, 535, 542, 544, 555].map { Area(90000 + $0, 7, from: 1) }),
    Country(
      code: "CN", calling: 86, language: .chinese, share: 60,
      areas: [Area(8610, 8, from: 5, to: 7), Area(8621, 8, from: 5, to: 7), Area(8620, 8, from: 3), Area(86755, 8)]
        + [135, 138, 139, 150, 159, 186, 188].map { Area(86000 + $0, 8, from: 0) }),
    Country(
      code: "TW", calling: 886, language: .chinese, share: 40,
      areas: [Area(8862, 8, to: 8), Area(8864, 8, to: 3), Area(8867, 7)]
        + [10, 21, 33, 55, 72].map { Area(88690_0 + $0, 6, from: 0) }),
    Country(
      code: "CH", calling: 41, language: .german, share: 30,
      areas: [44, 31, 61, 22].map { Area(4100 + $0, 7) } + [76, 78, 79].map { Area(4100 + $0, 7) }),
    Country(code: "001", calling: 800, language: .english, share: 10, areas: [Area(800, 8)]),
    Country(code: "RU", calling: 7, language: .russian, share: 0, areas: []),
  ]

  /// The place of a Russian number in the table of abroad.
  static let russia = UInt8(countries.count - 1)

  private let table = AliasTable(ForeignPlan.countries.dropLast().map { Double($0.share) })
  private let countries = ForeignPlan.countries

  @inline(__always)
  func draw(_ random: inout SampleRandom) -> (number: UInt64, place: UInt8) {
    let place = table.draw(&random)
    let areas = countries[place].areas
    return (areas[random.below(areas.count)].draw(&random), UInt8(place))
  }
}
