// The library functions that are written in C, on top of the primitives that the translator knows
// (include/porf.h). They are compiled like the program, and only what the program uses is linked to it. Each
// access of shared memory is an event, so there are as few as possible. Loops that wait change nothing, not
// even a variable of their own: then the explorer makes the thread wait.
//
// The function f__with__g replaces f in programs that call g, so that others need not pay for it.

#include "runtime/conditions.c"
#include "runtime/ends.c"
#include "runtime/exceptions.c"
#include "runtime/formats.c"
#include "runtime/keys.c"
#include "runtime/marks.c"
#include "runtime/more_strings.c"
#include "runtime/mutexes.c"
#include "runtime/once.c"
#include "runtime/options.c"
#include "runtime/random.c"
#include "runtime/readers.c"
#include "runtime/semaphores.c"
#include "runtime/strings.c"
#include "runtime/system.c"
#include "runtime/threads.c"
#include "runtime/utilities.c"
