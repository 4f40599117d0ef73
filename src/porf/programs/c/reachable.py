"""From a module to the globals and functions that its program can reach, and those whose address it takes."""

from collections.abc import Iterable, Iterator

from porf.programs.c import ir
from porf.programs.c.library import called
from porf.programs.form import Place
from porf.record import Record, field


class Reachable(Record, frozen=False):
    """Names; `read` are the globals whose contents the program reads, and not only shows as messages."""

    globals: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    pointed: dict[str, Place | None] = field(default_factory=dict)  # functions whose address is taken, and where


def reachable(module: ir.Module, roots: Iterable[str]) -> Reachable:
    """What can be reached from the functions `roots`."""
    out = Reachable()
    functions = [module.functions[name] for name in roots if name in module.functions]
    out.functions = {f.name for f in functions}

    def see(name: str, shown: bool, is_called: bool, place: Place | None) -> None:
        if name in module.globals:
            new = name not in out.globals
            out.globals.add(name)
            if not shown:
                out.read.add(name)
            initial, variable = module.globals[name].initial, module.globals[name].variable
            if new and initial is not None:
                for inner in symbols(initial):
                    see(inner, False, False, place if variable is None else variable.place)
        elif name in module.functions:
            if not is_called:
                out.pointed.setdefault(name, place)
            if name not in out.functions:
                out.functions.add(name)
                functions.append(module.functions[name])

    while functions:
        for block in functions.pop().blocks:
            for instruction in block.instructions:
                for name, shown, is_called in used(instruction, module):
                    see(name, shown, is_called, instruction.place)
    return out


def used(instruction: ir.Instruction, module: ir.Module) -> Iterator[tuple[str, bool, bool]]:
    """The symbols that an instruction uses, each with whether it is only shown, and whether it is only called."""
    if instruction.callee is not None:
        yield from ((name, False, True) for name in symbols(instruction.callee))
    record = called(instruction, module)
    for index, operand in enumerate(instruction.operands):
        shown = record is not None and index in record.shows
        yield from ((name, shown, False) for name in symbols(operand))


def symbols(operand: ir.Operand) -> Iterator[str]:
    """The globals and functions in a constant."""
    match operand:
        case ir.Symbol(name=name):
            yield name
        case ir.Aggregate(elements=inner) | ir.Expression(operands=inner):
            for each in inner:
                yield from symbols(each)
