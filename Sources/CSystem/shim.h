#pragma once
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Of the memory that is allocated.
static const int32_t shim_M_MMAP_THRESHOLD = M_MMAP_THRESHOLD;
static const int32_t shim_M_TRIM_THRESHOLD = M_TRIM_THRESHOLD;

// GNU extensions that the Glibc module hides.
extern int pthread_setname_np(unsigned long thread, const char *name);
extern pid_t gettid(void);
static const int32_t shim_SCHED_IDLE = 5;  // SCHED_IDLE of <linux/sched.h>
extern int sched_getaffinity(pid_t process, size_t length, void *mask);
