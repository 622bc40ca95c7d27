// Makes a disk that misbehaves: preloaded into the program under test, it stands before the calls that write.
//
//   FAULT_BLOCK_AT=BYTES FAULT_BLOCK_SECONDS=S   the write in which so many bytes are reached sleeps so long
//   FAULT_REFUSE_AT=BYTES FAULT_ERRNO=E          beyond so many bytes nothing can be added to a file any more
//   FAULT_SYNCS=FILE                             a line with the time, in milliseconds, for every sync of data
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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
