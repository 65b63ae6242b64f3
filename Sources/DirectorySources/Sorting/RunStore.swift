internal import CSystemSupport
internal import Synchronization
internal import SystemSupport

/// Holds the sorted runs: the first ones in memory, up to a limit, all others in one unnamed temporary file.
final class RunStore: Sendable {
  private struct State {
    var runs: [SortedRun] = []
    var keptBytes = 0
    var spooledBytes = 0
    var spool: OpenFile?
  }

  private let state = Mutex(State())
  private let keepLimit: Int
  private let folder: String
  private let meter: InputMeter

  /// A store that keeps at most `keepLimit` bytes in memory.
  init(keepLimit: Int, folder: String, meter: InputMeter) {
    self.keepLimit = keepLimit
    self.folder = folder
    self.meter = meter
  }

  /// The runs so far.
  var runs: [SortedRun] { state.withLock { $0.runs } }

  /// Bytes that went to the temporary file.
  var spooledBytes: Int { state.withLock { $0.spooledBytes } }

  /// Adds `records` in the order of `keys` as a run. `buffer` collects what is written to disk. Any thread.
  func add(
    _ records: UnsafeRawBufferPointer, in keys: UnsafeMutableBufferPointer<SortKey>,
    buffer: UnsafeMutableRawBufferPointer
  ) throws(SourceError) {
    guard !records.isEmpty else { return }
    do throws(SystemError) {
      let run: SortedRun
      if let block = try reserveMemory(records.count) {
        _ = Self.gather(records, keys[...], into: block.bytes)
        run = SortedRun(.memory(block), byteCount: records.count)
      } else {
        let (file, start) = try reserveSpool(records.count)
        var remaining = keys[...]
        var offset = start
        while !remaining.isEmpty {
          let (taken, count) = Self.gather(records, remaining, into: buffer)
          try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
          offset += count
          remaining = remaining.dropFirst(taken)
        }
        run = SortedRun(.file(file, offset: start), byteCount: records.count)
      }
      state.withLock { $0.runs.append(run) }
    } catch {
      throw failure(error)
    }
  }

  /// Copies the records of as many keys as fit into `target`; returns the keys taken and the bytes written.
  private static func gather(
    _ records: UnsafeRawBufferPointer, _ keys: Slice<UnsafeMutableBufferPointer<SortKey>>,
    into target: UnsafeMutableRawBufferPointer
  ) -> (taken: Int, count: Int) {
    guard let base = records.baseAddress, let output = target.baseAddress else { return (0, 0) }
    let keys = UnsafeMutableBufferPointer(rebasing: keys)
    var written = 0
    for index in 0..<keys.count {
      // Records lie in the order of the file: each would be waited for.
      csystem_prefetch(base + keys[min(index + 8, keys.count - 1)].offset)
      let record = base + keys[index].offset
      let count = RowRecord.byteCount(at: record)
      if count > target.count - written { return (index, written) }
      (output + written).copyShort(from: record, byteCount: count)
      written += count
    }
    return (keys.count, written)
  }

  private func reserveMemory(_ count: Int) throws(SystemError) -> MemoryBlock? {
    let (fits, isFirst) = state.withLock { state in
      guard state.keptBytes + count <= keepLimit else { return (false, false) }
      defer { state.keptBytes += count }
      return (true, state.keptBytes == 0)
    }
    guard fits else { return nil }
    // The first run tells how much is to come, long before the disk is needed.
    if isFirst, meter.hasBegun { try checkFreeSpace(soFar: count) }
    return try MemoryBlock(byteCount: count)
  }

  private func reserveSpool(_ count: Int) throws(SystemError) -> (OpenFile, Int) {
    let result = state.withLock { state in
      Result { () throws(SystemError) -> (OpenFile, Int) in
        let file: OpenFile
        if let spool = state.spool {
          file = spool
        } else {
          try checkFreeSpace(soFar: state.keptBytes + count)
          file = try OpenFile(temporaryIn: folder)
          state.spool = file
        }
        let start = state.spooledBytes
        state.spooledBytes += count
        return (file, start)
      }
    }
    return try result.get()
  }

  /// Is there room for all that will have to wait on disk, judged by the input read so far?
  private func checkFreeSpace(soFar: Int) throws(SystemError) {
    let expected = meter.extrapolate(soFar) - keepLimit
    guard expected > 0 else { return }
    guard try FileSystem.freeBytes(at: folder) >= expected else {
      throw SystemError(operation: "sort on disk", path: folder, errno: SystemError.noSpace)
    }
  }

  /// Names the folder and what would help, with figures.
  func failure(_ error: SystemError) -> SourceError {
    if !error.isDiskFull, let remedy = error.remedy {
      return SourceError(.io, file: error.path, "cannot \(error.operation): \(error.reason)", hint: remedy)
    }
    let needed = Self.megabytes(max(0, meter.extrapolate(collectedEstimate) - keepLimit))
    let free = (try? FileSystem.freeBytes(at: folder)).map { ", where \(Self.megabytes($0)) are free" } ?? ""
    return SourceError(
      .io, file: error.path.isEmpty ? folder : error.path, "cannot \(error.operation): \(error.reason)",
      hint:
        "sorting needs about \(needed) in \(folder)\(free): free some space, "
        + (folder == Machine.temporaryFolder ? "set TMPDIR to another folder, " : "") + "or allow more memory")
  }

  private static func megabytes(_ bytes: Int) -> String { "\(bytes >> 20) MB" }

  private var collectedEstimate: Int { state.withLock { $0.keptBytes + $0.spooledBytes } }
}
