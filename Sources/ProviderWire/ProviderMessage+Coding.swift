internal import CallDirectory

extension ProviderMessage {
  /// The message as one frame. Texts over ``Frame/maximumText`` bytes are cut. Throws only when the entries of an
  /// `entries` message don't fit.
  public func encoded() throws(WireError) -> [UInt8] {
    var frame = FieldWriter(kind)
    switch self {
    case .hello(let version): frame.integer(version)
    case .stage(let stage): frame.integer(stage.rawValue)
    case .layer(let layer):
      frame.integer(layer.state.rawValue)
      frame.text(layer.name)
      frame.text(layer.detail)
    case .descriptor(let descriptor):
      frame.integer(descriptor.abiMinor)
      frame.text(descriptor.identifier)
      frame.text(descriptor.version)
      frame.text(descriptor.title)
    case .refusal(let reason, let text):
      frame.integer(reason.rawValue)
      frame.text(text)
    case .entries(let records): frame.raw(records.payload)
    case .flush(let family, let count):
      frame.integer(family.rawValue)
      frame.integer(UInt32(clamping: count))
    case .log(let severity, let text):
      frame.integer(severity.rawValue)
      frame.text(text)
    case .providerError(let domain, let code, let message):
      frame.integer(Int64(code))
      frame.text(domain)
      frame.text(message)
    case .progress(let completed, let total):
      frame.integer(completed)
      frame.integer(total)
    case .overMemory(let peak, let limit):
      frame.integer(UInt64(clamping: peak))
      frame.integer(UInt64(clamping: limit))
    case .runtimeFailure(let text): frame.text(text)
    case .final(let record):
      frame.integer(record.status.rawValue)
      frame.integer(record.blocking)
      frame.integer(record.identification)
      frame.integer(record.refusedAdds)
      frame.integer(record.baselineMemory)
      frame.integer(record.peakMemory)
    }
    return try frame.finish()
  }

  /// The message in a frame from the child; `entries` borrows the frame's payload.
  public init(_ frame: Frame) throws(WireError) {
    if frame.kind == .entries {
      self = .entries(try EntryRecords(frame))
      return
    }
    var fields = FieldReader(frame)
    switch frame.kind {
    case .hello: self = .hello(version: try fields.integer("version"))
    case .stage: self = .stage(try fields.choice("stage"))
    case .layer:
      let state: ConfinementLayer.State = try fields.choice("state")
      self = .layer(ConfinementLayer(name: try fields.text("name"), state: state, detail: try fields.text("detail")))
    case .descriptor:
      let abiMinor: UInt32 = try fields.integer("ABI minor")
      self = .descriptor(
        ProviderDescriptor(
          identifier: try fields.text("identifier"), version: try fields.text("version"),
          title: try fields.text("title"), abiMinor: abiMinor))
    case .refusal: self = .refusal(try fields.choice("reason"), text: try fields.text("text"))
    case .flush:
      let family: EntryFamily = try fields.choice("family")
      let count: UInt32 = try fields.integer("count")
      guard count >= 1 else { throw fields.error(.badValue, "count") }
      self = .flush(family, count: Int(count))
    case .log: self = .log(try fields.choice("severity"), try fields.text("text"))
    case .providerError:
      let code: Int64 = try fields.integer("code")
      self = .providerError(
        domain: try fields.text("domain"), code: Int(code), message: try fields.text("message"))
    case .progress: self = .progress(completed: try fields.integer("completed"), total: try fields.integer("total"))
    case .overMemory: self = .overMemory(peak: try fields.size("peak"), limit: try fields.size("limit"))
    case .runtimeFailure: self = .runtimeFailure(try fields.text("text"))
    case .final:
      self = .final(
        FinalRecord(
          status: WireStatus(rawValue: try fields.integer("status")), blocking: try fields.integer("blocking"),
          identification: try fields.integer("identification"), refusedAdds: try fields.integer("refused adds"),
          baselineMemory: try fields.integer("baseline memory"), peakMemory: try fields.integer("peak memory")))
    case .entries, .configuration, .verdict, .cancel: throw fields.error(.unknownKind, "kind")
    }
    try fields.end()
  }

  private var kind: Frame.Kind {
    switch self {
    case .hello: .hello
    case .stage: .stage
    case .layer: .layer
    case .descriptor: .descriptor
    case .refusal: .refusal
    case .entries: .entries
    case .flush: .flush
    case .log: .log
    case .providerError: .providerError
    case .progress: .progress
    case .overMemory: .overMemory
    case .runtimeFailure: .runtimeFailure
    case .final: .final
    }
  }
}
