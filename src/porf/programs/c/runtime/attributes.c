// Attributes of pthreads objects. Only the kind of a mutex says anything to an explorer (see mutexes.c).
#include "porf.h"

#define NOTHING(name, ...)     \
    int name(__VA_ARGS__) {    \
        return 0;              \
    }

NOTHING(pthread_attr_init, pthread_attr_t *a)
NOTHING(pthread_attr_destroy, pthread_attr_t *a)
NOTHING(pthread_attr_setdetachstate, pthread_attr_t *a, int state)
NOTHING(pthread_attr_setscope, pthread_attr_t *a, int scope)
NOTHING(pthread_attr_setstacksize, pthread_attr_t *a, size_t size)
NOTHING(pthread_attr_setschedpolicy, pthread_attr_t *a, int policy)
NOTHING(pthread_attr_setinheritsched, pthread_attr_t *a, int inherit)
NOTHING(pthread_mutexattr_destroy, pthread_mutexattr_t *a)
NOTHING(pthread_mutexattr_setpshared, pthread_mutexattr_t *a, int shared)
NOTHING(pthread_mutexattr_setprotocol, pthread_mutexattr_t *a, int protocol)
NOTHING(pthread_mutexattr_setrobust, pthread_mutexattr_t *a, int robust)
NOTHING(pthread_condattr_init, pthread_condattr_t *a)
NOTHING(pthread_condattr_destroy, pthread_condattr_t *a)
NOTHING(pthread_condattr_setpshared, pthread_condattr_t *a, int shared)
NOTHING(pthread_condattr_setclock, pthread_condattr_t *a, clockid_t clock)
NOTHING(pthread_rwlockattr_init, pthread_rwlockattr_t *a)
NOTHING(pthread_rwlockattr_destroy, pthread_rwlockattr_t *a)
NOTHING(pthread_rwlockattr_setpshared, pthread_rwlockattr_t *a, int shared)
NOTHING(pthread_rwlockattr_setkind_np, pthread_rwlockattr_t *a, int kind)
NOTHING(pthread_barrierattr_init, pthread_barrierattr_t *a)
NOTHING(pthread_barrierattr_destroy, pthread_barrierattr_t *a)
NOTHING(pthread_barrierattr_setpshared, pthread_barrierattr_t *a, int shared)
