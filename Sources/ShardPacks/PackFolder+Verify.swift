internal import CallDirectory
internal import Digests
internal import ShardFormat
internal import SystemSupport

extension PackFolder {
  /// Checks every pack by itself and against the index (digest, structure, order, counts), and every set: its counts, its limit, and
  /// that its packs give each number one label. Reads every byte twice, and the entries of a set once more for each set. Returns all that is wrong.
  public func verify() -> [PackError] {
    var problems: [PackError] = []
    var seen: Set<String> = []
    for pack in index.packs where seen.insert(pack.file).inserted {
      if let problem = verify(pack) { problems.append(problem) }
    }
    guard problems.isEmpty else { return problems }
    for set in index.sets {
      do {
        let names = set.packs ?? index.names
        let name = set.packs?.joined(separator: " + ") ?? "all packs"
        let counts = try summary(names).counts
        if counts != set.counts {
          problems.append(
            wrong("\(name): \(counts.total) entries (\(counts.blocking) blocking), the index says \(set.counts.total)"))
        } else if counts.total > index.limit {
          problems.append(wrong("\(name): \(counts.total) entries, over the limit of \(index.limit)"))
        }
      } catch let error as PackError {
        problems.append(error)
      } catch {
        problems.append(wrong("\(error)"))
      }
    }
    return problems
  }

  private func wrong(_ what: String) -> PackError {
    PackError(.damaged, path, what, hint: "build the release again or fetch its files again")
  }

  private func verify(_ pack: PackIndex.Pack) -> PackError? {
    let file = path(of: pack)
    func damaged(_ what: String, _ hint: String = ShardError.replaceFile) -> PackError {
      PackError(.damaged, file, "pack \"\(pack.name)\": \(what)", hint: hint)
    }
    do {
      let shard = try Shard(file, access: .streaming)
      let digest = shard.fileDigest()
      guard digest == pack.sha256 else {
        return damaged("the file has the digest \(digest), the index says \(pack.sha256)")
      }
      try shard.verify()
      guard shard.counts == pack.counts, shard.byteCount == pack.bytes else {
        return damaged("\(shard.counts.total) entries in \(shard.byteCount) bytes are not what the index says")
      }
      return shard.repeatsNumbers ? damaged("numbers repeat, which they do not in a planned shard") : nil
    } catch let error as SystemError {
      return damaged(error.isNoSuchFile ? "the file is gone" : error.finding)
    } catch let error as ShardError {
      return damaged(error.finding, error.fix)
    } catch {
      return damaged("\(error)")
    }
  }
}
