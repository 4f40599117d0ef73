"""Functions of the runtime that stand for others in programs that need more of them: recursive mutexes, and threads
whose thread-specific data has destructors. Programs without these pay nothing for them."""

from __future__ import annotations

from typing import Any

_MUTEX = ("init", "lock", "trylock", "timedlock", "unlock")
_KEYS = {
    "pthread_create": "__porf_key_create",
    "pthread_exit": "__porf_key_exit",
    "thrd_create": "__porf_key_thrd_create",
    "thrd_exit": "__porf_key_thrd_exit",
}
# A function that the program calls, and what then stands for which.
STAND_INS = {
    "pthread_mutexattr_settype": {f"pthread_mutex_{what}": f"__porf_kind_mutex_{what}" for what in _MUTEX},
    "pthread_key_create": _KEYS,
    "tss_create": _KEYS,
}


def put_stand_ins(module: Any) -> None:
    """Renames what a module of llvmlite declares."""
    declared = {function.name: function for function in module.functions if function.is_declaration}
    for trigger, others in STAND_INS.items():
        if trigger not in declared:
            continue
        for name, other in others.items():
            if name in declared:
                declared[name].name = other
