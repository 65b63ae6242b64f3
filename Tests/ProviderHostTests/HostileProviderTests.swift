import CallDirectory
import Dispatch
import Foundation
import ProviderHost
import TestSupport
import Testing

/// Libraries that crash, exit, hang, lie and eat memory: each is contained, told apart and mapped to the phone's code.
@Suite struct HostileProviderTests {
  /// The outcome as a word and what it carries, for tables.
  private func summary(_ outcome: LoadOutcome) -> String {
    switch outcome {
    case .crashed(let signal, let stage): "crashed \(signal) \(stage.rawValue)"
    case .exitedWithoutResult(let status, let stage): "exited \(status) \(stage.rawValue)"
    case .timedOut(_, let stage): "timedOut \(stage.rawValue)"
    default: outcome.name
    }
  }

  private static let loading = LoadStage.loading.rawValue
  private static let opening = LoadStage.opening.rawValue

  @Test(arguments: [
    ("null write", "crashed \(SIGSEGV) \(loading)"), ("abort", "crashed \(SIGABRT) \(loading)"),
    ("kill", "crashed \(SIGKILL) \(loading)"), ("exit", "exited 0 \(loading)"), ("_exit", "exited 0 \(loading)"),
    ("exit_group", "exited 0 \(loading)"), ("end of main thread", "exited 0 \(loading)"),
    ("exec", "exited 0 \(loading)"), ("crash in destroy", "crashed \(SIGSEGV) \(LoadStage.destroying.rawValue)"),
    ("crash in create", "crashed \(SIGSEGV) \(LoadStage.creating.rawValue)"),
  ])
  func `case 14, R-LIFE-5: a process that dies is error 2, told by how and where`(
    behaviour: String, expected: String
  ) throws {
    for count in [0, 25_000] {
      let load = try TestLoad(behaviour: behaviour, count: count)
      #expect(summary(load.result.outcome) == expected, "\(load.result)")
      #expect(load.result.phoneError == PhoneError(.loadingInterrupted))
      #expect(load.result.outcome.isQuarantined)
    }
  }

  @Test(arguments: [
    ("AT_START=1", "crashed \(SIGSEGV) \(opening)"), ("AT_START=2", "exited 0 \(opening)"),
    ("AT_START=5", "exited 3 \(opening)"), ("AT_START=6", "overMemoryBudget"),
    ("ENTRY=4", "crashed \(SIGSEGV) \(LoadStage.entering.rawValue)"),
  ])
  func `R-LIFE-5: code that runs when a library is opened is contained too`(macro: String, expected: String) throws {
    let load = try TestLoad(FaultyLibrary.c([macro]))
    #expect(summary(load.result.outcome) == expected, "\(load.result)")
    #expect(load.result.phoneError == PhoneError(.loadingInterrupted))
  }

  @Test(arguments: ["spin", "sleep", "stop"])
  func `R-TIME-1: a load that hangs is ended by the watchdog`(behaviour: String) throws {
    let load = try TestLoad(behaviour: behaviour, count: 5, watchdog: 1)
    #expect(summary(load.result.outcome) == "timedOut \(Self.loading)", "\(load.result)")
    #expect(load.result.phoneError == PhoneError(.loadingInterrupted))
    let start = try TestLoad(FaultyLibrary.c(["AT_START=3"]), watchdog: 1)
    #expect(summary(start.result.outcome) == "timedOut \(Self.opening)", "\(start.result)")
  }

  @Test(
    arguments: [
      (["ENTRY=1"], "unsupportedABI", "version"),
      (["ENTRY=2"], "notAProvider", "struct_size"),
      (["ENTRY=3"], "notAProvider", "load"),
      (["ENTRY=5"], "notAProvider", "calldir_provider_entry_v1"),
    ] as [([String], String, String)])
  func `libraries without a usable entry are told apart`(macros: [String], outcome: String, word: String) throws {
    let load = try TestLoad(FaultyLibrary.c(macros))
    #expect(load.result.outcome.name == outcome, "\(load.result)")
    #expect(load.result.description.contains(word), "\(load.result)")
    #expect(load.result.phoneError == PhoneError(.noExtensionFound))
    #expect(!load.result.outcome.isQuarantined)
  }

  @Test func `a library with an undefined symbol is refused by name before any of it runs`() throws {
    let path = try FaultyLibrary.compile(
      "int nowhere_defined(void); int f(void) { return nowhere_defined(); }", ["-shared", "-fPIC"])
    let load = try TestLoad(path)
    #expect(load.result.outcome.name == "notAProvider")
    #expect(load.result.description.contains("nowhere_defined"), "\(load.result)")
  }

