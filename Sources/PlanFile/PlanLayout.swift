internal import SystemSupport

/// A list of providers over the plan's sources, beside the plan's own: what an app version with other extensions has.
public struct PlanLayout: Sendable {
  /// Its name in the plan, and of its phone's folder below the store.
  public var name: String
  /// The providers in the order of the layout.
  public var providers: [PlanProvider]
}

extension Plan {
  /// The plan as an app version with another layout has it: its providers, and a phone of its own below the plan's
  /// store. Nil when there is no such layout.
  ///
  /// Requires: paths that are to be resolved are resolved.
  public func using(layout name: String) -> Plan? {
    guard let layout = layouts.first(where: { $0.name == name }) else { return nil }
    var plan = self
    plan.providers = layout.providers
    plan.layout = name
    plan.layouts = []
    plan.mainStore = storeOfPlan
    plan.paths.store = Path.join(layoutStores, name)
    return plan
  }

  /// The store of the phone with the plan's own providers, whichever layout this is.
  public var storeOfPlan: String { mainStore ?? paths.store }

  /// The folder with the stores of phones with other layouts, each under the layout's name.
  public var layoutStores: String { Path.join(storeOfPlan, "layouts") }
}
