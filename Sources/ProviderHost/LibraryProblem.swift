/// Why a file is no library that a provider could be in, found without running any of it.
public struct LibraryProblem: Error, Hashable, Sendable {
  /// The kinds of problem.
  public enum Reason: Hashable, Sendable {
    /// Nothing is there.
    case missing
    /// It is a folder, a device or a pipe.
    case notAFile
    /// It cannot be read; the system's words.
    case unreadable(String)
    /// It has no bytes.
    case empty
    /// It does not begin as an ELF file does.
    case notELF
    /// It ends inside its headers or before a part that they promise; sizes in bytes.
    case cutShort(size: Int, needed: UInt64)
    /// It is for processors of another word size or byte order.
    case otherClass(String)
    /// It is for another kind of processor; the ELF machine number.
    case otherMachine(UInt16)
    /// It is a program.
    case program
    /// It is an object file, a core dump or something else; the ELF type number.
    case otherType(UInt16)
    /// Its headers make no sense; what is wrong.
    case damaged(String)
  }

  /// The file.
  public var path: String
  /// What is wrong with it.
  public var reason: Reason

  /// A problem of the file at `path`.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// What is wrong, in words that complete "the file …".
  public var explanation: String {
    switch reason {
    case .missing: "does not exist"
    case .notAFile: "is not a regular file"
    case .unreadable(let why): "cannot be read: \(why)"
    case .empty: "is empty"
    case .notELF: "is not a shared library (no ELF header)"
    case .cutShort(let size, let needed): "is cut short: it has \(size) bytes and its headers promise \(needed)"
    case .otherClass(let what): "is a library for \(what) systems"
    case .otherMachine(let machine):
      "is a library for \(ELFHeader.machineName(machine)), this is \(ELFHeader.machineName(ELFHeader.ownMachine))"
    case .program: "is a program, not a shared library"
    case .otherType(let type): "is not a shared library (\(ELFHeader.typeName(type)))"
    case .damaged(let what): "has damaged headers: \(what)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch reason {
    case .missing: "put the library into the plugins folder or correct the plan's \"library\""
    case .notAFile: "name the library file itself"
    case .unreadable: "check the file's permissions"
    case .empty, .cutShort, .damaged: "copy or build the library again"
    case .notELF: "a provider is a shared library built with -shared (C) or as a dynamic library product (Swift)"
    case .otherClass, .otherMachine: "build the library on or for this machine"
    case .program, .otherType: "build it as a shared library: -shared -fPIC (C) or a dynamic library product (Swift)"
    }
  }
}

extension LibraryProblem: CustomStringConvertible {
  /// `path: is empty`.
  public var description: String { "\(path): \(explanation)" }
}
