// swift-tools-version: 6.2
import PackageDescription

/// What every room is built with: the Swift 6 language, and no warning left standing.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "swell",
  products: [.executable(name: "swell", targets: ["swell"])],
  targets: [
    // The doors to C: one library family each, named by the room that alone may open it.
    // SDL2 goes without pkgConfig: its .pc file asks for a flag that SwiftPM warns about at every build.
    .systemLibrary(name: "CSDL2", providers: [.apt(["libsdl2-dev"])]),
    .systemLibrary(name: "CSDL2TTF", providers: [.apt(["libsdl2-ttf-dev"])]),
    .systemLibrary(name: "CSDL2Image", providers: [.apt(["libsdl2-image-dev"])]),
    .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev"])]),
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
    .systemLibrary(name: "CRubberBand", pkgConfig: "rubberband", providers: [.apt(["librubberband-dev"])]),
    .systemLibrary(name: "CSystem"),
    // Logarithms and roots for the pure rooms, which may not see the rest of the C library.
    .systemLibrary(name: "CMath"),

    // floor 1
    room("Sound", ["CMath"]),
    room("System", ["Sound", "CSystem"]),
    // floor 2
    room("Control", ["Sound"]),
    // floor 3
    room("Media", ["Sound", "System", "CFFmpeg", "CRubberBand"]),
    room("Analysis", ["Sound", "CFFTW", "CMath"]),
    room("Scene", ["Control", "Sound", "CMath"]),
    room("Library", ["Sound", "System", "Control", "Media"]),
    // floor 4
    room("Session", ["Sound", "System", "Control", "Media", "Analysis", "Library"]),
    room("Stage", ["Scene", "Control", "Sound", "System", "CSDL2", "CSDL2TTF", "CSDL2Image", "CFontconfig"]),
    // floor 5
    .executableTarget(
      name: "swell",
      dependencies: [
        "Sound", "System", "Control", "Media", "Analysis", "Library", "Session", "Scene", "Stage",
      ],
      swiftSettings: strict,
      // SDL shall find these functions of the room Stage before libpulse's.
      linkerSettings: [
        .unsafeFlags([
          "-Xlinker", "--export-dynamic-symbol=pa_context_get_server_info",
          "-Xlinker", "--export-dynamic-symbol=pa_stream_connect_record",
        ])
      ]),

    .target(name: "TestSupport", dependencies: ["Sound"], path: "Tests/TestSupport", swiftSettings: strict),
    tests("SoundTests", ["Sound"]),
    tests("SystemTests", ["System", "Sound"]),
    tests("MediaTests", ["Media", "Sound", "System"]),
    tests("AnalysisTests", ["Analysis", "Sound"]),
    tests("LibraryTests", ["Library", "Media", "Control", "System", "Sound"]),
    tests("SessionTests", ["Session", "Library", "Media", "Control", "System", "Sound"]),
    tests("SceneTests", ["Scene", "Control", "Sound"], exclude: ["Golden"]),
    tests(
      "StageTests",
      ["Stage", "Session", "Library", "Scene", "Control", "Sound", "System", "CSDL2", "CSDL2Image"],
      exclude: ["Golden", "callback-watch.c"]),
    .executableTarget(
      name: "mutate", dependencies: ["Sound", "System", "Control", "Media", "Library", "Session", "TestSupport"],
      path: "Tests/Mutate", swiftSettings: strict),
    .testTarget(name: "MutationTests", dependencies: ["mutate", "TestSupport", "Sound"], swiftSettings: strict),
    tests("EndToEndTests", ["System", "Sound"], exclude: ["desk.sh", "drop.py", "faults.c"]),
  ]
)
