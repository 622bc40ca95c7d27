import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

/// Runs a tool of the system's; false when that fails.
private func tool(_ arguments: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = arguments
  process.standardError = FileHandle.nullDevice
  try? process.run()
  process.waitUntilExit()
  return process.terminationStatus == 0
}

@Test func `an open file tells where it lies, and that it lies nowhere any more`() throws {
  let folder = try TemporaryFolder()
  let file = try OutputFile(creating: folder.appending("a"))
  #expect(file.currentPath?.lastComponent == PathBytes("a"))
  try #require(rename(folder.appending("a").shown, folder.appending("b").shown) == 0)
  #expect(file.currentPath?.lastComponent == PathBytes("b"))
  unlink(folder.appending("b").shown)
  #expect(file.currentPath == nil)
}

@Test func `a file whose disk is taken away while it is written lies nowhere, and all of it is read`() throws {
  let folder = try TemporaryFolder()
  let disk = folder.appending("disk")
  try Files.makeFolder(disk)
  // Only the super-user may, and not in every container.
  guard getuid() == 0, tool("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.shown) else { return }
  let file = try OutputFile(creating: disk.appending("a"))
  try file.append([1, 2, 3])
  #expect(file.currentPath?.lastComponent == PathBytes("a"))
  #expect(tool("umount", "-l", disk.shown))
  #expect(file.currentPath == nil)
  try file.move(creating: folder.appending("b"))
  #expect(try Files.read(folder.appending("b")) == [1, 2, 3])
  #expect(file.currentPath?.lastComponent == PathBytes("b"))
}
