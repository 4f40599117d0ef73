"""What runs at the end of threads and of the program: destructors, and handlers such as those of atexit.

The runtime has a function for each list, and a program has it if it may add anything to the list. What constructors
add before main begins is known, and needs no list, unless it depends on what else they do.
"""

from collections.abc import Iterable, Sequence

from porf.programs.c import ir
from porf.programs.c.exceptions import fail, thrown
from porf.programs.c.frame import Frame
from porf.programs.c.given_locals import end_own
from porf.programs.c.library import Call, find
from porf.programs.c.reachable import reachable
from porf.programs.code import Code
from porf.programs.colour import colour
from porf.programs.form import Callee
from porf.programs.tidy import tidy

OF_THREADS = ("__porf_locals_end", "__porf_keys_end")
OF_PROGRAMS = ("__porf_locals_end",)  # of the thread that ends it
LISTED = ("__porf_program_ends",)
OF_QUICK_EXITS = ("__porf_program_ends_quickly",)


def known_ends(module: ir.Module, constructors: Sequence[str]) -> tuple[ir.Instruction, ...]:
    """The calls before main that add what runs at the end of the program, in order; none if that is not certain.

    The last one that was added runs first, so either all that is added before main is known, or nothing is.
    """
    found: list[ir.Instruction] = []
    for name in constructors:
        certain = certain_blocks(module.functions[name])
        for block in module.functions[name].blocks:
            for i in adding([block]):
                if block.name not in certain or any(isinstance(o, ir.Register) for o in i.operands):
                    return ()
        found += (i for block in certain.values() for i in adding([block]))
    others = reachable(module, constructors).functions - set(constructors)
    return () if any(adding(module.functions[name].blocks) for name in others) else tuple(found)


def known_end(call: Call) -> int:
    """The runtime asks whether something need not be in its list."""
    return call.code.constant(int(any(call.instruction is i for i in call.frame.unit.known_ends)))


def adding(blocks: Iterable[ir.Block]) -> list[ir.Instruction]:
    instructions = (i for block in blocks for i in block.instructions)
    return [
        i
        for i in instructions
        if isinstance(i.callee, ir.Symbol) and (record := find(i.callee.name)) is not None and record.emit is known_end
    ]


def certain_blocks(function: ir.Function) -> dict[str, ir.Block]:
    """The blocks that every call of a function runs once, in their order."""
    blocks = {block.name: block for block in function.blocks}
    after = {name: block.instructions[-1].labels for name, block in blocks.items()}

    def reached(start: Iterable[str], without: str) -> set[str]:
        seen, waiting = set[str](), [name for name in start if name != without]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += (target for target in after[name] if target != without)
        return seen

    entry = function.blocks[0].name
    ends = {name for name, block in blocks.items() if block.instructions[-1].opcode == "ret"}
    certain = [n for n in blocks if ends.isdisjoint(reached([entry], n)) and n not in reached(after[n], "")]
    certain.sort(key=lambda name: -len(reached([name], "")))
    return {name: blocks[name] for name in certain}


def run_at_the_end(frame: Frame, functions: tuple[str, ...]) -> None:
    """Calls these functions of the runtime, as far as the program needs them."""
    for name in functions:
        if name in frame.unit.templates:
            frame.code.call(frame.unit.templates[name], ())


def end_thread(frame: Frame) -> None:
    """What a thread runs when it ends before its function does."""
    run_at_the_end(frame, OF_THREADS)
    end_own(frame.code, frame.unit)


def end_program(frame: Frame) -> None:
    """Main returns, or a thread calls exit."""
    run_at_the_end(frame, (*OF_PROGRAMS, *LISTED) if frame.unit.has_list_of_ends else OF_PROGRAMS)
    for i in reversed(frame.unit.known_ends):
        function, argument = i.operands
        frame.code.call(frame.one(function), [frame.one(argument)], Callee.POINTER)


def runs_at_the_end(frame: Frame) -> bool:
    """Whether anything may have to run at the end of a thread."""
    return bool(frame.unit.memory.given_away) or any(name in frame.unit.templates for name in OF_THREADS)


def needs_whole_thread(frame: Frame) -> bool:
    """Whether a thread whose function is not known needs more than that."""
    return runs_at_the_end(frame) or frame.unit.exceptions.may_leave_thread("")


def whole_thread(frame: Frame, function: ir.Function | None = None, parameters: int = 1) -> int:
    """The template of a thread that runs a function, and what must run at its end.

    Without a function, the thread's second argument points to it.
    """
    unit, name = frame.unit, function.name if function is not None else ""
    throws = frame.unit.exceptions.may_leave_thread(name)
    if function is not None and not runs_at_the_end(frame) and not throws:
        return unit.templates[name]
    if name not in unit.added:
        title, place = (function.title, function.place) if function is not None else ("thread", None)
        code = Code(title, [""] * (parameters if function is not None else 2))
        code.place = place
        if function is not None:
            result = code.call(unit.templates[name], range(parameters))
        else:
            result = code.call(1, [0], Callee.POINTER)
        if throws:
            caught = code.label()
            code.jump_unless(thrown(code, unit), caught)
            fail(code, unit)
            code.put(caught)
        for each in OF_THREADS:
            if each in unit.templates:
                code.call(unit.templates[each], ())
        end_own(code, unit)
        code.give_back(result)
        unit.added[name] = colour(tidy(code.draft()))
    return len(unit.templates) + list(unit.added).index(name)
