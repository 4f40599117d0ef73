"""Which globals and functions a program can reach, and of which functions it takes the address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from porf.programs.c import ir

# Calls whose arguments are only shown to people: which of them, or all.
SHOWN: dict[str, tuple[int, ...] | None] = {
    "__assert_fail": None,
    "__assert_rtn": None,
    "__assert": None,
    "_wassert": None,
    "printf": (0,),
    "puts": (0,),
    "perror": (0,),
    "fprintf": (1,),
}


@dataclass
class Reachable:
    """Names; `read` are the globals whose contents matter, not just a message's text."""

    globals: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    pointed: set[str] = field(default_factory=set)  # functions whose address is taken


def reachable(module: ir.Module, roots: Iterable[str]) -> Reachable:
    """What can be reached from the functions `roots`."""
    out = Reachable()
    functions = [module.functions[name] for name in roots if name in module.functions]
    out.functions = {f.name for f in functions}

    def see(name: str, shown: bool, called: bool) -> None:
        if name in module.globals:
            new = name not in out.globals
            out.globals.add(name)
            if not shown:
                out.read.add(name)
            initial = module.globals[name].initial
            if new and initial is not None:
                for inner in symbols(initial):
                    see(inner, False, False)
        elif name in module.functions:
            if not called:
                out.pointed.add(name)
            if name not in out.functions:
                out.functions.add(name)
                functions.append(module.functions[name])

    while functions:
        for block in functions.pop().blocks:
            for instruction in block.instructions:
                for name, shown, called in used(instruction):
                    see(name, shown, called)
    return out


def used(instruction: ir.Instruction) -> Iterator[tuple[str, bool, bool]]:
    """The symbols that an instruction uses: whether only as a message, and whether only as what is called."""
    callee = instruction.callee.name if isinstance(instruction.callee, ir.Symbol) else None
    if instruction.callee is not None:
        yield from ((name, False, True) for name in symbols(instruction.callee))
    which = SHOWN.get(callee, ()) if callee else ()
    for index, operand in enumerate(instruction.operands):
        shown = which is None or index in which
        yield from ((name, shown, False) for name in symbols(operand))


def symbols(operand: ir.Operand) -> Iterator[str]:
    """The globals and functions in a constant."""
    match operand:
        case ir.Symbol(name=name):
            yield name
        case ir.Aggregate(elements=inner) | ir.Expression(operands=inner):
            for each in inner:
                yield from symbols(each)
