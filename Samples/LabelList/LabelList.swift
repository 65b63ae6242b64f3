// A provider in Swift, in one file: a list of numbers with their labels, read from `labels.tsv` in its container.
//
// Each line is `number TAB label`: the country calling code and the national number, with or without `+`, as in
// `74951234567<TAB>Pizzeria Roma`. Lines must ascend by number (`sort -n -u` does it); blank lines and lines that begin
// with `#` are left out. The file is streamed, so it may be as long as the phone's cap allows.
//
// Build it:              swift build -c release --product LabelList
// Drop it in:            cp .build/release/libLabelList.so Plugins/
// Give it data:          mkdir -p <its container> && cp labels.tsv <its container>/
//                        (`shardctl provider list` says where that is)
// Turn it on:            shardctl enable LabelList && shardctl reload LabelList
//
// To begin one of your own, copy this folder, declare a target and a dynamic library product for it as Package.swift
// does for this one, and change what `load` reads.

public import CCallDirectory
internal import ProviderKit

final class LabelList: CallDirectoryProvider {
  static let identifier: StaticString = "com.example.label-list"
  static let version: StaticString = "1.0"
  static let title: StaticString = "Label list"

  private let path: String

  init(_ configuration: ProviderConfiguration, host: HostReference) throws(ProviderFailure) {
    path = "\(configuration.containerPath)/labels.tsv"
  }

  func load(into request: borrowing ProviderRequest) throws(ProviderFailure) {
    let lines = try LineReader(path)
    var last: Int64 = 0
    while let line = try lines.next() {
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else {
        throw lines.failure("expected a number, a tab and a label")
      }
      guard let number = NumberText.parse(UnsafeRawBufferPointer(rebasing: line[..<tab])) else {
        throw lines.failure("expected 1 to 18 digits before the tab")
      }
      // The host checks the order as well, but it can't name the line.
      guard number > last else {
        throw lines.failure("\(number) does not come after \(last): sort the file by number and drop repeats")
      }
      last = number
      try request.addIdentification(number, label: UnsafeRawBufferPointer(rebasing: line[(tab + 1)...]))
    }
  }
}

private let entry = ProviderEntry(LabelList.self)

/// What every Swift provider ends with: the one function that the host calls.
@c @implementation
public func calldir_provider_entry_v1(_ hostABIMinor: UInt32) -> UnsafePointer<calldir_provider>! { entry.table }
