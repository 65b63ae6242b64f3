import PlanFile
import Testing

/// Mistakes in the keys of a source that say how its rows are read.
@Suite struct BadSourceTests {
  /// Source text and errors without `2:COLUMN: sources[0]`, of which the column is given first.
  typealias Case = (source: String, errors: [String])

  private static func table(_ more: String) -> String {
    #"{"id":"a","file":"x.tsv","number":"n","label":"l"\#(more)}"#
  }

  private static func list(_ more: String) -> String { #"{"id":"a","file":"x.txt","action":"block"\#(more)}"# }

  private static func expect(_ cases: [Case]) {
    for (source, errors) in cases { PlanText.expect(PlanText.plan(sources: source), fails: errors) }
  }

  @Test func `The columns of numbers contradict each other or lack their partner`() {
    Self.expect([
      (
        #"{"id":"a","file":"x.tsv","number":"n","pattern":"p","label":"l"}"#,
        [
          #"2:49: sources[0].pattern: expected one of "number", "pattern", and "from" with "to", found "pattern" "#
            + #"beside "number" (remove one of the two)"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","number":"n","from":"f","to":"t","label":"l"}"#,
        [
          #"2:46: sources[0].from: expected one of "number", "pattern", and "from" with "to", found "from" "#
            + #"beside "number" (remove one of the two)"#,
          #"2:55: sources[0].to: expected one of "number", "pattern", and "from" with "to", found "to" "#
            + #"beside "number" (remove one of the two)"#,
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","from":"f","label":"l"}"#,
        [
          #"2:33: sources[0].from: expected "to" beside "from", found none "#
            + #"(a range has a first and a last number; for single numbers write "number")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","to":"t","label":"l"}"#,
        [
          #"2:31: sources[0].to: expected "from" beside "to", found none "#
            + #"(a range has a first and a last number; for single numbers write "number")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.json","label":"l"}"#, [#"2:1: sources[0]: expected the key "number", found none"#]
      ),
      (
        #"{"id":"a","file":"x.json","number":1,"label":"l"}"#,
        ["2:36: sources[0].number: expected the name of a column, found 1"]
      ),
      (
        #"{"id":"a","file":"x.vcf","pattern":"TEL"}"#,
        [
          #"2:36: sources[0].pattern: "pattern" has no effect: a vCard holds telephone numbers, no ranges "#
            + #"(remove "pattern")"#
        ]
      ),
    ])
  }

  @Test func `A template is wrong at the brace, also behind escapes`() {
    Self.expect([
      (
        #"{"id":"a","file":"x.tsv","number":"n","label":"{name, {city}"}"#,
        [
          #"2:48: sources[0].label: expected "}" behind the column that begins here, found none "#
            + #"(write "{{" for a brace)"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","number":"n","label":"{name}, {city"}"#,
        [
          #"2:56: sources[0].label: expected "}" behind the column that begins here, found none "#
            + #"(write "{{" for a brace)"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","number":"n","label":"\u0416\"{name} }"}"#,
        [
          #"2:63: sources[0].label: expected "{" and a column before "}", found none (write "}}" for a brace)"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","number":"n","label":"Жук {}"}"#,
        ["2:53: sources[0].label: expected a column between the braces, found none"]
      ),
      (
        #"{"id":"a","file":"x.tsv","number":"n","label":"{{name}}"}"#,
        [
          #"2:47: sources[0].label: expected at least one column in braces, found "{{name}}" "#
            + #"(for example "{name}, {city}")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","header":false,"number":1,"label":"{2}, {city}"}"#,
        [
          #"2:67: sources[0].label: expected the position of a column, from 1, found "city" "#
            + #"(column names need a header line; remove "header": false)"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","header":false,"number":1,"label":"{0}"}"#,
        [
          #"2:62: sources[0].label: expected the position of a column, from 1, found "0" "#
            + #"(column names need a header line; remove "header": false)"#
        ]
      ),
    ])
  }

  @Test func `A filter names a column and the texts that meet it`() {
    Self.expect([
      (
        Self.table(#","where":"open""#),
        [
          #"2:59: sources[0].where: expected a condition or an array of conditions, found "open" "#
            + #"(for example { "column": "status", "equals": "open" })"#
        ]
      ),
      (Self.table(#","where":[]"#), ["2:59: sources[0].where: expected at least one condition, found an empty array"]),
      (
        Self.table(#","where":{"column":"s"}"#),
        [
          #"2:59: sources[0].where: expected "equals" or "in", found neither "#
            + #"(for example { "column": "status", "equals": "open" })"#
        ]
      ),
      (
        Self.table(#","where":{"equals":"x"}"#),
        [#"2:59: sources[0].where: expected the key "column", found none"#]
      ),
      (
        Self.table(#","where":[{"column":"s","equals":"x","in":["y"]}]"#),
        [
          #"2:92: sources[0].where[0].in: expected one of "equals" and "in", found both (write all texts into "in")"#
        ]
      ),
      (
        Self.table(#","where":{"column":"s","equals":1}"#),
        [#"2:82: sources[0].where.equals: expected a cell's text, found 1 (write "1")"#]
      ),
      (
        Self.table(#","where":{"column":"s","in":["x","x"," y"]}"#),
        [
          #"2:83: sources[0].where.in[1]: expected each text once, found "x" again (first at 2:79)"#,
          #"2:87: sources[0].where.in[2]: expected a text without blanks around it, found " y" "#
            + "(cells are compared without theirs)",
        ]
      ),
      (
        Self.table(#","where":{"column":"s","in":[]}"#),
        ["2:78: sources[0].where.in: expected at least one text, found an empty array"]
      ),
      (
        Self.table(#","where":{"column":1,"equal":"x"}"#),
        [
          #"2:59: sources[0].where: expected "equals" or "in", found neither "#
            + #"(for example { "column": "status", "equals": "open" })"#,
          #"2:69: sources[0].where.column: expected the name of a column, found 1 "#
            + #"(column positions need "header": false)"#,
          #"2:71: sources[0].where.equal: unknown key "equal" (did you mean "equals"?)"#,
        ]
      ),
    ])
  }

  @Test func `What a source says about its numbers is checked`() {
    Self.expect([
      (
        Self.list(#","internationalPrefixes":["00","+","0x"],"shortCodes":1,"aliases":"yes""#),
        [
          "2:73: sources[0].internationalPrefixes[1]: expected 1 to 8 digits that are dialled in front of a calling "
            + #"code, such as "00", found "+" ("+" is always understood; remove it)"#,
          "2:77: sources[0].internationalPrefixes[2]: expected 1 to 8 digits that are dialled in front of a calling "
            + #"code, such as "00", found "0x""#,
          "2:96: sources[0].shortCodes: expected true or false, found 1",
          #"2:108: sources[0].aliases: expected true or false, found "yes""#,
        ]
      ),
      (
        Self.list(#","extension":"add","numberRemarks":"drop""#),
        [
          #"2:55: sources[0].extension: expected "drop", "append" or "refuse", found "add""#,
          #"2:77: sources[0].numberRemarks: expected "refuse" or "strip", found "drop""#,
        ]
      ),
      (
        Self.list(#","numberSeparator":"""#),
        [
          #"2:61: sources[0].numberSeparator: expected a text of 1 to 8 bytes without digits and "+", found "" "#
            + #"(for example ";")"#
        ]
      ),
      (
        Self.list(#","numberSeparator":"+""#),
        [
          #"2:61: sources[0].numberSeparator: expected a text of 1 to 8 bytes without digits and "+", found "+" "#
            + #"(for example ";")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.csv","pattern":"p","action":"block","maxPatternNumbers":0}"#,
        ["2:77: sources[0].maxPatternNumbers: expected a whole number from 1 to 1000000000, found 0"]
      ),
    ])
  }

  @Test func `Limits, guards and counts are numbers within their ranges`() {
    Self.expect([
      (
        Self.table(#","maxLabelBytes":7,"expectFiles":0"#),
        [
          "2:67: sources[0].maxLabelBytes: expected a whole number from 8 to 65534, found 7",
          "2:83: sources[0].expectFiles: expected a whole number from 1, found 0",
        ]
      ),
      (
        Self.table(#","guard":{}"#),
        [#"2:59: sources[0].guard: expected at least one of "shrink", "growth" or "rejected", found an empty object"#]
      ),
      (
        Self.table(#","guard":{"shrink":30,"growth":-1,"rejected":"5%","grow":1}"#),
        [
          "2:69: sources[0].guard.shrink: expected a fraction from 0 to 1, found 30 (0.3 stands for 30 %)",
          "2:81: sources[0].guard.growth: expected a fraction from 0, found -1",
          #"2:95: sources[0].guard.rejected: expected a fraction from 0 to 1, found "5%""#,
          #"2:100: sources[0].guard.grow: unknown key "grow" (did you mean "growth"?)"#,
        ]
      ),
      (
        Self.table(#","areaMap":"","area":"c""#),
        ["2:61: sources[0].areaMap: expected text, found an empty string"]
      ),
    ])
  }

  @Test func `A key without effect is an error that says why`() {
    Self.expect([
      (
        Self.table(#","separator":";""#),
        [
          #"2:63: sources[0].separator: "separator" has no effect: the format "tsv" has tabs between its fields "#
            + #"(state "format": "csv" for a table with another separator than the tab)"#
        ]
      ),
      (
        #"{"id":"a","file":"x.json","number":"n","label":"l","header":true}"#,
        [
          #"2:61: sources[0].header: "header" has no effect: the format "json" names the columns in every row "#
            + #"(remove "header")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.vcf","header":false}"#,
        [
          #"2:35: sources[0].header: "header" has no effect: the format "vcard" names the properties in every card "#
            + #"(remove "header")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.jsonl","number":"n","label":"l","records":"items"}"#,
        [
          #"2:63: sources[0].records: "records" has no effect: the format "jsonl" names the columns in every row "#
            + #"(each line is a row; remove "records")"#
        ]
      ),
      (
        Self.table(#","records":"items""#),
        [
          #"2:61: sources[0].records: "records" has no effect: the format "tsv" has tabs between its fields "#
            + #"(remove "records")"#
        ]
      ),
      (
        #"{"id":"a","file":"x","format":"patterns","pattern":"p","action":"block"}"#,
        [
          #"2:52: sources[0].pattern: a list with one pattern per line has no columns (remove "pattern")"#
        ]
      ),
      (
        #"{"id":"a","file":"x","format":"patterns"}"#,
        [
          #"2:1: sources[0]: expected the action "block", "allow" or "remove" for a list of patterns, "#
            + #"found "identify": it has no labels"#
        ]
      ),
      (
        #"{"id":"a","file":"x.2gis","label":"l","encoding":"koi8-r","numberSeparator":";"}"#,
        [
          #"2:35: sources[0].label: a record of the format "2gis" is a number and a name and has no columns "#
            + #"(remove "label")"#,
          #"2:50: sources[0].encoding: "encoding" has no effect: names in the format "2gis" are UTF-8 "#
            + #"(remove "encoding")"#,
          #"2:77: sources[0].numberSeparator: "numberSeparator" has no effect: numbers in the format "2gis" are "#
            + #"integers (remove "numberSeparator")"#,
        ]
      ),
      (
        Self.table(#","areaMap":"areas.tsv""#),
        [#"2:61: sources[0].areaMap: "areaMap" has no effect: the source has no "area" (remove "areaMap")"#]
      ),
      (
        Self.list(#","areaMap":"areas.tsv""#),
        [
          #"2:53: sources[0].areaMap: "areaMap" has no effect: a list with one number per line has no columns "#
            + #"(remove "areaMap")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","number":"n","action":"block","maxLabelBytes":20,"repeats":"first"}"#,
        [
          #"2:72: sources[0].maxLabelBytes: "maxLabelBytes" has no effect: the source has no labels "#
            + #"(remove "maxLabelBytes")"#,
          #"2:85: sources[0].repeats: "repeats" has no effect: the source has no labels (remove "repeats")"#,
        ]
      ),
      (
        Self.table(#","repeats":"highestScore""#),
        [#"2:61: sources[0].repeats: expected a "score" for "repeats": "highestScore", found none"#]
      ),
      (
        Self.table(#","maxPatternNumbers":5"#),
        [
          #"2:71: sources[0].maxPatternNumbers: "maxPatternNumbers" has no effect: the source has neither "pattern" "#
            + #"nor "from" and "to" (remove "maxPatternNumbers")"#
        ]
      ),
      (
        #"{"id":"a","file":"x.tsv","from":"f","to":"t","label":"l","numberSeparator":";"}"#,
        [
          #"2:76: sources[0].numberSeparator: "numberSeparator" has no effect: a cell of "from" holds one number "#
            + #"(remove "numberSeparator")"#
        ]
      ),
    ])
  }
}
