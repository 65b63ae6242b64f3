import DirectorySources
import Glibc

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

/// Stops the process with `finding` where `condition` does not hold. Optimised code would not print a precondition's text.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) {
  guard !condition else { return }
  let text = Array("finding: \(finding())\n".utf8)
  _ = write(2, text, text.count)
  abort()
}
