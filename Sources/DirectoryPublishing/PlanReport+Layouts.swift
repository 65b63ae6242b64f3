internal import CallDirectory
internal import PositionedJSON

extension PlanReport {
  /// What one layout of the plan comes to.
  public struct Layout: Sendable {
    /// The layout's name.
    public var name: String
    /// What its providers get, compared with the same layout of the base release.
    public var report: PlanReport
    /// How many of its shards say the same as one of the plan's own providers or of an earlier layout, and are that file.
    public var shared: Int
    /// What starts off on phones that are updated from this layout to the plan's own providers.
    public var startingOff: [StartingOff]
  }

  /// The members `startingOff` and `layouts`.
  func writeLayouts(to json: inout JSONWriter) {
    Self.write(startingOff, to: &json)
    json.key("layouts")
    json.beginArray()
    for layout in layouts {
      layout.report.write(to: &json) { json in
        json.member("layout", layout.name)
        json.member("sharedShards", layout.shared)
        json.key("toPlan")
        json.beginObject()
        Self.write(layout.startingOff, to: &json)
        json.endObject()
      }
    }
    json.endArray()
  }

  private static func write(_ startingOff: [StartingOff], to json: inout JSONWriter) {
    json.key("startingOff")
    json.beginArray()
    for item in startingOff {
      json.beginObject(inline: true)
      switch item.origin {
      case .release(let release): json.member("release", release)
      case .layout(let layout): json.member("layout", layout)
      }
      json.member("provider", item.provider.rawValue)
      json.member("blocking", item.entries.blocking)
      json.member("identification", item.entries.identification)
      json.member("examples", item.samples.map(\.description))
      json.endObject()
    }
    json.endArray()
  }
}
