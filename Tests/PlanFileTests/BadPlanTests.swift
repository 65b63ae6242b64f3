// Over 400 lines because it is one table: every mistake a plan can have, and its text.

import PlanFile
import PositionedJSON
import TestSupport
import Testing

/// A plan that must be refused, and its errors as printed, hints in brackets.
struct BadPlan: Sendable, CustomTestStringConvertible {
  let text: String
  let errors: [String]

  init(_ text: String, _ errors: String...) {
    self.text = text
    self.errors = errors
  }

  static func source(_ source: String, _ errors: String...) -> BadPlan {
    BadPlan(text: PlanText.plan(sources: source), errors: errors)
  }

  static func provider(_ providers: String, _ errors: String...) -> BadPlan {
    BadPlan(text: PlanText.plan(providers: providers), errors: errors)
  }

  /// Over a source that has scores.
  static func scored(_ providers: String, _ errors: String...) -> BadPlan {
    let source = #"{"id":"c","file":"c.tsv","number":"n","label":"l","score":"s"}"#
    return BadPlan(text: PlanText.plan(sources: source, providers: providers), errors: errors)
  }

  static func more(_ more: String, _ errors: String...) -> BadPlan {
    BadPlan(text: PlanText.plan(more: more), errors: errors)
  }

  private init(text: String, errors: [String]) {
    self.text = text
    self.errors = errors
  }

  var testDescription: String { errors.joined(separator: " | ") }
}

