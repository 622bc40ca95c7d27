// Makes a disk that misbehaves: preloaded into the program under test, it stands before the calls that write, and before
// those that open, look at and read files.
//
//   FAULT_BLOCK_AT=BYTES FAULT_BLOCK_SECONDS=S   the write in which so many bytes are reached sleeps so long
//   FAULT_REFUSE_AT=BYTES FAULT_ERRNO=E          beyond so many bytes nothing can be added to a file any more
//   FAULT_UNREADABLE=TEXT                        what has TEXT in its path cannot be opened for reading
//   FAULT_SYNCS=FILE                             a line with the time, in milliseconds, for every sync of data
//   FAULT_HANG=FILE FAULT_DISK=TEXT              while FILE exists, calls about files with TEXT in their paths do not return
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static atomic_long total;
static atomic_int blocked;

static long number(const char *name, long otherwise) {
  const char *value = getenv(name);
  return value ? atol(value) : otherwise;
}

static int refuse(int fd, size_t count, off_t offset) {
  struct stat info;
  long now = atomic_fetch_add(&total, (long)count) + (long)count;
  long block = number("FAULT_BLOCK_AT", -1);
  if (block >= 0 && now > block && !atomic_exchange(&blocked, 1)) sleep((unsigned)number("FAULT_BLOCK_SECONDS", 10));
  long limit = number("FAULT_REFUSE_AT", -1);
  if (limit < 0 || now <= limit) return 0;
  if (fstat(fd, &info) == 0 && offset + (off_t)count <= info.st_size) return 0;
  errno = (int)number("FAULT_ERRNO", ENOSPC);
  return 1;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite");
  return refuse(fd, count, offset) ? -1 : real(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) { return pwrite(fd, bytes, count, offset); }

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  const char *path = getenv("FAULT_SYNCS");
  if (path) {
    char line[32];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int length = snprintf(line, sizeof line, "%ld\n", now.tv_sec * 1000 + now.tv_nsec / 1000000);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log >= 0) {
      if (write(log, line, (size_t)length) < 0) abort();
      close(log);
    }
  }
  return real(fd);
}

static void hang(const char *path) {
  const char *sign = getenv("FAULT_HANG"), *disk = getenv("FAULT_DISK");
  if (!sign || !disk || !path || !strstr(path, disk)) return;
  while (access(sign, F_OK) == 0) usleep(5000);
}

static void hang_at(int fd) {
  if (!getenv("FAULT_HANG")) return;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  hang(path);
}

#define REAL(name) \
  static typeof(name) *real; \
  if (!real) real = (typeof(name) *)dlsym(RTLD_NEXT, #name)

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  REAL(pread);
  hang_at(fd);
  return real(fd, bytes, count, offset);
}

ssize_t pread64(int fd, void *bytes, size_t count, off_t offset) { return pread(fd, bytes, count, offset); }

ssize_t read(int fd, void *bytes, size_t count) {
  REAL(read);
  hang_at(fd);
  return real(fd, bytes, count);
}

int open(const char *path, int flags, ...) {
  REAL(open);
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  hang(path);
  const char *unreadable = getenv("FAULT_UNREADABLE");
  if (unreadable && strstr(path, unreadable) && (flags & O_ACCMODE) == O_RDONLY) {
    errno = EIO;
    return -1;
  }
  return real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open(path, flags, mode);
}

int stat(const char *path, struct stat *info) {
  REAL(stat);
  hang(path);
  return real(path, info);
}

int stat64(const char *path, struct stat64 *info) { return stat(path, (struct stat *)info); }

int fstat(int fd, struct stat *info) {
  REAL(fstat);
  hang_at(fd);
  return real(fd, info);
}

int fstat64(int fd, struct stat64 *info) { return fstat(fd, (struct stat *)info); }
