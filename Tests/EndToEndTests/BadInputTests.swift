import Foundation
import TestSupport
import Testing

/// Wrong files, plans and command lines: a clear message, the right exit status, the last good state untouched, no trap.
@Suite struct BadInputTests {
  /// A plan over one list named `file`, for the store and releases of `World.small`.
  private static func plan(_ file: String, _ more: String = "") -> String {
    """
    {"schema": 1, "name": "test", "country": "RU",
     "sources": [{"id": "list", "file": "\(file)", "format": "numbers", "action": "block"\(more)}],
     "providers": [{"id": "moscow", "rest": true}]}
    """
  }

  /// Expects the small world's state to be untouched after `body`.
  private func untouched(_ body: (World) throws -> Void) throws {
    let world = try World.small()
    try world.succeed("apply")
    let before = try world.state()
    try body(world)
    #expect(try world.state() == before)
    try world.folder.write(World.plan(), to: "plan.json")
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
    try world.succeed("verify")
  }

  @Test(
    "sources that are missing, folders, empty, endless or without one good row",
    arguments: [
      ("none.txt", 66, "none.txt: no such file"), ("folder", 66, "folder: is a folder"),
      ("empty.txt", 65, "empty.txt: no rows"), ("blank.txt", 65, "blank.txt: no rows"),
      ("spam.txt/below", 66, "spam.txt/below"), ("huge.txt", 65, "all 6 rows are refused"),
      ("megabyte.txt", 65, "the only row is refused"), ("zeros.txt", 65, "the only row is refused"),
      ("*.none", 66, "*.none"),
    ] as [(String, Int32, String)])
  func sources(file: String, status: Int32, message: String) throws {
    try untouched { world in
      try world.folder.write("", to: "folder/inner.txt")
      try world.folder.write("", to: "empty.txt")
      try world.folder.write("\n\n\r\n", to: "blank.txt")
      try world.folder.write(
        "99999999999999999999999999\n-9223372036854775808\n9223372036854775808\n0\n18446744073709551616\n+\n",
        to: "huge.txt")
      try world.folder.write([UInt8](repeating: 0x37, count: 1 << 20), to: "megabyte.txt")
      try world.folder.write([UInt8](repeating: 0, count: 5000), to: "zeros.txt")
      try world.folder.write(Self.plan(file), to: "plan.json")
      for command in ["plan", "build", "apply"] { try world.run(command).expect(status, message) }
    }
  }

