// swift-tools-version: 6.2
import PackageDescription

// One list of settings for every target; see CONTRIBUTING.md for what each one buys.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A library target of the data flow. `imports` is its whole allowed import list; `.ci/import-graph` holds the sources to it.
func stage(_ name: String, _ imports: [String] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: imports.map { .byName(name: $0) }, exclude: exclude, swiftSettings: settings)
}

/// A provider library in Swift: exports the entry symbol and nothing else.
func provider(_ name: String, in folder: String, _ imports: [String]) -> Target {
  let exports = "\(Context.packageDirectory)/Sources/CCallDirectory/calldir_exports.map"
  return .target(
    name: name, dependencies: imports.map { .byName(name: $0) }, path: "\(folder)/\(name)",
    swiftSettings: settings,
    linkerSettings: [.unsafeFlags(["-Xlinker", "--version-script=\(exports)"], .when(platforms: [.linux]))])
}

/// A provider library in C.
func cProvider(_ name: String, in folder: String) -> Target {
  .target(
    name: name, dependencies: ["CCallDirectory"], path: "\(folder)/\(name)", publicHeadersPath: ".",
    cSettings: [.unsafeFlags(["-fvisibility=hidden"])])
}

/// The tests of one module, in `Tests/<module>Tests`.
func tests(for name: String, _ more: [String] = []) -> Target {
  let imports = [name, "TestSupport", "CallDirectory"] + more
  return .testTarget(
    name: "\(name)Tests", dependencies: Set(imports).sorted().map { .byName(name: $0) }, swiftSettings: settings)
}

