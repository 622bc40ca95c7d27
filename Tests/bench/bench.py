#!/usr/bin/python3
"""Measures the built program: `make bench`. Everything is told as it was measured in this one run.

    bench.py [SWELL] [--quick]

Reading is compared with single-threaded ffmpeg on the same files, so that the ratios mean something on any machine.
"""
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CACHE = os.path.join(TREE, ".build", "bench")
ARGUMENTS = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
SWELL = os.path.abspath(ARGUMENTS[0] if ARGUMENTS else os.path.join(TREE, ".build", "release", "swell"))
QUICK = "--quick" in sys.argv
TICK = os.sysconf("SC_CLK_TCK")
FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
ENCODERS = {
    "wav": ["-c:a", "pcm_s16le"],
    "flac": ["-c:a", "flac"],
    "mp3": ["-c:a", "libmp3lame", "-b:a", "192k"],
    "m4a": ["-c:a", "aac", "-b:a", "160k"],
    "ogg": ["-c:a", "libvorbis", "-q:a", "5"],
    "opus": ["-c:a", "libopus", "-b:a", "128k"],
}
# What else reads a whole file here, where it is installed.
OTHERS = {
    "sox": lambda path: ["sox", path, "-n", "stat"],
    "audiowaveform": lambda path: ["audiowaveform", "-q", "-i", path, "-o", os.path.join(CACHE, "waveform.dat"), "-z", "256"],
}


def file(kind, minutes):
    """A file of music of this kind and length, made once and kept; ten hours are an hour ten times over."""
    path = os.path.join(CACHE, f"{minutes}min.{kind}")
    if not os.path.exists(path):
        os.makedirs(CACHE, exist_ok=True)
        print(f"  (making {os.path.relpath(path, TREE)})", file=sys.stderr)
        made = path + ".part." + kind
        if minutes == 600 and kind != "flac":
            source = ["-stream_loop", "9", "-i", file(kind, 60), "-c", "copy"]
        else:
            demo = os.path.join(TREE, "Assets", "demo", "demo.ogg")
            # Time stamps that count the samples: the loop itself leaves holes in them, which Ogg would keep.
            whole = ["-af", "asetpts=N", "-t", str(minutes * 60)]
            source = ["-stream_loop", "-1", "-i", demo, *whole, *ENCODERS[kind]]
        subprocess.run([*FFMPEG, *source, "-map_metadata", "-1", made], check=True)
        os.rename(made, path)
    return path


