import CommandLineKit
import Testing

struct ParsingTests {
  @Test(
    "A command line is read into typed values wherever its options stand",
    arguments: [
      ("sample --rows 7 --seed 3 --output out", "7 3 out plan.json\n"),
      ("sample --rows=7 --seed=18446744073709551615 -o out", "7 18446744073709551615 out plan.json\n"),
      ("sample -oout", "4200000 - out plan.json\n"),
      ("sample -fwo out", "4200000 - out plan.json\n"),
      ("sample -fo=out -w", "4200000 - out plan.json\n"),
      ("--plan a.json sample -o -", "4200000 - - a.json\n"),
      ("sample -o out --plan=-x", "4200000 - out -x\n"),
      ("lookup 1 --without a 2 --without=b --profile ios10", "[\"1\", \"2\"] [\"a\", \"b\"] ios10\n"),
      ("lookup --profile ios18 -- --without -1 --", "[\"--without\", \"-1\", \"--\"] [] ios18\n"),
      ("lookup -", "[\"-\"] [] -\n"),
      ("lookup help", "[\"help\"] [] -\n"),
      ("copy a b c", "a [\"b\"] c ios18\n"),
      ("copy a b c d --format ios10", "a [\"b\", \"c\"] d ios10\n"),
      ("provider list", "listed\n"),
    ])
  func reading(_ line: String, _ expected: String) {
    let outcome = SampleTool.run(line.split(separator: " ").map(String.init))
    #expect(outcome == .init(status: 0, output: expected, error: ""), "\(line)")
  }

  @Test(
    "A wrong command line ends with 64, names the place and says what to type",
    arguments: [
      ("lokup 1", "lokup: no such command", "did you mean lookup?"),
      ("zzz", "zzz: no such command", "'shardctl --help' lists the commands"),
      ("provider lsit", "lsit: no such command of 'shardctl provider'", "did you mean list?"),
      ("help lokup", "lokup: no such command", "did you mean lookup?"),
      ("sample --row 1", "--row: no option of 'shardctl sample'", "did you mean --rows?"),
      (
        "sample --bogus", "--bogus: no option of 'shardctl sample'", "'shardctl sample --help' shows what it takes"
      ),
      (
        "lookup -7495", "-7: no option of 'shardctl lookup'",
        "'shardctl lookup --help' shows what it takes; '--' before '-7495' makes it an operand"
      ),
      (
        "--rows 1 sample", "--rows: no option of 'shardctl'",
        "options of a command stand after its name; 'shardctl --help' lists the commands"
      ),
      ("sample --rows", "--rows: needs a value", "write --rows N"),
      (
        "sample --rows --force", "--rows: needs a value",
        "write --rows N; a value that begins with '-' is written --rows=VALUE"
      ),
      (
        "sample --rows 0", "--rows: '0' is not an integer from 1 to 20000000",
        "'shardctl sample --help' shows what it takes"
      ),
      (
        "sample --rows 99999999999999999999", "--rows: '99999999999999999999' is not an integer from 1 to 20000000",
        "'shardctl sample --help' shows what it takes"
      ),
      ("sample --force=1", "--force: takes no value, but has '1'", "write --force alone"),
      ("sample -o=", "-o: has an empty value", "write --output DIR"),
      ("sample --output= -f", "--output: has an empty value", "write --output DIR"),
      ("sample -o a -o b", "--output: is given twice", "keep one of them"),
      ("sample", "--output: is missing: the folder to write into", "write --output DIR"),
      ("lookup 1 --profile ios11", "--profile: 'ios11' is none of ios10, ios18", "did you mean ios10?"),
      ("lookup", "NUMBER: is missing: numbers as written anywhere", "write shardctl lookup [OPTIONS] NUMBER…"),
      ("copy a b", "LAST: is missing: the last word", "write shardctl copy [OPTIONS] FROM TO… LAST"),
      ("rollback 1 2", "2: is one operand more than 'shardctl rollback' takes", "write shardctl rollback [RELEASE]"),
    ])
  func refusing(_ line: String, _ what: String, _ hint: String) {
    let outcome = SampleTool.run(line.split(separator: " ").map(String.init))
    #expect(outcome == .init(status: 64, output: "", error: "shardctl: \(what)\nhint: \(hint)\n"), "\(line)")
  }

  @Test("No line of random words over the alphabet of options traps or leaves the error stream empty on 64")
  func randomLines() {
    let words = [
      "sample", "lookup", "provider", "list", "help", "--", "-", "-o", "-f", "-fo", "--rows", "--rows=", "=", "--=",
      "--output", "", "-=", "1", "--help", "-h", "--version", "copy", "ä", "-ö", "--without", "a",
    ]
    var state: UInt64 = 1
    for _ in 0..<20_000 {
      var line: [String] = []
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      for shift in 0..<Int(state >> 61) {
        line.append(words[Int((state >> (8 * UInt64(shift) % 56)) & 255) % words.count])
      }
      let outcome = SampleTool.run(line)
      #expect([0, 64].contains(outcome.status), "\(line)")
      #expect(outcome.error.isEmpty == (outcome.status == 0), "\(line)")
    }
  }

  @Test("Whether an option was typed is known also when its value is the default's")
  func presence() throws {
    guard case .run(_, let arguments) = try SampleTool.tree.parse(["sample", "--rows", "4200000", "-o", "x"]) else {
      Issue.record("not a run")
      return
    }
    #expect(arguments.has(SampleTool.rows))
    #expect(!arguments.has(SampleTool.seed))
    #expect(arguments[SampleTool.rows] == 4_200_000)
    #expect(arguments[SampleTool.seed] == nil)
    #expect(!arguments[SampleTool.force])
  }

  @Test("The sample tool's definitions have no problems, and each kind of problem is found")
  func definitions() {
    #expect(SampleTool.tree.definitionProblems() == [])
    let wrong = CommandTree(
      tool: "t", version: "1", summary: "s", globalOptions: [Option.flag("quiet", short: "q", "less")],
      commands: [
        Command(
          CommandDefinition(
            "Two words", "Ends with a full stop.",
            arguments: [
              Argument<[String]>.list(.text("A"), atLeast: 0, "a"),
              Argument<[String]>.list(.text("b"), atLeast: 0, "b"),
            ],
            options: [Option.flag("quiet", "x"), Option.flag("loud", short: "q", "x")])
        ) { _, _ in .success },
        Command(group: CommandDefinition("help", "taken"), []),
      ])
    #expect(
      wrong.definitionProblems() == [
        "Two words: not in small letters, digits and dashes",
        "Two words: the summary is empty, longer than 60 characters or ends with a full stop",
        "Two words: no example begins with 't Two words'",
        "Two words: more than one operand of variable number",
        "Two words: the placeholder 'b' is not in capitals",
        "Two words --quiet: the name is taken",
        "Two words --loud: -q is taken",
        "help: the name is taken",
      ])
  }
}
