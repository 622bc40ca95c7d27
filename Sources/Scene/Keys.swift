internal import Control
internal import Sound

// What the keyboard does.
extension Turn {
  /// A text field is open.
  var isTyping: Bool {
    switch view.overlay {
    case .browser, .goTo, .rename: true
    case .none, .help, .settings, .recordSettings: false
    }
  }

  mutating func pressed(_ key: Key, _ modifiers: Modifiers, isRepeat: Bool) {
    // A key that opened a text field and is still held must not type into it.
    if isRepeat, view.shortcut == key, isTyping { return }
    view.shortcut = nil
    if isTyping {
      let isMine =
        switch view.overlay {
        case .browser: browserKey(key, modifiers, isRepeat: isRepeat)
        case .rename: nameKey(key, modifiers)
        default: goToKey(key, modifiers)
        }
      if isMine || !reachesThroughFields(key, modifiers) { return }
    } else if view.overlay == .help, helpKey(key) {
      return
    } else if view.overlay == .recordSettings, recordSettingsKey(key) {
      return
    } else if thresholdKey(key, modifiers) {
      return
    }
    guard let (action, repeats) = KeyTable.action(for: key, modifiers), repeats || !isRepeat else { return }
    view.shortcut = key
    obey(action)
  }

  /// Keys that are no text and no editing work while something is typed.
  private func reachesThroughFields(_ key: Key, _ modifiers: Modifiers) -> Bool {
    switch key {
    case .function, .mediaPlayPause, .mediaStop, .mediaNext, .mediaPrevious, .escape, .tab: true
    case .character: modifiers.contains(.control)
    default: false
    }
  }

  mutating func typed(_ text: String) {
    // The text of the very key that opened the field.
    if case .character(let letter) = view.shortcut, text.lowercased() == String(letter) { return }
    switch view.overlay {
    case .browser:
      view.browser.filter.insert(text)
      refilter()
    case .goTo:
      view.goTo.insert(text)
      view.goToIsWrong = false
    case .rename: view.recorder.name.insert(text)
    case .none, .help, .settings, .recordSettings: break
    }
  }

  mutating func obey(_ action: KeyAction) {
    switch action {
    case .send(let command): send(command)
    case .window(let command): ask(.window(command))
    case .zoom(let steps): zoom(keySteps: steps)
    case .seekByColumns(let columns): seekByColumns(columns)
    case .wholeSong: toggleWholeSong()
    case .follow: view.scroll = .following
    case .toggleTime: if recordView == nil { view.showsRemaining.toggle() }
    case .threshold(let steps): stepThreshold(steps)
    case .spectrumScale:
      ask(.setSpectrumScale(spectrumIsLinear ? .logarithmic : .linear))
    case .browse: if hasTake { hint() } else { openBrowser() }
    case .record: record()
    case .demo: if subject == nil, snapshot.hasDemo { ask(.openDemo) }
    case .goTo: if recordView != nil { hint() } else if snapshot.track != nil { open(.goTo) }
    case .help: view.overlay == .help ? closeOverlay() : open(.help)
    case .settings:
      let settings: ViewState.Overlay = recordView == nil ? .settings : .recordSettings
      view.overlay == settings ? closeOverlay() : open(settings)
    case .close: close()
    case .focus(let step): moveFocus(step)
    case .press: if let focus = view.focus { activate(focus) }
    }
  }

  /// Whether the spectrum's bars are spread evenly.
  var spectrumIsLinear: Bool { subject?.spectrum?.scale == .linear }

  /// Esc: the overlay, else the record view, else the offer of the take, else full screen, else the region, or what a hand
  /// is just making of it.
  private mutating func close() {
    if view.overlay == .browser, view.browser.picksFolder {
      leavePicker()
    } else if view.overlay != .none {
      closeOverlay()
    } else if recordView != nil {
      leaveRecordView()
    } else if view.recorder.offersTake {
      view.recorder.offersTake = false
    } else if snapshot.isFullScreen {
      ask(.window(.leaveFullScreen))
    } else if view.grip?.holdsFlags == true {
      view.grip = nil
    } else if !snapshot.flags.isEmpty {
      ask(.setFlags(RegionFlags()))
    }
  }

  private mutating func send(_ command: PlayerCommand) {
    if recordView != nil { return obeyRecording(command) }
    switch command {
    case .stepVolume, .toggleMute, .cycleLoop: ask(command)
    case .seek, .seekBy, .seekByFrames, .seekToFraction: seek(command)
    case .stop:
      // A drag must not go on seeking after the stop that came while it was held.
      view.grip = nil
      scrub = nil
      if snapshot.track != nil { ask(command) }
    case .next: if snapshot.queue.hasNext { ask(command) }
    default: if snapshot.track != nil { ask(command) }
    }
  }

  /// The next or previous column of the picture, at least one frame.
  private mutating func seekByColumns(_ columns: Int) {
    guard recordView == nil, let lens else { return }
    let frames = max(Int64(lens.framesPerColumn.rounded()), 1)
    seek(.seekByFrames(FrameCount(Int64(columns) * frames)))
  }

  mutating func open(_ overlay: ViewState.Overlay) {
    closeOverlay()
    view.overlay = overlay
    view.goTo.clear()
    view.goToIsWrong = false
    view.helpScroll = 0
    view.recorder.scroll = 0
    view.focus = nil
    view.grip = nil
  }

  mutating func closeOverlay() {
    if view.overlay == .browser { ask(.library(.closeBrowser)) }
    view.browser.picksFolder = false
    view.overlay = .none
    view.focus = nil
    view.grip = nil
  }
}
