// Watches a program's audio callback, to be preloaded before it: counts what no callback may do, and after WATCH_CALLS
// calls in which sound was given out writes one line of "name=count" to the file WATCH_FILE.
//
//   cc -O2 -shared -fPIC callback-watch.c -o callback-watch.so
//
// It stands between the program and SDL, and in front of the functions that allocate, lock, wait, write, or count
// references. Only calls on the thread and during the time of the callback are counted.
#define _GNU_SOURCE
#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { ALLOCATION, LOCK, REFERENCE, ACCESS, ONCE, SYSTEM, KINDS };
static const char *const kind_names[KINDS] = {"allocations", "locks", "references", "accesses", "once", "system"};
static long counts[KINDS];
static long calls, sounding_calls;
static __thread int is_inside __attribute__((tls_model("initial-exec")));

static inline void note(enum kind kind) {
  if (is_inside) __atomic_fetch_add(&counts[kind], 1, __ATOMIC_RELAXED);
}

// The allocator, by glibc's own names.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
void *malloc(size_t size) { note(ALLOCATION); return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { note(ALLOCATION); return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { note(ALLOCATION); return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(ALLOCATION); return __libc_memalign(alignment, size); }
void free(void *block) { note(ALLOCATION); __libc_free(block); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  note(ALLOCATION);
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}

// Everything else goes on to the next library that has the function.
#define PASS(result, name, kind, parameters, arguments) \
  result name parameters {                              \
    static result(*next) parameters;                    \
    if (!next) next = dlsym(RTLD_NEXT, #name);          \
    note(kind);                                         \
    return next arguments;                              \
  }
PASS(int, pthread_mutex_lock, LOCK, (pthread_mutex_t * mutex), (mutex))
PASS(int, pthread_mutex_trylock, LOCK, (pthread_mutex_t * mutex), (mutex))
PASS(int, pthread_mutex_unlock, LOCK, (pthread_mutex_t * mutex), (mutex))
PASS(int, pthread_cond_signal, LOCK, (pthread_cond_t * condition), (condition))
PASS(int, pthread_cond_broadcast, LOCK, (pthread_cond_t * condition), (condition))
PASS(void *, swift_retain, REFERENCE, (void *object), (object))
PASS(void, swift_release, REFERENCE, (void *object), (object))
PASS(void *, swift_bridgeObjectRetain, REFERENCE, (void *object), (object))
PASS(void, swift_bridgeObjectRelease, REFERENCE, (void *object), (object))
PASS(void *, swift_allocObject, ALLOCATION, (void *type, size_t size, size_t mask), (type, size, mask))
PASS(void, swift_beginAccess, ACCESS, (void *place, void *record, unsigned long flags, void *at), (place, record, flags, at))
PASS(void, swift_once, ONCE, (void *token, void *body, void *context), (token, body, context))
PASS(ssize_t, write, SYSTEM, (int file, const void *from, size_t size), (file, from, size))
PASS(ssize_t, read, SYSTEM, (int file, void *to, size_t size), (file, to, size))
PASS(int, nanosleep, SYSTEM, (const struct timespec *wanted, struct timespec *left), (wanted, left))

long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = dlsym(RTLD_NEXT, "syscall");
  note(SYSTEM);
  va_list list;
  va_start(list, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// The callback, and what SDL is told instead.
struct watched {
  SDL_AudioCallback callback;
  void *context;
};

static void report(void) {
  char line[512];
  int length = snprintf(line, sizeof line, "calls=%ld sounding=%ld", calls, sounding_calls);
  for (int kind = 0; kind < KINDS; kind++)
    length += snprintf(line + length, sizeof line - length, " %s=%ld", kind_names[kind], counts[kind]);
  line[length++] = '\n';
  // Whoever waits for the file must never see half of it.
  char unfinished[4096];
  snprintf(unfinished, sizeof unfinished, "%s.new", getenv("WATCH_FILE"));
  int file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (write(file, line, length) == length && close(file) == 0) rename(unfinished, getenv("WATCH_FILE"));
}

static void call(void *context, Uint8 *bytes, int size) {
  const struct watched *watched = context;
  is_inside = 1;
  watched->callback(watched->context, bytes, size);
  is_inside = 0;
  calls++;
  const float *samples = (const float *)bytes;
  int sounds = 0;
  for (size_t i = 0; i < size / sizeof *samples; i++) sounds |= samples[i] != 0;
  sounding_calls += sounds;
  if (sounding_calls == atol(getenv("WATCH_CALLS")) && sounds) report();
}

SDL_AudioDeviceID SDL_OpenAudioDevice(
    const char *name, int is_capture, const SDL_AudioSpec *wanted, SDL_AudioSpec *got, int changes) {
  static SDL_AudioDeviceID (*next)(const char *, int, const SDL_AudioSpec *, SDL_AudioSpec *, int);
  if (!next) next = dlsym(RTLD_NEXT, "SDL_OpenAudioDevice");
  struct watched *watched = malloc(sizeof *watched);
  *watched = (struct watched){wanted->callback, wanted->userdata};
  SDL_AudioSpec ours = *wanted;
  ours.callback = call;
  ours.userdata = watched;
  return next(name, is_capture, &ours, got, changes);
}
