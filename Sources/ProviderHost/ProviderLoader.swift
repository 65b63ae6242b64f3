public import CallDirectory
internal import Digests
internal import ProcessSupport
internal import ProviderWire
internal import SystemSupport

/// Loads providers, each in a process of its own, under the phone's rules.
///
/// A value without state: several loads run in parallel, one per calling thread, and none can disturb another.
public struct ProviderLoader: Sendable {
  /// The program that the child processes run.
  public var hostExecutable: String
  /// Told to providers as the host's version.
  public var version: String

  /// The program's file name.
  public static let executableName = "shardctl-provider-host"

  /// A loader that starts `hostExecutable`; by default the one beside the running executable.
  public init(hostExecutable: String? = nil, version: String = "1") {
    self.hostExecutable =
      hostExecutable ?? Path.join(Path.directory(of: (try? CurrentProcess.executable()) ?? ""), Self.executableName)
    self.version = version
  }

  /// Loads one provider to its end and gives `sink` every accepted entry: of each family strictly ascending, labels of
  /// 1 to 65,534 bytes of UTF-8, together never more than the limit. Waits on the calling thread.
  ///
  /// Entries reach the sink while they stream, before the load is known to succeed: unless the outcome is `accepted`, all
  /// of them are to be thrown away. An error of the sink ends the load as `hostFailed`. Memory: 0.3 MB besides the sink's.
  public func load(_ request: LoadRequest, into sink: any EntrySink) -> LoadResult {
    let start = Clock.monotonicSeconds
    var result = LoadResult(
      providerID: request.providerID, outcome: .cancelled, counts: EntryCounts(), warnings: [], descriptor: nil,
      log: [],
      omittedLogLines: 0, confinement: [], peakMemory: 0, seconds: 0, capturedOutput: "", libraryDigest: nil)
    if request.cancellation?.isCancelled != true { run(request, sink, start, &result) }
    result.seconds = Clock.monotonicSeconds - start
    return result
  }

  private func run(_ request: LoadRequest, _ sink: any EntrySink, _ start: Double, _ result: inout LoadResult) {
    let path = Path.absolute(request.libraryPath)
    let library = ProviderLibrary(path)
    if let problem = library.problem {
      result.outcome = .notAProvider(reason: "it \(problem.explanation)")
      return
    }
    do throws(SystemError) {
      result.libraryDigest = try library.digest()
      let child = try ChildProcess(hostExecutable, [])
      var load = RunningLoad(request, configuration(request, path), child, sink, start: start)
      load.run()
      load.report(in: &result)
    } catch {
      result.outcome = .hostFailed(error)
    }
  }

  private func configuration(_ request: LoadRequest, _ path: String) -> LoadConfiguration {
    var configuration = LoadConfiguration(
      libraryPath: path, providerID: request.providerID.rawValue, entryLimit: UInt64(clamping: request.entryLimit),
      parentProcess: CurrentProcess.id)
    configuration.title = request.title
    configuration.containerPath = Path.absolute(request.containerPath)
    configuration.shardPath = request.shardPath.map(Path.absolute) ?? ""
    configuration.optionsJSON = request.optionsJSON
    configuration.hostVersion = version
    configuration.flushEntries = UInt32(clamping: max(1, request.profile.flushEntries))
    configuration.memoryLimit = UInt64(clamping: request.memoryLimit)
    configuration.resourceLimits.stopsReservedMemory = request.memoryLimit > 0
    return configuration
  }
}
