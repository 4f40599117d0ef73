"""The library's functions that become instructions, by name. All others must be defined in the program."""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.c import allocation, atomic_calls, checks, copies, ir, output, threads
from porf.programs.c.frame import Frame

Native = Callable[[Frame, ir.Instruction], None]


def zero(frame: Frame, i: ir.Instruction) -> None:
    """It does nothing that a memory model knows of, and succeeds."""
    frame.set(i.result, tuple(frame.code.constant(0) for _ in frame.leaves(i.type)))


def random(frame: Frame, i: ir.Instruction) -> None:
    raise frame.unsupported("random numbers", "__VERIFIER_nondet_int() is every number of a range, see --nondet")


IDLE = {
    "pthread_detach",
    "pthread_spin_destroy",
    "pthread_setname_np",
    "pthread_setconcurrency",
    "pthread_setaffinity_np",
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "sched_setaffinity",
    "usleep",
    "sleep",
    "nanosleep",
    "thrd_sleep",
    "clock_nanosleep",
    "time",
    "clock",
    "srand",
    "srandom",
    "__cxa_atexit",
    "atexit",
    "__cxa_thread_atexit",
    "fflush",
    "setvbuf",
    "setbuf",
    "fclose",
    "at_quick_exit",
    "gettimeofday",
    "clock_gettime",
}
PREFIXES: tuple[tuple[str, Native], ...] = (
    ("pthread_attr_", zero),
    ("pthread_condattr_", zero),
    ("pthread_barrierattr_", zero),
    ("pthread_rwlockattr_", zero),
    ("__VERIFIER_nondet_", checks.nondeterministic),
    ("_ZNSt3__1", checks.thrown_by_name),
    ("_ZSt", checks.thrown_by_name),
)
TABLE: dict[str, Native] = {
    **dict.fromkeys(IDLE, zero),
    **dict.fromkeys(("rand", "random", "rand_r", "drand48", "lrand48"), random),
    **threads.TABLE,
    **atomic_calls.TABLE,
    **allocation.TABLE,
    **checks.TABLE,
    **output.TABLE,
    "memcpy": copies.copy,
    "memmove": copies.move,
    "memset": copies.fill,
}


def find_native(name: str) -> Native | None:
    """What a function of the library does, if it is known."""
    found = TABLE.get(name)
    if found is not None:
        return found
    for prefix, native in PREFIXES:
        if name.startswith(prefix) and (native is not checks.thrown_by_name or "__throw_" in name):
            return native
    return None
