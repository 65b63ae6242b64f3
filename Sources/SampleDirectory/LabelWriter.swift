/// Writes labels: the same seed and language give the same label, so that a repeated row needs no copy of it.
///
/// Shares follow real Russian directories: 38 % of labels belong to chains, few of them large (Zipf), 8 % are
/// institutions with a running number, 44 % are names of one or two words, 10 % a name and what it does. Abroad chains
/// have three quarters. Labels are 12 Cyrillic letters long on average.
struct LabelWriter {
  private let vocabularies: [Vocabulary]
  private let chains: [BytePool]
  private let chainTable: AliasTable

  private static let chainCount = 3000

  /// A writer whose chain names follow from `seed`.
  init(seed: UInt64) {
    vocabularies = Vocabulary.all()
    var random = SampleRandom(seed: seed)
    chains = vocabularies.map { words in
      BytePool((0..<Self.chainCount).map { _ in Self.chain(words, &random) })
    }
    // Zipf with exponent 1: a plain division is the same on every machine, a power is not.
    chainTable = AliasTable((0..<Self.chainCount).map { 1 / Double($0 + 2) })
  }

  /// Writes the label of `seed`; never empty, at most 400 bytes.
  @inline(__always)
  func write(_ seed: UInt32, _ language: ForeignPlan.Language, to row: RowBuffer) {
    var random = SampleRandom(seed: UInt64(seed) &* 0x2545_F491_4F6C_DD1D)
    let share = random.below(1000)
    let isForeign = language != .russian
    switch share {
    case 0: writeOddity(&random, language, to: row)
    case ..<(isForeign ? 560 : 380): chains[language.rawValue].write(chainTable.draw(&random), to: row)
    case ..<(isForeign ? 750 : 460): writeNumbered(&random, language, to: row)
    case ..<700: writeName(&random, language, to: row)
    case ..<900: writeTwoNames(&random, language, to: row)
    default: writeNameAndRubric(&random, language, to: row)
    }
  }

  // MARK: Kinds of label

  private func writeNumbered(_ random: inout SampleRandom, _ language: ForeignPlan.Language, to row: RowBuffer) {
    if language == .russian || random.below(8) == 0 {
      let pool = vocabularies[language.rawValue].institutions
      pool.write(random.skewed(below: pool.count), to: row)
      row.append(decimal: UInt64(1 + random.skewed(below: 2000)))
    } else {
      chains[language.rawValue].write(chainTable.draw(&random), to: row)
      row.append(" #")
      row.append(decimal: UInt64(1 + random.below(9999)))
    }
  }

  private func writeName(_ random: inout SampleRandom, _ language: ForeignPlan.Language, to row: RowBuffer) {
    let words = vocabularies[language.rawValue]
    switch random.below(8) {
    case 0:
      words.kinds.write(random.skewed(below: words.kinds.count), to: row)
      row.append(" \"")
      writeWord(&random, words, to: row)
      row.append("\"")
    case 1, 2:
      writeWord(&random, words, to: row)
      row.append(" ")
      words.suffixes.write(random.skewed(below: words.suffixes.count), to: row)
    case 3:
      words.kinds.write(random.skewed(below: words.kinds.count), to: row)
      row.append(" ")
      writeWord(&random, words, to: row)
    default: writeWord(&random, words, to: row)
    }
  }

  private func writeTwoNames(_ random: inout SampleRandom, _ language: ForeignPlan.Language, to row: RowBuffer) {
    let words = vocabularies[language.rawValue]
    writeWord(&random, words, to: row)
    words.joints.write(random.skewed(below: words.joints.count), to: row)
    words.heads.write(random.below(words.heads.count), to: row)
    words.tails.write(random.skewed(below: words.tails.count), to: row)
  }

  private func writeNameAndRubric(_ random: inout SampleRandom, _ language: ForeignPlan.Language, to row: RowBuffer) {
    let words = vocabularies[language.rawValue]
    writeWord(&random, words, to: row)
    row.append(", ")
    words.rubrics.write(random.skewed(below: words.rubrics.count), to: row)
  }

  /// What real tables have once in a thousand labels: doubled blanks, entities, full-width letters, no-break spaces,
  /// angle quotes, slashes, and now and then a sentence of over a hundred letters.
  private func writeOddity(_ random: inout SampleRandom, _ language: ForeignPlan.Language, to row: RowBuffer) {
    let words = vocabularies[language.rawValue]
    writeWord(&random, words, to: row)
    switch random.below(8) {
    case 0: row.append("  ")
    case 1: row.append(" &amp; ")
    case 2: row.append(" ＣＬＵＢ ")
    case 3: row.append("\u{A0}/ ")
    case 4: row.append(" «")
    case 5: row.append(" 24/7 ")
    case 6: row.append(" 👍 ")
    default:
      for _ in 0..<12 {
        row.append(", ")
        words.rubrics.write(random.below(words.rubrics.count), to: row)
      }
      row.append(" ")
    }
    writeWord(&random, words, to: row)
  }

  /// One invented word of two or three parts.
  @inline(__always)
  private func writeWord(_ random: inout SampleRandom, _ words: Vocabulary, to row: RowBuffer) {
    words.heads.write(random.below(words.heads.count), to: row)
    if random.below(5) < 3 { words.middles.write(random.skewed(below: words.middles.count), to: row) }
    words.tails.write(random.skewed(below: words.tails.count), to: row)
  }

  private static func chain(_ words: Vocabulary, _ random: inout SampleRandom) -> String {
    var name = words.heads.text(random.below(words.heads.count))
    if random.below(2) == 0 { name += words.middles.text(random.below(words.middles.count)) }
    name += words.tails.text(random.below(words.tails.count))
    switch random.below(6) {
    case 0: return "\(words.kinds.text(random.below(words.kinds.count))) \(name)"
    case 1: return "\(name) \(words.suffixes.text(random.below(words.suffixes.count)))"
    case 2: return "\(name), \(words.rubrics.text(random.below(words.rubrics.count)))"
    default: return name
    }
  }
}
