#pragma once
#include <stdbool.h>
#include <sys/types.h>

// GNU extensions that the Glibc module hides.
extern int pthread_setname_np(unsigned long thread, const char *name);
extern pid_t gettid(void);
extern int sched_getaffinity(pid_t process, size_t length, void *mask);
