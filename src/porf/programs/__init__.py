"""Concurrent programs: the form that exploration runs, the front ends that make it, and the way from a file to one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf.errors import UsageError, wrong_type

if TYPE_CHECKING:
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder

__all__ = ["given_program", "load_program", "load_programs"]


def load_program(
    path: str | Path,
    *,
    defines: Mapping[str, object] | Sequence[str] = (),
    arguments: Sequence[str] = (),
    nondet: tuple[int, int] | None = None,
    volatile: str | None = None,
    allow: Sequence[str] = (),
    sandbox: bool = False,
) -> Program | LitmusTest:
    """Reads the program in a file: a C or C++ source file, a litmus test in C, or a Python file.

    >>> import porf
    >>> stack = porf.load_program("examples/programs/treiber_stack.c", defines={"PUSH": "memory_order_relaxed"})
    >>> porf.explore(stack, "rc11").bugs[0].kind
    'data race'
    >>> porf.load_program("examples/programs/fib_bench.py", defines={"n": 3}).name
    'fib_bench(3)'

    `defines` are C macros (a value of None defines just the name), or parameters of the functions of a Python file
    that make programs. `arguments` are for the C compiler, `nondet` is the least and the greatest of the values that
    a C program leaves open (`__VERIFIER_nondet_int`). Accesses of volatile variables are `"plain"`, or `"relaxed"`
    atomic ones, as `volatile` says. `allow` are kinds of undefined behaviour that are not reported, such as
    `"overflow"`. With `sandbox`, the compiler reads nothing but the folder of the file and system headers, and Python
    files are refused. `file.py:name` is one of the programs of a Python file.
    """
    options: Any = {"defines": defines, "arguments": arguments, "nondet": nondet, "volatile": volatile, "allow": allow}
    found = load_programs(path, sandbox=sandbox, **options)
    if len(found) != 1:
        names = [program.name for program in found]
        raise UsageError(
            f"{path} has {len(found)} programs: {', '.join(names)}",
            hint=f"name one: '{path}:{names[0]}'; or take them all from porf.load_programs",
        )
    return found[0]


def load_programs(
    path: str | Path,
    *,
    defines: Mapping[str, object] | Sequence[str] = (),
    arguments: Sequence[str] = (),
    nondet: tuple[int, int] | None = None,
    volatile: str | None = None,
    allow: Sequence[str] = (),
    sandbox: bool = False,
) -> list[Program | LitmusTest]:
    """Reads all programs in a file, as `load_program` reads one; only Python files can have more than one.

    >>> import porf
    >>> [program.name for program in porf.load_programs("examples/programs/message_passing.py")]
    ['message_passing', 'message_passing_relaxed']
    """
    from porf.programs.read import Settings, read_programs

    if not isinstance(path, str | os.PathLike):
        raise wrong_type("load_program", "the path of a program", path)
    if isinstance(defines, Mapping):
        defines = [name if value is None else f"{name}={value}" for name, value in defines.items()]
    for name, value in (("defines", defines), ("arguments", arguments), ("allow", allow)):
        if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(i, str) for i in value):
            also = ", or a mapping from names to values" if name == "defines" else ""
            raise TypeError(f"{name} is a list of strings{also}, not {value!r}")
    if nondet is not None and not (isinstance(nondet, tuple | list) and [int, int] == [type(i) for i in nondet]):
        raise TypeError(f"nondet is a pair of whole numbers, not {nondet!r}")
    if nondet is not None and nondet[0] > nondet[1]:
        raise UsageError(f"there is no value from {nondet[0]} to {nondet[1]}", hint="nondet=(0, 3)")
    if volatile not in (None, "plain", "relaxed"):
        raise UsageError(f"volatile is 'plain' or 'relaxed', not {volatile!r}")
    return read_programs(
        os.fspath(path), Settings(list(defines), list(arguments), nondet, volatile, list(allow), sandbox)
    )


def given_program(program: str | Path | ProgramBuilder | Program | LitmusTest) -> Program | LitmusTest:
    """The program that a function was given: read if it is a path, compiled if it is a builder."""
    from porf.programs.form import Program

    if isinstance(program, str | os.PathLike):
        return load_program(program)
    if isinstance(program, Program):
        return program
    from porf.programs.litmus import LitmusTest

    if isinstance(program, LitmusTest):
        return program
    from porf.programs.python import ProgramBuilder

    if isinstance(program, ProgramBuilder):
        return program.build()
    raise wrong_type("explore", "a program or the path of one", program)