  @Test func `a file that is no library is refused without a child`() throws {
    let folder = try TemporaryFolder()
    let load = try TestLoad(folder.write("words\n", to: "libWords.so"))
    #expect(load.result.outcome.name == "notAProvider")
    #expect(load.result.description.contains("is not a shared library"), "\(load.result)")
    #expect(try TestLoad(folder.path("libNone.so")).result.description.contains("does not exist"))
  }

  @Test(arguments: ["leak", "shared memory"])
  func `R-MEM-1: memory beyond the ceiling ends the load, with the peak`(behaviour: String) throws {
    let load = try TestLoad(behaviour: behaviour, count: 5)
    guard case .overMemoryBudget(let peak, 12_000_000) = load.result.outcome else {
      Issue.record("\(load.result)")
      return
    }
    #expect(peak > 12_000_000 && peak < 80_000_000)
    #expect(load.result.peakMemory >= peak)
    #expect(load.result.phoneError == PhoneError(.loadingInterrupted))
    #expect(load.result.description.contains("the limit is 12000 kB"), "\(load.result)")
  }

  @Test func `R-MEM-1: the plan may lower the ceiling, and a provider within it is not disturbed`() throws {
    #expect(try TestLoad(behaviour: "leak", memoryLimit: 3_000_000).result.outcome.name == "overMemoryBudget")
    let good = try TestLoad(behaviour: "good", count: 30_000, memoryLimit: 1_000_000)
    #expect(good.result.outcome.isAccepted, "\(good.result)")
  }

  @Test func `R-MEM-1: a reservation far beyond the ceiling fails in the provider`() throws {
    let load = try TestLoad(behaviour: "asks for a gigabyte", count: 5)
    guard case .failed(_, 34, _) = load.result.outcome else {
      Issue.record("\(load.result)")
      return
    }
  }

  @Test(arguments: ["garbage on 3", "success forged on 3"])
  func `a library that writes into the host's pipe is found out`(behaviour: String) throws {
    let load = try TestLoad(behaviour: behaviour, count: 5)
    #expect(load.result.outcome.name == "brokeProtocol", "\(load.result)")
    #expect(load.result.phoneError == PhoneError(.loadingInterrupted))
  }

  @Test func `a library that closes every descriptor is not believed`() throws {
    let load = try TestLoad(behaviour: "close", count: 5, watchdog: 20)
    #expect(!load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.result.phoneError == PhoneError(.loadingInterrupted))
  }

  @Test func `4 MB of output disturb nothing and are kept within bounds, first and last words`() throws {
    let load = try TestLoad(behaviour: "spam", count: 5)
    #expect(load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.result.capturedOutput.utf8.count < 8_300)
    #expect(load.result.capturedOutput.hasPrefix("first words\n"))
    #expect(load.result.capturedOutput.hasSuffix("last words\n"))
  }

