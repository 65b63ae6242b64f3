internal import CallDirectory

/// The entries of a release in ascending order of number, with their labels: its shards walked side by side. Memory is a few KiB and
/// the longest label per provider. One thread uses it.
final class ReleaseWalk {
  /// What a provider has of consecutive numbers, of all the same.
  struct Entry {
    var number = Int64.max
    /// The last of the numbers.
    var last = Int64.max
    var isBlocked = false
    /// Empty when it is not identified.
    var label: [UInt8] = []
  }

  /// By provider of the release: what it has of the number at hand, or of the next that it has, and as far as it goes on;
  /// `Int64.max` behind the last.
  private(set) var entries: [Entry]
  /// By provider of the release: why its shard could not be read, or not to its end.
  private(set) var problems: [String?]

  private var cursors: [ReleaseCursor?] = []

  /// A walk over shards, or packs by their indexes, at `paths`, before the first number.
  init(_ paths: [String]) {
    entries = paths.map { _ in Entry() }
    problems = paths.map { _ in nil }
    for (place, path) in paths.enumerated() {
      do {
        cursors.append(try ReleaseCursor(path))
        advance(place)
      } catch {
        cursors.append(nil)
        problems[place] = "\(error)"
      }
    }
  }

  /// The least number that is left; `Int64.max` behind the last.
  var least: Int64 { entries.reduce(.max) { min($0, $1.number) } }

  /// The last number, `limit` at most, up to which every provider has what it has of `number`.
  func end(from number: Int64, to limit: Int64) -> Int64 {
    entries.reduce(limit) { min($0, $1.number <= number ? $1.last : $1.number - 1) }
  }

  /// Goes behind `number`, one of the numbers at hand of a provider.
  @inline(__always)
  func pass(_ number: Int64, _ place: Int) {
    if number < entries[place].last { entries[place].number = number + 1 } else { advance(place) }
  }

  /// Goes behind the numbers at hand of a provider.
  private func advance(_ place: Int) {
    entries[place].number = .max
    entries[place].last = .max
    guard let cursor = cursors[place] else { return }
    do {
      guard let run = try cursor.nextRun() else { return }
      let entry = run.entry
      entries[place].number = entry.number.rawValue
      entries[place].last = run.numbers.upperBound.rawValue
      entries[place].isBlocked = entry.isBlocked
      entries[place].label.removeAll(keepingCapacity: true)
      if let label = entry.label { entries[place].label.append(contentsOf: label) }
    } catch {
      cursors[place] = nil
      problems[place] = "\(error)"
    }
  }
}
