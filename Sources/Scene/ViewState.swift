/// What only the eye cares about: zoom, scroll, focus, open overlay, filter text, easing; kept by the caller from frame to frame.
package struct ViewState {
  /// The waveform's zoom in seconds for one logical pixel; survives a restart.
  package var secondsPerPoint = 10.0 / 1182

  package init() {}
}
