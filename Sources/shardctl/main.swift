internal import ShardctlCommands
internal import SystemSupport

// A reader that goes away (`shardctl … | head`) or a limit on file sizes is an error of one write, never a signal that
// ends the process.
CurrentProcess.ignoreWriteSignals()
CurrentProcess.occupyStandardDescriptors()
CurrentProcess.end(Shardctl.run(Array(CommandLine.arguments.dropFirst())))