  @Test(
    "what cannot be read or written says which path, why and what to do, and nothing waits for a pipe",
    arguments: [
      ("mkfifo p; shardctl plan --plan p", 66, ["p: is a pipe"]),
      ("shardctl plan --plan .", 66, [".: is a folder", "./plan.json"]),
      ("ln -s l l; shardctl plan --plan l", 66, ["l: cannot examine: Too many levels", "hint"]),
      ("truncate -s 65M big; shardctl plan --plan big", 66, ["big: is larger than a plan may be: 64 MB", "sources"]),
      (
        #"printf '+74951234567\tA\n+74951234567\tB\n' > t.tsv; "#
          + #"sed -i 's/"file.*block"/"file": "t.tsv", "header": false, "number": 1, "label": 2/' plan.json; "#
          + "shardctl plan --conflicts /dev/full", 74, ["/dev/full: cannot write", "free some space"]
      ),
      ("TMPDIR=$PWD/none shardctl plan --rejects r", 66, ["/none: cannot open", "TMPDIR"]),
    ] as [(String, Int32, [String])])
  func resources(line: String, status: Int32, words: [String]) throws {
    let world = try World(plan: Self.plan("spam.txt"), ["spam.txt": "+74951234567\n+74951234567\n"])
    let run = try ToolRun(shell: line, in: world.folder.path)
    run.expect(status)
    for word in words { #expect(run.errors.contains(word), "\(run)") }
  }

  @Test("a source without rows is fine where the plan says so")
  func allowedEmpty() throws {
    let world = try World(plan: Self.plan("empty.txt", #", "allowEmpty": true"#), ["empty.txt": ""])
    try world.succeed("apply")
    #expect(try world.words("+74951234567") == "unknown")
    try world.succeed("verify")
  }

  @Test("bytes that are no text among good rows are refused by line, the good rows used")
  func binaryRows() throws {
    let world = try World(plan: Self.plan("mixed.txt"))
    var bytes = Array("+74951234567\n+7495\0001234568\n".utf8) + [0xFF, 0xFE, 0x0A, 0x00, 0x0A, 0xC3, 0x28, 0x0A]
    bytes += [UInt8](repeating: 0x39, count: 1 << 20) + Array("\n+74951234569".utf8)
    try world.folder.write(bytes, to: "mixed.txt")
    let run = try world.succeed("apply", "--json")
    let accounts = try #require(run.json()["accounts"] as? [String: Any])
    #expect(accounts["used"] as? Int == 2)
    #expect(accounts["refused"] as? Int == 5)
    #expect(accounts["read"] as? Int == 7)
    #expect(
      try world.lookup(["+74951234567", "+74951234568", "+74951234569"]).map(\.kind) == [
        "blocked", "unknown", "blocked",
      ])
  }

  @Test(
    "plans that say nothing, too much or come from tomorrow",
    arguments: [
      ("", 78, "plan.json:1:1"), ("null", 78, "plan.json:1:1"), ("[]", 78, "plan.json:1:1"), ("{", 78, "plan.json:1:2"),
      (#"{"schema": 2, "name": "test"}"#, 78, "newer than this shardctl"),
      (#"{"schema": 1, "name": "test", "providers": []}"#, 78, "at least one provider"),
      (
        #"{"schema": 1, "name": "test", "sources": [], "providers": [{"id": "a", "rest": true}]}"#, 78,
        "at least one source"
      ),
      (#"{"schema": 1, "name": "test", "providers": [{"id": "a"}]}"#, 78, "a claim or a \"library\""),
      (#"{"schema": 1, "name": "test", "providers": 7}"#, 78, "providers"),
      (#"{"schema": 99999999999999999999, "name": "test"}"#, 78, "schema"),
    ] as [(String, Int32, String)])
  func plans(text: String, status: Int32, message: String) throws {
    try untouched { world in
      try world.folder.write(text, to: "plan.json")
      for command in ["plan", "build", "apply", "status", "reload"] { try world.run(command).expect(status, message) }
    }
  }

  @Test("every error of a plan is a line of its own, and in JSON has its place apart")
  func planErrors() throws {
    let world = try World.small()
    try world.folder.write(#"{"schema": 1, "name": "", "country": "XX", "providers": [{"id": "a"}]}"#, to: "plan.json")
    let run = try world.run("plan")
    run.expect(78)
    let lines = run.errors.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
    #expect(lines.count > 2 && lines.allSatisfy { $0.hasPrefix("shardctl: plan.json:1:") }, "\(run.errors)")
    let error = try #require(
      JSONSerialization.jsonObject(with: Data(world.run("plan", "--json").errors.utf8)) as? [String: Any])
    let others = try #require(error["others"] as? [[String: String]])
    #expect((error["where"] as? String)?.hasPrefix("plan.json:1:") == true && others.count == lines.count - 1)
    #expect(others.allSatisfy { $0["where"]?.hasPrefix("plan.json:1:") == true })
    #expect((error["message"] as? String)?.contains("plan.json") == false)
  }

  @Test("a plan of zero bytes of sense: binary, deep, a folder, missing")
  func plansThatAreNoText() throws {
    try untouched { world in
      try world.folder.write([UInt8](repeating: 0, count: 3_000_000), to: "zeros.json")
      try world.run("apply", "--plan", "zeros.json").expect(78, "zeros.json:1:1")
      try world.folder.write([0xFF, 0xFE, 0x00, 0xD8], to: "bytes.json")
      try world.run("apply", "--plan", "bytes.json").expect(78, "bytes.json")
      try world.folder.write(String(repeating: "[", count: 1_000_000), to: "deep.json")
      try world.run("apply", "--plan", "deep.json").expect(78, "deep.json")
      try world.run("apply", "--plan", "shards").expect(66, "shards: is a folder")
      try world.run("apply", "--plan", "nobody.json").expect(66, "nobody.json", "there is no such plan", "--plan FILE")
    }
  }

  @Test("store and releases of another plan are refused by name")
  func otherPlan() throws {
    try untouched { world in
      let other = World.plan().replacingOccurrences(of: #""name": "test""#, with: #""name": "other""#)
      try world.folder.write(other, to: "plan.json")
      for command in ["apply", "build", "plan", "status", "reload", "rollback", "order moscow", "lookup 3"] {
        let run = try ToolRun(command.split(separator: " ").map(String.init), in: world.folder.path)
        run.expect(78, "\"test\"", "\"other\"", "hint")
      }
    }
  }

  @Test(
    "a store or manifest of garbage is refused with 78 and left as it is",
    arguments: ["garbage", "", "{}", "[1]", "\0\0\0", #"{"schema": "shardctl.store/99"}"#])
  func garbage(text: String) throws {
    let world = try World.small()
    try world.succeed("apply")
    let good = try world.state()
    for file in [".shardctl/store.json", "shards/manifest.json"] {
      try world.folder.write(text, to: file)
      let before = try world.state()
      for command in ["apply", "build", "rollback", "status"] { try world.run(command).expect(78, file, "hint") }
      #expect(try world.state() == before)
      try world.folder.write(Array(try #require(good[file])), to: file)
    }
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
  }

  @Test(
    "wrong command lines",
    arguments: [
      (["frob"], "frob"), (["apply", "--frob"], "--frob"), (["apply", "extra"], "extra"), (["lookup"], "NUMBER"),
      (["apply", "--timeout", "0"], "--timeout"), (["apply", "--memory", "99999999999999999999"], "--memory"),
      (["apply", "--timeout", "-1"], "--timeout"), (["lookup", "3", "--country", "ru1"], "--country"),
      (["lookup", "3", "--order", "nobody"], "nobody"), (["lookup", "3", "--without", "nobody"], "moscow"),
      (["lookup", "3", "--batch", "-"], "--batch"), (["reload", "no body"], "no body"), (["enable"], "ID"),
      (["enable", "nobody"], "nobody"), (["disable", "nobody"], "nobody"), (["order", "nobody"], "nobody"),
      (["order", "russia", "russia"], "twice"), (["restore", "nobody"], "nobody"), (["rollback", "0"], "0"),
      (["rollback", "99999999999999999999"], "9999"), (["sample"], "--output"),
      (["sample", "--rows", "0", "--output", "x"], "--rows"), (["export"], "SHARD"), (["--plan"], "--plan"),
    ] as [([String], String)])
  func commandLines(arguments: [String], message: String) throws {
    try untouched { world in
      let run = try ToolRun(arguments, in: world.folder.path)
      run.expect(64, message)
      #expect(run.output.isEmpty)
    }
  }

  @Test("numbers that are none: lookup and number say so with 65, a batch answers every line")
  func numbers() throws {
    try untouched { world in
      for text in [
        "", "abc", "999999999999999999999999999", "9223372036854775808", "+",
        String(repeating: "7", count: 100_000),
      ] {
        try world.run("lookup", text).expect(65)
        try world.run("number", text, "--country", "RU").expect(65)
      }
      try world.run("lookup", "9223372036854775807").expect(0)
      let batch = try world.run(
        "lookup", "--batch", "-", input: "\0\n\n+7495123\u{301}4567\n+74951234567\tZZ\n\t\n84951234567\tRU\tmore\n")
      batch.expect(0)
      #expect(batch.output.split(separator: "\n").count == 6)
      #expect(batch.output.hasSuffix("84951234567\t74951234567\tblocked\trussia\tAlpha\tmoscow\n"))
      let long = String(repeating: "7", count: 5_000_000)
      try world.run("lookup", "--batch", "-", input: long).expect(65, "line has more than")
      try world.run("number", "--batch", "-", input: "1\n" + long).expect(65, "line has more than")
      try world.run("lookup", "--batch", "none").expect(66, "none")
      try world.run("lookup", "--batch", "shards").expect(66, "shards")
    }
  }

  @Test("arguments that are not UTF-8 are errors in words")
  func notUnicode() throws {
    try untouched { world in
      try ToolRun(shell: #"shardctl lookup $'\xff\xfe'"#, in: world.folder.path).expect(65)
      try ToolRun(shell: #"shardctl $'\xff'"#, in: world.folder.path).expect(64)
      try ToolRun(shell: #"shardctl lookup 3 --without $'\xc3\x28'"#, in: world.folder.path).expect(64)
      try ToolRun(shell: #"shardctl apply --plan $'\xff.json'"#, in: world.folder.path).expect(66)
    }
  }

  @Test("files that are no shards: verify answers 1, the others 65; what is not there or a folder is 66")
  func noShards() throws {
    try untouched { world in
      try world.run("verify", "spam.txt").expect(1, "spam.txt")
      try world.run("inspect", "spam.txt").expect(65, "spam.txt")
      try world.run("export", "spam.txt").expect(65, "spam.txt")
      try world.folder.write("", to: "empty.shard")
      try world.run("verify", "empty.shard").expect(1, "empty.shard")
      for command in ["verify", "inspect", "export"] {
        try world.run(command, "none.shard").expect(66, "none.shard")
        try world.run(command, "shards").expect(66, "shards")
      }
      let shard = try #require(world.shards()["moscow"])
      try world.run("export", shard, "--output", "/dev/full").expect(74, "/dev/full", "No space left")
      try world.run("export", shard, "--output", "none/x.tsv").expect(73, "none/x.tsv")
      try world.run("export", shard, "--output", "shards").expect(73, "shards")
    }
  }

  @Test("an output that cannot be written is told with 74, and a reader that goes away is no error in words")
  func outputs() throws {
    try untouched { world in
      for command in ["status", "lookup +74951234567", "provider list", "plan", "verify", "--help"] {
        try ToolRun(shell: "shardctl \(command) > /dev/full", in: world.folder.path).expect(74, "No space left")
        let closed = try ToolRun(shell: "shardctl \(command) >&-", in: world.folder.path)
        #expect(closed.signal == nil && closed.status == 74, "\(command): \(closed)")
      }
      for command in [
        "yes +74951234567 | head -100000 | shardctl lookup --batch -",
        "yes 3 | head -100000 | shardctl number --batch -",
      ] {
        let piped = try ToolRun(shell: "\(command) | head -1; exit ${PIPESTATUS[2]}", in: world.folder.path)
        #expect(piped.signal == nil && piped.errors.isEmpty && piped.status < 128, "\(piped)")
        #expect(piped.output.split(separator: "\n").count == 1)
      }
      let quiet = try ToolRun(shell: "shardctl status 2>&- <&-", in: world.folder.path)
      quiet.expect(0)
    }
  }
}
