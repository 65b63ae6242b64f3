/// The part of an ELF file that tells whether the dynamic linker can take it, read without running any of it.
///
/// The linker itself gives misleading reasons (a library of another machine is "not found") and dies with SIGBUS on a
/// file that was cut after its headers; so the host looks first. Field offsets: ELF-64 object file format.
enum ELFHeader {
  static let byteCount = 64
  private static let programHeaderBytes = 56
  private static let typeShared: UInt16 = 3
  private static let segmentLoad: UInt32 = 1
  private static let segmentDynamic: UInt32 = 2
  private static let tagFlags1: UInt64 = 0x6FFF_FFFB
  private static let flagPIE: UInt64 = 0x0800_0000

  /// The machine number of this build.
  static var ownMachine: UInt16 {
    #if arch(x86_64)
      62
    #elseif arch(arm64)
      183
    #elseif arch(riscv64)
      243
    #else
      0
    #endif
  }

  static func machineName(_ machine: UInt16) -> String {
    switch machine {
    case 3: "x86 (32 bit)"
    case 40: "ARM (32 bit)"
    case 62: "x86-64"
    case 183: "AArch64"
    case 243: "RISC-V"
    default: "machine \(machine)"
    }
  }

  static func typeName(_ type: UInt16) -> String {
    switch type {
    case 1: "an object file"
    case 2: "a program"
    case 4: "a core dump"
    default: "ELF type \(type)"
    }
  }

  /// What keeps the file whose first bytes are `head` and whose size is `size` from being loaded, or nil. `read` gives
  /// that many bytes at an offset, or nil where the file has fewer.
  static func problem(
    head: UnsafeRawBufferPointer, size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> LibraryProblem.Reason? {
    guard size > 0, !head.isEmpty else { return .empty }
    guard head.prefix(4).elementsEqual([0x7F, 0x45, 0x4C, 0x46].prefix(head.count)) else { return .notELF }
    guard head.count >= byteCount else { return .cutShort(size: size, needed: UInt64(byteCount)) }
    guard head[4] == 2 else { return .otherClass("32-bit") }
    guard head[5] == 1 else { return .otherClass("big-endian") }
    let type = head.littleEndian(UInt16.self, at: 16)
    let machine = head.littleEndian(UInt16.self, at: 18)
    guard machine == ownMachine else { return .otherMachine(machine) }
    guard type == typeShared else { return type == 2 ? .program : .otherType(type) }
    let tableOffset = head.littleEndian(UInt64.self, at: 32)
    let entryBytes = head.littleEndian(UInt16.self, at: 54)
    let entries = Int(head.littleEndian(UInt16.self, at: 56))
    guard entries > 0 else { return .damaged("no program headers") }
    guard entryBytes == programHeaderBytes else { return .damaged("program headers of \(entryBytes) bytes") }
    let (tableEnd, overflow) = tableOffset.addingReportingOverflow(UInt64(entries * programHeaderBytes))
    guard !overflow, tableEnd <= UInt64(size) else {
      return .cutShort(size: size, needed: overflow ? .max : tableEnd)
    }
    guard let table = read(Int(tableOffset), entries * programHeaderBytes) else {
      return .cutShort(size: size, needed: tableEnd)
    }
    return table.withUnsafeBytes { segmentProblem($0, count: entries, size: size, read: read) }
  }

  private static func segmentProblem(
    _ table: UnsafeRawBufferPointer, count: Int, size: Int, read: (Int, Int) -> [UInt8]?
  ) -> LibraryProblem.Reason? {
    var loads = 0
    var dynamic: Range<UInt64>?
    for index in 0..<count {
      let base = index * programHeaderBytes
      let kind = table.littleEndian(UInt32.self, at: base)
      guard kind == segmentLoad || kind == segmentDynamic else { continue }
      let offset = table.littleEndian(UInt64.self, at: base + 8)
      let (end, overflow) = offset.addingReportingOverflow(table.littleEndian(UInt64.self, at: base + 32))
      guard !overflow, end <= UInt64(size) else { return .cutShort(size: size, needed: overflow ? .max : end) }
      if kind == segmentLoad { loads += 1 } else { dynamic = offset..<end }
    }
    guard loads > 0 else { return .damaged("nothing to load") }
    guard let dynamic else { return .damaged("no dynamic section") }
    // A program that is position-independent has the type of a library; one flag tells them apart.
    let bytes = read(Int(dynamic.lowerBound), min(dynamic.count, 1 << 16)) ?? []
    let isProgram = bytes.withUnsafeBytes { entries in
      stride(from: 0, to: entries.count - entries.count % 16, by: 16).contains {
        entries.littleEndian(UInt64.self, at: $0) == tagFlags1
          && entries.littleEndian(UInt64.self, at: $0 + 8) & flagPIE != 0
      }
    }
    return isProgram ? .program : nil
  }
}

extension UnsafeRawBufferPointer {
  /// Requires: the integer lies inside.
  fileprivate func littleEndian<I: FixedWidthInteger & BitwiseCopyable>(_: I.Type, at offset: Int) -> I {
    I(littleEndian: loadUnaligned(fromByteOffset: offset, as: I.self))
  }
}
