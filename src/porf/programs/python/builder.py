"""ProgramBuilder: what `porf.program` gives people to declare shared objects and threads with."""

import builtins
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar, cast, overload

from porf.errors import nearest, wrong_type
from porf.formats.rules import RULE, is_name
from porf.programs.form import Program
from porf.programs.python.compiler import Compiler
from porf.programs.python.function import ThreadFunction
from porf.programs.python.shared import MUTEX, TYPES, CellType, Declaration, Mutex, SharedArray, SharedInt
from porf.programs.python.source import caller, wrong_call

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_THREADS = 1024  # that the core has room for
MOST_ELEMENTS = 1_000_000  # of an array


class ProgramBuilder:
    """A concurrent program under construction; `build` compiles it, and so does `porf.explore`.

    >>> import porf
    >>> from porf.programs.python import acquire, release
    >>> p = porf.program("handover")
    >>> data, ready = p.plain("data"), p.int("ready")
    >>> @p.thread
    ... def sender() -> None:
    ...     data.value = 42
    ...     ready.store(1, release)
    >>> @p.thread
    ... def receiver() -> None:
    ...     if ready.load(acquire):
    ...         assert data.value == 42
    >>> porf.explore(p, "rc11")
    <Exploration of handover under rc11: safe, 2 executions>
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._place = caller()
        self._declarations: list[Declaration] = []
        self._threads: list[ThreadFunction] = []
        self._final: ThreadFunction | None = None

    def __repr__(self) -> str:
        return f"<program {self.name}>"

    def int(
        self, name: str, initial: builtins.int = 0, *, type: str = "int64", uninitialised: bool = False
    ) -> SharedInt:
        """An atomic integer."""
        return SharedInt(self._declare(name, type, "atomic", None, [None if uninitialised else initial]))

    def plain(
        self, name: str, initial: builtins.int = 0, *, type: str = "int64", uninitialised: bool = False
    ) -> SharedInt:
        """A non-atomic integer: two concurrent accesses, at least one of them a store, are a data race."""
        return SharedInt(self._declare(name, type, "plain", None, [None if uninitialised else initial]))

    def array(
        self,
        name: str,
        length: builtins.int,
        *,
        initial: builtins.int | Sequence[builtins.int] = 0,
        type: str = "int64",
        plain: bool = False,
        uninitialised: bool = False,
    ) -> SharedArray[SharedInt]:
        """An array of integers, atomic by default. `initial` is one value for all of them, or a list."""
        check_length(name, length)
        values: list[Any] = [initial] * length if is_number(initial) else list(cast("Sequence[builtins.int]", initial))
        if len(values) != length:
            raise wrong_call(f"'{name}' has {length} elements, and {len(values)} initial values")
        kind = "plain" if plain else "atomic"
        return SharedArray(
            self._declare(name, type, kind, length, [None] * length if uninitialised else values), SharedInt
        )

    def mutex(self, name: str) -> Mutex:
        """A lock, initially free."""
        return Mutex(self._declare(name, "int64", "mutex", None, [0]))

    def mutexes(self, name: str, length: builtins.int) -> SharedArray[Mutex]:
        """An array of locks."""
        check_length(name, length)
        return SharedArray(self._declare(name, "int64", "mutex", length, [0] * length), Mutex)

    @overload
    def thread(self, function: Function) -> Function: ...
    @overload
    def thread(
        self, *, copies: builtins.int | None = None, args: Iterable[Any] | None = None
    ) -> Callable[[Function], Function]: ...
    def thread(
        self, function: Function | None = None, *, copies: builtins.int | None = None, args: Iterable[Any] | None = None
    ) -> Function | Callable[[Function], Function]:
        """Makes a function a thread: one, or several copies, or one per tuple of arguments."""
        if copies is not None and args is not None:
            raise wrong_call("a thread has copies or args, not both", "args=[(0,), (0,)] makes two identical threads")
        if copies is not None and (not is_number(copies) or copies < 0):
            raise wrong_call(f"{copies!r} is not a number of copies")
        if copies is not None and copies > MOST_THREADS:
            raise wrong_call(f"{copies} copies of a thread are too many", f"{MOST_THREADS} are the most")
        starts = [()] * (1 if copies is None else copies)
        if args is not None:
            starts = [as_tuple(a) for a in islice(args, MOST_THREADS + 1)]
            if len(starts) > MOST_THREADS:
                raise wrong_call("these are too many threads", f"{MOST_THREADS} are the most")

        def decorate(decorated: Function) -> Function:
            made = ThreadFunction(decorated, list(starts), numbered=copies is not None)
            self._threads.append(made)
            return cast("Function", made)

        return decorate if function is None else decorate(function)

    def function(self, function: Function) -> Function:
        """Lets threads call or spawn a function."""
        return cast("Function", ThreadFunction(function, None))

    def final(self, function: Function) -> Function:
        """Makes a function run once all threads have ended: the place to check the final state."""
        if self._final is not None:
            raise wrong_call(f"'{self._final.__name__}' is final already", "a program has one final function")
        self._final = ThreadFunction(function, [()])
        return cast("Function", self._final)

    def build(self) -> Program:
        """The program form, ready for exploration."""
        if not any(t.starts for t in self._threads) and self._final is None:
            raise wrong_call(f"program '{self.name}' has no threads", "decorate functions with @p.thread", self._place)
        source = self._place.file if self._place else ""
        try:
            return Compiler(self._declarations, self._threads).program(self.name, source, self._final)
        except RecursionError:
            raise wrong_call(
                f"program '{self.name}' is nested too deeply", "split long expressions", self._place
            ) from None

    def _declare(
        self, name: str, type: str, kind: str, length: builtins.int | None, initial: Sequence[Any]
    ) -> Declaration:
        if not isinstance(name, str) or not is_name(name):
            raise wrong_call(f"{name!r} cannot be the name of a shared object", RULE)
        if name in (d.name for d in self._declarations):
            raise wrong_call(f"'{name}' is declared twice", "every shared object needs its own name")
        if type not in TYPES:
            raise wrong_call(f"unknown type '{type}'", nearest(str(type), TYPES) or f"the types are {', '.join(TYPES)}")
        cell = MUTEX if kind == "mutex" else CellType(*TYPES[type], kind)
        low, high = (-(2 ** (8 * cell.width - 1)) if cell.signed else 0), 2 ** (8 * cell.width - cell.signed)
        for value in initial:
            if value is not None and not (is_number(value) and low <= value < high):
                raise wrong_call(
                    f"'{name}' cannot be {value!r} initially", f"it holds integers from {low} to {high - 1}"
                )
        values = tuple(None if v is None else cell.wrap(v) for v in initial)
        self._declarations.append(Declaration(len(self._declarations), name, cell, length, values, caller()))
        return self._declarations[-1]


def program(name: str) -> ProgramBuilder:
    """A new concurrent program; declare its shared objects and threads on it (see `ProgramBuilder`).

    >>> import porf
    >>> p = porf.program("counter")
    >>> counter = p.int("counter", 1)
    >>> p
    <program counter>
    """
    if not isinstance(name, str):
        raise wrong_type("program", "a name", name)
    return ProgramBuilder(name)


def is_number(value: object) -> bool:
    return isinstance(value, int)


def check_length(name: str, length: object) -> None:
    if not isinstance(length, int) or length < 1:
        raise wrong_call(f"'{name}' cannot have {length!r} elements", "an array has one element or more")
    if length > MOST_ELEMENTS:
        raise wrong_call(f"'{name}' has too many elements", f"{MOST_ELEMENTS:,} are the most")


def as_tuple(arguments: Any) -> tuple[Any, ...]:
    return tuple(arguments) if isinstance(arguments, tuple | list) else (arguments,)
