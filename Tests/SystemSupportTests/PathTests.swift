import SystemSupport
import TestSupport
import Testing

@Suite struct PathTests {
  @Test(
    "join, with absolute, empty and dotted parts",
    arguments: [
      ("a", "b", "a/b"), ("a/", "b", "a/b"), ("a", "/b", "/b"), ("", "b", "b"), ("a", "", "a"), ("a", ".", "a"),
      ("/", "b", "/b"), ("a", "\u{301}b", "a/\u{301}b"), ("a", "../b", "a/../b"),
    ])
  func join(base: String, name: String, expected: String) {
    #expect(Array(Path.join(base, name).utf8) == Array(expected.utf8))
  }

  @Test(
    "the folder and the name of a path, compared by bytes: a combining mark behind a slash does not hide it",
    arguments: [
      ("a/b/c", "a/b", "c"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", ""), ("a/b/", "a", ""), ("", ".", ""),
      ("a//b", "a", "b"), ("//a", "/", "a"), ("a/\u{301}b", "a", "\u{301}b"), ("/\u{301}b", "/", "\u{301}b"),
    ])
  func parts(path: String, folder: String, name: String) {
    #expect(Array(Path.directory(of: path).utf8) == Array(folder.utf8))
    #expect(Array(Path.name(of: path).utf8) == Array(name.utf8))
  }

  @Test(
    "the extension of a path",
    arguments: [
      ("a.tsv", "tsv"), ("a.b.tsv", "tsv"), ("a", ""), (".tsv", ""), ("d.x/a", ""), ("a.", ""),
      ("a.\u{301}x", "\u{301}x"),
    ])
  func fileExtension(path: String, expected: String) {
    #expect(Array(Path.fileExtension(of: path).utf8) == Array(expected.utf8))
  }

  @Test(
    "a path below a folder is seen from it, whatever letters the folder has; any other is not",
    arguments: [
      ("/дом/план/shards/a", "/дом/план", "shards/a"), ("a/b", "a/", "b"), ("/a", "/", "a"), ("a/b", "a/b", nil),
      ("ab/c", "a", nil), ("a/", "a", nil), ("/a/b", "a", nil), ("a/\u{301}b", "a", "\u{301}b"),
    ] as [(String, String, String?)])
  func relative(path: String, base: String, expected: String?) {
    #expect(Path.relative(path, to: base).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test("an absolute path stays, another gets the current folder, and `./` goes")
  func absolute() {
    #expect(Path.absolute("/a/./b") == "/a/./b")
    let here = Path.absolute("")
    #expect(Path.isAbsolute(here))
    #expect(Path.absolute("a") == Path.join(here, "a"))
    #expect(Path.absolute("./a") == Path.join(here, "a"))
    #expect(Path.isAbsolute("/\u{301}a"))
    #expect(!Path.isAbsolute("a/b"))
  }
}

@Suite struct GlobTests {
  @Test(
    "`*` is any run within a name, `?` one byte; a leading dot must be named",
    arguments: [
      ("a.tsv", "*.tsv", true), ("a.tsv", "a*", true), ("a.tsv", "*", true), ("a.tsv", "?.tsv", true),
      ("ab.tsv", "?.tsv", false),
      ("", "*", true), ("a", "", false), ("abab", "*ab", true), ("aba", "*ab", false), ("a*b", "a*b", true),
      (".a", "*", false),
      (".a", ".*", true), ("mississippi", "m*iss*ip*i", true), ("mississippi", "m*iss*ip*x", false),
      ("a", "a***", true),
      ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*a*a*b", false),
    ])
  func matching(name: String, pattern: String, expected: Bool) throws {
    let folder = try TemporaryFolder()
    // Through the file system, as users meet it; names that cannot be files are covered by the pattern alone.
    guard !name.isEmpty else { return }
    try folder.write("", to: name)
    let found = try Glob.paths(matching: folder.path(pattern.isEmpty ? "none" : pattern))
    #expect(found == (expected ? [folder.path(name)] : []))
  }

  @Test("patterns in folders, in byte order, relative ones too; a folder that is not there matches nothing")
  func folders() throws {
    let folder = try TemporaryFolder()
    for name in ["a/1.tsv", "b/2.tsv", "b/3.csv", "B/0.tsv", "c", ".d/4.tsv"] { try folder.write("", to: name) }
    #expect(try Glob.paths(matching: folder.path("*/*.tsv")) == ["B/0.tsv", "a/1.tsv", "b/2.tsv"].map(folder.path))
    #expect(try Glob.paths(matching: folder.path("?/2.tsv")) == [folder.path("b/2.tsv")])
    #expect(try Glob.paths(matching: folder.path("x/*.tsv")) == [])
    #expect(try Glob.paths(matching: folder.path("a/1.tsv")) == [folder.path("a/1.tsv")])
    #expect(try Glob.paths(matching: folder.path("a/9.tsv")) == [])
    #expect(Glob.isPattern("a*") && Glob.isPattern("a?") && !Glob.isPattern("a[b]"))
  }
}
