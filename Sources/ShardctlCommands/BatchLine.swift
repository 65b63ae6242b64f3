internal import PhoneNumbering

/// A line of a batch: `text[TAB]country`.
enum BatchLine {
  /// The two fields; the second is empty when there is none. What follows a second tab is part of neither.
  static func split(_ line: UnsafeRawBufferPointer) -> (text: UnsafeRawBufferPointer, country: UnsafeRawBufferPointer) {
    guard let tab = line.firstIndex(of: 0x09) else {
      return (line, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let rest = line[(tab + 1)...]
    return (
      UnsafeRawBufferPointer(rebasing: line[..<tab]),
      UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstIndex(of: 0x09) ?? rest.endIndex)])
    )
  }

  /// A country that may be unstated.
  struct Country {
    var code: RegionCode?
  }

  /// The country of a line, or nil when its field names none that exists.
  static func region(_ field: UnsafeRawBufferPointer, default fallback: RegionCode?) -> Country? {
    if field.isEmpty { return Country(code: fallback) }
    guard field.count == 2, let code = RegionCode(field[0], field[1]) else { return nil }
    return Country(code: code)
  }
}

/// Something that is dear to make and depends on the country, kept for each country asked for. One thread at a time.
final class CountryCache<Value> {
  private let make: (RegionCode?) -> Value
  private var values: [RegionCode?: Value] = [:]
  private var last: (country: RegionCode?, value: Value)?

  /// A cache that makes its values with `make`.
  init(_ make: @escaping (RegionCode?) -> Value) { self.make = make }

  /// The value for `country`.
  subscript(country: RegionCode?) -> Value {
    if let last, last.country == country { return last.value }
    let value = values[country] ?? make(country)
    values[country] = value
    last = (country, value)
    return value
  }
}
