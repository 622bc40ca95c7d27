import Sound
import TestSupport

/// What a test of the program has: the desk that all share, and a home and a folder of its own.
struct Corner {
  let desk: Desk
  let home: Home
  let folder: TemporaryFolder

  init() throws {
    desk = try Desk.shared.get()
    home = try Home()
    folder = try TemporaryFolder()
  }
}

/// A suite whose tests work at the desk.
protocol AtTheDesk {
  var corner: Corner { get }
}

extension AtTheDesk {
  var desk: Desk { corner.desk }
  var home: Home { corner.home }
  var folder: TemporaryFolder { corner.folder }
}
