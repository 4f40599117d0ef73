// Exceptions of C++. An exception has an owner for each throw that is under way, each handler that runs, and each
// std::exception_ptr; the last one destroys it. What a thread throws and handles is in memory of its own, so that
// it takes no events. `__porf_unwind` leaves functions until there is a handler; the translator passes on what was
// thrown in `porf_thrown`, and what it is in `porf_thrown_type`.
#include "porf.h"

struct porf_exception {
  void* object;
  const void* type;
  void (*destroy)(void*);
  long owners;
};

enum { HANDLERS = 16 };
#define POINTER (1ul << 31)  // what was thrown is a pointer, and the handler gets its value

static _Thread_local struct porf_exception* porf_thrown;
static _Thread_local const void* porf_thrown_type;
static _Thread_local long porf_thrown_at;  // the translator's number of the place
static _Thread_local int porf_uncaught;
static _Thread_local struct porf_exception* porf_handled[HANDLERS];
static _Thread_local int porf_handlers_running;

void __porf_resume(struct porf_exception* it) {
  porf_thrown = it;
  porf_thrown_type = it->type;
}

static void porf_throw(struct porf_exception* it, const void* type) {
  __porf_keep((void (*)(void))__porf_resume);
  porf_uncaught++;
  porf_thrown_at = 0;
  porf_thrown = it;
  porf_thrown_type = type;
  __porf_unwind();
}

void* __cxa_allocate_exception(size_t size) { return malloc(size); }

void __cxa_free_exception(void* object) { free(object); }

void __cxa_throw(void* object, const void* type, void (*destroy)(void*)) {
  struct porf_exception* const it = malloc(sizeof *it);
  it->object = object;
  it->type = type;
  it->destroy = destroy;
  it->owners = 1;
  porf_throw(it, type);
}

// The upper half of a pointer is the number of an object; the translator adds to it where a base of the object is.
static struct porf_exception* porf_landed(const void* landed) {
  return (struct porf_exception*)((uintptr_t)landed >> 32 << 32);
}

void* __cxa_get_exception_ptr(void* landed) {
  const uintptr_t offset = (uint32_t)(uintptr_t)landed;
  void* const object = porf_landed(landed)->object;
  return offset == POINTER ? *(void**)object : (void*)((char*)object + offset);
}

void* __cxa_begin_catch(void* landed) {
  if (porf_handlers_running >= HANDLERS) {
    __porf_fail("more than 16 exceptions are handled at the same time, which is not supported");
    return 0;
  }
  porf_handled[porf_handlers_running++] = porf_landed(landed);
  porf_uncaught--;
  return __cxa_get_exception_ptr(landed);
}

void __porf_release_exception(void* exception) {
  struct porf_exception* const it = exception;
  if (!it || __atomic_fetch_sub(&it->owners, 1, __ATOMIC_ACQ_REL) != 1) return;
  if (it->destroy) it->destroy(it->object);
  free(it->object);
  free(it);
}

void __porf_own_exception(void* exception) {
  struct porf_exception* const it = exception;
  if (it) __atomic_fetch_add(&it->owners, 1, __ATOMIC_RELAXED);
}

void __cxa_end_catch(void) {
  porf_handlers_running--;
  __porf_release_exception(porf_handled[porf_handlers_running]);
}

void* __porf_current_exception(void) {
  struct porf_exception* const it = porf_handlers_running ? porf_handled[porf_handlers_running - 1] : 0;
  __porf_own_exception(it);
  return it;
}

void __porf_rethrow_exception(void* exception) {
  __porf_own_exception(exception);
  porf_throw(exception, ((struct porf_exception*)exception)->type);
}

void __cxa_rethrow(void) {
  if (!porf_handlers_running) {
    __porf_fail("std::terminate: there is no exception to throw again");
    return;
  }
  __porf_rethrow_exception(porf_handled[porf_handlers_running - 1]);
}

int __porf_uncaught_exceptions(void) { return porf_uncaught; }
