"""What the compiler knows while it is in a function: registers, variables that are set, loops and locks around it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from porf.errors import ProgramError
from porf.programs.assemble import Label
from porf.programs.code import Code
from porf.programs.python.function import ThreadFunction
from porf.programs.python.shared import Declaration, Shared
from porf.programs.python.source import Source
from porf.programs.python.values import Value, VariableType, describe, variable
from porf.record import Record

Assigned = frozenset[str] | None  # the variables that are surely set; None where control never comes


class Parts(Record):
    """How the kinds of expressions are compiled that know more than expressions in general."""

    call: Callable[[Frame, ast.Call, int | None], Value | None]
    attribute: Callable[[Frame, ast.Attribute, int | None], Value]
    element: Callable[[Frame, ast.Subscript], Value]


class Linker(Protocol):
    """The whole program, as far as the code of one thread needs to know it."""

    declarations: Sequence[Declaration]

    def message(self, text: str) -> int:
        """The number of an error message."""
        ...

    def template(self, function: ThreadFunction, arguments: Sequence[Value]) -> int:
        """The template that runs this function on arguments like these."""
        ...

    def started(self, function: ThreadFunction) -> Sequence[int]:
        """The handles of the threads that run this function from the beginning."""
        ...


class ThreadCode(Code):
    """The code of a thread. Results go into temporary registers, which live for a statement and are used again."""

    def __init__(self, name: str, parameters: list[str]) -> None:
        super().__init__(name, parameters)
        self._temporaries: list[int] = []
        self._used = 0

    def result(self) -> int:
        if self._used == len(self._temporaries):
            self._temporaries.append(self.register())
        self._used += 1
        return self._temporaries[self._used - 1]

    def is_temporary(self, operand: int) -> bool:
        return operand in self._temporaries

    @contextmanager
    def statement(self) -> Iterator[None]:
        """The temporaries of what is compiled within are free again afterwards."""
        used = self._used
        yield
        self._used = used


class Unit:
    """The code of one thread being written, and the variables of its functions."""

    def __init__(self, linker: Linker, name: str, parameters: list[str], parts: Parts) -> None:
        self.linker = linker
        self.call = parts.call
        self.attribute = parts.attribute
        self.element = parts.element
        self.asm = ThreadCode(name, parameters)
        self._variables: dict[tuple[Source, str], int] = {}
        self._sources: dict[ThreadFunction, Source] = {}

    def source(self, function: ThreadFunction) -> Source:
        if function not in self._sources:
            self._sources[function] = Source(function.function)
        return self._sources[function]

    def variable(self, source: Source, name: str) -> int:
        """The register of a variable. A function is never active twice, so each of its calls may use the same ones."""
        if (source, name) not in self._variables:
            self._variables[source, name] = self.asm.register(name)
        return self._variables[source, name]

    def adopt(self, source: Source, name: str, register: int) -> None:
        """The variable is in this register, a parameter of the thread."""
        self._variables[source, name] = register


@dataclass
class Around:
    """A loop around the code at hand: where `break` goes, what `continue` does, and what is set at each `break`."""

    leave: Label
    proceed: Callable[[], None]
    locks: int  # how many are held outside of the loop
    left: list[Assigned] = field(default_factory=list)
    proceeded: list[Assigned] = field(default_factory=list)


@dataclass
class Result:
    """Where a called function puts what it returns."""

    leave: Label
    register: int
    type: VariableType | None = None
    valued: list[bool] = field(default_factory=list)  # whether there is a value, at each place where it returns


class Frame:
    """A function being compiled: that of a thread, or one that is called there and written out in place."""

    def __init__(self, unit: Unit, function: ThreadFunction, parent: Frame | None = None) -> None:
        self.unit = unit
        self.asm = unit.asm
        self.function = function
        self.parent = parent
        self.source = unit.source(function)
        self.bound: dict[str, Value] = {}  # parameters that are never set anew
        self.types: dict[str, VariableType] = {}
        self.assigned: Assigned = frozenset()
        self.loops: list[Around] = []
        self.locks: list[int] = []  # operands that point to the mutexes of the `with` statements around
        self.result: Result | None = None  # None in the function of the thread itself

    def error(self, node: ast.AST, message: str, hint: str | None = None) -> ProgramError:
        return self.source.error(node, message, hint)

    def at(self, node: ast.AST) -> None:
        """The instructions to come stand here."""
        self.asm.place = self.source.place(node)

    def is_local(self, name: str) -> bool:
        return name in self.source.locals

    def is_read(self, target: ast.expr) -> bool:
        """Whether the function looks at what it assigns there; `_` in `for _ in range(3)` is never looked at."""
        if not isinstance(target, ast.Name):
            return True
        self.refuse_shared(target)
        return target.id in self.source.reads

    def read(self, node: ast.Name) -> Value:
        """What a local variable holds."""
        name = node.id
        if name in self.bound:
            return self.bound[name]
        if name not in self.types or (self.assigned is not None and name not in self.assigned):
            self.refuse_shared(node)
            raise self.error(
                node, f"'{name}' is used before it is set", f"set it on every path that leads here, say '{name} = 0'"
            )
        return variable(self.types[name], self.unit.variable(self.source, name))

    def set_type(self, node: ast.AST, name: str, type: VariableType) -> int:
        """The register of a variable that is being set to something of this type."""
        if isinstance(node, ast.Name):
            self.refuse_shared(node)
        if (old := self.types.setdefault(name, type)) != type:
            raise self.error(
                node, f"'{name}' is {describe(old)} elsewhere, and {describe(type)} here", "use two variables"
            )
        return self.unit.variable(self.source, name)

    def mark_set(self, name: str) -> None:
        if self.assigned is not None:
            self.assigned |= {name}

    def refuse_shared(self, node: ast.Name) -> None:
        """Python takes a name that a function sets for a variable of its own, even if a shared object has that name."""
        name = node.id
        if name in self.function.parameters:
            return
        declared = name in (d.name for d in self.unit.linker.declarations)
        if declared or isinstance(self.source.function.__globals__.get(name), Shared):
            raise self.error(
                node,
                f"'{name}' is a shared object and cannot be set like a variable",
                f"write '{name}.store(…, order)', or give the variable another name",
            )

    def pointer(self, node: ast.AST, shared: Shared) -> int:
        """The operand that points to a shared object, which must be one of this program."""
        refuse_strangers(self.unit.linker.declarations, shared, self.source, node)
        return self.asm.constant(shared.pointer)

    def unlock(self, outer: int) -> None:
        """Gives back the locks that were taken within the outermost so many."""
        for mutex in reversed(self.locks[outer:]):
            self.asm.unlock(mutex, width=8)


def join(states: Sequence[Assigned]) -> Assigned:
    """What is set where several paths meet."""
    reachable = [s for s in states if s is not None]
    return frozenset.intersection(*reachable) if reachable else None


def refuse_strangers(declarations: Sequence[Declaration], shared: Shared, source: Source, node: ast.AST) -> None:
    declared = shared.declaration
    if not any(declared is d for d in declarations):
        raise source.error(
            node, f"'{declared.name}' belongs to another program", "declare it on the thread's own program"
        )
