internal import Dispatch
internal import Synchronization

extension ShardWriter {
  /// Ends several shards of one data set; gives what was written in the order of `writers`. Balanced ones get one dictionary,
  /// trained on the sample of the first one, so they should share it, and are encoded two at a time.
  ///
  /// Throws the first error in the order of `writers`; those that are not ended yet stay open.
  public static func finish(_ writers: [ShardWriter]) throws -> [ShardSummary] {
    guard let sample = writers.lazy.compactMap(\.sample).first else { return try writers.map { try $0.finish() } }
    let dictionary = PhraseDictionary(training: sample)
    let work = Work(writers)
    DispatchQueue.concurrentPerform(iterations: min(2, writers.count)) { _ in
      while let index = work.next() {
        let result = Result { try work.writers[index].finish(dictionary: dictionary) }
        work.results.withLock { results in results[index] = result }
      }
    }
    return try work.results.withLock { results in try results.compactMap { try $0?.get() } }
  }

  /// Writers on their way to threads, each of which takes the next one that no other has.
  private final class Work: @unchecked Sendable {
    let writers: [ShardWriter]
    let results: Mutex<[Result<ShardSummary, any Error>?]>
    private let taken = Mutex(0)

    init(_ writers: [ShardWriter]) {
      self.writers = writers
      results = Mutex([Result<ShardSummary, any Error>?](repeating: nil, count: writers.count))
    }

    func next() -> Int? {
      taken.withLock { taken in
        guard taken < writers.count else { return nil }
        taken += 1
        return taken - 1
      }
    }
  }
}
