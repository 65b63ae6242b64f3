internal import ShardctlCommands
internal import SystemSupport

// A reader that goes away (`shardctl … | head`) is an error of one write, never a signal that ends the process.
CurrentProcess.ignoreBrokenPipes()
CurrentProcess.end(Shardctl.run(Array(CommandLine.arguments.dropFirst())))
