/// Options that mean the same wherever they are declared; ``CommandTree`` acts on them before the command runs.
public enum StandardOptions {
  /// `--json`: the result as one document, errors as objects, no progress line.
  public static let json = Option.flag("json", "print the result as one JSON document")
  /// `--quiet`: no remarks, no progress line; of a command with a long report one line.
  public static let quiet = Option.flag("quiet", short: "q", "print results and errors only")
  /// `--no-color`: no colour on either stream.
  public static let noColor = Option.flag("no-color", "print without colour")

  static let help = Option.flag("help", short: "h", "print this help")
  static let version = Option.flag("version", "print the version")
}
