"""The dialects of litmus tests, by the word that a test begins with: a package each, which reads the threads' code.

All else is common: the initial state, the locations, the final condition. A package has one function, `read_threads`.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

from porf.programs.form import Template
from porf.programs.litmus.cursor import Cursor
from porf.programs.litmus.initial import Setting
from porf.programs.litmus.kinds import Type
from porf.programs.litmus.memory import Memory, Parameter

# Those in assembly, and the architecture that each is of.
ASSEMBLY = {"X86_64": "x86", "X86": "x86", "AArch64": "aarch64", "PPC": "ppc", "RISCV": "riscv"}
DIALECTS = {"C": "porf.programs.litmus.c"} | {
    word: f"porf.programs.litmus.assembly.{module}" for word, module in ASSEMBLY.items()
}

# Macros that make a test in C one of the Linux kernel: they have no counterpart in C.
KERNEL_ONLY = frozenset(
    f"{name}{suffix}"
    for names, suffixes in (
        (("rcu_read_lock", "rcu_read_unlock", "synchronize_rcu", "synchronize_rcu_expedited"), ("",)),
        (("srcu_read_lock", "srcu_read_unlock", "srcu_down_read", "srcu_up_read", "synchronize_srcu"), ("",)),
        (("smp_mb__before_atomic", "smp_mb__after_atomic", "smp_mb__after_spinlock", "smp_store_mb"), ("",)),
        (("smp_mb__after_unlock_lock", "smp_mb__after_srcu_read_unlock", "barrier", "spin_is_locked"), ("",)),
        (("lockless_dereference", "smp_read_barrier_depends"), ("",)),
        (("atomic_add", "atomic_sub", "atomic_inc", "atomic_dec", "atomic_and", "atomic_or", "atomic_xor"), ("",)),
        (("atomic_read", "atomic_set", "atomic_read_acquire", "atomic_set_release", "atomic_add_unless"), ("",)),
        (("atomic_inc_and_test", "atomic_dec_and_test", "atomic_sub_and_test", "atomic_add_negative"), ("",)),
        (("cmpxchg", "atomic_cmpxchg", "atomic_xchg"), ("", "_relaxed", "_acquire", "_release")),
        (
            [f"atomic_{name}_return" for name in ("add", "sub", "inc", "dec")],
            ("", "_relaxed", "_acquire", "_release"),
        ),
        (("atomic_fetch_inc", "atomic_fetch_dec"), ("", "_relaxed", "_acquire", "_release")),
        ([f"atomic_fetch_{name}" for name in ("add", "sub", "and", "or", "xor")], ("_relaxed", "_acquire", "_release")),
    )
    for name in names
    for suffix in suffixes
)

# Macros of Linux that have one.
KERNEL = frozenset(
    {
        *(
            "READ_ONCE",
            "WRITE_ONCE",
            "smp_load_acquire",
            "smp_store_release",
            "smp_mb",
            "smp_rmb",
            "smp_wmb",
            "spin_lock",
        ),
        *("rcu_dereference", "rcu_assign_pointer", "xchg", "xchg_relaxed", "xchg_acquire", "xchg_release"),
    }
)


class Variable(NamedTuple):
    """A register of a thread, as the final condition knows it."""

    register: int
    type: Type


class Thread(Protocol):
    """The code of one thread, read but not yet compiled."""

    @property
    def pointers(self) -> Sequence[Parameter]:
        """What it says of the shared locations that it uses."""
        ...

    @property
    def variables(self) -> Mapping[str, Variable]: ...

    def compile(self, memory: Memory, settings: Sequence[Setting], messages: list[str]) -> None:
        """Compiles the code. Registers may have a value at first; messages of failed assertions are added."""
        ...

    def template(self, observed: tuple[int, ...]) -> Template: ...


class Dialect(Protocol):
    def read_threads(self, cursor: Cursor, word: str) -> Sequence[Thread]: ...


def dialect(word: str) -> Dialect:
    """The package that reads tests of this dialect."""
    package: Dialect = import_module(DIALECTS[word])
    return package
