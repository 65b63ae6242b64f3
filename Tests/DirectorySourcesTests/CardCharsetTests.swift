import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Character sets of vCards")
struct CardCharsetTests {
  private func labels(_ sorted: SortedRows) throws -> [String] {
    try sorted.rows().sorted { $0.line < $1.line }.map(\.label)
  }

  private func bytes(_ text: String, _ encoding: String) throws -> [UInt8] {
    try Program.run("iconv", ["-f", "UTF-8", "-t", encoding], Array(text.utf8))
  }

  /// A card whose name is `name`, with `parameters` in front of it.
  private func card(_ parameters: String, _ name: [UInt8], version: String = "2.1") -> [UInt8] {
    Array("BEGIN:VCARD\r\nVERSION:\(version)\r\nFN\(parameters):".utf8) + name
      + Array("\r\nTEL:2025550101\r\nEND:VCARD\r\n".utf8)
  }

  /// Quoted-printable text with a soft break after every tenth byte.
  private func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if index % 10 == 9 { text += "=\r\n" }
      let digits = String(byte, radix: 16, uppercase: true)
      text += "=" + (digits.count == 1 ? "0" : "") + digits
    }
    return Array(text.utf8)
  }

  static let sets: [(name: String, iconv: String, text: String)] = [
    ("windows-1251", "CP1251", "Аптека «Ромашка», ул. Щорса"), ("CP1251", "CP1251", "Ёлка"),
    ("KOI8-R", "KOI8-R", "Аптека ёж"), ("ISO-8859-1", "ISO-8859-1", "Café Zoë"),
    ("Windows-1252", "CP1252", "Café – €"), ("GB2312", "GB2312", "北京饭店"), ("gbk", "GBK", "北京飯店乗乘"),
    ("GB18030", "GB18030", "北京饭店 €ü"),
  ]

  @Test("CHARSET is heeded in quoted-printable text and in plain text, whatever the blocks", arguments: sets)
  func stated(set: (name: String, iconv: String, text: String)) throws {
    let name = try bytes(set.text, set.iconv)
    let content =
      card(";CHARSET=\(set.name);ENCODING=QUOTED-PRINTABLE", quoted(name))
      + card(";CHARSET=\"\(set.name)\"", name, version: "3.0") + card(";CHARSET=\(set.name)", Array("Plain".utf8))
    for blockBytes in [1, 64, 1 << 20] {
      let sorted = try readCards(content, blockBytes: blockBytes)
      #expect(try labels(sorted) == [set.text, set.text, "Plain"])
      #expect(sorted.report.refusals.isEmpty)
    }
  }

  @Test("Escapes and parts are undone behind the conversion: a second byte of a character is no backslash")
  func escapes() throws {
    // 乗 is 0x81 0x5C in GBK; the \, behind it is an escape.
    let name = try bytes("乗\\,乗;Second", "GBK")
    let content = card(";CHARSET=GBK", Array("x".utf8)) + Array("".utf8)
    var text = Array("BEGIN:VCARD\nORG;CHARSET=GBK:".utf8) + name
    text += Array("\nTEL;CHARSET=GBK:".utf8) + (try bytes("２０２5550101", "GBK")) + Array("\nEND:VCARD\n".utf8)
    let sorted = try readCards(text + content) { $0.label = .column(.name("ORG.name")) }
    #expect(try labels(sorted).first == "乗,乗")
    #expect(sorted.report.total.read == 2 && sorted.report.total.refused == 0)
  }

  @Test("The source's encoding is that of quoted-printable bytes that state none; what is stated goes before")
  func encodingOfTheSource() throws {
    let name = "Ромашка"
    let content =
      card(";ENCODING=QUOTED-PRINTABLE", quoted(try bytes(name, "CP1251")))
      + card(";CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", quoted(Array(name.utf8)))
      + card(";CHARSET=KOI8-R;ENCODING=QUOTED-PRINTABLE", quoted(try bytes(name, "KOI8-R")))
      + card("", try bytes(name, "CP1251"))
    #expect(try labels(readCards(content) { $0.encoding = .windows1251 }) == [name, name, name, name])
    // Without it they are UTF-8.
    let first = card(";ENCODING=QUOTED-PRINTABLE", quoted(try bytes(name, "CP1251")))
    #expect(try readCards(first).report.refusals.map(\.finding) == [.cardCharset])
    // A file in UTF-16 has UTF-8 there.
    let wide = try Program.run(
      "iconv", ["-f", "UTF-8", "-t", "UTF-16"], card(";ENCODING=QUOTED-PRINTABLE", quoted(Array(name.utf8))))
    #expect(try labels(readCards(wide) { $0.encoding = .utf16 }) == [name])
  }

  @Test("Bytes that are not in the stated set refuse their card, and the next card is read")
  func invalid() throws {
    let content =
      card(";CHARSET=GBK;ENCODING=QUOTED-PRINTABLE", Array("=81".utf8)) + card(";CHARSET=GBK", [0x41, 0xFF, 0x42])
      + card(";CHARSET=CP1251;ENCODING=QUOTED-PRINTABLE", Array("=98".utf8))
      + card(";CHARSET=GBK", try bytes("北京", "GBK")) + card(";CHARSET=SHIFT_JIS", [0x83, 0x41])
    let sorted = try readCards(content)
    #expect(try labels(sorted) == ["北京"])
    #expect(sorted.report.refusals.map(\.finding) == [.cardCharset])
    #expect(sorted.report.refusals.map(\.count) == [4])
  }
}
