import CommandLineKit
import Testing

/// Pages as a reader sees them; a change here is a change of the interface.
struct HelpTests {
  @Test("The tool's page lists commands under their headings and the options of every command")
  func root() {
    #expect(
      SampleTool.tree.help(for: []) == """
        shardctl: split a caller directory over call directory extensions.

        Usage
          shardctl COMMAND [OPTIONS] …

        Examples
          shardctl lookup +74951234567
              what a call from this number would show
          shardctl sample --rows 1000 --seed 1 --output demo
              rows and a plan to try things with
          shardctl status
              what is installed

        Prepare
          sample  write rows and a plan to try things with

        Ask
          lookup  what a call from a number would show

        Phone
          rollback  return to an earlier release
          copy      copy files
          provider  work with provider libraries

        Options
              --plan FILE  the plan file (default plan.json)
          -q, --quiet      print results and errors only
          -h, --help       print this help
              --version    print the version

        'shardctl help COMMAND' tells more about a command.

        """)
  }

  @Test("A command's page wraps its text, keeps lines that begin with a blank, and states ranges and defaults")
  func command() {
    #expect(
      SampleTool.tree.help(for: ["sample"]) == """
        shardctl sample: write rows and a plan to try things with.

        Usage
          shardctl sample --output DIR [OPTIONS]

        Examples
          shardctl sample --rows 1000 --seed 1 --output demo
              a thousand rows in the folder demo

        The rows are invented, but they look like those of a real directory: numbering
        ranges, chains, runs of numbers and misspelt phones occur about as often.

        The same rows and seed give the same bytes.

          phone   name   city

        Options
              --rows N      rows to write (1 to 20000000; default 4200000)
              --seed S      where the random numbers begin (0 to 18446744073709551615)
          -o, --output DIR  the folder to write into (required)
          -f, --force       replace what is there
          -w, --wide        write address columns too

        Options of every command
              --plan FILE  the plan file (default plan.json)
          -q, --quiet      print results and errors only
          -h, --help       print this help

        Exit status
          0   success
          64  the command line is wrong
          73  the folder cannot be made, or has files and --force is not given

        """)
  }

  @Test("A narrow terminal wraps both columns; widths outside 40 to 100 are held to them")
  func narrow() {
    let page = SampleTool.tree.help(for: ["sample"], columns: 44)
    #expect(
      page.contains(
        """
        shardctl sample: write rows and a plan to
        try things with.

        """))
    #expect(
      page.contains(
        """
              --rows N      rows to write (1 to
                            20000000; default
                            4200000)

        """))
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 44 || $0.hasPrefix("  shardctl") })
    #expect(SampleTool.tree.help(for: ["sample"], columns: 1) == SampleTool.tree.help(for: ["sample"], columns: 40))
    #expect(SampleTool.tree.help(for: ["sample"], columns: 999) == SampleTool.tree.help(for: ["sample"], columns: 100))
  }

  @Test("Options stand under their own headings, operands and choices are explained, statuses are sorted")
  func sections() {
    #expect(
      SampleTool.tree.help(for: ["lookup"]) == """
        shardctl lookup: what a call from a number would show.

        Usage
          shardctl lookup [OPTIONS] NUMBER…

        Examples
          shardctl lookup +74951234567
              the decision and the trace

        Operands
          NUMBER…  numbers as written anywhere

        What if
          --without ID       leave a provider out (may be repeated)
          --profile PROFILE  the phone to play (ios10 | ios18)

        Options
          --json  print the result as one JSON document

        Options of every command
              --plan FILE  the plan file (default plan.json)
          -q, --quiet      print results and errors only
          -h, --help       print this help

        Exit status
          0   success
          1   nothing found, with --exit-status
          64  the command line is wrong

        """)
  }

  @Test("A group's page lists its verbs")
  func group() {
    #expect(
      SampleTool.tree.help(for: ["provider"]) == """
        shardctl provider: work with provider libraries.

        Usage
          shardctl provider COMMAND [OPTIONS] …

        Commands
          list  the libraries found and what they are

        Options of every command
              --plan FILE  the plan file (default plan.json)
          -q, --quiet      print results and errors only
          -h, --help       print this help

        """)
  }

  @Test(
    "Help is asked for in every usual way and goes to the output with status 0",
    arguments: [
      ("--help", []), ("-h", []), ("help", []), ("help sample", ["sample"]), ("sample --help", ["sample"]),
      ("sample -o x -h", ["sample"]), ("--help sample", ["sample"]), ("sample --json --help", nil),
      ("provider --help", ["provider"]), ("provider list --help", ["provider", "list"]),
      ("help provider list", ["provider", "list"]), ("--plan x help lookup", ["lookup"]),
      ("lookup 1 --help 2", ["lookup"]),
    ] as [(String, [String]?)])
  func asking(_ line: String, _ path: [String]?) {
    let outcome = SampleTool.run(line.split(separator: " ").map(String.init))
    if let path {
      #expect(outcome == .init(status: 0, output: SampleTool.tree.help(for: path), error: ""), "\(line)")
    } else {
      #expect(outcome.status == 64)
    }
  }

  @Test("Without a command the tool says briefly on the error stream how to begin, and ends with 64")
  func nothing() {
    #expect(
      SampleTool.run([])
        == .init(
          status: 64, output: "",
          error: """
            shardctl: split a caller directory over call directory extensions.

            Usage
              shardctl COMMAND [OPTIONS] …

            Examples
              shardctl lookup +74951234567
                  what a call from this number would show
              shardctl sample --rows 1000 --seed 1 --output demo
                  rows and a plan to try things with

            'shardctl --help' lists the commands.

            """))
    #expect(SampleTool.run(["provider"]).status == 64)
    #expect(SampleTool.run(["provider"]).error.contains("  list  the libraries found and what they are\n"))
  }

  @Test("The version is the tool's name and number")
  func version() {
    #expect(SampleTool.run(["--version"]) == .init(status: 0, output: "shardctl 1.0.0\n", error: ""))
  }
}
