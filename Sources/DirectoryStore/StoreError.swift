public import CallDirectory

/// Why a store could not be read or changed. The store on the disk is in its old state, or, where `what` says so, in its
/// new one; never between.
public struct StoreError: Error, Hashable, Sendable {
  /// What went wrong, as an open set of names.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The exit code of a command that fails because of it.
    public let exitCode: Int32
    /// The name.
    public var description: String { name }

    /// There is no store yet.
    public static let missing = Kind(name: "missing", exitCode: 66)
    /// The store's file is damaged or was changed by other hands.
    public static let malformed = Kind(name: "malformed", exitCode: 78)
    /// A newer version of the product wrote the store.
    public static let newerSchema = Kind(name: "newerSchema", exitCode: 78)
    /// The store belongs to another plan.
    public static let otherPlan = Kind(name: "otherPlan", exitCode: 78)
    /// Somebody else is writing.
    public static let locked = Kind(name: "locked", exitCode: 75)
    /// A file cannot be made or written.
    public static let notWritable = Kind(name: "notWritable", exitCode: 73)
    /// Reading or writing failed half way.
    public static let inputOutput = Kind(name: "inputOutput", exitCode: 74)
    /// The store has no provider of that id.
    public static let unknownProvider = Kind(name: "unknownProvider", exitCode: 64)
    /// The provider is off.
    public static let disabled = Kind(name: "disabled", exitCode: 69)
    /// There is nothing to go back to.
    public static let noPrevious = Kind(name: "noPrevious", exitCode: 69)
    /// An order repeats an id.
    public static let repeatedProvider = Kind(name: "repeatedProvider", exitCode: 64)

    private init(name: String, exitCode: Int32) {
      self.name = name
      self.exitCode = exitCode
    }
  }

  /// What went wrong.
  public var kind: Kind
  /// The file or folder it is about.
  public var file: String
  /// What is the matter with it.
  public var what: String
  /// What to do; nil when nothing helps but reading `what`.
  public var hint: String?
  /// Who is writing, for `locked`.
  public var holder: LockHolder?

  /// An error as given.
  public init(_ kind: Kind, file: String, what: String, hint: String? = nil, holder: LockHolder? = nil) {
    self.kind = kind
    self.file = file
    self.what = what
    self.hint = hint
    self.holder = holder
  }

  /// What an app that asked the phone's manager would be told (R-LIFE-4, R-LIFE-8). A lock held by a load of `provider`
  /// itself is currentlyLoading.
  public func phoneError(for provider: ProviderID) -> PhoneError {
    switch kind {
    case .unknownProvider: PhoneError(.noExtensionFound)
    case .disabled: PhoneError(.extensionDisabled)
    case .locked where holder?.loading.contains(provider) == true: PhoneError(.currentlyLoading)
    default: PhoneError(.unknown)
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// `file: what`, without the hint.
  public var description: String { "\(file): \(what)" }
}
