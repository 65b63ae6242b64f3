public import Digests
package import ShardFormat

/// The phrases that labels of a data set are written in, and the codes for them. One serves all shards of a release: each
/// holds a copy, and a process that reads several decodes it once. A value of about 100 KB.
public struct PhraseDictionary: Sendable {
  /// How it stands in a shard.
  let bytes: [UInt8]
  let list: PhraseList
  let trie: PhraseTrie

  /// SHA-256 of how it stands in a shard.
  public var digest: SHA256Digest { bytes.withUnsafeBytes { SHA256.digest(of: $0) } }

  /// Learns from a sample. The same sample gives the same dictionary. About 0.3 s for a megabyte of labels, up to 60 MB of
  /// memory meanwhile.
  public init(training sample: LabelSample) {
    // A phrase takes some eight bytes in every shard of the release: it has to be of use to enough labels.
    let limit = min(PhraseList.maximumPhrases, max(1024, sample.estimatedCount / 40))
    var trainer = PhraseTrainer(sample, limit: limit)
    self.init(trainer.train())
  }

  /// A dictionary of given phrases, in the order in which they stand in the file. Requires: complete codes in each context.
  package init(_ list: PhraseList) {
    self.list = list
    bytes = list.encoded
    trie = PhraseTrie(list.phrases)
  }

  /// A parser that makes labels as short as they can be in this dictionary's codes.
  func makeParser() -> PhraseParser {
    PhraseParser(
      trie, nextContexts: list.phrases.map(\.nextContext),
      costs: list.lengths.map { $0.map { $0 == 0 ? PhraseParser.impossible : UInt32($0) } })
  }
}
