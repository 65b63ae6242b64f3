extension LoadOutcome: CustomStringConvertible {
  /// One line for people; see `hint` for what to do.
  public var description: String {
    switch self {
    case .accepted: "accepted"
    case .rejected(let violation): "refused: \(violation)"
    case .failed(let domain, let code, let message):
      message.isEmpty ? "failed with code \(code) of \(domain)" : "failed: \(message) (code \(code) of \(domain))"
    case .crashed(let signal, let stage): "crashed with \(SignalName.of(signal)) while \(stage)"
    case .timedOut(let seconds, let stage):
      "stopped after \(Self.short(seconds)) s, the time limit, while \(stage)"
    case .exitedWithoutResult(let status, let stage):
      "its process exited with status \(status) while \(stage), before the load was complete"
    case .sandboxViolation(let stage): "did something a provider may not do, while \(stage)"
    case .brokeProtocol(let what): "wrote into the host's pipe: \(what)"
    case .notAProvider(let reason): "no provider in the file: \(reason)"
    case .unsupportedABI(let reason): "made for another version of the provider interface: \(reason)"
    case .overMemoryBudget(let peak, let limit):
      peak > 0
        ? "used \(Self.kilobytes(peak)) kB of memory, the limit is \(Self.kilobytes(limit)) kB"
        : "ran out of memory, the limit is \(Self.kilobytes(limit)) kB"
    case .cancelled: "cancelled"
    case .hostFailed(let error): "the host could not go on: \(error)"
    }
  }

  /// What to do about it; nil where there is nothing to say.
  public var hint: String? {
    switch self {
    case .accepted, .cancelled, .failed: nil
    case .rejected(let violation): violation.hint
    case .crashed, .exitedWithoutResult:
      "a provider returns from load with a status; see what it printed"
    case .timedOut: "see what the provider waits for, or allow it more time with --timeout"
    case .sandboxViolation: "a provider reads its shard and its container and adds entries: no network, no programs"
    case .brokeProtocol: "a provider must leave descriptors alone that it did not open"
    case .notAProvider: "a provider exports the function calldir_provider_entry_v1"
    case .unsupportedABI: "build the library against the header of this version"
    case .overMemoryBudget: "stream entries from a mapped file instead of keeping them; mapped files do not count"
    case .hostFailed: nil
    }
  }

  private static func kilobytes(_ bytes: Int) -> Int { (bytes + 999) / 1000 }

  /// Seconds with one decimal where that says something.
  private static func short(_ seconds: Double) -> String {
    let tenths = Int((min(max(seconds, 0), 1e9) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

/// Names of the signals that end processes.
enum SignalName {
  static func of(_ signal: Int32) -> String {
    switch signal {
    case 4: "SIGILL"
    case 5: "SIGTRAP"
    case 6: "SIGABRT"
    case 7: "SIGBUS"
    case 8: "SIGFPE"
    case 9: "SIGKILL"
    case 11: "SIGSEGV"
    case 13: "SIGPIPE"
    case 14: "SIGALRM"
    case 15: "SIGTERM"
    case 24: "SIGXCPU"
    case 25: "SIGXFSZ"
    case 31: "SIGSYS"
    default: "signal \(signal)"
    }
  }
}
