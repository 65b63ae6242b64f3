internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering

/// Which columns of a file hold what.
struct ColumnRoles {
  typealias Column = SampledRows.Column

  /// Columns of telephone numbers, the best one first.
  var numbers: [Column] = []
  /// A column of patterns, where there are any.
  var pattern: Column?
  /// Columns of the first and the last numbers of ranges, where there are such; the first is one of `numbers`.
  var range: RangeColumns?
  /// Columns whose names are those of ends, and whose cells are not.
  var doubtfulEnds: RangeColumns?
  var label: Column?
  var area: Column?
  /// A column of country codes.
  var country: Column?
  /// A column whose cells are actions.
  var action: ActionColumn?
  /// A column that tells by yes and no whether a number is to be blocked.
  var flag: ActionColumn?

  init(_ rows: SampledRows) {
    let filled = rows.columns.filter { !$0.texts.isEmpty }
    country = filled.first { column in
      Self.isNamed(column, Self.countryNames) && Set(column.texts).allSatisfy { RegionCode($0) != nil }
    }
    pattern = filled.first { column in
      let texts = column.texts
      return texts.count { $0.contains("#") || $0.contains("*") } * 2 > texts.count
        && texts.count { NumberShape.isPattern($0) } * 10 > texts.count * 9
    }
    let ranked = filled.map { (column: $0, score: Self.numberScore($0)) }.filter { $0.score > 0 }
    let best = ranked.map(\.score).max() ?? 0
    if pattern == nil, best > 0 {
      numbers = ranked.filter { $0.score == best || $0.score >= 0.9 && Self.isNamed($0.column, Self.numberNames) }
        .enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element.column)
      // Columns that only look like numbers beside one whose name says so.
      if let first = numbers.first, Self.isNamed(first, Self.numberNames) {
        numbers = numbers.filter { Self.isNamed($0, Self.numberNames) }
        numbers.sort { left, right in
          let places = [left, right].map { column in filled.firstIndex { $0.reference == column.reference } ?? 0 }
          return places[0] < places[1]
        }
      } else {
        numbers = [numbers[0]]
      }
    }
    if pattern == nil, let ends = RangeColumns(filled) {
      let isRival = numbers.contains { column in
        Self.isNamed(column, Self.numberNames) && ![ends.from.reference, ends.to.reference].contains(column.reference)
      }
      if !isRival, ends.holdsRanges { (range, numbers) = (ends, [ends.from]) }
      if !isRival, !ends.holdsRanges, numbers.contains(where: { $0.reference == ends.from.reference }) {
        doubtfulEnds = ends
      }
    }
    action = filled.lazy.compactMap { ActionColumn(words: $0, rows: rows.rows) }.first
    if action == nil { flag = filled.lazy.compactMap { ActionColumn(flags: $0) }.first }
    let taken =
      numbers.map(\.reference) + [range?.to, pattern, country, action?.column, flag?.column].map { $0?.reference }
    let others = filled.filter { column in !taken.contains(column.reference) }
    label = Self.best(others) { Self.labelScore($0, rows: rows.rows) }
    if label == nil, action != nil {
      // Rows that block have no label; those that have one may come later.
      label = rows.columns.first { $0.texts.isEmpty && ($0.title.isEmpty || Self.isNamed($0, Self.labelNames)) }
    }
    let rest = others.filter { $0.reference != label?.reference }
    area = Self.best(rest) { Self.areaScore($0, rows: rows.rows) }
  }

  /// The same columns with the cells of other rows of the file.
  func columns(of rows: SampledRows) -> ColumnRoles {
    var roles = self
    let find = { (column: Column?) in rows.columns.first { $0.reference == column?.reference } }
    roles.numbers = numbers.compactMap { find($0) }
    if pattern != nil { roles.pattern = find(pattern) }
    if label != nil { roles.label = find(label) }
    if area != nil { roles.area = find(area) }
    if country != nil { roles.country = find(country) }
    return roles
  }

  private static func best(_ columns: [Column], _ score: (Column) -> Double) -> Column? {
    let ranked = columns.map { (column: $0, score: score($0)) }
    guard let most = ranked.map(\.score).max(), most > 0 else { return nil }
    return ranked.first { $0.score == most }?.column
  }

  // MARK: Names

  private static let countryNames = ["country", "countrycode", "country_code", "land", "pays", "страна", "iso"]
  private static let numberNames = [
    "phone", "tel", "mobile", "cell", "fax", "msisdn", "nummer", "numero", "número", "numéro", "telefon", "téléphone",
    "телефон", "тел", "номер", "電話", "电话", "전화", "手机", "הטלפון", "طلفن",
  ]
  private static let labelNames = [
    "name", "title", "label", "company", "organisation", "organization", "operator_name", "fn", "org", "brand", "shop",
    "store", "firma", "nom", "nombre", "naam", "наименование", "название", "имя", "организация", "名稱", "名称", "기관명",
    "상호",
  ]
  private static let areaNames = [
    "region", "state", "province", "county", "area", "admarea", "bundesland", "locality", "city", "district", "country",
    "регион", "область", "город", "округ", "город", "страна", "縣市", "지역", "ort", "stadt", "ville", "ciudad",
  ]

  static func isNamed(_ column: Column, _ names: [String]) -> Bool {
    names.contains { column.title == $0 }
      || names.contains { $0.unicodeScalars.count >= 2 && hasWord(column.title, $0) }
  }

  /// Whether `word` stands in `title`: ASCII words by themselves or at its beginning, others anywhere.
  private static func hasWord(_ title: String, _ word: String) -> Bool {
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return title.contains(word) }
    let words = title.split { !$0.isLetter }
    return words.contains { $0 == word } || word.utf8.count >= 5 && title.contains(word)
  }

  private static func rank(_ column: Column, _ names: [String]) -> Int? {
    names.firstIndex { column.title == $0 }
      ?? names.firstIndex { $0.unicodeScalars.count >= 2 && hasWord(column.title, $0) }
  }

  // MARK: Scores

  /// How much a column is one of telephone numbers; 0 for one that is none.
  private static func numberScore(_ column: Column) -> Double {
    let texts = column.texts
    let share = Double(texts.count { NumberShape.isNumber($0) }) / Double(texts.count)
    guard share > 0.4 else { return 0 }
    let hasName = isNamed(column, numberNames)
    if column.title == "id" || hasWord(column.title, "id") || hasWord(column.title, "zip") { return 0 }
    let distinct = Double(Set(texts).count) / Double(texts.count)
    let length = texts.reduce(0) { $0 + NumberShape.digits(in: $1) } / texts.count
    // Postal codes and prices are short, identifiers have no separators and a name of their own.
    guard hasName || length >= 7, hasName || distinct > 0.2 || texts.count < 10 else { return 0 }
    return share + (hasName ? 0.6 : 0)
  }

  private static func labelScore(_ column: Column, rows: Int) -> Double {
    let texts = column.texts
    let sample = texts.prefix(500)
    let words = sample.count { text in text.contains(where: \.isLetter) && !isAddress(text) }
    let share = Double(words) / Double(sample.count)
    let length = sample.reduce(0) { $0 + $1.count } / sample.count
    guard share > 0.7, length >= 2, length <= 200 else { return 0 }
    let named = rank(column, labelNames).map { 2 - Double($0) / 100 } ?? 0
    let distinct = Double(Set(sample).count) / Double(sample.count)
    // A name that most rows lack is no label for them.
    let filled = Double(texts.count) / Double(max(1, rows))
    return (named + share * 0.2 + distinct * (length <= 60 ? 0.8 : 0.2)) * min(1, filled)
  }

  private static func isAddress(_ text: String) -> Bool {
    text.contains("://") || text.contains("@") && !text.contains(" ")
  }

  private static func areaScore(_ column: Column, rows: Int) -> Double {
    let texts = column.texts
    guard let place = rank(column, areaNames), texts.count * 2 > rows else { return 0 }
    let values = Set(texts).count
    guard values > 1, values <= max(300, rows / 3), !texts.prefix(100).contains(where: isAddress) else { return 0 }
    return 2 - Double(place) / 100 - (values > 200 ? 0.5 : 0)
  }
}
