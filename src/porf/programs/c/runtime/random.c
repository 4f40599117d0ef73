// Random numbers: those of a small generator that each thread has for itself, so that they need no events. Its seed is
// fixed, or what the thread gives to srand: every execution gets the same numbers. The report says so.
#include "porf.h"

static _Thread_local unsigned long porf_random_state;

static unsigned long porf_advanced(unsigned long state) { return state * 6364136223846793005UL + 1442695040888963407UL; }

static unsigned long porf_random(void) {
  __porf_note_random();
  if (!porf_random_state) porf_random_state = porf_advanced(__porf_self());
  porf_random_state = porf_advanced(porf_random_state);
  return porf_random_state >> 33;
}

static void porf_seed(unsigned long seed) { porf_random_state = porf_advanced(seed) | 1; }

int rand(void) { return (int)porf_random(); }

long random(void) { return (long)porf_random(); }

long lrand48(void) { return (long)porf_random(); }

long mrand48(void) { return (long)(int)(porf_random() << 1 | porf_random() % 2); }

unsigned arc4random(void) { return (unsigned)(porf_random() << 1 | porf_random() % 2); }

unsigned arc4random_uniform(unsigned bound) { return bound ? (unsigned)porf_random() % bound : 0; }

int rand_r(unsigned* seed) {
  __porf_note_random();
  *seed = (unsigned)porf_advanced(*seed);
  return (int)(porf_advanced(*seed) >> 33);
}

void srand(unsigned seed) { porf_seed(seed); }

void srandom(unsigned seed) { porf_seed(seed); }

void srand48(long seed) { porf_seed((unsigned long)seed); }
