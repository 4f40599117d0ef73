// C11 threads. Calls as in CDSChecker and C11Tester work, too: threads that return nothing, and
// thrd_join(thread) without a result.
#ifndef PORF_THREADS_H
#define PORF_THREADS_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
int user_main(int, char**);  // where programs of CDSChecker begin
#else
#define thread_local _Thread_local
#endif

typedef struct {
  unsigned long priv;  // as in CDSChecker
} thrd_t;
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void*);
typedef int (*thrd_start_t)(void*);

typedef struct {
  int __taken;
  int __kind;
} mtx_t;

typedef struct {
  int __signals;
} cnd_t;

#ifndef __once_flag_defined  // newer C libraries have it in stdlib.h, too
#define __once_flag_defined 1
typedef struct {
  int __state;
} once_flag;
#define ONCE_FLAG_INIT {0}
#endif
#define TSS_DTOR_ITERATIONS 1

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

int thrd_detach(thrd_t thread);
thrd_t thrd_current(void);
int thrd_equal(thrd_t a, thrd_t b);
void thrd_yield(void);
int thrd_sleep(const struct timespec* duration, struct timespec* remaining);
void thrd_exit(int result) __attribute__((noreturn));

int mtx_init(mtx_t* m, int kind);
void mtx_destroy(mtx_t* m);
int mtx_lock(mtx_t* m);
int mtx_trylock(mtx_t* m);
int mtx_timedlock(mtx_t* m, const struct timespec* until);
int mtx_unlock(mtx_t* m);

int cnd_init(cnd_t* c);
void cnd_destroy(cnd_t* c);
int cnd_wait(cnd_t* c, mtx_t* m);
int cnd_timedwait(cnd_t* c, mtx_t* m, const struct timespec* until);
int cnd_signal(cnd_t* c);
int cnd_broadcast(cnd_t* c);

void call_once(once_flag* once, void (*function)(void));

int tss_create(tss_t* key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void* tss_get(tss_t key);
int tss_set(tss_t key, void* value);

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument);

#ifdef __cplusplus
int thrd_join(thrd_t thread, int* result = 0);
}

inline int thrd_create(thrd_t* thread, void (*start)(void*), void* argument) {
  return thrd_create(thread, (thrd_start_t)start, argument);
}
#else
int thrd_join(thrd_t thread, int* result);

#ifndef PORF_RUNTIME_H
#define thrd_create(thread, start, argument) (thrd_create)((thread), (thrd_start_t)(start), (argument))
#define thrd_join(...) __PORF_JOIN(__VA_ARGS__, 0, 0)
#define __PORF_JOIN(thread, result, ...) (thrd_join)((thread), (result))
#endif
#endif

#endif
