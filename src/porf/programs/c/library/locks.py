"""Mutexes, spin locks and barriers of POSIX, guards of C++'s static variables, and atomic sections.

A mutex is the first 4 bytes of its object: 0 if it is free. A barrier's first 4 bytes say for how many it waits.
"""

from porf._core import Order
from porf.programs.c.frame import Frame
from porf.programs.c.library.record import OPAQUE, PATTERNS, Call, Record, function
from porf.programs.form import Binary, Reading, Unary

BUSY = 16  # EBUSY
WORD = 4
HELD = 1
DESTROYED = 2  # in the place of 0 or 1
ATOMIC = "__VERIFIER_atomic_"

ONE_WORD = ("pthread_mutex_t", "mtx_t", "__pthread_mutex_s", "pthread_barrier_t", "pthread_spinlock_t")
CONDITIONS = ("pthread_cond_t", "cnd_t", "__pthread_cond_s", "once_flag", "sem_t")
READERS = ("pthread_rwlock_t", "__pthread_rwlock_arch_t")
ATTRIBUTES = tuple(f"pthread_{of}attr_t" for of in ("", "mutex", "cond", "barrier", "rwlock"))
OPAQUE.update(dict.fromkeys(ONE_WORD, 1))
OPAQUE.update(dict.fromkeys((*CONDITIONS, *READERS, *ATTRIBUTES), 0))


@function("pthread_mutex_lock", "pthread_spin_lock", "__porf_lock")
def lock(call: Call) -> None:
    call.code.lock(call.argument(0), WORD)


@function("pthread_mutex_unlock", "pthread_spin_unlock", "__porf_unlock")
def unlock(call: Call) -> None:
    call.code.unlock(call.argument(0), WORD)


@function("__porf_trylock")
def primitive_try(call: Call) -> int:
    return call.code.trylock(call.argument(0), WORD)


@function("__porf_fails")
def fails_for_no_reason(call: Call) -> int:
    return call.code.choose(call.code.constant(0), call.code.constant(1), weak=True)


@function("pthread_mutex_trylock", "pthread_spin_trylock")
def try_lock(call: Call) -> int:
    return call.code.select(primitive_try(call), call.code.constant(0), call.code.constant(BUSY))


@function("pthread_mutex_init", forgets=(1,))
@function("pthread_spin_init", "pthread_barrier_destroy")
def initialise(call: Call) -> None:
    call.code.store(call.argument(0), call.code.constant(0), WORD)


@function("pthread_mutex_destroy")
def destroy(call: Call) -> None:
    """A thread that locks it then waits forever, unless it is initialised again."""
    held = call.code.binary(Binary.EQ, call.code.load(call.argument(0), WORD), call.code.constant(HELD))
    free = call.code.unary(Unary.NOT, held)
    call.code.check(free, call.message("a mutex is destroyed while it is locked"))
    call.code.store(call.argument(0), call.code.constant(DESTROYED), WORD)


@function("pthread_barrier_init", forgets=(1,))
def barrier_initialise(call: Call) -> None:
    before = call.code.unary(Unary.KNOWN, call.code.load(call.argument(0), WORD, kind=Reading.COPIES))
    unset = call.code.binary(Binary.EQ, before, call.code.constant(0))
    call.code.check(unset, call.message("a barrier is initialised again"))
    call.code.store(call.argument(0), call.argument(2), WORD)


@function("__porf_barrier")
def primitive_barrier(call: Call) -> int:
    return call.code.barrier(call.argument(0), WORD)


@function("pthread_barrier_wait")
def barrier_wait(call: Call) -> int:
    """One of the threads gets -1, PTHREAD_BARRIER_SERIAL_THREAD."""
    return call.code.unary(Unary.NEG, primitive_barrier(call))


@function("__cxa_guard_acquire")
def guard_acquire(call: Call) -> int:
    """1 if this thread must initialise the static variable. The guard's first byte says whether that is done."""
    code, guard = call.code, call.argument(0)
    mutex, result, end = code.add(guard, WORD), code.register(), code.label()
    code.lock(mutex, WORD)
    flag = code.load(guard, 1, Order.RLX)
    code.copy(result, code.unary(Unary.NOT, flag))
    code.jump_if(result, end)
    code.unlock(mutex, WORD)
    code.put(end)
    return result


@function("__cxa_guard_release")
def guard_release(call: Call) -> None:
    call.code.store(call.argument(0), call.code.constant(1), 1, Order.REL)
    guard_abort(call)


@function("__cxa_guard_abort")
def guard_abort(call: Call) -> None:
    call.code.unlock(call.code.add(call.argument(0), WORD), WORD)


# Atomic sections share one mutex that is not in the source. A function of the program with such a name is a section.

PATTERNS[ATOMIC + "*"] = Record(None, atomic=True)


def enter_section(frame: Frame) -> None:
    frame.code.lock(frame.code.constant(frame.unit.section_mutex), WORD)


def leave_section(frame: Frame) -> None:
    frame.code.unlock(frame.code.constant(frame.unit.section_mutex), WORD)


@function(ATOMIC + "begin", fixed=True, atomic=True)
def section_begin(call: Call) -> None:
    enter_section(call.frame)


@function(ATOMIC + "end", fixed=True, atomic=True)
def section_end(call: Call) -> None:
    leave_section(call.frame)
