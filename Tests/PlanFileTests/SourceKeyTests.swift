import CallDirectory
import DirectorySources
import PhoneNumbering
import PlanFile
import Testing

/// Every key of a source ends in its field.
@Suite struct SourceKeyTests {
  static let full = #"""
    {"id":"a","file":["data/a-*.csv","b.csv"],"expectFiles":3,"encoding":"Windows-1251","separator":";",
     "number":"n","label":"{name}, {city}","area":"c","score":"s","action":{"column":"k","values":{"1":"both"}},
     "where":[{"column":"status","equals":"open"},{"column":"kind","in":["a",""]}],"country":"RU",
     "numbersAre":"national","internationalPrefixes":["810","00"],"extension":"append","numberRemarks":"strip",
     "numberSeparator":" / ","shortCodes":true,"aliases":true,"maxLabelBytes":40,"areaMap":"areas.tsv",
     "repeats":"highestScore","guard":{"shrink":0.3,"growth":2,"rejected":0.05},"onBadRow":"fail","allowEmpty":true}
    """#

  /// Sources at the edge of the rules.
  static let examples = [
    full,
    #"{"id":"a","file":"x.txt.gz","action":"block"}"#,
    #"{"id":"a","file":"x","format":"patterns","action":"block","maxPatternNumbers":5}"#,
    #"{"id":"a","file":"x.vcf"}"#,
    #"{"id":"a","file":"x.vcf","area":"ADR.locality","label":"{FN}, {ORG}","number":"TEL","repeats":"first"}"#,
    #"{"id":"a","file":"x.2gis","maxLabelBytes":50}"#,
    #"{"id":"a","file":"x.2gis","action":"block"}"#,
    #"{"id":"a","file":"x.json","records":"data.rows","number":"$value","action":"block"}"#,
    #"{"id":"a","file":"data/part*"}"#,
    #"{"id":"a","file":["data/*.gz","x.tsv"],"number":"n"}"#,
    #"{"id":"a","file":"x.csv","pattern":"p","action":"block","maxPatternNumbers":7}"#,
    #"{"id":"a","file":"x.csv","header":false,"from":2,"to":1,"label":"{3}"}"#,
    #"{"id":"a","file":"x.csv","header":false,"number":2,"label":1,"where":{"column":3,"equals":""}}"#,
    #"{"id":"a","file":"x.json","number":"n","label":"{{{a}}}"}"#,
    #"{"id":"a","file":"x.csv","number":"n","action":{"column":"k","values":{"":"block"}},"separator":"\t"}"#,
  ]

  private func source(_ text: String, more: String = "") throws -> SourceDescription {
    try #require(PlanText.load(PlanText.plan(sources: text, more: more)).sources.first)
  }

  @Test func `A source with every key is decoded in full`() throws {
    let plan = try PlanText.load(PlanText.plan(sources: Self.full))
    let source = try #require(plan.sources.first)
    #expect(source.files == ["data/a-*.csv", "b.csv"] && source.expectFiles == 3)
    #expect(source.format == .csv && source.encoding == .windows1251 && source.separator == .semicolon)
    #expect(source.numbers == .number(.name("n")))
    #expect(source.label == .template([.column(.name("name")), .text(", "), .column(.name("city"))]))
    #expect(source.area == .name("c") && source.score == .name("s"))
    #expect(source.action == .column(.name("k"), values: ["1": .both]))
    #expect(
      source.filters == [
        RowFilter(column: .name("status"), values: ["open"]), RowFilter(column: .name("kind"), values: ["a", ""]),
      ])
    #expect(source.spelling.region == RegionCode("RU") && source.spelling.interpretation == .national)
    #expect(source.spelling.internationalPrefixes == ["810", "00"] && source.spelling.shortCodes)
    #expect(source.spelling.extensionHandling == .append && source.spelling.remarkHandling == .strip)
    #expect(source.numberSeparator == " / " && source.aliases && source.maxLabelBytes == 40)
    #expect(source.areaMap == "areas.tsv" && source.repeats == .highestScore)
    #expect(source.onBadRow == .fail && source.allowEmpty)
    #expect(plan.guards == ["a": SourceGuard(shrink: 0.3, growth: 2, rejected: 0.05)])
    #expect(plan.resolvingPaths(against: "/p").sources.first?.areaMap == "/p/areas.tsv")
  }

  @Test(
    arguments: [
      ("cp1252", .windows1252), ("Latin1", .latin1), ("win1251", .windows1251), ("utf8", .utf8), ("UTF16", .utf16),
      ("gbk", .gb18030), ("GB2312", .gb18030), ("koi8", .koi8r), ("ISO8859-1", .latin1), ("ebcdic", nil),
    ] as [(String, TextEncoding?)])
  func `An encoding's other names are known for hints`(name: String, encoding: TextEncoding?) {
    #expect(TextEncoding(otherName: name) == encoding)
  }

  @Test func `Unless stated, every field has the default of a source`() throws {
    let plan = try PlanText.load(PlanText.plan())
    let source = try #require(plan.sources.first)
    let plain = SourceDescription(id: "companies", files: ["c.tsv"])
    #expect(source.expectFiles == nil && source.encoding == nil && source.separator == nil && source.records.isEmpty)
    #expect(source.filters.isEmpty && source.spelling == plain.spelling && source.numberSeparator == nil)
    #expect(!source.aliases && source.maxPatternNumbers == 10_000_000 && source.maxLabelBytes == plain.maxLabelBytes)
    #expect(source.areaMap == nil && source.repeats == .first && plan.guards.isEmpty)
  }

  @Test(arguments: [
    ("x.tsv", SourceFormat.tsv), ("x.TAB", .tsv), ("a.b/x.csv", .csv), ("x.json", .json), ("x.jsonl", .jsonl),
    ("x.ndjson", .jsonl), ("x.tsv.gz", .tsv), ("x.csv.XZ", .csv), ("x.json.zst", .json), ("data/*.tsv", .tsv),
    ("data/*.csv.gz", .csv),
  ])
  func `A format is known by the extension, also of a compressed file`(file: String, format: SourceFormat) throws {
    #expect(try source(#"{"id":"a","file":"\#(file)","number":"n","label":"l"}"#).format == format)
  }

  @Test(arguments: [
    (#"{"id":"a","file":"x.txt.gz","action":"block"}"#, SourceFormat.numbers),
    (#"{"id":"a","file":"x","format":"patterns","action":"block","maxPatternNumbers":5}"#, .patterns),
    (#"{"id":"a","file":"x.vcf"}"#, .vcard),
    (
      #"{"id":"a","file":"x.vcf","area":"ADR.locality","label":"{FN}, {ORG}","number":"TEL","repeats":"first"}"#, .vcard
    ),
    (#"{"id":"a","file":"x.2gis","maxLabelBytes":50}"#, .twoGIS),
    (#"{"id":"a","file":"x.2gis","action":"block"}"#, .twoGIS),
    (#"{"id":"a","file":"x.json","records":"data.rows","number":"$value","action":"block"}"#, .json),
  ])
  func `Formats that hold nothing but numbers and labels need no columns`(text: String, format: SourceFormat) throws {
    let source = try source(text)
    #expect(source.format == format)
    #expect((source.numbers == nil) == (format != .json && !text.contains("number\"")))
  }

  @Test func `A pattern of names that leaves the extension open is left to the reader, and so are its columns`() throws
  {
    let source = try source(#"{"id":"a","file":"data/part*"}"#)
    #expect(source.format == nil && source.numbers == nil && source.label == nil)
    #expect(
      try self.source(#"{"id":"a","file":["data/*.gz","x.tsv"],"number":"n"}"#).numbers == .number(.name("n")))
  }

  @Test func `Numbers come from one column, from a pattern, or from the ends of a range`() throws {
    let pattern = try source(#"{"id":"a","file":"x.csv","pattern":"p","action":"block","maxPatternNumbers":7}"#)
    #expect(pattern.numbers == .pattern(.name("p")) && pattern.maxPatternNumbers == 7)
    let range = try source(#"{"id":"a","file":"x.csv","header":false,"from":2,"to":1,"label":"{3}"}"#)
    #expect(range.numbers == .range(from: .position(2), to: .position(1)))
    #expect(range.label == .template([.column(.position(3))]))
  }

  @Test func `The plan's maxPatternNumbers holds for every source that states none`() throws {
    let own = #"{"id":"a","file":"x.csv","pattern":"p","action":"block","maxPatternNumbers":7}"#
    let other = #"{"id":"b","file":"y.csv","pattern":"p","action":"block"}"#
    let plan = try PlanText.load(PlanText.plan(sources: "\(own),\(other)", more: #","maxPatternNumbers":9"#))
    #expect(plan.sources.map(\.maxPatternNumbers) == [7, 9])
  }

  @Test(arguments: [
    ("name", LabelRule.column(.name("name"))),
    ("{a}{b}", .template([.column(.name("a")), .column(.name("b"))])),
    ("{{{a}}}", .template([.text("{"), .column(.name("a")), .text("}")])),
    ("a }} {b}", .template([.text("a } "), .column(.name("b"))])),
    ("{location.city} Ж", .template([.column(.name("location.city")), .text(" Ж")])),
  ])
  func `A label is a column or a template, in which a doubled brace is a brace`(text: String, rule: LabelRule) throws {
    #expect(try source(#"{"id":"a","file":"x.json","number":"n","label":"\#(text)"}"#).label == rule)
  }

  @Test func `One condition needs no array`() throws {
    let source = try source(
      #"{"id":"a","file":"x.json","number":"n","label":"l","where":{"column":"a.b","in":["x","y"]}}"#)
    #expect(source.filters == [RowFilter(column: .name("a.b"), values: ["x", "y"])])
  }
}
