import Control
import Sound
import Synchronization
import System
import Testing

@testable import Library

struct StateStoreTests {
  private let tree = Tree()
  private var file: PathBytes { tree.path.appending("new/folder/state.json") }

  private func state(_ number: Int) -> StoredState {
    var state = StoredState()
    state.queue = (0..<200).map { PathBytes("/music/\(number)/\($0)") }
    return state
  }

  @Test func `what one run keeps the next one finds`() {
    let first = StateStore(file: file, patience: 20)
    #expect(first.load() == (StoredState(), nil))
    first.save(state(1))
    first.save(StoredStateTests.full)
    first.close()
    let second = StateStore(file: file, patience: 20)
    #expect(second.load() == (StoredStateTests.full, nil))
    second.close()
  }

  @Test func `the end does not wait for the delay, and nothing is lost by it`() {
    let store = StateStore(file: file, delay: 1000, patience: 20)
    for number in 0..<500 { store.save(state(number)) }
    let start = Clock.seconds()
    store.close()
    #expect(Clock.seconds() - start < 15)
    let again = StateStore(file: file, patience: 20)
    #expect(again.load().state == state(499))
    again.close()
  }

  @Test(arguments: ["", "{", "[]", #"{"volume": "loud"}"#])
  func `a damaged file is set aside and told`(_ text: String) throws {
    let damaged = tree.file("state.json", text)
    let store = StateStore(file: damaged, patience: 20)
    let (state, notice) = store.load()
    #expect(state == StoredState())
    #expect(
      notice
        == "The settings in \(damaged.shown) are damaged and start afresh; the old file is kept as state.json.damaged.")
    #expect(try Files.read(tree.path.appending("state.json.damaged")) == Array(text.utf8))
    #expect(throws: SystemError(code: 2)) { try Files.status(of: damaged) }
    store.save(state)
    store.close()
    let again = StateStore(file: damaged, patience: 20)
    #expect(again.load() == (StoredState(), nil))
    again.close()
  }

  @Test func `a file cut off anywhere is set aside`() throws {
    let bytes = try StoredStateTests.full.encoded()
    for count in stride(from: 0, to: bytes.count - 2, by: 7) {
      let store = StateStore(file: tree.file(PathBytes("state.json"), Array(bytes[..<count])))
      let (state, notice) = store.load()
      #expect(state == StoredState())
      #expect(notice != nil, "\(count)")
      store.close()
    }
  }

  @Test func `a file of 17 MB is not ours`() {
    let store = StateStore(file: tree.file(PathBytes("state.json"), Array(repeating: 0x20, count: 17 << 20)))
    #expect(store.load().notice != nil)
    store.close()
  }

  @Test func `a folder or a pipe in the file's place is set aside`() {
    tree.folder("a/state.json")
    tree.folder("b")
    tree.pipe("b/state.json")
    for name in ["a", "b"] {
      let store = StateStore(file: tree.path.appending(name).appending("state.json"), patience: 20)
      #expect(store.load().notice != nil)
      store.save(StoredStateTests.full)
      store.close()
      let again = StateStore(file: tree.path.appending(name).appending("state.json"), patience: 20)
      #expect(again.load() == (StoredStateTests.full, nil))
      again.close()
    }
  }

  @Test func `where nothing can be written it is said once, and all goes on`() {
    let file = tree.file("file").appending("swell/state.json")
    let told = Monitor<[String]>([])
    let store = StateStore(file: file, delay: 0, patience: 20) { sentence in told.withLock { $0.append(sentence) } }
    #expect(store.load() == (StoredState(), nil))
    store.save(state(1))
    #expect(told.wait(atMost: 20) { $0.isEmpty ? nil : true } == true)
    store.save(state(2))
    store.close()
    #expect(
      told.withLock { $0 } == [
        "Can’t save the settings in \(file.shown): not a directory. What you change now is lost at the end."
      ])
  }

  @Test func `whoever reads while it is written finds a whole file`() throws {
    let store = StateStore(file: file, delay: 0, patience: 20)
    store.save(state(0))
    let isDone = Cancellation()
    let (file, expected) = (file, Set((0..<60).map(state)))
    let seen = Monitor(0)
    let reader = System.Thread(name: "reader") {
      while !isDone.isCancelled {
        guard let bytes = try? Files.read(file) else { continue }
        let state = try? StoredState(decoding: bytes)
        #expect(state.map(expected.contains) == true)
        seen.withLock { $0 += 1 }
      }
    }
    for number in 0..<60 {
      store.save(state(number))
      let before = seen.withLock { $0 }
      _ = seen.wait(atMost: 5) { $0 > before ? true : nil }
    }
    store.close()
    isDone.cancel()
    reader.join()
    #expect(seen.withLock { $0 } >= 60)
  }

  @Test func `a disk that hangs holds up the end for a second`() {
    let isReleased = Monitor(false)
    let store = StateStore(file: tree.file("file").appending("x/state.json")) { _ in
      _ = isReleased.wait { $0 ? true : nil }
    }
    store.save(state(1))
    let start = Clock.seconds()
    store.close()
    let elapsed = Clock.seconds() - start
    #expect(elapsed > 0.9 && elapsed < 3)
    isReleased.withLock { $0 = true }
  }
}