@Suite struct BadPlanTests {
  static let documents: [BadPlan] = [
    BadPlan(#"ok {"a":1}"#, #"1:1: expected a value, found 'ok {"a":1}' (remove what stands before '{')"#),
    BadPlan("", "1:1: expected a value, found the end of the text (the text is empty)"),
    BadPlan("[]", "1:1: expected an object, found an empty array"),
    BadPlan("{}", #"1:1: expected the key "schema", found none (begin the plan with "schema": 1)"#),
    BadPlan(#"{"shema":1}"#, #"1:1: expected the key "schema", found none (is "shema" meant to be it?)"#),
    BadPlan(
      #"{"schema":3,"unheard":1}"#,
      "1:11: schema: expected schema 1, found 3, which is newer than this shardctl (update shardctl)"),
    BadPlan(#"{"schema":0}"#, "1:11: schema: expected a whole number from 1, found 0"),
    BadPlan(#"{"schema":"1"}"#, #"1:11: schema: expected a whole number from 1, found "1""#),
    BadPlan(
      "{\"schema\":1,\n\"name\":\"n\",\n}",
      "2:11: expected no comma after the last member, found ',' (remove the comma)"),
    BadPlan(
      #"{"schema":1,"schema":1}"#, #"1:13: expected each key once, found "schema" again (first at 1:2)"#),
    BadPlan(
      #"{"schema":1}"#, #"1:1: expected the key "name", found none"#,
      #"1:1: expected the key "providers", found none"#),
  ]

  @Test(arguments: documents)
  func `B-111, B-112: a text that is no plan of this schema is refused as such`(bad: BadPlan) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  static let plans: [BadPlan] = [
    .more(
      #","soruces":1"#, #"5:3: soruces: unknown key "soruces" (did you mean "sources"?)"#),
    .more(
      #","zzz":1"#,
      #"5:3: zzz: unknown key "zzz" (known keys: schema, name, title, country, sources, providers, overlaps, "#
        + "unclaimed, phone, paths, profile, keepReleases, maxPatternNumbers, warnAt, dropLabelsOfBlocked, layouts)"),
    .more(
      #","maxPatternNumbers":0"#,
      "5:23: maxPatternNumbers: expected a whole number from 1 to 1000000000, found 0"),
    .more(
      #","maxPatternNumbers":5"#,
      #"5:23: maxPatternNumbers: "maxPatternNumbers" has no effect: no source has "pattern", "from" and "to", "#
        + #"or the format "patterns" (remove "maxPatternNumbers")"#),
    .more(#","layouts":{}"#, "5:13: layouts: expected at least one layout, found an empty object"),
    .more(#","limit":1"#, #"5:3: limit: unknown key "limit" ("limit" is a key of providers)"#),
    .more(
      #","country":"ru""#, #"5:13: country: expected a country code of two capital letters, found "ru" (write "RU")"#),
    .more(
      #","country":"Russia""#,
      #"5:13: country: expected a country code of two capital letters, found "Russia" (for example "RU")"#),
    .more(
      #","country":"UK""#,
      #"5:13: country: expected the code of a country with a numbering plan, found "UK" (write "GB")"#),
    .more(
      #","country":"XX""#,
      #"5:13: country: expected the code of a country with a numbering plan, found "XX" (for example "RU")"#),
    .more(
      #","overlaps":"keeps""#, #"5:14: overlaps: expected "collapse" or "keep", found "keeps" (did you mean "keep"?)"#),
    .more(#","unclaimed":"ignore""#, #"5:15: unclaimed: expected "error" or "drop", found "ignore""#),
    .more(#","keepReleases":0"#, "5:18: keepReleases: expected a whole number from 1 to 1000, found 0"),
    .more(
      #","phone":{"profile":"ios11"}"#,
      #"5:22: phone.profile: expected "ios10" or "ios18", found "ios11" (did you mean "ios10"?)"#),
    .more(
      #","phone":{"memoryLimit":13000000}"#,
      "5:26: phone.memoryLimit: expected a whole number from 1 to 12000000, found 13000000"),
    .more(
      #","phone":{"profile":"ios10","memoryLimit":7000000}"#,
      "5:44: phone.memoryLimit: expected a whole number from 1 to 6000000, found 7000000"),
    .more(#","phone":{"contacts":""}"#, "5:23: phone.contacts: expected text, found an empty string"),
    .more(#","phone":{"plugins":"p"}"#, #"5:12: phone.plugins: unknown key "plugins" ("plugins" is a key of paths)"#),
    .more(#","title":"""#, "5:11: title: expected text, found an empty string"),
    .more(#","phone":null"#, "5:11: phone: expected an object, found null"),
    .more(#","unclaimed":null"#, #"5:15: unclaimed: expected "error" or "drop", found null"#),
    .more(#","keepReleases":null"#, "5:18: keepReleases: expected a whole number from 1 to 1000, found null"),
    .more(
      #","paths":{"store":"shards"}"#,
      "5:11: paths: expected three different folders, found one twice: Plugins, shards, shards"),
    BadPlan(
      #"{"schema":1,"name":"","providers":[]}"#, "1:20: name: expected text, found an empty string",
      "1:35: providers: expected at least one provider, found an empty array"),
    BadPlan(
      #"{"schema":1,"name":"a\u0007","providers":{}}"#,
      #"1:20: name: expected text without control characters, found "a\x07""#,
      "1:42: providers: expected an array, found an empty object"),
    BadPlan(
      PlanText.plan(sources: ""),
      #"1:34: sources: expected at least one source, found none: provider "all" claims rows"#),
  ]

  @Test(arguments: plans)
  func `A mistake in the plan's own keys is named at its place`(bad: BadPlan) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  static let sources: [BadPlan] = [
    .source("1", "2:1: sources[0]: expected an object, found 1"),
    .source(
      #"{"file":"a.txt","action":"block"}"#, #"2:1: sources[0]: expected the key "id", found none"#),
    .source(
      #"{"id":"a","action":"block"}"#, #"2:1: sources[0]: expected the key "file", found none"#),
    .source(
      #"{"id":"a b","file":"a.txt","action":"block"}"#,
      "2:7: sources[0].id: expected an id of 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or "
        + #"digit, found "a b""#),
    .source(
      "{\"id\":\"a\",\"file\":\"a.txt\",\"action\":\"block\"},\n{\"id\":\"a\",\"file\":\"b.txt\",\"action\":\"block\"}",
      #"3:7: sources[1].id: expected each id once, found "a" again (first at 2:7)"#),
    .source(
      #"{"id":"a","file":7,"action":"block"}"#, "2:18: sources[0].file: expected a path or an array of paths, found 7"),
    .source(
      #"{"id":"a","file":[],"action":"block"}"#,
      "2:18: sources[0].file: expected at least one file, found an empty array"),
    .source(
      #"{"id":"a","file":["x.txt","x.txt"],"action":"block"}"#,
      #"2:27: sources[0].file[1]: expected each file once, found "x.txt" again (first at 2:19)"#),
    .source(
      #"{"id":"a","file":["x.txt",""],"action":"block"}"#,
      "2:27: sources[0].file[1]: expected text, found an empty string"),
    .source(
      #"{"id":"a","file":"x.dat","action":"block"}"#,
      "2:18: sources[0].file: expected a file ending in .tsv, .tab, .csv, .txt, .json, .jsonl, .ndjson, .vcf or .2gis, "
        + #"found "x.dat" (state the "format": "tsv", "csv", "numbers", "patterns", "json", "jsonl", "vcard" or "2gis")"#
    ),
    .source(
      #"{"id":"a","file":["x.txt","x.tsv"],"action":"block"}"#,
      #"2:27: sources[0].file[1]: expected files of one format, found "x.tsv" "#
        + #"(make two sources of them, or state the "format")"#),
    .source(
      #"{"id":"a","file":["x.gz","x.json.zst.gz"],"action":"block"}"#,
      "2:19: sources[0].file[0]: expected a file ending in .tsv, .tab, .csv, .txt, .json, .jsonl, .ndjson, .vcf or "
        + #".2gis, found "x.gz" (state the "format": "tsv", "csv", "numbers", "patterns", "json", "jsonl", "vcard" "#
        + #"or "2gis")"#),
    .source(
      #"{"id":"a","file":"x","format":"tvs","number":"n","action":"block"}"#,
      #"2:31: sources[0].format: expected "tsv", "csv", "numbers", "patterns", "json", "jsonl", "vcard" or "2gis", "#
        + #"found "tvs" (did you mean "tsv"?)"#),
    .source(
      #"{"id":"a","file":"x.tsv","label":"n"}"#, #"2:1: sources[0]: expected the key "number", found none"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":2,"label":"n"}"#,
      #"2:35: sources[0].number: expected the name of a column, found 2 (column positions need "header": false)"#),
    .source(
      #"{"id":"a","file":"x.tsv","header":false,"number":"n","label":0}"#,
      #"2:50: sources[0].number: expected the position of a column, from 1, found "n" "#
        + #"(column names need a header line; remove "header": false)"#,
      "2:62: sources[0].label: expected a whole number from 1 to 100000, found 0"),
    .source(
      #"{"id":"a","file":"x.tsv","header":false,"number":"1","label":2}"#,
      #"2:50: sources[0].number: expected the position of a column, from 1, found "1" (write 1 without quotes)"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","label":"l","action":{"column":"k","values":{"a b":"block"," c":"identify"}}}"#,
      #"2:98: sources[0].action.values[" c"]: expected a text without blanks around it, found " c" "#
        + "(cells are compared without theirs)"),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","label":["a"]}"#,
      "2:47: sources[0].label: expected the name of a column, found an array"),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","label":"l","action":"block"}"#,
      #"2:47: sources[0].label: expected no label for the action "block", which shows none "#
        + #"(write "action": "both" to block and to identify, or remove "label")"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n"}"#,
      #"2:1: sources[0]: expected the key "label" for the action "identify", found none "#
        + #"(to block without a label write "action": "block")"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","action":"both"}"#,
      #"2:1: sources[0]: expected the key "label" for the action "both", found none"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","area":"a","action":"allow"}"#,
      #"2:46: sources[0].area: expected no area for the action "allow", which adds no entries (remove "area")"#),
    .source(
      #"{"id":"a","file":"x.txt"}"#,
      #"2:1: sources[0]: expected the action "block", "allow" or "remove" for a list of numbers, found "identify": "#
        + "it has no labels"),
    .source(
      #"{"id":"a","file":"x.txt","number":"n","header":true,"action":"block"}"#,
      #"2:35: sources[0].number: a list with one number per line has no columns (remove "number")"#,
      #"2:48: sources[0].header: "header" has no effect: the format "numbers" has one number per line "#
        + #"(remove "header")"#),
    .source(
      #"{"id":"a","file":"x.txt","action":{"column":"k","values":{"1":"block"}}}"#,
      "2:35: sources[0].action: a list with one number per line has no columns (state one action)"),
    .source(
      #"{"id":"a","file":"x.txt","action":"blok"}"#,
      #"2:35: sources[0].action: expected "identify", "block", "both", "allow" or "remove", found "blok" "#
        + #"(did you mean "block"?)"#),
    .source(
      #"{"id":"a","file":"x.txt","action":1}"#,
      #"2:35: sources[0].action: expected "identify", "block", "both", "allow" or "remove", or an object with "#
        + #""column" and "values", found 1"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","action":{"column":1,"value":{}}}"#,
      #"2:48: sources[0].action: expected the key "values", found none (is "value" meant to be it?)"#,
      #"2:58: sources[0].action.column: expected the name of a column, found 1 "#
        + #"(column positions need "header": false)"#,
      #"2:60: sources[0].action.value: unknown key "value" (did you mean "values"?)"#),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","action":{"column":"k","values":{}}}"#,
      "2:71: sources[0].action.values: expected at least one cell text with its action, found an empty object"),
    .source(
      #"{"id":"a","file":"x.tsv","number":"n","action":{"column":"k","values":{"1":"stop"}}}"#,
      #"2:76: sources[0].action.values["1"]: expected "identify", "block", "both", "allow" or "remove", found "stop""#),
    .source(
      #"{"id":"a","file":"x.txt","action":"block","numbersAre":"national"}"#,
      #"2:1: sources[0]: expected a "country" for national numbers, found none here and none for the plan"#),
    .source(
      #"{"id":"a","file":"x.txt","action":"block","onBadRow":"stop","allowEmpty":"yes"}"#,
      #"2:54: sources[0].onBadRow: expected "skip" or "fail", found "stop""#,
      #"2:74: sources[0].allowEmpty: expected true or false, found "yes""#),
    .source(
      #"{"id":"a","file":"x.txt","action":"block","encoding":"windows-1521"}"#,
      #"2:54: sources[0].encoding: expected "utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1251", "windows-1252", "#
        + #""iso-8859-1", "gb18030" or "koi8-r", found "windows-1521" (did you mean "windows-1251"?)"#),
    .source(
      #"{"id":"a","file":"x.txt","action":"block","encoding":"CP1251"}"#,
      #"2:54: sources[0].encoding: expected "utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1251", "windows-1252", "#
        + #""iso-8859-1", "gb18030" or "koi8-r", found "CP1251" (did you mean "windows-1251"?)"#),
    .source(
      #"{"id":"a","file":"x.txt","action":"block","numer":"x"}"#,
      #"2:43: sources[0].numer: unknown key "numer" (did you mean "number"?)"#),
    .source(
      #"{"id":"a","file":"x.txt","action":"block","prefixes":["+7"]}"#,
      #"2:43: sources[0].prefixes: unknown key "prefixes" ("prefixes" is a key of providers)"#),
  ]

  @Test(arguments: sources)
  func `A mistake in a source is named at its place`(bad: BadPlan) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  static let providers: [BadPlan] = [
    .provider("[]", "4:1: providers[0]: expected an object, found an empty array"),
    .provider(#"{"rest":true}"#, #"4:1: providers[0]: expected the key "id", found none"#),
    .provider(
      #"{"id":"../a","rest":true}"#,
      "4:7: providers[0].id: expected an id of 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or "
        + #"digit, found "../a""#),
    .provider(
      #"{"id":"a","rest":true},{"id":"a","areas":["x"]}"#,
      #"4:30: providers[1].id: expected each id once, found "a" again (first at 4:7)"#),
    .provider(
      #"{"id":"Spam","rest":true},{"id":"spam","areas":["x"]}"#,
      #"4:33: providers[1].id: expected each id once, found "spam", which differs only in capitals (first at 4:7)"#),
    .provider(
      #"{"id":"a","rest":true,"limit":2000000}"#,
      "4:31: providers[0].limit: expected a whole number from 1 to 1999999, found 2000000 "
        + "(a phone refuses the list at its 2,000,000th entry)"),
    .provider(
      #"{"id":"a","rest":true,"limit":0}"#,
      "4:31: providers[0].limit: expected a whole number from 1 to 1999999, found 0"),
    .provider(
      #"{"id":"a","rest":true,"limit":1e3}"#,
      "4:31: providers[0].limit: expected a whole number from 1 to 1999999, found 1e3"),
    .provider(
      #"{"id":"a","rest":true,"options":[1]}"#, "4:33: providers[0].options: expected an object, found an array"),
    .provider(
      #"{"id":"a","rest":true,"enabled":1,"title":"","library":5,"container":"a/b"}"#,
      "4:33: providers[0].enabled: expected true or false, found 1",
      "4:43: providers[0].title: expected text, found an empty string",
      "4:56: providers[0].library: expected a string, found 5",
      "4:70: providers[0].container: expected an id of 1 to 64 letters, digits, '.', '_' or '-', beginning with a "
        + #"letter or digit, found "a/b""#),
    .provider(
      #"{"id":"a","rest":true,"enabled":null,"options":null}"#,
      "4:33: providers[0].enabled: expected true or false, found null",
      "4:48: providers[0].options: expected an object, found null"),
    .provider(
      #"{"id":"a","rest":true,"excess":"dropLowest"}"#,
      #"4:32: providers[0].excess: expected "error" or "dropLowestScore", found "dropLowest" (did you mean "dropLowestScore"?)"#
    ),
    .provider(
      #"{"id":"a","rest":true,"warnAt":90}"#,
      "4:32: providers[0].warnAt: expected a fraction above 0 up to 1, found 90 (0.9 stands for 90 %)"),
    .provider(
      #"{"id":"a","rest":true,"warnAt":0}"#,
      "4:32: providers[0].warnAt: expected a fraction above 0 up to 1, found 0"),
    .provider(
      #"{"id":"a","rest":true,"guard":{"rejected":0.1}}"#,
      #"4:31: providers[0].guard: expected at least one of "shrink" or "growth", found an object"#,
      #"4:32: providers[0].guard.rejected: unknown key "rejected" (known keys: shrink, growth)"#),
    .provider(
      #"{"id":"a","rest":true,"guard":{"shrink":2}}"#,
      "4:41: providers[0].guard.shrink: expected a fraction from 0 to 1, found 2 (0.3 stands for 30 %)"),
    .provider(
      #"{"id":"a","rest":true,"count":0}"#,
      #"4:31: providers[0].count: expected a whole number from 1 to 100, or "auto", found 0"#),
    .provider(
      #"{"id":"a","rest":true,"count":"Auto"}"#,
      #"4:31: providers[0].count: expected a whole number from 1 to 100, or "auto", found "Auto""#),
    .provider(
      #"{"id":"a","rest":true,"count":3},{"id":"A-2","areas":["x"]},{"id":"a-4","areas":["y"]}"#,
      #"4:40: providers[1].id: expected another id, found that of a copy: provider "a" has the copies "a-1", "a-2" … "#
        + "(rename one of the two)"),
    .provider(
      #"{"id":"a","rest":true,"count":"auto"},{"id":"a-77","areas":["x"]},{"id":"a-077","areas":["y"]}"#,
      #"4:45: providers[1].id: expected another id, found that of a copy: provider "a" has the copies "a-1", "a-2" … "#
        + "(rename one of the two)"),
    .provider(
      #"{"id":"\#(String(repeating: "a", count: 63))","rest":true,"count":10}"#,
      "4:93: providers[0].count: the copies' ids would be longer than 64 characters, as "
        + #""\#(String(repeating: "a", count: 63))-10" (give the provider a shorter id)"#),
    .provider(
      #"{"id":"a","rest":true,"count":2,"spillsTo":["b-1"]},{"id":"b","areas":["x"],"count":2}"#,
      #"4:45: providers[0].spillsTo[0]: expected the id of a provider, found "b-1" (known: a, b)"#),
    .provider(
      #"{"id":"a","rest":true,"count":3,"fillBy":"score"}"#,
      #"4:42: providers[0].fillBy: expected a source with "score" for "fillBy": "score", found none "#
        + #"(name the column of the scores in a source: "score": "calls")"#),
    .provider(
      #"{"id":"a","rest":true,"spilsTo":["b"]}"#,
      #"4:23: providers[0].spilsTo: unknown key "spilsTo" (did you mean "spillsTo"?)"#),
    .provider(
      #"{"id":"a"}"#,
      #"4:1: providers[0]: expected a claim or a "library" with data of its own, found neither "#
        + "(claims: areas, prefixes, countries, sources, actions, ranges, anyOf or rest)"),
    .provider(
      #"{"id":"a","rest":true},{"id":"b","library":"l.so","limit":5,"spillsTo":["a"]}"#,
      #"4:59: providers[1].limit: expected no "limit" for a provider without claims, which has data of its own "#
        + #"(add a claim (areas, prefixes, countries, sources, actions, ranges, anyOf or rest), or remove "limit")"#,
      #"4:72: providers[1].spillsTo: expected no "spillsTo" for a provider without claims, which has data of its own "#
        + #"(add a claim (areas, prefixes, countries, sources, actions, ranges, anyOf or rest), "#
        + #"or remove "spillsTo")"#),
  ]

  @Test(arguments: providers)
  func `A mistake in a provider is named at its place`(bad: BadPlan) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  static let claims: [BadPlan] = [
    .provider(
      #"{"id":"a","rest":true},{"id":"b","rest":true}"#,
      #"4:41: providers[1].rest: expected one provider with "rest", found a second (first at 4:18)"#),
    .provider(
      #"{"id":"a","rest":true,"areas":["x"]}"#,
      #"4:18: providers[0].rest: expected no other claim beside "rest", found "areas" "#
        + #"("rest" claims what no other provider claims; remove one of the two)"#),
    .provider(#"{"id":"a","rest":false}"#, #"4:18: providers[0].rest: expected true, found false (remove "rest")"#),
    .provider(#"{"id":"a","areas":[]}"#, "4:19: providers[0].areas: expected at least one area, found an empty array"),
    .provider(#"{"id":"a","areas":"x"}"#, #"4:19: providers[0].areas: expected an array, found "x""#),
    .provider(
      #"{"id":"a","areas":["x",1,"x"]}"#, "4:24: providers[0].areas[1]: expected a string, found 1",
      #"4:26: providers[0].areas[2]: expected each area once, found "x" again (first at 4:20)"#),
    .provider(
      #"{"id":"a","prefixes":["7495","+0","+12a","+1234567890123456"]}"#,
      #"4:23: providers[0].prefixes[0]: expected '+' and 1 to 15 digits that begin with a country calling code, "#
        + #"found "7495" (write "+7495")"#,
      #"4:30: providers[0].prefixes[1]: expected '+' and 1 to 15 digits that begin with a country calling code, "#
        + #"found "+0""#,
      #"4:35: providers[0].prefixes[2]: expected '+' and 1 to 15 digits that begin with a country calling code, "#
        + #"found "+12a""#,
      #"4:42: providers[0].prefixes[3]: expected '+' and 1 to 15 digits that begin with a country calling code, "#
        + #"found "+1234567890123456""#),
    .provider(
      #"{"id":"a","countries":["RU","us"]}"#,
      #"4:29: providers[0].countries[1]: expected a country code of two capital letters, found "us" (write "US")"#),
    .provider(
      #"{"id":"a","sources":["company"]}"#,
      #"4:22: providers[0].sources[0]: expected the id of a source, found "company" (did you mean "companies"?)"#),
    .provider(
      #"{"id":"a","sources":["x"]}"#,
      #"4:22: providers[0].sources[0]: expected the id of a source, found "x" (known: companies)"#),
    .provider(
      #"{"id":"a","actions":["allow","labels"]}"#,
      #"4:22: providers[0].actions[0]: expected an action that adds entries: "identify", "block" or "both", "#
        + #"found "allow""#,
      #"4:30: providers[0].actions[1]: expected "identify", "block", "both", "allow" or "remove", found "labels""#),
    .provider(
      #"{"id":"a","ranges":["+7495","74950000000-74959999999","+1-+2-+3"]}"#,
      #"4:21: providers[0].ranges[0]: expected a range such as "+74950000000-+74959999999", found "+7495""#,
      #"4:29: providers[0].ranges[1]: expected a range such as "+74950000000-+74959999999", "#
        + #"found "74950000000-74959999999""#,
      #"4:55: providers[0].ranges[2]: expected a range such as "+74950000000-+74959999999", found "+1-+2-+3""#),
    .provider(
      #"{"id":"a","ranges":["+7495-+7499","+1000000-+12345"]}"#,
      #"4:21: providers[0].ranges[0]: expected a range whose ends are whole numbers of 7 to 15 digits, "#
        + #"found "+7495-+7499""#,
      #"4:35: providers[0].ranges[1]: expected a range whose ends are whole numbers of 7 to 15 digits, "#
        + #"found "+1000000-+12345""#),
    .provider(
      #"{"id":"a","ranges":["+74959999999-+74950000000"]}"#,
      "4:21: providers[0].ranges[0]: expected a range whose first number is not above its last, "
        + #"found "+74959999999-+74950000000""#),
    .provider(
      #"{"id":"a","anyOf":[]}"#, "4:19: providers[0].anyOf: expected at least one alternative, found an empty array"),
    .provider(
      #"{"id":"a","anyOf":[{}]}"#,
      #"4:20: providers[0].anyOf[0]: expected at least one of "areas", "prefixes", "countries", "sources", "actions" "#
        + #"or "ranges", found an empty object"#),
    .provider(
      #"{"id":"a","anyOf":[{"areas":["x"],"rest":true}]}"#,
      #"4:35: providers[0].anyOf[0].rest: unknown key "rest" ("rest" is a key of providers)"#),
    .provider(
      #"{"id":"a","anyOf":[{"sources":["nothing"]},{"prefixes":["8"]}]}"#,
      #"4:32: providers[0].anyOf[0].sources[0]: expected the id of a source, found "nothing" (known: companies)"#,
      #"4:57: providers[0].anyOf[1].prefixes[0]: expected '+' and 1 to 15 digits that begin with a country calling "#
        + #"code, found "8" (write "+8")"#),
  ]

  @Test(arguments: claims)
  func `A mistake in a claim is named at its place`(bad: BadPlan) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  static let spills: [BadPlan] = [
    .provider(
      #"{"id":"a","rest":true,"spillsTo":["a"]}"#,
      "4:35: providers[0].spillsTo[0]: expected another provider, found the provider itself"),
    .provider(
      #"{"id":"abroad","rest":true},{"id":"b","areas":["x"],"spillsTo":["abraod"]}"#,
      #"4:65: providers[1].spillsTo[0]: expected the id of a provider, found "abraod" (did you mean "abroad"?)"#),
    .provider(
      #"{"id":"a","rest":true,"spillsTo":["zzz"]}"#,
      #"4:35: providers[0].spillsTo[0]: expected the id of a provider, found "zzz" (known: a)"#),
    .provider(
      #"{"id":"a","rest":true,"spillsTo":["b"]},{"id":"b","library":"l.so"}"#,
      #"4:35: providers[0].spillsTo[0]: expected a provider with claims, found "b" "#
        + #"("b" has data of its own; give it claims, such as those of "a")"#),
    .provider(
      #"{"id":"a","rest":true,"spillsTo":["b","b"]},{"id":"b","areas":["x"]}"#,
      #"4:39: providers[0].spillsTo[1]: expected each provider once, found "b" again (first at 4:35)"#),
    .provider(
      #"{"id":"a","rest":true,"spillsTo":"b"},{"id":"b","areas":["x"]}"#,
      #"4:34: providers[0].spillsTo: expected an array, found "b""#),
    .provider(
      #"{"id":"a","areas":["x"],"spillsTo":["b"]},{"id":"b","areas":["x"],"spillsTo":["c"]},"#
        + #"{"id":"c","rest":true,"spillsTo":["b"]}"#,
      #"4:119: providers[2].spillsTo[0]: expected a chain that ends, found the cycle b → c → b"#),
  ]

  @Test(arguments: spills)
  func `A spill chain must lead somewhere and end`(bad: BadPlan) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  static let fills: [BadPlan] = [
    .scored(
      #"{"id":"a","rest":true,"count":3,"fillBy":"scores"}"#,
      #"4:42: providers[0].fillBy: expected "number" or "score", found "scores" (did you mean "score"?)"#),
    .scored(
      #"{"id":"a","rest":true,"count":3,"fillBy":"score","fillMargin":-0.1}"#,
      "4:63: providers[0].fillMargin: expected a ratio from 0 to 1000000, found -0.1 (0.1 stands for 10 % higher)"),
    .scored(
      #"{"id":"a","rest":true,"count":3,"fillBy":"score","fillMargin":"10 %"}"#,
      #"4:63: providers[0].fillMargin: expected a ratio from 0 to 1000000, found "10 %" (0.1 stands for 10 % higher)"#),
    .scored(
      #"{"id":"a","rest":true,"count":3,"fillMargin":0.2}"#,
      #"4:46: providers[0].fillMargin: "fillMargin" has no effect: the provider is not filled by score "#
        + #"(add "fillBy": "score", or remove "fillMargin")"#),
    .scored(
      #"{"id":"a","rest":true,"count":3,"fillBy":"number","fillMargin":0.2}"#,
      #"4:64: providers[0].fillMargin: "fillMargin" has no effect: the provider is not filled by score "#
        + #"(add "fillBy": "score", or remove "fillMargin")"#),
    .scored(#"{"id":"a","rest":true,"fillBy":"score"}"#, #"4:32: \#(noEffect)"#),
    .scored(#"{"id":"a","rest":true,"count":1,"fillBy":"score"}"#, #"4:42: \#(noEffect)"#),
    .scored(#"{"id":"b","rest":true},{"id":"a","areas":["x"],"fillBy":"score"}"#, #"4:57: \#(noEffect(of: 1))"#),
    .provider(
      #"{"id":"a","library":"l.so","fillBy":"score"}"#,
      #"4:37: providers[0].fillBy: expected no "fillBy" for a provider without claims, which has data of its own "#
        + #"(add a claim (areas, prefixes, countries, sources, actions, ranges, anyOf or rest), or remove "fillBy")"#),
  ]

  private static func noEffect(of index: Int) -> String {
    "providers[\(index)].fillBy: \"fillBy\" has no effect: what does not fit goes nowhere else "
      + #"(add "count" or "spillsTo"; for labels that may be dropped, "excess": "dropLowestScore" is enough)"#
  }

  private static var noEffect: String { noEffect(of: 0) }

  @Test(arguments: fills)
  func `Filling by score needs scores, something that takes what has a lower one, and a margin that is one`(
    bad: BadPlan
  ) {
    PlanText.expect(bad.text, fails: bad.errors)
  }

  @Test(arguments: ["bundleId"])
  func `A provider key of the plan's language that is not read yet is refused, never ignored`(key: String) {
    PlanText.expect(
      PlanText.plan(providers: #"{"id":"a","rest":true,"\#(key)":1}"#),
      fails: [#"4:23: providers[0].\#(key): "\#(key)" is not yet supported (remove the key)"#])
  }

  @Test func `All errors are reported together in the order of the file, the first ten in words`() {
    let areas = (0..<12).map { _ in "1" }.joined(separator: ",")
    let error = #expect(throws: PlanError.self) {
      try PlanText.load(
        PlanText.plan(sources: #"{"id":"?"}"#, providers: #"{"id":"a","areas":[\#(areas)]}"#, more: #","x":1"#))
    }
    #expect(error?.errors.count == 15)
    #expect(error?.errors == error?.errors.sorted())
    let lines = error?.description.split(separator: "\n") ?? []
    #expect(lines.count == 11)
    #expect(lines.first == #"plan.json:2:1: sources[0]: expected the key "file", found none"#)
    #expect(lines.last == "and 5 more errors")
  }

  @Test func `B-114: a plan cut off at any byte is refused`() {
    let bytes = Array(GoodPlanTests.full.utf8)
    for length in 0..<bytes.count {
      #expect(throws: PlanError.self, "\(length)") { try Plan(bytes: Array(bytes[..<length])) }
    }
  }

  @Test func `A plan with any value replaced by another kind is refused or read, and never traps`() throws {
    let replacements = ["null", "true", "-1", "1e999", "\"\"", "\"x\"", "[]", "{}", "[[]]", "[{}]", "[null]"]
    let root = try JSONDocument(text: GoodPlanTests.full).root
    var ranges: [Range<Int>] = []
    func visit(_ value: JSONValue) {
      ranges.append(value.byteRange)
      for element in value.elements { visit(element) }
      for member in value.members { visit(member.value) }
    }
    visit(root)
    let bytes = Array(GoodPlanTests.full.utf8)
    var refused = 0
    for range in ranges {
      for replacement in replacements {
        let changed = bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...]
        do {
          _ = try Plan(bytes: Array(changed))
        } catch {
          refused += 1
          #expect(!error.errors.isEmpty)
        }
      }
    }
    #expect(refused > ranges.count * replacements.count / 2)
  }
}
