# Swell. From nothing, on Debian 12 with Swift 6.2 or newer:  make run   make test
#
#   make setup      install what building and running need (only what is missing)
#   make build      .build/release/swell
#   make run        build, and play the demo track (FILES="a.mp3 b.flac" plays those instead)
#   make test       build, check, and every test, end to end at a private desk included
#   make check      formatting, warnings, imports between rooms, the desktop files, the scripts
#   make bench      speed and memory, as ratios to ffmpeg where that makes sense
#   make soak       what takes long
#   make install    [PREFIX=/usr/local] [DESTDIR=]   and `make uninstall`

SHELL := /bin/bash
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: setup setup-tests swift-is-there build run check test bench soak install uninstall clean

PREFIX ?= /usr/local
DESTDIR ?=
FILES ?= Assets/demo/demo.ogg

# Debian packages. The fonts are the ones the window prefers; without them it takes what fontconfig offers.
BUILD_PACKAGES := pkg-config libsdl2-dev libsdl2-ttf-dev libsdl2-image-dev libfontconfig-dev \
  libavformat-dev libavcodec-dev libavutil-dev libswresample-dev libfftw3-dev librubberband-dev
RUN_PACKAGES := fonts-inter fonts-noto-core
TEST_PACKAGES := gcc libc6-dev xvfb openbox dbus pulseaudio pulseaudio-utils xdotool x11-utils imagemagick \
  sox ffmpeg python3 python3-xlib desktop-file-utils appstream shared-mime-info \
  pipewire pipewire-pulse wireplumber
SOAK_PACKAGES := stress-ng

BINARY := .build/release/swell
# The C libraries' symbols are bound at the start and not in the first audio callback; -s leaves out the symbol table.
RELEASE := -c release --product swell --static-swift-stdlib -Xlinker -s -Xlinker -z -Xlinker now
# An import that Package.swift does not declare is an error: the walls between the rooms are real.
WALLS := --explicit-target-dependency-import-check error
# What runs under the sanitizers too.
SANITIZED := Storm|MutationTests|StretchScan|FeedTests|HistoryTests|PlayerTests
SCRIPTS := .ci/run Assets/demo/make.sh $(wildcard Tests/EndToEndTests/*.sh )

# $(call install,PACKAGES): asks for root rights only when something is missing.
define install
@command -v dpkg-query >/dev/null || { echo "This is not a Debian system; please install the like of: $(1)" >&2; exit 1; }; \
missing=$$(comm -23 <(printf '%s\n' $(1) | sort -u) \
  <(dpkg-query -W -f '$${db:Status-Status} $${Package}\n' $(1) 2>/dev/null | sed -n 's/^installed //p' | sort -u)); \
if [ -n "$$missing" ]; then \
  echo "Installing:" $$missing; \
  if [ "$$(id -u)" = 0 ]; then as_root=env; else as_root="sudo env"; fi; \
  $$as_root apt-get update -q && \
  $$as_root DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
fi
endef

setup: swift-is-there
	$(call install,$(BUILD_PACKAGES) $(RUN_PACKAGES))

setup-tests: swift-is-there
	$(call install,$(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES))

swift-is-there:
	@version=$$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -1); \
	if [ -z "$$version" ] || [ "$$(printf '6.2\n%s\n' "$$version" | sort -V | head -1)" != 6.2 ]; then \
	  echo "Swift 6.2 or newer is needed ($${version:-none} was found): see https://www.swift.org/install/linux/" >&2; exit 1; fi

build: setup
	swift build $(RELEASE) $(WALLS)

run: build
	$(BINARY) $(FILES)

check: setup-tests
	swift format lint --strict -r Package.swift Sources Tests Assets
	! grep -rnE '^ *((public|package|internal|private|@preconcurrency|@testable) +)*import +(Foundation|Dispatch)\b' Sources
	for script in $(SCRIPTS); do bash -n "$$script" || exit 1; done
	desktop-file-validate Assets/swell.desktop
	appstreamcli validate --no-net Assets/*.metainfo.xml
	swift build --build-tests $(WALLS)

# The tests of the rooms first; then, with the machine to themselves, those that count in samples at a real desk; last the
# one that keeps every core busy.
test: setup-tests build check
	swift test $(WALLS) --skip-build --disable-xctest --skip EndToEndTests
	swift test $(WALLS) --skip-build --disable-xctest --filter EndToEndTests --skip BusyCoresTests
	swift test $(WALLS) --skip-build --disable-xctest --filter BusyCoresTests

bench: setup-tests build
	/usr/bin/python3 Tests/bench/bench.py $(BINARY)

# All tests in their long form; then what chance does, under the sanitizers, each in a build of its own.
soak: setup-tests build
	$(call install,$(SOAK_PACKAGES))
	SWELL_SOAK=1 swift test $(WALLS) --disable-xctest --no-parallel
	for sanitizer in address thread; do \
	  SWELL_SOAK=1 SWELL_MUTATIONS=5000 MUTATE_SECONDS=60 MUTATE_MEGABYTES=3000 \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	    TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.txt swift test $(WALLS) --sanitize $$sanitizer --scratch-path .build/$$sanitizer \
	    --disable-xctest --no-parallel --filter '$(SANITIZED)' || exit 1; \
	done

# An install as root after a build as user must not build again as root.
$(BINARY):
	$(MAKE) build

share := $(DESTDIR)$(PREFIX)/share
install: $(BINARY)
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/swell
	for icon in Assets/icons/*.svg; do install -D -m 644 "$$icon" "$(share)/swell/icons/$${icon##*/}" || exit 1; done
	install -D -m 644 Assets/demo/demo.ogg $(share)/swell/demo/demo.ogg
	install -D -m 644 Assets/swell.svg $(share)/swell/swell.svg
	install -D -m 644 Assets/swell.svg $(share)/icons/hicolor/scalable/apps/swell.svg
	install -D -m 644 Assets/swell.desktop $(share)/applications/swell.desktop
	install -D -m 644 Assets/org.swell_player.swell.metainfo.xml $(share)/metainfo/org.swell_player.swell.metainfo.xml
	install -D -m 644 Assets/swell-mime.xml $(share)/mime/packages/swell.xml
	install -D -m 644 LICENSE $(share)/doc/swell/copyright
	$(call tell_the_desktop)

uninstall:
	rm -rf $(share)/swell $(share)/doc/swell
	rm -f $(DESTDIR)$(PREFIX)/bin/swell $(share)/icons/hicolor/scalable/apps/swell.svg $(share)/applications/swell.desktop \
	  $(share)/metainfo/org.swell_player.swell.metainfo.xml $(share)/mime/packages/swell.xml
	$(call tell_the_desktop)

# The desktop's indexes; a package being made (DESTDIR) leaves that to the machine it will be installed on.
define tell_the_desktop
@if [ -z "$(DESTDIR)" ]; then \
  ! command -v update-mime-database >/dev/null || update-mime-database "$(share)/mime" || true; \
  ! command -v update-desktop-database >/dev/null || update-desktop-database -q "$(share)/applications" || true; \
fi
endef

clean:
	swift package clean
