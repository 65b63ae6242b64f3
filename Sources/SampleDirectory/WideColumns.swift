/// Columns that real tables have and a directory does not need: about 90 bytes a row.
struct WideColumns {
  static let header: StaticString = "\taddress\trubric\tsite"

  private let streets: BytePool
  private let rubrics: BytePool

  init() {
    streets = BytePool([
      "ул. Заречная", "ул. Полевая", "ул. Садовая", "пр-т Энергетиков", "Лесной пер.", "ул. Вокзальная",
      "б-р Строителей",
      "наб. Тихая", "ул. Новая", "Южное шоссе", "ул. Школьная", "ул. Озёрная", "пл. Рыночная", "ул. Мельничная",
    ])
    rubrics = Vocabulary(.russian).rubrics
  }

  func write(_ random: inout SampleRandom, to row: RowBuffer) {
    row.append(9)
    streets.write(random.below(streets.count), to: row)
    row.append(", д. ")
    row.append(decimal: UInt64(1 + random.skewed(below: 200)))
    row.append(", этаж ")
    row.append(decimal: UInt64(1 + random.skewed(below: 20)))
    row.append(9)
    rubrics.write(random.skewed(below: rubrics.count), to: row)
    row.append(9)
    row.append("https://catalogue.example/firm/")
    row.append(decimal: random.next() >> 30)
  }

  /// Draws what `write` would.
  func skip(_ random: inout SampleRandom) { for _ in 0..<5 { _ = random.next() } }
}
