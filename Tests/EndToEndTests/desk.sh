#!/usr/bin/env bash
# A desk for the tests alone: a screen with a window manager, a session bus, a sound server with one loudspeaker
# ("out") and one microphone, which hears what is played to "micfeed".
#
#   desk.sh FOLDER
#
# Prints the variables of its world, then "ready", and stands until its standard input is closed: so it goes when the tests
# go, however they end.
set -euo pipefail
folder=$1
mkdir -p "$folder/run/pulse" "$folder/home"
chmod 700 "$folder/run"
export HOME=$folder/home XDG_RUNTIME_DIR=$folder/run PULSE_RUNTIME_PATH=$folder/run/pulse PULSE_STATE_PATH=$folder/home
export PULSE_SERVER=unix:$folder/run/pulse/native
unset WAYLAND_DISPLAY XAUTHORITY

servants=()
clear_up() {
  trap - EXIT
  # Bash would name each that it ended.
  exec 2>/dev/null
  for pid in "${servants[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$folder"
}
trap clear_up EXIT
trap 'exit 1' TERM INT HUP

# Asks until the command says yes: twenty seconds at most.
until_true() {
  local tries=1000
  until "$@" >/dev/null 2>&1; do
    ((tries-- > 0)) || { echo "The desk cannot be set up: $* never came true." >&2; exit 1; }
    sleep 0.02
  done
}
serve() {
  local name=$1
  shift
  "$@" </dev/null >>"$folder/$name.log" 2>&1 &
  servants+=($!)
}

# The server picks a free number itself, and writes it when it can be talked to.
mkfifo "$folder/display"
Xvfb -displayfd 3 -screen 0 1600x1000x24 -dpi 96 -nolisten tcp -noreset \
  3>"$folder/display" </dev/null >"$folder/screen.log" 2>&1 &
servants+=($!)
read -r number <"$folder/display"
export DISPLAY=:$number
serve manager openbox --sm-disable
DBUS_SESSION_BUS_ADDRESS=unix:path=$folder/run/bus
export DBUS_SESSION_BUS_ADDRESS
serve bus dbus-daemon --session --nofork --address="$DBUS_SESSION_BUS_ADDRESS"

cat >"$folder/sound.pa" <<P
load-module module-native-protocol-unix auth-anonymous=1 socket=$folder/run/pulse/native
load-module module-null-sink sink_name=out rate=48000 channels=2 format=float32le
load-module module-null-sink sink_name=micfeed rate=48000 channels=2 format=float32le
load-module module-remap-source source_name=mic master=micfeed.monitor source_properties=device.description=Microphone
set-default-sink out
set-default-source mic
P
serve sound pulseaudio -n -F "$folder/sound.pa" --exit-idle-time=-1 --daemonize=no --use-pid-file=no \
  --disable-shm=yes --realtime=yes --high-priority=yes
until_true pactl info
# A loudspeaker that nobody uses wakes up two seconds late: silence keeps both awake.
serve silence pacat --device=out --latency-msec=10 --rate=48000 --channels=2 --format=float32le /dev/zero
serve hush pacat --device=micfeed --latency-msec=10 --rate=48000 --channels=2 --format=float32le /dev/zero
until_true bash -c 'test "$(pactl list short sinks | grep -c RUNNING)" = 2'
parec --device=out.monitor --raw --latency-msec=10 2>/dev/null | head -c 20000 >/dev/null || true
until_true xprop -root -notype _NET_SUPPORTING_WM_CHECK
until_true test -S "$folder/run/bus"

printf '%s\n' "DISPLAY=$DISPLAY" "DBUS_SESSION_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS" "PULSE_SERVER=$PULSE_SERVER" \
  "PULSE_RUNTIME_PATH=$PULSE_RUNTIME_PATH" "PULSE_STATE_PATH=$PULSE_STATE_PATH" "XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR" ready
cat >/dev/null
