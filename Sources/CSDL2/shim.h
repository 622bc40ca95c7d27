#pragma once
#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

// What the importer cannot see: macros with casts or arithmetic.
static const int shim_SDL_WINDOWPOS_CENTERED = SDL_WINDOWPOS_CENTERED;
static const uint32_t shim_SDL_BUTTON_LMASK = SDL_BUTTON_LMASK;

static inline int shim_SDL_BlitSurface(SDL_Surface *source, const SDL_Rect *from, SDL_Surface *target, SDL_Rect *to) {
  return SDL_BlitSurface(source, from, target, to);
}

// The time at which an audio callback was entered, in nanoseconds of CLOCK_MONOTONIC. The attribute is a promise to the
// Swift compiler, which lets functions marked @_noLocks call it: glibc reads this clock in user space, without a system call.
__attribute__((swift_attr("@_noLocks"))) static inline int64_t shim_callback_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// ALSA, where SDL brought it along, writes to the terminal whatever it looks for in vain; SDL's own word is enough.
static inline void shim_alsa_handler(const char *file, int line, const char *function, int error, const char *text, ...) {}
static inline void shim_silence_alsa(void) {
  void *alsa = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NOLOAD);
  if (!alsa) return;
  int (*set)(void (*)(const char *, int, const char *, int, const char *, ...));
  *(void **)&set = dlsym(alsa, "snd_lib_error_set_handler");
  if (set) set(shim_alsa_handler);
  dlclose(alsa);
}
