import CallDirectory
import Foundation
import PhoneNumbering

@testable import DirectorySources

/// What a file of vCards means, written for clearness: all lines in an array, strings, one property at a time. Shares
/// nothing with the product but the number rules.
struct NaiveCards {
  struct Card {
    var line: Int
    var numbers: [(text: String, line: Int)] = []
    var label = ""
    var area = ""
    var fault: String?
    var faultLine = 0
  }

  private struct Property {
    var name: String
    var parameters: [String]
    var value: [UInt8]
    var line: Int
    var isQuoted: Bool { parameters.contains { $0.uppercased().hasSuffix("QUOTED-PRINTABLE") } }
  }

  private(set) var cards: [Card] = []
  private(set) var lines = 0
  private(set) var strayLines = 0
  private let lineEnd: UInt8

  init(_ content: [UInt8]) {
    var bytes = content
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let first = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }
    lineEnd = first.map { bytes[$0] == 0x0D && !(bytes.count > $0 + 1 && bytes[$0 + 1] == 0x0A) ? 0x0D : 0x0A } ?? 0x0A
    var split = bytes.split(separator: lineEnd, omittingEmptySubsequences: false).map(Array.init)
    if split.last?.isEmpty ?? false { split.removeLast() }
    lines = split.count
    var body: [(line: Int, text: [UInt8])] = []
    var start: Int?
    var outside: Int?
    for (index, var text) in split.enumerated() {
      if lineEnd == 0x0A, text.last == 0x0D { text.removeLast() }
      let word = NaiveReader.trimmed(String(decoding: text, as: UTF8.self)).uppercased()
      let begins = word == "BEGIN:VCARD" && text.first != 0x20 && text.first != 0x09
      let ends = word == "END:VCARD" && text.first != 0x20 && text.first != 0x09
      if begins {
        if let start { refuse("card.notClosed", start) } else if let outside { refuse("card.textOutside", outside) }
        (start, outside, body) = (index, nil, [])
      } else if ends {
        if let start { add(body, line: start + 1) } else { refuse("card.textOutside", outside ?? index) }
        (start, outside) = (nil, nil)
      } else if start != nil {
        body.append((index + 1, text))
      } else if !word.isEmpty {
        outside = outside ?? index
      }
    }
    if let start { refuse("card.notClosed", start) } else if let outside { refuse("card.textOutside", outside) }
  }

  private mutating func refuse(_ fault: String, _ index: Int) {
    cards.append(Card(line: index + 1, fault: fault, faultLine: index + 1))
  }

  private mutating func add(_ body: [(line: Int, text: [UInt8])], line: Int) {
    let isOld = body.contains { String(decoding: $0.text, as: UTF8.self).uppercased() == "VERSION:2.1" }
    var properties: [Property] = []
    var isOpen = false
    var head: (line: Int, text: [UInt8])?
    func begin(_ line: Int, _ text: [UInt8]) {
      isOpen = true
      head = (line, text)
      guard let colon = text.firstIndex(of: 0x3A) else { return }
      head = nil
      let parts = String(decoding: text[..<colon], as: UTF8.self).components(separatedBy: ";")
      let name = parts[0].components(separatedBy: ".").last ?? ""
      properties.append(
        Property(
          name: name.uppercased(), parameters: Array(parts.dropFirst()), value: Array(text[(colon + 1)...]), line: line)
      )
    }
    for (line, text) in body {
      let isIndented = text.first == 0x20 || text.first == 0x09
      if isOpen, isIndented, let open = head {
        begin(open.line, open.text + text.dropFirst())
        continue
      }
      if isOpen, head == nil, let last = properties.indices.last {
        let property = properties[last]
        if property.isQuoted, property.value.last == 0x3D {
          properties[last].value = property.value.dropLast() + text
          continue
        }
        if isIndented {
          let keeps = isOld && !(text.count > 1 && text[1] & 0xC0 == 0x80)
          properties[last].value += keeps ? text : Array(text.dropFirst())
          continue
        }
      }
      if head != nil { strayLines += 1 }
      head = nil
      isOpen = false
      if !NaiveReader.trimmed(String(decoding: text, as: UTF8.self)).isEmpty { begin(line, text) }
    }
    if head != nil { strayLines += 1 }
    var card = Card(line: line)
    func values(_ name: String) -> [Property] { properties.filter { $0.name == name } }
    /// The first that is not blank; the ones behind it are not looked at.
    func first(_ name: String, _ shown: (String) -> String) -> String {
      for property in values(name) where card.fault == nil {
        guard let text = text(of: property) else {
          (card.fault, card.faultLine) = ("card.charset", property.line)
          return ""
        }
        let result = NaiveReader.trimmed(shown(text))
        if !result.isEmpty { return result }
      }
      return ""
    }
    // The label is looked at before the area; the fault that is met first is told.
    card.label = first("FN") { plain($0, isOld) }
    if card.label.isEmpty {
      card.label = first("N") { name in
        [3, 1, 2, 0, 4].map { part($0, of: name, isOld) }.filter { !$0.isEmpty }.joined(separator: " ")
      }
    }
    card.area = first("ADR") { part(3, of: $0, isOld) }
    card.numbers = values("TEL").map { (NaiveReader.trimmed(plain(text(of: $0) ?? "", isOld)), $0.line) }
    cards.append(card)
  }

  private func text(of property: Property) -> String? {
    var bytes = property.value
    if property.isQuoted {
      if bytes.last == 0x3D { bytes.removeLast() }
      var decoded: [UInt8] = []
      var index = 0
      while index < bytes.count {
        let digits = String(decoding: bytes[(index + 1)...].prefix(2), as: UTF8.self)
        if bytes[index] == 0x3D, digits.count == 2, let byte = UInt8(digits, radix: 16) {
          decoded.append(byte)
          index += 3
        } else {
          decoded.append(bytes[index])
          index += 1
        }
      }
      bytes = decoded
    }
    let charset = property.parameters.first { $0.uppercased().hasPrefix("CHARSET=") }?.dropFirst(8).uppercased()
    if charset == "ISO-8859-1" { return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
    if let charset, charset != "UTF-8", bytes.contains(where: { $0 >= 0x80 }) { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private func part(_ index: Int, of text: String, _ isOld: Bool) -> String {
    let hidden = text.replacingOccurrences(of: "\\\\", with: "\u{1}").replacingOccurrences(of: "\\;", with: "\u{2}")
    let parts = hidden.components(separatedBy: ";")
    guard index < parts.count else { return "" }
    let shown = parts[index].replacingOccurrences(of: "\u{2}", with: "\\;")
    return NaiveReader.trimmed(plain(shown.replacingOccurrences(of: "\u{1}", with: "\\\\"), isOld))
  }

  private func plain(_ text: String, _ isOld: Bool) -> String {
    var text = text.replacingOccurrences(of: "\\\\", with: "\u{1}")
    for character in [",", ";", ":"] { text = text.replacingOccurrences(of: "\\\(character)", with: character) }
    if !isOld { text = text.replacingOccurrences(of: "\\n", with: "\n").replacingOccurrences(of: "\\N", with: "\n") }
    return text.replacingOccurrences(of: "\u{1}", with: "\\")
  }
}
