import CMath
package import Control
internal import Sound

/// How a volume lies on its slider.
///
/// Finer near the top, where one listens: the level in decibels, from -60 (0) to 0 (1), to the third power. So -6 dB lies at
/// 0.73, -12.4 dB in the middle and -30 dB at an eighth; the left end is silence.
package enum VolumeScale {
  package static func place(of volume: Volume) -> Float {
    let value = volume.decibels.value
    guard value > Volume.quietest else { return 0 }
    let share = 1 - value / Volume.quietest
    return Float(share * share * share)
  }

  package static func volume(at place: Float) -> Volume {
    guard place > 0 else { return Volume(clamping: .silence) }
    let exact = Volume.quietest * (1 - cbrt(Double(min(place, 1))))
    // Tenths, as they are shown.
    return Volume(clamping: Decibels((exact * 10).rounded() / 10))
  }
}
