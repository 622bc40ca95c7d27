/// The place in the room for which a channel is meant.
package enum Speaker: Hashable, Sendable {
  case mono, left, right, center, lowFrequency
  case backLeft, backRight, backCenter
  case sideLeft, sideRight
  case frontLeftOfCenter, frontRightOfCenter
  case topCenter, topFrontLeft, topFrontCenter, topFrontRight, topBackLeft, topBackCenter, topBackRight
  case wideLeft, wideRight
  /// Nobody says; numbered from 1.
  case unknown(Int)

  /// A name of at most three letters for the margin of a lane; numbers where unknown.
  package var shortName: String {
    switch self {
    case .mono: "M"
    case .left: "L"
    case .right: "R"
    case .center: "C"
    case .lowFrequency: "LFE"
    case .backLeft: "Lb"
    case .backRight: "Rb"
    case .backCenter: "Cb"
    case .sideLeft: "Ls"
    case .sideRight: "Rs"
    case .frontLeftOfCenter: "Lc"
    case .frontRightOfCenter: "Rc"
    case .topCenter: "Tc"
    case .topFrontLeft: "Tfl"
    case .topFrontCenter: "Tfc"
    case .topFrontRight: "Tfr"
    case .topBackLeft: "Tbl"
    case .topBackCenter: "Tbc"
    case .topBackRight: "Tbr"
    case .wideLeft: "Lw"
    case .wideRight: "Rw"
    case .unknown(let number): "\(number)"
    }
  }
}
