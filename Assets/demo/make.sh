#!/usr/bin/env bash
# Composes the demo track and encodes it: Assets/demo/demo.ogg.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
swiftc -O -swift-version 5 compose.swift -o "$work/compose"
"$work/compose" "$work/demo.wav"
ffmpeg -nostdin -v error -y -i "$work/demo.wav" -map_metadata -1 -c:a libvorbis -q:a 5 -fflags +bitexact -flags +bitexact \
  -metadata title="Harbour, First Light" -metadata artist="Swell" -metadata date=2026 -metadata license="MIT" demo.ogg
