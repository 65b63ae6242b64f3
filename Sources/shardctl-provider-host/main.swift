internal import ProviderRuntime

ProviderProcess.run()
