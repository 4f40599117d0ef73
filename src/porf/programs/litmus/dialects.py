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