  @Test func `a library runs without privileges, with small stacks, limits and a stop on its memory`() throws {
    let load = try TestLoad(behaviour: "shows its confinement", count: 1)
    let applied = load.result.confinement.filter(\.isApplied).map(\.name)
    #expect(
      applied.prefix(6) == [
        "parent-death-signal", "no-new-privileges", "no-huge-pages", "thread-stacks", "resource-limits", "memory-stop",
      ], "\(load.result.confinement)")
    let lines = load.result.capturedOutput.split(separator: "\n")
    #expect(lines.first == "privileges 1 huge pages 1 death signal 9 stack 262144 core 0 files 64", "\(lines)")
    let stop = try #require(lines.dropFirst().first.flatMap { Int($0) })
    #expect(stop > 2 * 12_000_000 + (8 << 20) && stop < 2 * 12_000_000 + (24 << 20))
    let unlimited = try TestLoad(behaviour: "shows its confinement", count: 1, memoryLimit: 0)
    #expect(unlimited.result.capturedOutput.hasSuffix("\n-1\n"), "\(unlimited.result.capturedOutput)")
  }

  @Test func `what a library prints when it is opened is kept`() throws {
    let load = try TestLoad(FaultyLibrary.c(["AT_START=4"]), options: "{\"behaviour\": \"good\", \"count\": 1}")
    #expect(load.result.capturedOutput == "a word at the start\n")
  }

  @Test func `a log without end is bounded and counted`() throws {
    let load = try TestLoad(behaviour: "logs without end", count: 1)
    #expect(load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.result.log.count == 100)
    #expect(load.result.log.count + load.result.omittedLogLines == 20_000)
  }

  @Test func `an add on another thread fails the load as misuse`() throws {
    let load = try TestLoad(behaviour: "adds on a thread")
    guard case .failed(_, 48, let message) = load.result.outcome else {
      Issue.record("\(load.result)")
      return
    }
    #expect(message.contains("thread"))
  }

  @Test(arguments: [0, 1])
  func `a process left behind does not hold up the load`(ownSession: Int) throws {
    let load = try TestLoad(behaviour: "leaves a process behind", count: 5, more: ", \"own session\": \(ownSession)")
    #expect(load.result.outcome.isAccepted, "\(load.result)")
    #expect(load.result.seconds < 60)
  }

  @Test func `a process left behind that holds the pipes does not make the host wait for it`() throws {
    let load = try TestLoad(behaviour: "leaves a process behind and dies", more: ", \"seconds\": 30")
    #expect(summary(load.result.outcome) == "exited 0 \(Self.loading)", "\(load.result)")
    #expect(load.result.seconds < 25)
  }

  @Test(arguments: ["waits for the end", "sleep"])
  func `a load can be cancelled from another thread, also one that does not listen`(behaviour: String) throws {
    let cancellation = LoadCancellation()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { cancellation.cancel() }
    let load = try TestLoad(behaviour: behaviour, count: 5, grace: 0.5, cancellation: cancellation)
    #expect(load.result.outcome.name == "cancelled", "\(load.result)")
    #expect(load.result.warnings.map(\.kind) == (behaviour == "sleep" ? [.killedAfterGrace] : []))
    #expect(try TestLoad(behaviour: "good", cancellation: cancellation).result.outcome.name == "cancelled")
  }

  @Test func `a sink that fails ends the load and keeps its error`() throws {
    let load = try TestLoad(behaviour: "good", count: 50_000, sink: CollectingSink(failsAfter: 20_000))
    guard case .hostFailed(let error) = load.result.outcome else {
      Issue.record("\(load.result)")
      return
    }
    #expect(error is CollectingSink.Failure)
  }

  @Test func `a missing host program is the host's failure and names it`() throws {
    let request = LoadRequest(
      providerID: try #require(ProviderID("faulty")), libraryPath: try FaultyLibrary.c(), containerPath: "/")
    let result = ProviderLoader(hostExecutable: "/nowhere/host").load(request, into: CollectingSink())
    #expect(result.outcome.name == "hostFailed")
    #expect(result.phoneError == PhoneError(.unknown))
    #expect(result.description.contains("/nowhere/host"), "\(result)")
    let other = ProviderLoader(hostExecutable: "/bin/true").load(request, into: CollectingSink())
    #expect(other.outcome.name == "hostFailed", "\(other)")
  }

  @Test func `case 14: providers that fail disturb none that load beside them`() throws {
    let behaviours = [
      "good", "null write", "good", "sleep", "ignores verdicts", "good", "shared memory", "garbage on 3",
    ]
    let library = try FaultyLibrary.c()
    nonisolated(unsafe) var outcomes = [String](repeating: "", count: behaviours.count)
    let lock = NSLock()
    let group = DispatchGroup()
    for (index, behaviour) in behaviours.enumerated() {
      // Threads of their own: a hanging load must not keep a pool's thread from the others.
      group.enter()
      Thread.detachNewThread {
        let options = "{\"behaviour\": \"\(behaviour)\", \"count\": 40000}"
        let load = try? TestLoad(library, options: options, watchdog: behaviour == "sleep" ? 2 : 120)
        let isWhole = load?.sink.identification.count == 40_000 && load?.sink.brokenPromises == 0
        lock.withLock {
          outcomes[index] = (load?.result.outcome.name ?? "") + (behaviour == "good" && !isWhole ? " not whole" : "")
        }
        group.leave()
      }
    }
    group.wait()
    #expect(
      outcomes == [
        "accepted", "crashed", "accepted", "timedOut", "rejected", "accepted", "overMemoryBudget", "brokeProtocol",
      ])
  }
}

/// Swift libraries end in their own ways.
@Suite struct HostileSwiftProviderTests {
  @Test(arguments: [
    ("good", "accepted"), ("fatal error", "crashed"), ("overflow", "crashed"), ("keeps everything", "overMemoryBudget"),
    ("one big array", "overMemoryBudget"),
  ])
  func `R-LIFE-5, R-MEM-1: a Swift provider that traps or runs out of memory is told apart`(
    behaviour: String, outcome: String
  ) throws {
    let load = try TestLoad(FaultyLibrary.swift(), options: "{\"behaviour\": \"\(behaviour)\"}")
    #expect(load.result.outcome.name == outcome, "\(load.result) \(load.result.capturedOutput)")
    if behaviour == "fatal error" { #expect(load.result.capturedOutput.contains("the contacts are gone")) }
  }
}
