// The library that programs in C and C++ call, in plain C above the primitives that the translator knows
// (runtime/porf.h). It is compiled as the program is, and only what the program uses is linked to it. Each
// access of shared memory is an event, so there are as few as possible. Loops that wait change nothing and
// keep nothing: the explorer then lets the thread wait.

#include "runtime/conditions.c"
#include "runtime/keys.c"
#include "runtime/marks.c"
#include "runtime/mutexes.c"
#include "runtime/once.c"
#include "runtime/readers.c"
#include "runtime/semaphores.c"
#include "runtime/strings.c"
#include "runtime/system.c"
#include "runtime/threads.c"
#include "runtime/utilities.c"
