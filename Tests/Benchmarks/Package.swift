// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests build it.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "shardctl", path: "../..")],
  targets: [
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "CallDirectory", "DirectoryPublishing", "DirectorySources", "PhoneNumbering", "PlanFile", "ShardFormat",
        "ShardWriting", "SystemSupport",
      ].map {
        .product(name: $0, package: "shardctl")
      })
  ]
)
