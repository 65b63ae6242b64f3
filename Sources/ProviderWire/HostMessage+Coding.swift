extension HostMessage {
  /// The message as one frame. Throws `tooLong` when a configuration doesn't fit one: its paths and options may take
  /// about 128 KiB together; longer options belong in a file in the provider's container.
  public func encoded() throws(WireError) -> [UInt8] {
    switch self {
    case .configuration(let configuration):
      var frame = FieldWriter(.configuration)
      configuration.write(to: &frame)
      return try frame.finish()
    case .verdict(let status):
      var frame = FieldWriter(.verdict)
      frame.integer(status.rawValue)
      return try frame.finish()
    case .cancel: return try FieldWriter(.cancel).finish()
    }
  }

  /// The message in a frame from the host.
  public init(_ frame: Frame) throws(WireError) {
    var fields = FieldReader(frame)
    switch frame.kind {
    case .configuration: self = .configuration(try LoadConfiguration(&fields))
    case .verdict: self = .verdict(WireStatus(rawValue: try fields.integer("status")))
    case .cancel: self = .cancel
    default: throw fields.error(.unknownKind, "kind")
    }
    try fields.end()
  }
}

extension LoadConfiguration {
  func write(to frame: inout FieldWriter) {
    frame.integer(entryLimit)
    frame.integer(flushEntries)
    frame.integer(memoryLimit)
    frame.integer(parentProcess)
    frame.flag(resourceLimits.stopsReservedMemory)
    frame.integer(resourceLimits.cpuSeconds)
    frame.integer(resourceLimits.openFiles)
    frame.integer(resourceLimits.fileBytes)
    frame.flag(isSandboxStrict)
    for text in [libraryPath, providerID, title, containerPath, shardPath, optionsJSON, hostVersion] {
      frame.wholeText(text)
    }
  }

  init(_ fields: inout FieldReader) throws(WireError) {
    let entryLimit: UInt64 = try fields.integer("entry limit")
    let flushEntries: UInt32 = try fields.integer("flush entries")
    guard flushEntries >= 1 else { throw fields.error(.badValue, "flush entries") }
    let memoryLimit: UInt64 = try fields.integer("memory limit")
    let parentProcess: Int32 = try fields.integer("parent process")
    let resourceLimits = ResourceLimits(
      stopsReservedMemory: try fields.flag("memory stop"), cpuSeconds: try fields.integer("CPU seconds"),
      openFiles: try fields.integer("open files"), fileBytes: try fields.integer("file bytes"))
    let isSandboxStrict = try fields.flag("strict sandbox")
    let limit = Frame.maximumPayload
    let libraryPath = try fields.text("library path", limit: limit)
    self.init(
      libraryPath: libraryPath, providerID: try fields.text("provider id", limit: limit), entryLimit: entryLimit,
      parentProcess: parentProcess)
    title = try fields.text("title", limit: limit)
    containerPath = try fields.text("container path", limit: limit)
    shardPath = try fields.text("shard path", limit: limit)
    optionsJSON = try fields.text("options", limit: limit)
    hostVersion = try fields.text("host version", limit: limit)
    self.flushEntries = flushEntries
    self.memoryLimit = memoryLimit
    self.resourceLimits = resourceLimits
    self.isSandboxStrict = isSandboxStrict
  }
}
