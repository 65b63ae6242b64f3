/// What digits without a `+` mean; the plan key `numbersAre`.
public enum NumberInterpretation: String, CaseIterable, Sendable {
  /// As dialled in the source's country: national, or after an international prefix, or with the country's own calling
  /// code in front. Where none of that can be, an assigned international number whose `+` was lost.
  case auto
  /// Every number begins with its country calling code, with or without `+` or an international prefix.
  case international
  /// Every number is in its country's national form unless it begins with `+` or an international prefix; first digits
  /// that look like the calling code are national.
  case national
}
