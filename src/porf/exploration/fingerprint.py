"""Words for what explorations depend on. They know no names of files, no places and no labels.

A token says how a program's events come about, so its word is that of the *shape* of a program: its events, in the
order of the code, with their constants; what its comparisons compare with; and its objects, as far as events name them.
The arithmetic between events does not count: another compiler writes that differently, and a replay notices if it leads
elsewhere. A checkpoint counts executions, so its word is that of all the code.
"""

from collections.abc import Mapping
from typing import Any

from porf.programs.form import (
    FACTS,
    Binary,
    Effect,
    Instruction,
    Opcode,
    Program,
    Sort,
    Template,
    object_of,
    offset_of,
    sort_of,
)

Word = tuple[Any, ...]  # of numbers, and of the same


def digest(known: Word, model: str, options: Mapping[str, Any]) -> str:
    """A word for what is known of a program, and for what it is explored with."""
    import hashlib  # only when something is to be identified

    return hashlib.sha256(repr((known, model, sorted(options.items()))).encode()).hexdigest()


def whole(program: Program) -> Word:
    """All that an exploration of a program depends on."""
    code = [
        ([_numbers(i) for i in t.code], t.pool, t.registers, t.private, t.argument_lists, t.live)
        for t in program.templates
    ]
    objects = [(_object(program, number), o.template) for number, o in enumerate(program.objects)]
    layouts = [(o.size, [(c.offset, c.width) for c in o.cells]) for o in program.layouts]
    local = [(own.slot, own.size, own.words) for own in program.locals]
    starts = [(start.template, start.arguments) for start in program.starts]
    watched = [(watch.thread, watch.register, watch.label) for watch in program.watched]
    return code, objects, layouts, local, starts, watched


def shape(program: Program) -> Word:
    """What of a program its events depend on, however it was compiled."""
    templates = [_template(program, t) for t in program.templates]
    starts = [(start.template, [_constant(program, n) for n in start.arguments]) for start in program.starts]
    return templates, starts, [(watch.thread, watch.label) for watch in program.watched]


def _numbers(i: Instruction) -> list[int]:
    return [int(value) for name, value in vars(i).items() if name != "place"]


def _template(program: Program, t: Template) -> Word:
    events, compared = [], set()
    for i in t.code:
        constants = [_constant(program, t.pool[~n]) if n < 0 else None for n in i.operands(t.argument_lists)]
        if FACTS[i.opcode].effect is Effect.EVENT or i.opcode is Opcode.CALL:
            order = int(i.order), int(i.failure), i.weak
            events.append((i.opcode.value, i.kind, i.width, *order, constants))
        elif i.opcode is Opcode.BINARY and sort_of(Binary(i.kind)) is Sort.COMPARISON and constants != [None, None]:
            compared.add(repr((i.kind, constants)))
    return events, sorted(compared)


def _constant(program: Program, value: int) -> Word:
    """A number, or a pointer: by what it points to, for objects are numbered as the compiler lists them."""
    number = object_of(value)
    if not 0 <= number < len(program.objects):
        return (value,)
    return (offset_of(value), program.objects[number].template, _object(program, number))


def _object(program: Program, number: int) -> Word:
    item = program.objects[number]
    return item.size, [(cell.offset, cell.width, _initial(program, cell.initial)) for cell in item.cells]


def _initial(program: Program, value: int | None) -> Word:
    number = -1 if value is None else object_of(value)
    if value is None or not 0 <= number < len(program.objects):
        return (value,)
    return (offset_of(value), program.objects[number].size)
