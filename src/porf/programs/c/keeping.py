"""What functions of the library do with the pointers that they are given: which arguments they never keep.

Those that work on memory themselves (`LOCK`, `BARRIER`, ...) are not here: what they work on must be shared.
"""

from __future__ import annotations

# Function -> the arguments whose address is forgotten when it returns.
FORGETS: dict[str, tuple[int, ...]] = {
    "pthread_create": (0, 1),
    "thrd_create": (0,),
    "pthread_join": (1,),
    "thrd_join": (1,),
    "pthread_attr_init": (0,),
    "pthread_attr_destroy": (0,),
    "pthread_attr_setdetachstate": (0,),
    "pthread_attr_getdetachstate": (0, 1),
    "pthread_attr_setstacksize": (0,),
    "pthread_attr_setscope": (0,),
    "pthread_mutexattr_init": (0,),
    "pthread_mutexattr_destroy": (0,),
    "pthread_mutexattr_settype": (0,),
    "pthread_condattr_init": (0,),
    "pthread_condattr_destroy": (0,),
    "pthread_barrierattr_init": (0,),
    "pthread_barrierattr_destroy": (0,),
    "pthread_mutex_init": (1,),
    "pthread_cond_init": (1,),
    "pthread_barrier_init": (1,),
    "nanosleep": (0, 1),
    "thrd_sleep": (0, 1),
    "clock_gettime": (1,),
    "gettimeofday": (0, 1),
    "time": (0,),
    "__assert_fail": (0, 1, 3),
    "printf": tuple(range(64)),
    "fprintf": tuple(range(64)),
    "puts": (0,),
    "perror": (0,),
    "llvm.memcpy": (0, 1),
    "llvm.memmove": (0, 1),
    "llvm.memset": (0,),
    "memcmp": (0, 1),
    "bcmp": (0, 1),
    "strlen": (0,),
    "strcmp": (0, 1),
    "strncmp": (0, 1),
    "llvm.lifetime.start": (0, 1),
    "llvm.lifetime.end": (0, 1),
    "llvm.dbg.declare": (0,),
    "llvm.dbg.value": (0,),
    "llvm.assume": (0,),
    "llvm.prefetch": (0,),
    "llvm.invariant.start": (0, 1),
    "llvm.invariant.end": (0, 1, 2),
    "llvm.stackrestore": (0,),
}
# Functions that give back their first argument, and do not keep it otherwise.
GIVES_BACK = {"memcpy": (0, 1), "memmove": (0, 1), "memset": (0,), "llvm.launder.invariant.group": (0,)}


def forgets(name: str, argument: int) -> bool:
    return argument in found(FORGETS, name)


def gives_back(name: str, argument: int) -> bool:
    """Whether the result may point where this argument does, and the argument is forgotten otherwise."""
    return argument in found(GIVES_BACK, name)


def found(table: dict[str, tuple[int, ...]], name: str) -> tuple[int, ...]:
    """A row of a table; the names of LLVM's own functions end with types that do not matter."""
    while name and name not in table:
        if not name.startswith("llvm."):
            return ()
        name = name.rpartition(".")[0]
    return table.get(name, ())
