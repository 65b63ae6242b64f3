import CCallDirectory
import CallDirectory
import Foundation
import ProviderWire
import Synchronization
import Testing

@testable import ProviderRuntime

extension HarnessTests {
  @Suite struct LoadTests {
    @Test("R-ORD-4: nothing is judged before a buffer is full, and the add that fills it returns the verdict")
    func verdictAtTheFullBuffer() throws {
      var harness = LoadHarness()
      harness.configuration.flushEntries = 10
      harness.verdict = { _, entries in entries.last == "+b 9" ? .duplicateEntries : .ok }
      var results: [Int32] = []
      let outcome = try harness.run(
        .init(load: { request in
          for number in (Int64(1)...9) + [9] { results.append(request.block(number)) }
          return 0
        }))
      #expect(results == [0, 0, 0, 0, 0, 0, 0, 0, 0, 4])
      #expect(outcome.flushes == ["FLUSH blocking 10"])
      #expect(outcome.record?.status == .duplicateEntries)
    }

    @Test("R-ORD-4: a bad entry in the last partial buffer shows only at the end, blocking first")
    func verdictAtTheEnd() throws {
      var harness = LoadHarness()
      harness.configuration.flushEntries = 10
      harness.verdict = { family, _ in family == .identification ? .entriesOutOfOrder : .ok }
      var results: [Int32] = []
      let outcome = try harness.run(
        .init(load: { request in
          results = [request.identify(9, "b"), request.identify(5, "a"), request.block(1)]
          return 0
        }))
      #expect(results == [0, 0, 0])
      #expect(
        outcome.events.suffix(6).dropLast() == [
          "+b 1", "FLUSH blocking 1", "+i 9 b", "+i 5 a", "FLUSH identification 2",
        ])
      #expect(outcome.record?.status == .entriesOutOfOrder)
    }

