// The primitives that the translator knows; the rest of the library is written with them.
#ifndef PORF_H
#define PORF_H

#ifdef __cplusplus
extern "C" {
#define PORF_BOOL bool
#else
#define PORF_BOOL _Bool
#endif

unsigned long __porf_spawn(void* (*start)(void*), void* argument);
void* __porf_join(unsigned long thread);
unsigned long __porf_self(void);
void __porf_lock(int* lock);    // 0 is free, 1 is taken
int __porf_trylock(int* lock);  // 1: it was free, and is taken now
void __porf_unlock(int* lock);
PORF_BOOL __porf_fails(void);  // 1: something that may fail for no reason does
int __porf_barrier(int* barrier);
void __porf_assume(int condition);       // executions where it is false are blocked
void __porf_wait(int condition);         // likewise, and it is a deadlock if it stays false
void __porf_spin_end(int ends);          // the end of an iteration, if it is false, that changes nothing
void __porf_fail(const char* why);       // a bug of the program
void __porf_unsupported(const char* what);  // not a bug, but not supported, either
void __porf_note_random(void);              // the report says how random numbers are made
PORF_BOOL __VERIFIER_nondet_bool(void);  // both are explored
void __porf_keep(void (*function)(void));  // does nothing; the program has this function
int __porf_is_literal(const char* text);  // 1: it is known to be a constant of the program
void __porf_unwind(void);  // an exception leaves the function
void* __porf_hand_to(void (*run)(void*), void* argument);  // the argument, which only this thread gives to `run`
int __porf_known_end(void (*run)(void*), void* argument);  // 1: the translator runs this when the program ends

// Parts of the runtime that more than one library uses: recursive locks, semaphores (two words: given and
// asked for), locks for readers and writers, initialisation that happens once (0 not yet, 1 in progress,
// 2 done).
void __porf_lock_again(int* lock);
int __porf_trylock_again(int* lock);
void __porf_unlock_again(int* lock);
void __porf_take(int* semaphore);
int __porf_trytake(int* semaphore);
void __porf_give(int* semaphore, int count);
void __porf_read_lock(int* lock);
int __porf_read_trylock(int* lock);
void __porf_read_unlock(int* lock);
void __porf_write_lock(int* lock);
int __porf_write_trylock(int* lock);
void __porf_write_unlock(int* lock);
void __porf_own_exception(void* exception);  // one more owner, of null as well
void __porf_release_exception(void* exception);
void* __porf_current_exception(void);
void __porf_rethrow_exception(void* exception);
int __porf_uncaught_exceptions(void);
int __porf_once_begins(int* state);  // 1: this thread must do it, and then call
void __porf_once_ends(int* state);
void __porf_await(int* signals, int* lock);  // releases the lock, waits for a signal, takes the lock
int __porf_await_some_time(int* signals, int* lock);  // 1: the time is over
void __porf_signal(int* signals);

#ifdef __cplusplus
}
#endif

#endif
