"""From a module to a program of the form: every function that can be reached becomes a template."""

from porf.errors import ProgramError
from porf.programs.c import ir
from porf.programs.c.allowed import notes
from porf.programs.c.bitcode import ROOTS
from porf.programs.c.ends import adding, known_ends
from porf.programs.c.exceptions import Exceptions
from porf.programs.c.frame import Unit
from porf.programs.c.functions import scalars, translate_function
from porf.programs.c.memory import Memory
from porf.programs.c.private import escaping_locals, private_allocas
from porf.programs.c.reachable import Reachable, reachable
from porf.programs.c.types import Types
from porf.programs.c.volatile import PLAIN, with_volatiles
from porf.programs.form import Cell, Object, Program, Start, object_of
from porf.record import replace


def translate(
    module: ir.Module,
    name: str,
    source: str,
    nondet: tuple[int, int],
    volatile: str = PLAIN,
    allowed: frozenset[str] = frozenset(),
) -> Program:
    """The program of a module. `nondet` is the range of unknown values, `volatile` what volatile accesses mean;
    undefined behaviour of the kinds `allowed` is not reported."""
    module = with_volatiles(module, volatile)
    main = next((m for m in ROOTS if m in module.functions and module.functions[m].blocks), None)
    if main is None:
        raise ProgramError("there is no function main", source=source, hint="a program starts in main")
    constructors = [c for c in module.constructors if c in module.functions and module.functions[c].blocks]
    found = reachable(module, [main, *constructors])
    functions = [code_of(f, found) for f in module.functions.values() if f.name in found.functions]
    functions = [f for f in functions if f.blocks]
    templates = {f.name: n for n, f in enumerate(functions)}
    types = Types(module.structs)
    memory = Memory(module, types, templates, found, escaping_locals(module))
    exceptions = Exceptions(module, {f.name: f for f in functions}, found)
    unit = Unit(module, types, memory, templates, private_allocas(module), nondet, list(memory.objects), exceptions)
    unit.allowed = allowed
    unit.notes.update(dict.fromkeys(notes(allowed)))
    for item in module.globals.values():
        if item.constant and item.initial is not None and not item.thread_local and item.name in found.globals:
            unit.constant_objects[object_of(memory.value(ir.Symbol(ir.Pointer(), item.name)))] = item.name
    unit.known_ends = known_ends(module, constructors)
    unit.has_list_of_ends = len(adding(b for f in functions for b in f.blocks)) > len(unit.known_ends)
    before = tuple(templates[c] for c in constructors)
    code = [translate_function(unit, f, before if f.name == main else ()) for f in functions]
    start = Start(templates[main], arguments(unit, module.functions[main], source), "main")
    return Program(
        name=name,
        objects=tuple(unit.objects),
        templates=(*code, *unit.added.values()),
        starts=(start,),
        messages=unit.messages,
        hints=unit.hints,
        layouts=tuple(memory.layouts),
        locals=memory.locals,
        notes=(*module.notes, *unit.notes),
        source=source,
    )


def code_of(function: ir.Function, found: Reachable) -> ir.Function:
    """The function; if the program takes the address of one of the library, one that passes on what it is given."""
    if function.blocks or function.name not in found.pointed:
        return function
    result = "" if isinstance(function.result, ir.Void) else "result"
    callee = ir.Symbol(ir.Pointer(), function.name)
    place = found.pointed[function.name]  # where its address is taken: it has no place of its own
    call = ir.Instruction("call", result, function.result, function.parameters, callee=callee, place=place)
    end = ir.Instruction("ret", operands=(ir.Register(function.result, result),) if result else ())
    return replace(function, blocks=(ir.Block("entry", (call, end)),))


def arguments(unit: Unit, main: ir.Function, source: str) -> tuple[int, ...]:
    """The arguments of main: the program's name, and nothing else."""
    count = scalars(unit, main)
    if count < 2:
        return (1,)[:count]
    data = source.encode() + b"\0"
    cells = tuple(Cell(at, 1, f"argv[0][{at}]", value) for at, value in enumerate(data))
    text = unit.add(Object("argv[0]", len(data), cells))
    vector = unit.add(Object("argv", 16, (Cell(0, 8, "argv[0]", text), Cell(8, 8, "argv[1]", 0))))
    return (1, vector, *[vector + 8] * (count - 2))
