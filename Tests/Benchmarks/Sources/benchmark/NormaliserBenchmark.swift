import PhoneNumbering
import SystemSupport

/// The normaliser against a loop that only reads the same digits into an integer, per region of a list of raw numbers.
struct NormaliserBenchmark {
  private let file: String

  init(_ arguments: [String]) { file = arguments.argument(0) ?? "numbers.tsv" }

  func run() throws {
    var regions: [String: [[UInt8]]] = [:]
    for line in try FileSystem.read(file).split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      guard fields.count >= 2 else { continue }
      regions[String(decoding: fields[1], as: UTF8.self), default: []].append(Array(fields[0]))
    }
    var normalising = 0.0
    var parsing = 0.0
    var count = 0
    for (region, numbers) in regions.sorted(by: { $0.key < $1.key }) {
      let figures = Self.measure(numbers, region: region)
      normalising += figures.normalising * Double(numbers.count)
      parsing += figures.parsing * Double(numbers.count)
      count += numbers.count
    }
    let (each, bare) = (normalising / Double(count), parsing / Double(count))
    print("numbers \(count) normalise \(each) ns digits-only \(bare) ns ratio \(bare / each)")
  }

  /// The least time of each, in nanoseconds a number, of rounds taken in turn.
  private static func measure(_ numbers: [[UInt8]], region: String) -> (normalising: Double, parsing: Double) {
    let normaliser = PhoneNormaliser(NormalisationOptions(region: RegionCode(region)))
    let bytes = numbers.flatMap { $0 }
    var ends: [Int] = []
    for number in numbers { ends.append((ends.last ?? 0) + number.count) }
    let repeats = 20_000 / numbers.count + 1
    var best = (normalising: Double.infinity, parsing: Double.infinity)
    var sum: Int64 = 0
    for _ in 0..<40 {
      let first = nanoseconds {
        bytes.withUnsafeBytes { bytes in
          for _ in 0..<repeats {
            var start = 0
            for end in ends {
              let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
              if case .success(let accepted) = normaliser.outcome(of: text) { sum &+= accepted.number.rawValue }
              start = end
            }
          }
        }
      }
      let second = nanoseconds {
        bytes.withUnsafeBytes { bytes in
          for _ in 0..<repeats {
            var start = 0
            for end in ends {
              var value: Int64 = 0
              for index in start..<end {
                let digit = bytes[index] &- UInt8(ascii: "0")
                if digit < 10 { value = value &* 10 &+ Int64(digit) }
              }
              sum &+= value
              start = end
            }
          }
        }
      }
      let calls = Double(numbers.count * repeats)
      best.normalising = min(best.normalising, first / calls)
      best.parsing = min(best.parsing, second / calls)
    }
    // The sum is used, so that neither loop is left out.
    if sum == 0 { print("nothing was normalised") }
    return best
  }

  private static func nanoseconds(_ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) * 1e-9
  }
}
