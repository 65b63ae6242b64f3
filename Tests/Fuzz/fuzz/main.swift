// Feeds random bytes to one reader of the product until it traps, leaks or contradicts itself:
//
//     fuzz READER [libFuzzer's own arguments]
//
// See CONTRIBUTING.md for how to build and run it.
import CFuzzer
import Glibc

/// What libFuzzer calls; its runtime looks for the symbol even though the driver is given the function.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  FuzzedReader.current(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}

let readers = FuzzedReader.all
let name = CommandLine.arguments.dropFirst().first ?? ""
guard let reader = readers[name] else {
  print("usage: fuzz \(readers.keys.sorted().joined(separator: "|")) [-max_total_time=60] [FOLDER]")
  exit(64)
}
FuzzedReader.current = reader

var argumentCount = CommandLine.argc - 1
// libFuzzer takes the first argument for the program's name.
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments, testOneInput))
