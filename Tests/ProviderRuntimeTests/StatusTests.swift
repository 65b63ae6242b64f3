import CCallDirectory
import ProviderWire
import Testing

@Suite struct StatusTests {
  @Test func theWireAndTheHeaderGiveEveryStatusTheSameNumber() {
    let pairs: [(WireStatus, Int)] = [
      (.ok, CALLDIR_OK), (.entriesOutOfOrder, CALLDIR_ENTRIES_OUT_OF_ORDER),
      (.duplicateEntries, CALLDIR_DUPLICATE_ENTRIES), (.maximumEntriesExceeded, CALLDIR_MAXIMUM_ENTRIES_EXCEEDED),
      (.unexpectedIncrementalRemoval, CALLDIR_UNEXPECTED_REMOVAL), (.cancelled, CALLDIR_CANCELLED),
      (.hostFailure, CALLDIR_HOST_FAILURE), (.dataUnavailable, CALLDIR_DATA_UNAVAILABLE),
      (.dataCorrupt, CALLDIR_DATA_CORRUPT), (.providerFailure, CALLDIR_PROVIDER_FAILURE),
      (.badConfiguration, CALLDIR_BAD_CONFIGURATION), (.wrongThread, CALLDIR_WRONG_THREAD),
      (.wrongState, CALLDIR_WRONG_STATE), (.badArgument, CALLDIR_BAD_ARGUMENT),
    ]
    for (wire, header) in pairs { #expect(Int(wire.rawValue) == header) }
    let severities: [(LogSeverity, Int)] = [
      (.debug, CALLDIR_DEBUG), (.info, CALLDIR_INFO), (.warning, CALLDIR_WARNING), (.error, CALLDIR_ERROR),
    ]
    for (wire, header) in severities { #expect(Int(wire.rawValue) == header) }
  }
}
