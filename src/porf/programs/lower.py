"""From the program form to the core's program: all code in one array, and registers for what loops remember."""

from collections.abc import Container, Iterable

from porf import _core
from porf.programs.counting import counting
from porf.programs.form import Instruction, Object, Opcode, Program, Template
from porf.programs.raceless import raceless


def lower(program: Program) -> _core.Program:
    """The program as the core runs it. Instructions keep their order: template after template."""
    code: list[_core.Instruction] = []
    templates = []
    for template in map(counting, program.templates):
        entry = len(code)
        code += [raw(i.with_target(entry.__add__)) for i in template.code]
        templates.append(lowered(template, entry))
    return _core.Program(
        code,
        templates,
        objects(program.objects, raceless(program)),
        objects(program.layouts),
        [_core.Local(o.slot, o.size, list(o.words)) for o in program.locals],
        [_core.Start(s.template, list(s.arguments)) for s in program.starts],
        [_core.Watch(w.thread, w.register) for w in program.watched],
    )


def raw(i: Instruction) -> _core.Instruction:
    """An instruction as the core takes it."""
    return _core.Instruction(
        i.opcode, i.kind, i.width, i.signed, i.order, i.failure, i.weak, i.aligned, i.a, i.b, i.c, i.d, i.e
    )


def objects(items: Iterable[Object], raceless: Container[int] = ()) -> list[_core.Object]:
    """Objects, or layouts, as the core takes them; some, by their numbers, cannot be in a data race."""
    return [
        _core.Object(
            o.size,
            o.template,
            o.constant,
            [_core.Cell(c.offset, c.width, c.initial is not None, c.initial or 0) for c in o.cells],
            n in raceless,
        )
        for n, o in enumerate(items)
    ]


def instruction(program: Program, pc: int) -> tuple[Template, Instruction]:
    """The instruction at a place in the core's array, and whose it is."""
    for template in program.templates:
        if pc < len(template.code):
            return template, template.code[pc]
        pc -= len(template.code)
    raise IndexError(pc)


def lowered(template: Template, entry: int) -> _core.Template:
    """A template as the core takes it; each loop gets registers for the values at the beginning of an iteration.

    Loops that share their counters are never in progress at the same time, so they share these registers, too.
    """
    counters = {i.a: i.b for i in template.code if i.opcode is Opcode.HEAD}
    sizes: dict[int, int] = {}
    for loop, first in counters.items():
        sizes[first] = max(sizes.get(first, 0), len(template.live[loop]))
    registers, places = template.registers, dict[int, int]()
    for first, size in sizes.items():
        places[first] = registers
        registers += size
    loops = [
        _core.Loop(list(live), places[counters[n]] if n in counters else 0) for n, live in enumerate(template.live)
    ]
    lists = [list(operands) for operands in template.argument_lists]
    return _core.Template(
        entry, registers, template.private, template.parameters, template.signature, list(template.pool), lists, loops
    )
