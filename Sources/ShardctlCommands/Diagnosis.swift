internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectorySources
internal import DirectoryStore
internal import PhoneNumbering
internal import PlanDrafting
internal import PlanFile
internal import PositionedJSON
internal import SampleDirectory
internal import ShardFormat
internal import ShardPacks
internal import ShardPlanning
internal import SystemSupport

/// The one place where an error of a library becomes text, hints and exit status.
enum Diagnosis {
  /// How `error` is printed.
  static func of(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as PlanError: plan(error)
    case let error as JSONError:
      Diagnostic([finding(error)], hints: error.hint.map { [$0] } ?? [], status: .configuration)
    case let error as SourceError:
      Diagnostic(
        error.location, error.what, hint: error.hint.isEmpty ? nil : error.hint, status: status(error.kind))
    case let error as DraftError: Diagnostic(error.file, error.what, hint: error.hint, status: .dataError)
    case let error as PlanningError: planning(error)
    case let error as PackRuleError:
      Diagnostic(
        error.place, "\(error.keyPath.isEmpty ? error.key : error.keyPath): \(error.what)", hint: error.hint,
        status: .dataError)
    case let error as PackError:
      Diagnostic(error.place, error.what, hint: error.hint, status: error.kind == .missing ? .noInput : .dataError)
    case let error as GuardError:
      Diagnostic(
        error.breaches.map { Diagnostic.Finding($0.place, $0.finding) }, hints: [error.hint], status: .dataError)
    case let error as SettingsChangeError:
      Diagnostic("--\(error.option)", error.what, hint: error.hint, status: .usage)
    case let error as ReleaseError: Diagnostic(error.path, error.what, hint: error.hint, status: status(error.kind))
    case let error as ShardError: Diagnostic(error.path, error.finding, hint: error.fix, status: .dataError)
    case let error as StoreError: store(error)
    case let error as FileLock.Held:
      Diagnostic(
        error.path, "another run holds the lock: \(error.holder)", hint: "wait until it has finished and try again",
        status: .temporaryFailure)
    case let error as SampleError: Diagnostic(error.place, error.what, hint: error.hint, status: status(error.code))
    case let error as NumberRefusal: Diagnostic("", error.reason, status: .dataError)
    case let error as LineTooLong: Diagnostic("", "\(error)", status: .dataError)
    case let error as SystemError: system(error)
    case is AccountsError, is ManifestDefect:
      Diagnostic("", "\(error)", hint: "this is a defect of shardctl; please report it", status: .software)
    default: Diagnostic("", "\(error)", status: .software)
    }
  }

  private static func plan(_ error: PlanError) -> Diagnostic {
    var hints: [String] = []
    for error in error.errors.prefix(PlanError.shown) {
      if let hint = error.hint, !hints.contains(hint) { hints.append(hint) }
    }
    var findings = error.errors.prefix(PlanError.shown).map(finding)
    if let more = error.more { findings.append(Diagnostic.Finding("", more)) }
    return Diagnostic(findings, hints: hints, status: .configuration)
  }

  /// The place apart from what is wrong there.
  private static func finding(_ error: JSONError) -> Diagnostic.Finding {
    Diagnostic.Finding(
      "\(error.file.map { "\($0):" } ?? "")\(error.line):\(error.column)",
      (error.keyPath.isEmpty ? "" : "\(error.keyPath): ") + error.message)
  }

  private static func planning(_ error: PlanningError) -> Diagnostic {
    guard !error.place.isEmpty else {
      return Diagnostic(error.keyPath, error.message, hint: error.hint, status: .dataError)
    }
    return Diagnostic(
      error.place, (error.keyPath.isEmpty ? "" : "\(error.keyPath): ") + error.message, hint: error.hint,
      status: .dataError)
  }

  /// A lock that a load holds is what a phone calls currentlyLoading (R-LIFE-4).
  private static func store(_ error: StoreError) -> Diagnostic {
    var hints = [error.hint].compactMap(\.self)
    if let loading = error.holder?.loading, !loading.isEmpty {
      let ids = loading.map(\.rawValue).joined(separator: ", ")
      hints.append("for \(ids) a phone reports \(PhoneError(.currentlyLoading))")
    }
    return Diagnostic(error.file, error.what, hints: hints, status: ExitStatus(rawValue: error.kind.exitCode))
  }

  private static func status(_ kind: SourceError.Kind) -> ExitStatus {
    switch kind {
    case .noInput: .noInput
    case .io: .ioError
    default: .dataError
    }
  }

  private static func status(_ kind: ReleaseError.Kind) -> ExitStatus {
    switch kind {
    case .missing: .noInput
    case .damaged, .otherProviders: .dataError
    case .otherPlan: .configuration
    case .notWritable: .cannotCreate
    }
  }

  private static func status(_ code: SampleError.Code) -> ExitStatus {
    switch code {
    case .rowsOutOfRange: .usage
    case .fileExists: .cannotCreate
    case .system(let error): error.isRefused ? .cannotCreate : .ioError
    }
  }

  /// What was wanted of a file decides: input that cannot be had, output that cannot be made, or a transfer that failed.
  private static func system(_ error: SystemError) -> Diagnostic {
    let status: ExitStatus =
      if !error.isRefused { .ioError } else if ["open", "read", "map"].contains(error.operation) { .noInput } else {
        .cannotCreate
      }
    return Diagnostic(error.path, error.finding, hint: error.remedy, status: status)
  }
}
