/// What `swell --help` and `swell --version` say.
enum HelpText {
  static let version = "0.1.0"

  static let usage = """
    Swell shows the sound you play.

    usage: swell [options] [--] [FILE|FOLDER]...
           swell info [--json] [--] FILE...
           swell record [--help] [options]

      --at TIME        start the first file at a time such as 83 or 1:23.4
      --loops N        play the first file N more times after the first
      --speed X        play X times as fast, from 0.25 to 4, with the pitch kept
      --start-in S     start S seconds from now
      --rate HZ        analyse the spectrum so often a second (60)
      --scale X        draw the window X times as large, this time, and not as the display asks for
      --help           say this
      --version        say which version this is

    swell info decodes files to their end and tells what is in them.
    swell record records from a microphone without a window.
    In the window, ? shows the keys.

    """
}
