// The translator's primitives, and the headers whose functions the runtime defines. Objects of the headers'
// types are used as arrays of int: nobody else looks into them.
#ifndef PORF_RUNTIME_H
#define PORF_RUNTIME_H

#define _DEFAULT_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>

#include "../include/porf.h"

typedef void* (*porf_start)(void*);

#define LOAD(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define GLANCE(p) __atomic_load_n((p), __ATOMIC_RELAXED)

#endif
