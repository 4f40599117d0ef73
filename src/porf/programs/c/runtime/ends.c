// What runs when the program ends, the last one first: destructors of C++'s static variables, and what atexit was
// given. The lists are behind a lock, as in C libraries: what a thread did before it added a handler happens before
// the handler. `__porf_keep` names the functions that the translator calls at the end, so that only programs which
// need them have them; and what is added before main begins need not be in a list, see `__porf_known_end`.
#include "porf.h"

struct porf_handler {
  void (*run)(void*);
  void* argument;
  struct porf_handler* before;
};

static int porf_handlers_lock;
static struct porf_handler *porf_handlers, *porf_quick_handlers;

static void porf_add_handler(struct porf_handler** last, void (*run)(void*), void* argument) {
  struct porf_handler* const it = malloc(sizeof *it);
  it->run = run;
  it->argument = argument;
  __porf_lock(&porf_handlers_lock);
  it->before = *last;
  *last = it;
  __porf_unlock(&porf_handlers_lock);
}

static struct porf_handler* porf_take_handler(struct porf_handler** last) {
  __porf_lock(&porf_handlers_lock);
  struct porf_handler* const it = *last;
  if (it) *last = it->before;
  __porf_unlock(&porf_handlers_lock);
  return it;
}

static void porf_run_handlers(struct porf_handler** last) {
  struct porf_handler* it;
  while ((it = porf_take_handler(last))) {
    it->run(it->argument);
    free(it);
  }
}

void __porf_program_ends(void) { porf_run_handlers(&porf_handlers); }

void __porf_program_ends_quickly(void) { porf_run_handlers(&porf_quick_handlers); }

static void porf_run_plain(void* function) { ((void (*)(void))function)(); }

int __cxa_atexit(void (*run)(void*), void* argument, void* library) {
  if (__porf_known_end(run, argument)) return 0;
  __porf_keep(__porf_program_ends);
  porf_add_handler(&porf_handlers, run, argument);
  return 0;
}

int atexit(void (*function)(void)) { return __cxa_atexit(porf_run_plain, (void*)function, 0); }

int at_quick_exit(void (*function)(void)) {
  __porf_keep(__porf_program_ends_quickly);
  porf_add_handler(&porf_quick_handlers, porf_run_plain, (void*)function);
  return 0;
}

// Destructors of C++'s thread-local variables, the last one first.

enum { LOCALS = 16 };

static _Thread_local struct {
  void (*destroy)(void*);
  void* variable;
} porf_locals[LOCALS];
static _Thread_local int porf_locals_made;

void __porf_locals_end(void) {
  while (porf_locals_made > 0) {
    porf_locals_made--;
    porf_locals[porf_locals_made].destroy(porf_locals[porf_locals_made].variable);
  }
}

int __cxa_thread_atexit(void (*destroy)(void*), void* variable, void* library) {
  __porf_keep(__porf_locals_end);
  if (porf_locals_made >= LOCALS) {
    __porf_fail("more than 16 thread-local variables with destructors, which is not supported");
    return 1;
  }
  porf_locals[porf_locals_made].destroy = destroy;
  porf_locals[porf_locals_made].variable = __porf_hand_to(destroy, variable);
  porf_locals_made++;
  return 0;
}
