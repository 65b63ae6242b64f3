internal import ProviderWire

/// How far a load came; says what the provider was doing when it failed.
public enum LoadStage: UInt8, Sendable, CaseIterable, Comparable {
  /// The child process is being started.
  case starting = 0
  /// The child runs and gives up its rights.
  case preparing
  /// The library is being opened: its start-up code runs.
  case opening
  /// The entry function runs.
  case entering
  /// `create` runs.
  case creating
  /// `create` has returned.
  case created
  /// `load` runs.
  case loading
  /// `load` has returned, `destroy` runs.
  case destroying

  init(_ stage: ProviderStage) {
    self =
      switch stage {
      case .started: .preparing
      case .confined: .opening
      case .libraryLoaded: .entering
      case .entryFound: .creating
      case .created: .created
      case .loading: .loading
      case .finished: .destroying
      }
  }

  /// Whether code of the library may have run.
  public var isForeignCodeRunning: Bool { self >= .opening }

  /// By progress.
  public static func < (left: LoadStage, right: LoadStage) -> Bool { left.rawValue < right.rawValue }
}

extension LoadStage: CustomStringConvertible {
  /// Completes "it crashed while …".
  public var description: String {
    switch self {
    case .starting: "the process was being started"
    case .preparing: "the process was being prepared"
    case .opening: "the library was being opened"
    case .entering: "its entry function ran"
    case .creating: "create ran"
    case .created: "create had returned"
    case .loading: "load ran"
    case .destroying: "destroy ran"
    }
  }
}
