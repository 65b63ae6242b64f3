import DirectorySources

/// What can be fuzzed, by name. Each takes any bytes and stops the process where the product would be wrong.
enum FuzzedReader {
  static let all: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = {
    var all: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = [
      "plan": PlanFuzzing.run,
      "number": NumberFuzzing.run,
    ]
    for format in SourceFormat.allCases { all[format.rawValue] = { SourceFuzzing.run(format, $0) } }
    return all
  }()

  nonisolated(unsafe) static var current: @Sendable (UnsafeRawBufferPointer) -> Void = { _ in }
}
