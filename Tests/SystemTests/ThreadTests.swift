import Foundation
import Synchronization
import System
import TestSupport
import Testing

private typealias Thread = System.Thread

/// Runs `count` threads of one body, each knowing its number, and joins them.
private func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in Thread(name: "test-\(number)") { body(number) } }
  for thread in threads { thread.join() }
}

@Test func `a thread runs its body to the end before it is joined, under its name`() {
  let seen = Monitor<String?>(nil)
  let thread = Thread(name: "decode") {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    seen.withLock { $0 = name }
  }
  thread.join()
  thread.join()
  #expect(seen.withLock { $0 } == "decode\n")
}

@Test func `a name that is too long is cut`() {
  let seen = Monitor<String?>(nil)
  Thread(name: "0123456789abcdefghi") {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    seen.withLock { $0 = name }
  }.join()
  #expect(seen.withLock { $0 } == "0123456789abcde\n")
}

@Test func `a nice thread has a lower priority and the others keep theirs`() {
  let seen = Monitor<Int32?>(nil)
  let before = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
  Thread(name: "scan", niceness: 5) {
    seen.withLock { $0 = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
  }.join()
  #expect(seen.withLock { $0 } == min(before + 5, 19) || seen.withLock { $0 } == 5)
  #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == before)
}

@Test func `an abandoned thread goes its own way`() {
  let inbox = Inbox<Int>()
  let thread = Thread(name: "open") { inbox.send(7) }
  thread.abandon()
  thread.join()
  #expect(inbox.take(atMost: 60) == 7)
}

@Test func `a monitor lets one thread in at a time`() {
  let monitor = Monitor(0)
  together(4) { _ in for _ in 0..<5_000 { monitor.withLock { $0 += 1 } } }
  #expect(monitor.withLock { $0 } == 20_000)
}

@Test func `who waits is woken by the change that he waits for`() {
  let monitor = Monitor(0)
  let thread = Thread(name: "waiter") {
    for turn in 0..<1_000 { monitor.wait { value in value == turn * 2 + 1 ? value += 1 : nil } }
  }
  for turn in 0..<1_000 {
    monitor.withLock { $0 += 1 }
    #expect(monitor.wait(atMost: 60) { $0 == turn * 2 + 2 ? $0 : nil } != nil)
  }
  thread.join()
}

@Test func `a change made while taking wakes those who wait for room`() {
  // A queue of one place: each side sleeps until the other has changed it, inside its own wait.
  let place = Monitor<Int?>(nil)
  let taken = Monitor<[Int]>([])
  let taker = Thread(name: "taker") {
    for _ in 0..<1_000 {
      let value = place.wait(atMost: 60) { value in value.take() }
      taken.withLock { $0.append(value ?? -1) }
    }
  }
  for number in 0..<1_000 {
    let isPut: Bool? = place.wait(atMost: 60) { value in
      guard value == nil else { return nil }
      value = number
      return true
    }
    if isPut == nil { break }
  }
  taker.join()
  #expect(taken.withLock { $0 } == Array(0..<1_000))
}

@Test(arguments: [0.05, 0, -3])
func `a wait ends when its time is up`(seconds: Double) {
  let monitor = Monitor(1)
  var asked = 0
  let start = Clock.seconds()
  let result: Int? = monitor.wait(atMost: seconds) { _ in
    asked += 1
    return nil
  }
  #expect(result == nil && asked >= 1)
  #expect(Clock.seconds() - start >= seconds)
}

@Test(arguments: [1e18, 1e300, .infinity, .nan])
func `a wait may be as long as one likes`(seconds: Double) {
  let monitor = Monitor(1)
  #expect(monitor.wait(atMost: seconds) { $0 } == 1)
}

@Test func `an inbox keeps the order of each sender and rings once a message`() {
  let rings = Monitor(0)
  let inbox = Inbox<[Int]> { rings.withLock { $0 += 1 } }
  together(4) { sender in for number in 0..<500 { inbox.send([sender, number]) } }
  #expect(rings.withLock { $0 } == 2_000)
  let first = inbox.take()
  let all = [first!] + inbox.takeAll()
  #expect(all.count == 2_000)
  for sender in 0..<4 { #expect(all.filter { $0[0] == sender }.map { $0[1] } == Array(0..<500)) }
  #expect(inbox.takeAll().isEmpty && inbox.take(atMost: 0) == nil)
}

@Test func `an inbox wakes the thread that waits for it`() {
  let (questions, answers) = (Inbox<Int>(), Inbox<Int>())
  let thread = Thread(name: "answers") {
    while let question = questions.take(atMost: 60), question >= 0 { answers.send(question * 2) }
  }
  for number in 0..<1_000 {
    questions.send(number)
    guard answers.take(atMost: 60) == number * 2 else {
      Issue.record("no answer to \(number)")
      break
    }
  }
  questions.send(-1)
  thread.join()
}

@Test func `a cancellation is seen by the thread that it is meant for`() {
  let cancellation = Cancellation()
  let thread = Thread(name: "scan") { while !cancellation.isCancelled { sched_yield() } }
  #expect(!cancellation.isCancelled)
  cancellation.cancel()
  cancellation.cancel()
  thread.join()
  #expect(cancellation.isCancelled)
}

@Test func `the clock is the kernel's monotonic one and never goes back`() {
  let uptime = ProcessInfo.processInfo.systemUptime
  #expect(abs(Clock.seconds() - uptime) < 60)
  var last = Clock.nanoseconds()
  for _ in 0..<10_000 {
    let now = Clock.nanoseconds()
    if now < last { Issue.record("\(now) comes after \(last)") }
    last = now
  }
}