def timed(command, may_fail=False):
    """Wall seconds and CPU seconds of a command; None where one fails that may."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0 and may_fail:
        return None
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime


def read_by(name, path):
    """Wall seconds that another program needs; a dash where it does not know the format."""
    run = timed(OTHERS[name](path), may_fail=True)
    return f" {run[0]:>13.2f}" if run else f"{'-':>14}"


def reading():
    print("\nReading a whole file (decoding and levels), seconds, medians; the ratios are ffmpeg's time to ours")
    others = [name for name in OTHERS if shutil.which(name)]
    print(
        f"{'':>14} {'swell':>6} {'ffmpeg':>7} {'ratio':>6} {'CPU ratio':>10} {'x real time':>12}"
        + "".join(f" {name:>13}" for name in others)
    )
    for minutes in [5] if QUICK else [5, 60]:
        for kind in ENCODERS:
            path = file(kind, minutes)
            null = ["ffmpeg", "-nostdin", "-threads", "1", "-v", "error", "-i", path, "-map", "0:a", "-f", "null", "-"]
            ours, theirs = [], []
            for _ in range(3 if minutes == 60 else 7):
                ours.append(timed([SWELL, "info", "--json", path]))
                theirs.append(timed(null))
            (own, own_cpu), (other, other_cpu) = (
                [statistics.median(column) for column in zip(*runs)] for runs in (ours, theirs)
            )
            print(
                f"{minutes:>6} min {kind:<5}{own:>5.2f} {other:>7.2f} {other / own:>6.2f}"
                f" {other_cpu / own_cpu:>10.2f} {minutes * 60 / own:>12.0f}"
                + "".join(read_by(name, path) for name in others)
            )


class Desk:
    """The tests' desk, for as long as the measuring takes."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        script = os.path.join(TREE, "Tests", "EndToEndTests", "desk.sh")
        self.process = subprocess.Popen(
            ["bash", script, os.path.join(self.folder, "desk")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.environment = {"PATH": os.environ["PATH"], "SDL_AUDIODRIVER": "pulseaudio", "SWELL_TRACE": "1"}
        for line in self.process.stdout:
            if line == "ready\n":
                return self
            name, _, value = line.rstrip("\n").partition("=")
            self.environment[name] = value
        sys.exit("The desk cannot be set up.")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def tool(self, *command):
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout


class Running:
    """The program with its window, and what it says of itself."""

    def __init__(self, desk, *paths):
        self.desk = desk
        self.home = tempfile.TemporaryDirectory()
        names = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]
        environment = {**desk.environment, **{name: self.home.name for name in names}}
        self.start = time.monotonic_ns()
        self.process = subprocess.Popen(
            [SWELL, *paths], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.marks = {}
        # All of them, in order: name and nanoseconds.
        self.log = []
        self.frames = None
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            words = line.split()
            with self.news:
                if words[:2] == ["trace", "frames"]:
                    self.frames = (int(words[4]) / 1000, int(words[6]) / 1000)
                elif words[:1] == ["trace"] and len(words) == 3:
                    self.marks.setdefault(words[1], (int(words[2]) - self.start) / 1e6)
                    self.log.append((words[1], int(words[2])))
                self.news.notify_all()

    def wait_for(self, *names):
        with self.news:
            if not self.news.wait_for(lambda: all(name in self.marks for name in names), 30):
                sys.exit(f"There was no {names} within 30 s, but {self.marks} (status {self.process.poll()}).")

    def next(self, name, after):
        """When this happened first after a moment, nanoseconds."""
        def found():
            return next((time for mark, time in self.log if mark == name and time > after), None)

        with self.news:
            return self.news.wait_for(found, 30) or sys.exit(f"There was no {name}, but {self.log[-9:]}.")

    def last(self, name):
        with self.news:
            return max((time for mark, time in self.log if mark == name), default=0)

    def activate(self):
        """Brings its window to the front, and gives the window's number."""
        window = self.desk.tool("xdotool", "search", "--onlyvisible", "--class", "swell").split()[-1]
        self.desk.tool("xdotool", "windowactivate", "--sync", window)
        return window

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def cpu_per_second(self, seconds):
        before, start = self.cpu(), time.monotonic()
        time.sleep(seconds)
        return (self.cpu() - before) / (time.monotonic() - start)

    def wait_until_scanned(self):
        """Until it uses less than a third of a core for a second: then it only plays."""
        deadline = time.monotonic() + 300
        while self.cpu_per_second(1) > 0.33 and time.monotonic() < deadline:
            pass

    def memory(self):
        text = open(f"/proc/{self.process.pid}/status").read()
        return [int(re.search(name + r":\s+(\d+)", text).group(1)) / 1024 for name in ("VmRSS", "VmHWM")]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        self.reader.join()
        self.home.cleanup()


def starting(desk):
    print("\nMilliseconds (median, worst) from the start of the process, with the file in memory and with none of it there,")
    print("and from a drop on the window of a program that plays nothing")
    print(f"{'':>14} {'first frame':>14} {'first sound':>14} {'frame, cold':>14} {'sound, cold':>14} {'drop to sound':>14}")
    kinds = [("wav", 5), ("mp3", 5), ("flac", 60), ("mp3", 600), ("flac", 600), ("m4a", 600)]
    # What the first of all starts takes is no file's doing.
    started(desk, file("mp3", 5))
    for kind, minutes in [("mp3", 5)] if QUICK else kinds:
        path = file(kind, minutes)
        columns = [*zip(*(started(desk, path) for _ in range(9)))]
        columns += [*zip(*(started(desk, path, evicted=True) for _ in range(9)))]
        columns.append([dropped(desk, path) for _ in range(9)])
        print(f"{minutes:>6} min {kind:<5}" + "".join(f"{statistics.median(c):>8.0f} {max(c):>5.0f} " for c in columns))


def started(desk, path, evicted=False):
    """First frame and first sound of a fresh start."""
    if evicted:
        with open(path, "rb") as held:
            os.fsync(held.fileno())
            os.posix_fadvise(held.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    running = Running(desk, path)
    running.wait_for("first-frame", "first-sound")
    running.end()
    return running.marks["first-frame"], running.marks["first-sound"]


def dropped(desk, path):
    running = Running(desk)
    running.wait_for("first-frame")
    window = running.activate()
    script = os.path.join(TREE, "Tests", "EndToEndTests", "drop.py")
    dropped = int(desk.tool("/usr/bin/python3", script, window, "300", "200", "file://" + urllib.parse.quote(path)))
    running.wait_for("first-sound")
    running.end()
    return running.marks["first-sound"] - (dropped - running.start) / 1e6


def playing(desk):
    seconds = 5 if QUICK else 15
    running = Running(desk, file("mp3", 5))
    running.wait_for("first-frame", "first-sound")
    running.wait_until_scanned()
    played = running.cpu_per_second(seconds)
    running.activate()
    desk.tool("xdotool", "key", "space")
    # The picture falls to rest within a second, and the device is closed after two.
    time.sleep(4)
    paused = running.cpu_per_second(seconds)
    running.end()
    print("\nCPU seconds per second, with a window of 1280 x 720")
    print(f"  playing {played:.3f}   paused {paused:.4f}")
    if running.frames:
        print(f"\nOne frame, milliseconds: median {running.frames[0]:.2f}, 99th percentile {running.frames[1]:.2f}")


def seeking(desk):
    print("\nFrom a key to the device's first frame of the new place, milliseconds; a buffer later it is heard")
    print(f"{'':>14} {'first':>6} {'median':>7} {'worst':>6} {'a held key goes on for':>24}")
    for kind, minutes in [("mp3", 5)] if QUICK else [("wav", 60), ("mp3", 600), ("flac", 600), ("m4a", 600), ("ogg", 60), ("opus", 60)]:
        running = Running(desk, file(kind, minutes))
        running.wait_for("first-frame", "first-sound")
        running.activate()
        waits = []
        for key in "95173846206428135":
            before = time.monotonic_ns()
            desk.tool("xdotool", "key", "--delay", "0", key)
            asked = running.next("seek", before)
            waits.append((running.next("sought", asked) - asked) / 1e6)
            time.sleep(0.2)
        desk.tool("xdotool", "key", "1")
        desk.tool("xdotool", "keydown", "Right")
        time.sleep(1.5)
        desk.tool("xdotool", "keyup", "Right")
        released = time.monotonic_ns()
        time.sleep(1)
        held = max(running.last("sought") - released, 0) / 1e6
        running.end()
        print(f"{minutes:>6} min {kind:<5}{waits[0]:>5.0f} {statistics.median(waits):>7.0f} {max(waits):>6.0f} {held:>24.0f}")


def listening(desk):
    """The first sound that anybody hears at the loudspeaker, of whatever plays here."""
    players = {
        "swell": [SWELL], "mpv": ["mpv", "--no-config", "--really-quiet"], "ffplay": ["ffplay", "-v", "quiet", "-autoexit"]
    }
    path = file("mp3", 5)
    print("\nFrom the start of the process to the first sound at the loudspeaker, milliseconds (median of 5)")
    for name, command in players.items():
        if not shutil.which(command[0]):
            continue
        waits = [heard(desk, [*command, path]) for _ in range(5)]
        print(f"  {name:<8}{statistics.median(waits):>6.0f}")


def heard(desk, command):
    ear = subprocess.Popen(
        ["parec", "--raw", "--format=s16le", "--rate=48000", "--channels=1", "--latency-msec=10", "--device=out.monitor"],
        env=desk.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )
    ear.stdout.read(48_000)
    with tempfile.TemporaryDirectory() as home:
        names = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]
        environment = {**desk.environment, **{name: home for name in names}, "SWELL_TRACE": "0"}
        start = time.monotonic()
        player = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # The demo track begins above silence.
        while max(map(abs, memoryview(ear.stdout.read(480)).cast("h"))) < 8:
            pass
        wait = (time.monotonic() - start) * 1000
        player.terminate()
        player.wait()
    ear.terminate()
    ear.wait()
    return wait


def remembering(desk):
    print("\nMemory once the whole waveform is known, MiB (resident, highest)")
    for kind in ["mp3"] if QUICK else ["wav", "flac", "mp3", "m4a"]:
        for minutes in [5] if QUICK else [5, 60] if kind == "wav" else [5, 60, 600]:
            running = Running(desk, file(kind, minutes))
            running.wait_for("first-sound")
            running.wait_until_scanned()
            resident, highest = running.memory()
            running.end()
            print(f"{minutes:>6} min {kind:<5}{resident:>6.0f} {highest:>6.0f}")


if __name__ == "__main__":
    print(f"{subprocess.run([SWELL, '--version'], capture_output=True, text=True, check=True).stdout.strip()}, ", end="")
    print(f"{os.path.getsize(SWELL) / 1e6:.1f} MB, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    versions = [timed([SWELL, "--version"])[0] * 1000 for _ in range(15)]
    print(f"--version takes {statistics.median(versions):.0f} ms")
    reading()
    with Desk() as desk:
        starting(desk)
        listening(desk)
        seeking(desk)
        playing(desk)
        remembering(desk)