let package = Package(
  name: "shardctl",
  products: [
    .executable(name: "shardctl", targets: ["shardctl"]),
    .executable(name: "shardctl-provider-host", targets: ["shardctl-provider-host"]),
    .library(name: "ShardProvider", type: .dynamic, targets: ["ShardProvider"]),
    .library(name: "SpamList", type: .dynamic, targets: ["SpamList"]),
    .library(name: "LabelList", type: .dynamic, targets: ["LabelList"]),
  ]
    + [
      "CallDirectory", "Digests", "SystemSupport", "PhoneNumbering", "NameSuggestion",
      "PositionedJSON", "DirectorySources", "ShardPlanning", "ShardFormat", "ShardPacks", "ShardWriting", "PlanFile",
      "DirectoryPublishing",
      "SampleDirectory", "PlanDrafting", "CCallDirectory", "ProviderKit", "ProviderWire", "ProcessSupport",
      "ProviderRuntime",
      "ProviderHost", "DirectoryStore", "CallLookup", "DirectoryInstalling", "CommandLineKit", "ShardctlCommands",
    ].map { .library(name: $0, targets: [$0]) },
  targets: [
    // MARK: Shared: vocabulary, digests, files, numbers, JSON
    stage("CallDirectory"),
    .target(name: "CDigests"),
    stage("Digests", ["CDigests"]),
    .target(
      name: "CSystemSupport", linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    stage("SystemSupport", ["CSystemSupport"]),
    stage("PhoneNumbering", ["CallDirectory"], exclude: ["Metadata"]),
    stage("NameSuggestion"),
    stage("PositionedJSON", ["NameSuggestion"]),

    // MARK: App side: rows → normalise → sort → plan → shards = release
    stage(
      "DirectorySources",
      ["CSystemSupport", "CallDirectory", "NameSuggestion", "PhoneNumbering", "PositionedJSON", "SystemSupport"]),
    stage("ShardPlanning", ["CallDirectory", "NameSuggestion", "PhoneNumbering"]),
    stage("ShardFormat", ["CSystemSupport", "CallDirectory", "Digests", "SystemSupport"], exclude: ["FileFormat.md"]),
    stage(
      "ShardPacks",
      ["CallDirectory", "Digests", "NameSuggestion", "PositionedJSON", "ShardFormat", "SystemSupport"],
      exclude: ["PackIndex.md"]),
    stage("ShardWriting", ["CallDirectory", "Digests", "ShardFormat", "SystemSupport"]),
    stage(
      "PlanFile",
      ["CallDirectory", "DirectorySources", "PhoneNumbering", "PositionedJSON", "ShardPlanning", "SystemSupport"]),
    stage(
      "DirectoryPublishing",
      [
        "CallDirectory", "Digests", "DirectorySources", "NameSuggestion", "PhoneNumbering", "PlanFile",
        "PositionedJSON",
        "ShardFormat", "ShardPacks", "ShardPlanning", "ShardWriting", "SystemSupport",
      ]),
    stage("SampleDirectory", ["SystemSupport"], exclude: ["Ranges"]),
    stage("PlanDrafting", ["CallDirectory", "DirectorySources", "PhoneNumbering", "PositionedJSON", "SystemSupport"]),

    // MARK: Provider side: shard → provider .so
    .target(name: "CCallDirectory", exclude: ["calldir_exports.map"]),
    stage("ProviderKit", ["CCallDirectory", "SystemSupport"]),
    provider(
      "ShardProvider", in: "Plugins",
      ["CCallDirectory", "CallDirectory", "ProviderKit", "ShardFormat", "ShardPacks"]),

    // MARK: Phone side: host checks → installed store → lookup
    stage("ProviderWire", ["CallDirectory"]),
    .target(name: "CProcessSupport"),
    stage("ProcessSupport", ["CProcessSupport", "SystemSupport"]),
    stage("ProviderRuntime", ["CCallDirectory", "CallDirectory", "ProcessSupport", "ProviderWire", "SystemSupport"]),
    .executableTarget(
      name: "shardctl-provider-host", dependencies: ["ProviderRuntime"], swiftSettings: settings),
    stage("ProviderHost", ["CallDirectory", "Digests", "ProcessSupport", "ProviderWire", "SystemSupport"]),
    stage(
      "DirectoryStore",
      ["CallDirectory", "Digests", "PositionedJSON", "ShardFormat", "ShardWriting", "SystemSupport"]),
    stage("CallLookup", ["CallDirectory"]),
    stage(
      "DirectoryInstalling",
      [
        "CallDirectory", "Digests", "DirectoryPublishing", "DirectorySources", "DirectoryStore", "PhoneNumbering",
        "PlanFile", "ProviderHost", "ShardFormat", "ShardPacks", "ShardPlanning", "SystemSupport",
      ]),

    // MARK: Tool
    stage("CommandLineKit", ["NameSuggestion"]),
    stage(
      "ShardctlCommands",
      [
        "CallDirectory", "CallLookup", "CommandLineKit", "Digests", "DirectoryInstalling",
        "DirectoryPublishing", "DirectorySources", "DirectoryStore", "NameSuggestion", "PhoneNumbering", "PlanDrafting",
        "PlanFile", "PositionedJSON", "ProviderHost", "SampleDirectory",
        "ShardFormat", "ShardPacks", "ShardPlanning", "ShardWriting", "SystemSupport",
      ]),
    .executableTarget(name: "shardctl", dependencies: ["ShardctlCommands", "SystemSupport"], swiftSettings: settings),

    // MARK: Samples
    cProvider("SpamList", in: "Samples"),
    provider("LabelList", in: "Samples", ["CCallDirectory", "ProviderKit"]),

    // MARK: Tests
    .target(
      name: "TestSupport", dependencies: ["CallDirectory", "PhoneNumbering", "PositionedJSON", "ShardPlanning"],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    tests(for: "CallDirectory"),
    tests(for: "Digests", ["CDigests"]),
    tests(for: "SystemSupport"),
    tests(for: "PhoneNumbering"),
    tests(for: "NameSuggestion"),
    tests(for: "PositionedJSON"),
    tests(for: "DirectorySources", ["PhoneNumbering", "SystemSupport"]),
    tests(for: "ShardPlanning", ["PhoneNumbering"]),
    tests(for: "ShardFormat", ["Digests", "ShardWriting", "SystemSupport"]),
    tests(for: "ShardPacks", ["Digests", "PositionedJSON", "ShardFormat", "ShardWriting"]),
    tests(
      for: "PlanFile",
      ["DirectorySources", "PhoneNumbering", "PositionedJSON", "SampleDirectory", "ShardPlanning", "SystemSupport"]),
    tests(
      for: "DirectoryPublishing",
      [
        "Digests", "DirectorySources", "PhoneNumbering", "PlanFile", "PositionedJSON", "ShardFormat", "ShardPacks",
        "ShardPlanning", "SystemSupport",
      ]),
    tests(for: "SampleDirectory", ["SystemSupport"]),
    tests(
      for: "PlanDrafting",
      ["DirectoryPublishing", "DirectorySources", "PhoneNumbering", "PlanFile", "ShardPlanning"]),
    tests(for: "ProviderKit", ["CCallDirectory"]),
    tests(for: "ProviderWire"),
    tests(for: "ProcessSupport", ["SystemSupport"]),
    tests(
      for: "ProviderRuntime",
      [
        "CCallDirectory", "ProcessSupport", "ProviderHost", "ProviderWire", "ShardPacks", "ShardWriting",
        "SystemSupport",
      ]),
    tests(for: "ProviderHost", ["ProviderWire", "ShardFormat", "ShardWriting", "SystemSupport"]),
    tests(
      for: "DirectoryStore",
      ["CallLookup", "Digests", "PositionedJSON", "ShardFormat", "ShardWriting", "SystemSupport"]),
    tests(for: "CallLookup"),
    tests(
      for: "DirectoryInstalling",
      [
        "DirectoryPublishing", "DirectoryStore", "PlanFile", "ProviderHost", "ShardFormat", "ShardPacks",
        "SystemSupport",
      ]),
    tests(for: "CommandLineKit"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CallDirectory", "CallLookup", "DirectoryStore", "PhoneNumbering", "PlanFile", "PositionedJSON", "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

// `.ci/run` builds with every warning an error, so that the README's plain commands are what it runs.
if Context.environment["SHARDCTL_STRICT"] != nil {
  for target in package.targets {
    target.cSettings =
      (target.cSettings ?? []) + [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}

// `SHARDCTL_FUZZ=1 swift build --product fuzz`: random input for the readers, see CONTRIBUTING.md.
if Context.environment["SHARDCTL_FUZZ"] != nil {
  for target in package.targets where target.type == .regular {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer,address"])]
  }
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: ["CallDirectory", "CFuzzer", "DirectorySources", "PhoneNumbering", "PlanFile", "SystemSupport"],
      path: "Tests/Fuzz/fuzz",
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-sanitize=fuzzer,address"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
}
