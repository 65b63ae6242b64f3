import CallDirectory
import PhoneNumbering

/// What a text became: the number as digits, or the refusal.
enum Verdict: Equatable, CustomStringConvertible {
  case number(Int64, NormalisationNotes)
  case refused(NumberRefusal)

  var description: String {
    switch self {
    case .number(let number, let notes): notes.isEmpty ? "\(number)" : "\(number) (\(notes))"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }

  var number: Int64? {
    if case .number(let number, _) = self { number } else { nil }
  }
}

/// One normaliser per region with every option at its default; making one costs more than using it.
private let defaults = Dictionary(
  uniqueKeysWithValues: RegionCode.all.map { ($0.rawValue, PhoneNormaliser(NormalisationOptions(region: $0))) })

/// Normalises `text` as a list of `region`.
func verdict(_ text: String, _ region: String? = nil) -> Verdict {
  verdict(text, region.flatMap { defaults[$0] } ?? PhoneNormaliser(NormalisationOptions()))
}

/// Normalises `text` as a list of `region` with `options` changed as given.
func verdict(_ text: String, _ region: String? = nil, _ change: (inout NormalisationOptions) -> Void) -> Verdict {
  var options = NormalisationOptions(region: region.flatMap { RegionCode($0) })
  change(&options)
  return verdict(text, PhoneNormaliser(options))
}

private func verdict(_ text: String, _ normaliser: PhoneNormaliser) -> Verdict {
  do {
    let result = try normaliser.normalise(text)
    return .number(result.number.rawValue, result.notes)
  } catch {
    return .refused(error)
  }
}

/// One row of a table: a text, the country of its list, what must come out.
struct Spelling: CustomStringConvertible, Sendable {
  let id: String
  let text: String
  let region: String?
  let verdict: Verdict

  /// Accepted; `notes` besides "not an assigned range", which fictitious numbers often earn.
  init(_ id: String, _ text: String, _ region: String? = nil, is number: Int64, _ notes: NormalisationNotes = []) {
    (self.id, self.text, self.region, self.verdict) = (id, text, region, .number(number, notes))
  }

  init(_ id: String, _ text: String, _ region: String? = nil, isRefused refusal: NumberRefusal) {
    (self.id, self.text, self.region, self.verdict) = (id, text, region, .refused(refusal))
  }

  var description: String { "\(id) \(text) \(region ?? "–")" }
}
