import CommandLineKit
import Synchronization
import Testing

struct RunningTests {
  private final class Time: Sendable {
    let seconds = Mutex(0.0)
  }

  @Test("An error of a command is printed by the tool's own rule and gives its exit status")
  func commandError() {
    #expect(
      SampleTool.run(["rollback"])
        == .init(status: 78, output: "", error: "shardctl: store: Refusal\nhint: try again\n"))
  }

  @Test("With --json an error is one JSON object on the error stream, also when the line itself is wrong")
  func jsonErrors() {
    #expect(
      SampleTool.run(["lookup", "--json", "--profile", "\"\\\n\u{1}"])
        == .init(
          status: 64, output: "",
          error: #"{"schema":"shardctl.error/1","code":64,"where":"--profile","message":"'\"\\\n\u0001' is none of "#
            + #"ios10, ios18","hints":["'shardctl lookup --help' shows what it takes"]}"# + "\n"))
  }

  @Test("Several things that are wrong are a line each, and in JSON one object")
  func severalFindings() {
    let error = Diagnostic(
      [.init("p:1:1", "a"), .init("p:2:1", "b"), .init("", "and 1 more error")], hints: ["c"], status: .configuration)
    #expect(error.text(tool: "t") == "t: p:1:1: a\nt: p:2:1: b\nt: and 1 more error\nhint: c\n")
    #expect(
      error.json(tool: "t") == #"{"schema":"t.error/1","code":78,"where":"p:1:1","message":"a","hints":["c"],"#
        + #""others":[{"where":"p:2:1","message":"b"},{"where":"","message":"and 1 more error"}]}"# + "\n")
  }

  @Test("A reader that goes away is no failure; an output that cannot be written to is one")
  func brokenPipe() {
    for (number, status) in [(Int32(32), Int32(0)), (28, 74)] {
      let errors = SampleTool.Written()
      let console = Console(
        tool: "shardctl", output: Terminal(isTerminal: false), error: Terminal(isTerminal: false),
        writeOutput: { _ in throw ConsoleError(stream: "standard output", errno: number) },
        writeError: { text in errors.error.withLock { $0 += text } })
      let result = SampleTool.tree.run(["provider", "list"], console: console) { _ in
        Diagnostic("", "unknown", status: .software)
      }
      #expect(result.rawValue == status)
      #expect(errors.error.withLock { $0.isEmpty } == (status == 0))
    }
  }

  @Test("Every exit status of the list has a meaning and the value of sysexits.h")
  func exitStatuses() {
    let statuses: [CommandLineKit.ExitStatus] = [
      .success, .negativeAnswer, .usage, .dataError, .noInput, .unavailable, .software, .cannotCreate, .ioError,
      .temporaryFailure, .configuration,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 78])
    #expect(statuses.allSatisfy { $0.meaning != nil })
    #expect(CommandLineKit.ExitStatus(rawValue: 9).meaning == nil)
  }

  @Test("B-076: The progress line tells the share, the pace in its unit and the time left, each once it is known")
  func progressPace() {
    let written = SampleTool.Written()
    let time = Time()
    let line = ProgressLine(
      terminal: Terminal(isTerminal: true, columns: 80),
      write: { text in written.error.withLock { $0 += text } },
      clock: { time.seconds.withLock { $0 } })
    func shown(at seconds: Double, _ done: Int, of total: Int, in unit: ProgressLine.Unit?) -> String {
      time.seconds.withLock { $0 = seconds }
      written.error.withLock { $0 = "" }
      line.update("reading, 5 rows", done, of: total, in: unit)
      return written.error.withLock { String($0.dropFirst().dropLast(3)) }
    }
    #expect(shown(at: 10, 8_000_000, of: 488_000_000, in: .megabytes) == "reading, 5 rows: 8 of 488 MB, 1 %")
    #expect(
      shown(at: 12, 128_000_000, of: 488_000_000, in: .megabytes)
        == "reading, 5 rows: 128 of 488 MB, 26 %, 60 MB/s, 6 s left")
    #expect(
      shown(at: 13, 488_000_000, of: 488_000_000, in: .megabytes) == "reading, 5 rows: 488 of 488 MB, 100 %, 160 MB/s")
    // Another stretch of work has a pace of its own, and one without an end no time left.
    #expect(shown(at: 20, 1_000_000, of: 0, in: .megabytes) == "reading, 5 rows: 1 MB")
    #expect(shown(at: 21, 4_000_000, of: 0, in: .megabytes) == "reading, 5 rows: 4 MB, 3 MB/s")
    #expect(shown(at: 25, 3_000_000, of: 0, in: .megabytes) == "reading, 5 rows: 3 MB")
    #expect(shown(at: 30, 0, of: 90_000, in: nil) == "reading, 5 rows: 0 of 90,000, 0 %")
    #expect(shown(at: 31, 100, of: 90_000, in: nil) == "reading, 5 rows: 100 of 90,000, 0 %, 15 min left")
    #expect(shown(at: 32, 101, of: 900_000_000, in: nil) == "reading, 5 rows: 101 of 900,000,000, 0 %")
    #expect(
      shown(at: 33, 201, of: 900_000_000, in: nil) == "reading, 5 rows: 201 of 900,000,000, 0 %, 2500 h 0 min left")
  }

  @Test("The progress line is drawn on a terminal alone, at most ten times a second, within its width")
  func progress() {
    let written = SampleTool.Written()
    let time = Time()
    func line(isTerminal: Bool) -> ProgressLine {
      ProgressLine(
        terminal: Terminal(isTerminal: isTerminal, columns: 30),
        write: { text in written.error.withLock { $0 += text } },
        clock: { time.seconds.withLock { $0 } })
    }
    let silent = line(isTerminal: false)
    silent.update("reading", 1, of: 2)
    silent.clear()
    #expect(written.error.withLock { $0 } == "")

    let shown = line(isTerminal: true)
    shown.update("reading", 1_234_567, of: 4_200_000)
    shown.update("reading", 1_234_568, of: 4_200_000)
    time.seconds.withLock { $0 = 0.2 }
    shown.update("sorting", 5)
    shown.clear()
    shown.clear()
    #expect(written.error.withLock { $0 } == "\rreading: 1,234,567 of 4,200,0\u{1B}[K\rsorting: 5\u{1B}[K\r\u{1B}[K")

    written.error.withLock { $0 = "" }
    shown.disable()
    shown.update("writing", 1)
    #expect(written.error.withLock { $0 } == "")
  }

  @Test(
    "Counts are grouped by thousands",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func grouping(_ number: Int, _ text: String) {
    #expect(ProgressLine.grouped(number) == text)
  }

  @Test("A descriptor that is no terminal has no colour")
  func terminal() {
    let terminal = Terminal(descriptor: -1)
    #expect(!terminal.isTerminal)
    #expect(!terminal.usesColor)
    #expect(terminal.columns >= 20)
  }
}
