internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import PositionedJSON
internal import ProviderHost

/// What loads came to, as JSON and as exit status.
enum LoadReport {
  /// The members that a release switch adds to a report.
  static func write(_ application: InstallationSession.Application, to json: inout JSONWriter) {
    json.member("release", application.release)
    json.member("switched", application.isSwitched)
    write(application.loads, to: &json)
  }

  /// The member `loads`.
  static func write(_ loads: [ProviderLoad], to json: inout JSONWriter) {
    json.key("loads")
    json.beginArray()
    for load in loads {
      json.beginObject()
      json.member("id", load.id.rawValue)
      json.member("outcome", load.outcomeName)
      json.member("entries", load.isAccepted ? load.result?.counts.total ?? 0 : 0)
      json.member("seconds", load.result?.seconds ?? 0, places: 3)
      json.member("peakMemory", load.result?.peakMemory ?? 0)
      if let error = load.phoneError {
        json.key("error")
        json.beginObject(inline: true)
        json.member("domain", error.domain)
        json.member("code", error.code)
        json.member("text", load.problem ?? "")
        json.endObject()
      }
      json.member("warnings", load.warnings)
      json.endObject()
    }
    json.endArray()
  }

  /// Reports the refused loads and gives the exit status of a release switch.
  static func finish(_ application: InstallationSession.Application, _ console: Console) -> ExitStatus {
    let refused = report(application.loads, console)
    guard refused else { return .success }
    if !application.isSwitched {
      console.note(
        application.release == 0
          ? "nothing changed: no release is in force yet"
          : "nothing changed: release \(application.release) is still in force")
    }
    return .unavailable
  }

  /// Reports each load that was not accepted as an error; whether there was one.
  static func report(_ loads: [ProviderLoad], _ console: Console) -> Bool {
    for load in loads where !load.isAccepted {
      console.report(
        Diagnostic(
          "", PrintableText.oneLine(load.problem ?? "\(load.id): not loaded"), hints: hints(load), status: .unavailable)
      )
    }
    return loads.contains { !$0.isAccepted }
  }

  private static func hints(_ load: ProviderLoad) -> [String] {
    switch load.outcome {
    case .accepted: return []
    case .notStarted(let reason): return [reason.hint]
    case .refused(let result):
      var hints = [result.outcome.hint].compactMap(\.self)
      let output = result.capturedOutput.split(separator: "\n").last.map(String.init)
      if let output { hints.append("the provider printed: \(output)") }
      return hints
    }
  }
}
