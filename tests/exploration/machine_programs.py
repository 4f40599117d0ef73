"""Small programs for tests of the virtual machine: a main thread, functions that it calls, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from porf.exploration import explore
from porf.exploration.found import Exploration
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Local, Object, Opcode, Program, Start, Template, Watch

Code = Callable[[Assembler], object]
SLOTS = 16  # of private memory that a main thread has
ARRAY = Object("array", 8, (Cell(0, 4, "[0]"), Cell(4, 4, "[1]")))


def function(name: str, code: Code, parameters: Iterable[str] = (), slots: int = 0) -> Template:
    a = Assembler(name, parameters)
    code(a)
    return replace(a.template(), private=slots)


def program(
    code: Code,
    *,
    functions: tuple[Template, ...] = (),
    objects: tuple[Object, ...] = (),
    layouts: tuple[Object, ...] = (),
    locals_: tuple[Local, ...] = (),
    messages: tuple[str, ...] = ("it failed",),
    slots: int = SLOTS,
) -> Program:
    """A main thread. After the objects come functions as objects, with the numbers of their templates."""
    a = Assembler("main")
    watched = code(a)
    registers = watched if isinstance(watched, tuple) else ()
    main = replace(a.template(registers), private=slots)
    pointers = tuple(Object(f.name, 1, template=n) for n, f in enumerate(functions))
    return Program(
        "small",
        (*objects, *pointers),
        (*functions, main),
        (Start(len(functions)),),
        messages=messages,
        watched=tuple(Watch(0, r, f"r{r}") for r in registers),
        layouts=layouts,
        locals=locals_,
    )


def thread(code: Code, times: int, objects: tuple[Object, ...]) -> Program:
    """So many threads that do the same."""
    return Program("same", objects, (function("t", code),), (Start(0),) * times)


def verdict(made: Program, seconds: float | None = None) -> Exploration:
    return explore(made, "rc11", seconds=seconds)


def bug(made: Program) -> str:
    """The kind of its first bug."""
    found = explore(made, "rc11")
    assert found.verdict == "unsafe"
    assert explore(made, "rc11", replay=found.bugs[0].token).bugs[0].message == found.bugs[0].message
    return found.bugs[0].kind


def results(
    code: Callable[[Assembler], tuple[int, ...]],
    *,
    functions: tuple[Template, ...] = (),
    objects: tuple[Object, ...] = (),
    layouts: tuple[Object, ...] = (),
    locals_: tuple[Local, ...] = (),
) -> tuple[int, ...]:
    """The last values of the registers that the code returns, in a program with one execution."""
    made = program(code, functions=functions, objects=objects, layouts=layouts, locals_=locals_)
    found = verdict(made)
    assert (found.verdict, found.executions) == ("safe", 1), [b.message for b in found.bugs]
    [state] = found.states
    return state


def private(a: Assembler, slot: int, size: int) -> int:
    """The register with the pointer to a private object."""
    into = a.register()
    a.emit(Opcode.ADDRESS, a=into, c=slot, d=size)
    return into


def load(a: Assembler, where: int, width: int, signed: bool = True) -> int:
    into = a.register()
    a.emit(Opcode.LOAD, a=into, b=where, width=width, signed=signed)
    return into


def store(a: Assembler, where: int, value: int, width: int) -> None:
    a.emit(Opcode.STORE, b=where, c=value, width=width)


def binary(a: Assembler, left: int, kind: Binary, number: int) -> int:
    return combined(a, left, kind, a.constant(number))


def combined(a: Assembler, left: int, kind: Binary, right: int) -> int:
    """The same of two operands."""
    into = a.register()
    a.emit(Opcode.BINARY, a=into, b=left, c=right, kind=kind)
    return into


def called(a: Assembler, number: int, *arguments: int) -> int:
    into = a.register()
    a.emit(Opcode.CALL, a=into, c=number, d=a.arguments(arguments))
    return into