    @Test("R-ORD-4: the two families fill and flush each by itself", arguments: [UInt32(5_000), 10_000])
    func familiesFlushApart(flushEntries: UInt32) throws {
      var harness = LoadHarness()
      harness.configuration.flushEntries = flushEntries
      let outcome = try harness.run(
        .init(load: { request in
          for number in Int64(1)...10_000 {
            _ = request.identify(number, "label of \(number)")
            if number.isMultiple(of: 4) { _ = request.block(number) }
          }
          return 0
        }))
      #expect(
        outcome.flushes
          == (flushEntries == 5_000
            ? ["FLUSH identification 5000", "FLUSH identification 5000", "FLUSH blocking 2500"]
            : ["FLUSH identification 10000", "FLUSH blocking 2500"]))
      #expect(outcome.entries.count == 12_500)
      #expect(outcome.entries.filter { $0.hasPrefix("+i") } == (1...10_000).map { "+i \($0) label of \($0)" })
      #expect(outcome.record?.blocking == 2_500 && outcome.record?.identification == 10_000)
    }

    @Test func aFlushLargerThanAFrameArrivesWhole() throws {
      let label = String(repeating: "x", count: 60_000)
      let outcome = try LoadHarness().run(
        .init(load: { request in
          for number in Int64(1)...9 { _ = request.identify(number, label) }
          return 0
        }))
      #expect(outcome.entries == (1...9).map { "+i \($0) \(label)" })
      #expect(outcome.flushes == ["FLUSH identification 9"])
    }

    @Test func theFirstVerdictStaysWhateverTheProviderDoes() throws {
      var harness = LoadHarness()
      harness.configuration.flushEntries = 2
      harness.verdict = { _, _ in .maximumEntriesExceeded }
      var results: [Int32] = []
      let outcome = try harness.run(
        .init(load: { request in
          for number in Int64(1)...6 { results.append(request.identify(number, "x")) }
          results.append(request.block(1))
          return 0
        }))
      #expect(results == [0, 5, 5, 5, 5, 5, 5])
      #expect(outcome.entries.count == 2)
      #expect(outcome.record?.status == .maximumEntriesExceeded)
      #expect(outcome.record?.refusedAdds == 5)
    }

    @Test("R-ENT-3: empty and over-long labels reach the host as such, one of 65,534 bytes whole")
    func labels() throws {
      let outcome = try LoadHarness().run(
        .init(load: { request in
          _ = request.identify(1, "")
          _ = request.identify(2, String(repeating: "x", count: 65_534))
          _ = request.identify(3, String(repeating: "x", count: 65_535))
          return request.pointee.add_identification(request, 4, nil, 0)
        }))
      #expect(outcome.entries.map(\.utf8.count) == [4, 5 + 65_534, 5 + 8, 4])
      #expect(outcome.entries[2] == "+i 3 overlong")
      #expect(outcome.record?.status == .ok && outcome.record?.identification == 4)
    }

    @Test("any Int64 travels, also numbers the order rules will refuse (R-ENT-2, R-ORD-3)")
    func numbers() throws {
      let outcome = try LoadHarness().run(
        .init(load: { request in
          for number: Int64 in [0, -1, .max, .min] { _ = request.block(number) }
          return 0
        }))
      #expect(outcome.entries == ["+b 0", "+b -1", "+b 9223372036854775807", "+b -9223372036854775808"])
    }

    @Test("R-LIFE-6: the provider's own error goes out unchanged, and what was buffered is not flushed")
    func ownError() throws {
      let outcome = try LoadHarness().run(
        .init(load: { request in
          _ = request.block(1)
          Self.report("com.example.crm", -7, "no contacts")
          Self.report("", 12, "none at all")
          return 33
        }))
      #expect(outcome.events.contains("PROVIDER ERROR com.example.crm -7 no contacts"))
      #expect(outcome.events.contains("PROVIDER ERROR test.provider 12 none at all"))
      #expect(outcome.flushes.isEmpty)
      #expect(outcome.record?.status == .dataCorrupt)
    }

    @Test func aProviderThatCannotBeCreatedIsNeitherLoadedNorDestroyed() throws {
      var calls: [String] = []
      let outcome = try LoadHarness().run(
        .init(
          create: { _, _ in 35 },
          load: { _ in
            calls.append("load")
            return 0
          }, destroy: { calls.append("destroy") }))
      #expect(calls.isEmpty)
      #expect(outcome.record?.status == .badConfiguration)
      #expect(outcome.events.last == "\(ProviderMessage.descriptor(Self.descriptor))")
    }

    @Test func aNullLabelWithALengthFailsTheLoad() throws {
      for length in [1, Int.min, -1] {
        var result: Int32 = 0
        let outcome = try LoadHarness().run(
          .init(load: { request in
            result = request.pointee.add_identification(request, 1, nil, length)
            return 0
          }))
        #expect(result == 50)
        #expect(outcome.record?.status == .badArgument)
        #expect(outcome.entries.isEmpty)
      }
    }

    @Test func aCallOnAnotherThreadIsRefusedAndFailsTheLoad() throws {
      nonisolated(unsafe) var result: Int32 = 0
      let outcome = try LoadHarness().run(
        .init(load: { request in
          let done = DispatchSemaphore(value: 0)
          nonisolated(unsafe) let request = request
          Thread.detachNewThread {
            result = request.block(1)
            done.signal()
          }
          done.wait()
          return request.block(2)
        }))
      #expect(result == 48)
      #expect(outcome.record?.status == .wrongThread)
      #expect(outcome.flushes.isEmpty)
    }

    @Test("R-LIFE-7: adds after the load are ignored and counted")
    func addsAfterTheLoad() throws {
      nonisolated(unsafe) var kept: LoadHarness.Request?
      var result: Int32 = 0
      let outcome = try LoadHarness().run(
        .init(
          load: { request in
            kept = request
            return request.block(1)
          }, destroy: { result = kept?.block(2) ?? 0 }))
      #expect(result == 49)
      #expect(outcome.entries == ["+b 1"])
      #expect(outcome.record?.status == .ok && outcome.record?.refusedAdds == 1)
    }

    @Test func linesOfTheLogArriveFromAnyThread() throws {
      let outcome = try LoadHarness().run(
        .init(load: { request in
          let group = DispatchGroup()
          for thread in 0..<4 {
            group.enter()
            Thread.detachNewThread {
              for line in 0..<50 { Self.log("\(thread):\(line)") }
              group.leave()
            }
          }
          for number in Int64(1)...20_000 { _ = request.identify(number, "some label") }
          group.wait()
          return 0
        }))
      #expect(outcome.events.filter { $0.hasPrefix("LOG ") }.count == 200)
      #expect(outcome.entries.count == 20_000)
    }

    @Test func everyTextOfTheConfigurationReachesTheProviderAndIsFollowedByAZero() throws {
      var harness = LoadHarness()
      harness.configuration.title = "Москва"
      harness.configuration.containerPath = "/container"
      harness.configuration.optionsJSON = #"{"a":1}"#
      var found: [String] = []
      var limit: UInt64 = 0
      _ = try harness.run(
        .init(
          create: { host, configuration in
            let table = configuration.pointee
            for text in [table.provider_id, table.title, table.container_path, table.shard_path, table.options_json] {
              guard let bytes = text.bytes else { return 99 }
              found.append(String(cString: bytes))
              if strlen(bytes) != text.length { return 98 }
            }
            return host.pointee.get_extension(host, "calldir.incremental/1") == nil ? 0 : 97
          },
          load: { request in
            limit = request.pointee.entry_limit
            return 0
          }))
      #expect(found == ["test", "Москва", "/container", "", #"{"a":1}"#])
      #expect(limit == 1_999_999)
    }

    private static let descriptor = ProviderDescriptor(
      identifier: "test.provider", version: "1", title: "Test", abiMinor: 0)

    private static func report(_ domain: String, _ code: Int64, _ message: String) {
      guard let host = LoadHarness.host else { return }
      domain.withCString { domain in
        message.withCString {
          host.pointee.report_error(
            host, calldir_string(bytes: domain, length: strlen(domain)), code,
            calldir_string(bytes: $0, length: strlen($0)))
        }
      }
    }

    private static func log(_ text: String) {
      guard let host = LoadHarness.host else { return }
      text.withCString { host.pointee.log(host, 1, calldir_string(bytes: $0, length: strlen($0))) }
    }
  }

  @Suite struct CancellationTests {
    @Test func aCancellationIsSeenAndTheLoadEndsWithItEvenIfTheProviderReturnsSuccess() throws {
      var harness = LoadHarness()
      harness.cancelsBefore = true
      var isCancelled = false
      let outcome = try harness.run(
        .init(load: { request in
          isCancelled = request.pointee.is_cancelled(request)
          return request.block(1)
        }))
      #expect(isCancelled)
      #expect(outcome.record?.status == .cancelled)
      #expect(outcome.flushes.isEmpty)
    }

    @Test func aLoadThatRunsIsNotCancelled() throws {
      var harness = LoadHarness()
      harness.configuration.flushEntries = 1
      nonisolated(unsafe) var cancellations = 0
      let outcome = try harness.run(
        .init(load: { request in
          nonisolated(unsafe) let request = request
          let isDone = Atomic(false)
          let done = DispatchSemaphore(value: 0)
          // Asked by another thread while verdicts come in, which must not be taken for a cancellation.
          Thread.detachNewThread {
            while !isDone.load(ordering: .relaxed) { if request.pointee.is_cancelled(request) { cancellations += 1 } }
            done.signal()
          }
          for number in Int64(1)...3_000 { _ = request.block(number) }
          isDone.store(true, ordering: .relaxed)
          done.wait()
          return 0
        }))
      #expect(cancellations == 0)
      #expect(outcome.record?.status == .ok)
    }

    @Test func aCancellationInsteadOfAVerdictEndsTheWaiting() throws {
      for closes in [false, true] {
        var harness = LoadHarness()
        harness.configuration.flushEntries = 2
        if closes { harness.closeAtFlush = 1 } else { harness.cancelAtFlush = 1 }
        var results: [Int32] = []
        let outcome = try harness.run(
          .init(load: { request in
            for number in Int64(1)...5 { results.append(request.block(number)) }
            return 0
          }))
        #expect(results == [0, 0, 0, 16, 16])
        #expect(outcome.record?.status == .cancelled)
      }
    }
  }

  @Suite struct CancellationBehindAVerdictTests {
    @Test func itIsSeenAndTheNextFlushDoesNotWait() throws {
      var harness = LoadHarness()
      harness.configuration.flushEntries = 2
      harness.cancelAfterFlush = 0
      var results: [Int32] = []
      var isCancelled = false
      let outcome = try harness.run(
        .init(load: { request in
          results = [request.block(1), request.block(2)]
          isCancelled = request.pointee.is_cancelled(request)
          results += [request.block(3), request.block(4), request.block(5)]
          return 0
        }))
      #expect(isCancelled)
      #expect(results == [0, 0, 0, 16, 16])
      #expect(outcome.record?.status == .cancelled)
    }
  }

  @Suite struct TableTests {
    private func refusal(_ change: @escaping (inout calldir_provider) -> Void) throws -> String? {
      var harness = LoadHarness()
      harness.changeTable = change
      let outcome = try harness.run(.init())
      #expect((outcome.record == nil) == (outcome.events.last?.hasPrefix("REFUSAL") == true))
      return outcome.record == nil ? outcome.events.last : nil
    }

    @Test func aTableThatLacksAFunctionOrATextIsRefusedByName() throws {
      #expect(try refusal { $0.create = nil } == "REFUSAL malformedTable create is NULL")
      #expect(try refusal { $0.load = nil } == "REFUSAL malformedTable load is NULL")
      #expect(try refusal { $0.destroy = nil } == "REFUSAL malformedTable destroy is NULL")
      #expect(try refusal { $0.identifier.length = 0 } == "REFUSAL malformedTable identifier is empty")
      #expect(
        try refusal { $0.version.bytes = nil } == "REFUSAL malformedTable version is NULL with a length of 1")
    }

    @Test func aShorterOrLongerTableIsReadAsFarAsItGoes() throws {
      #expect(try refusal { $0.struct_size = 0 } == "REFUSAL malformedTable struct_size is 0, expected at least 80")
      #expect(try refusal { $0.struct_size = 79 } == "REFUSAL malformedTable struct_size is 79, expected at least 80")
      #expect(try refusal { $0.struct_size = 80 } == nil)
      #expect(try refusal { $0.struct_size = 4_000 } == nil)
    }
  }
}

/// The suites that run providers in this process, one test at a time.
@Suite(.serialized) struct HarnessTests {}
