"""Few registers: those that are never live at the same time share one. A state has all of them, and is kept at events.

Greedy colouring of the interference graph, in the order in which registers are first set. Parameters stay the first
registers. The counters of a loop are neighbours and live as long as their loop.
"""

from itertools import chain
from itertools import count as count_up
from typing import Any

from porf.programs.form import FACTS, LOOP_COUNTERS, Instruction, Opcode, Template
from porf.programs.liveness import Flow, bits, members, sets
from porf.programs.tidy import compact, moves
from porf.record import replace


def colour(template: Template) -> Template:
    """The template with as few registers as greedy colouring gives, and what is live at the heads of its loops."""
    flow = Flow(template.code, template.argument_lists, counters=True)
    graph = interference(template, flow)
    heads = {i.a: (n, i.b) for n, i in enumerate(template.code) if i.opcode is Opcode.HEAD}
    counters = sorted({first for _, first in heads.values()})
    colours = {p: p for p in range(template.parameters)}
    count = colour_counters(template, counters, graph, colours)
    colour_rest(template, graph, colours, count)
    hidden = bits(counters)
    live: list[tuple[int, ...]] = [()] * len(template.loops)
    for loop, (n, _) in heads.items():
        live[loop] = tuple(sorted({colours[register] for register in members(flow.before(n) & ~hidden)}))
    code = [renamed(i, colours) for i in template.code]
    kept = [not (i.opcode is Opcode.MOVE and i.a == i.b) for i in code]
    used = 1 + max((c for r, c in colours.items()), default=-1)
    result = replace(
        template,
        registers=max(used, count),
        argument_lists=tuple(
            tuple(colours.get(o, 0) if o >= 0 else o for o in operands) for operands in template.argument_lists
        ),
        live=tuple(live),
        names={},
    )
    return compact(result, code, kept)


def interference(template: Template, flow: Flow) -> dict[int, int]:
    """Register -> registers that must not share its place, a bit each; of two such registers, at least one has the
    other."""
    graph: dict[int, int] = {}
    for n, after in flow.after_each():
        made = flow.sets[n]
        if not made:
            continue
        instruction = template.code[n]
        together = after | made
        if instruction.opcode is Opcode.MOVE and instruction.b >= 0:
            together &= ~(1 << instruction.b)
        for register in members(made):
            graph[register] = graph.get(register, 0) | together
    entry = flow.before(0) | (1 << template.parameters) - 1  # all that has a value when the code begins
    for register in members(entry):
        graph[register] = graph.get(register, 0) | entry
    return {register: others & ~(1 << register) for register, others in graph.items()}


def colour_counters(template: Template, counters: list[int], graph: dict[int, int], colours: dict[int, int]) -> int:
    """Places for the counters of loops, behind the parameters; returns the first place that is free."""
    used: dict[int, int] = {}
    for first in counters:
        taken = {
            used[other]
            for other in counters
            if other in used and (graph.get(first, 0) >> other | graph.get(other, 0) >> first) & 1
        }
        used[first] = next(n for n in range(len(counters)) if n not in taken)
        for k in range(LOOP_COUNTERS):
            colours[first + k] = template.parameters + used[first] * LOOP_COUNTERS + k
    return template.parameters + LOOP_COUNTERS * len(set(used.values()))


def colour_rest(template: Template, graph: dict[int, int], colours: dict[int, int], first: int) -> None:
    """Every other register gets the place of one that it is copied from or to, or else the first that is free."""
    friends: dict[int, list[int]] = {}
    for a, b in moves(template):
        friends.setdefault(a, []).append(b)
        friends.setdefault(b, []).append(a)
    holds: dict[int, int] = {}  # place -> the registers that have it
    avoids: dict[int, int] = {}  # place -> the registers that must not share it with one of these

    def give(register: int, place: int) -> None:
        colours[register] = place
        holds[place] = holds.get(place, 0) | 1 << register
        avoids[place] = avoids.get(place, 0) | graph.get(register, 0)

    for register, place in list(colours.items()):
        give(register, place)
    counted = range(template.parameters, first)
    for register in in_order(template):
        if register in colours:
            continue
        others = graph.get(register, 0)
        liked = [colours[friend] for friend in friends.get(register, ()) if friend in colours]
        place = 0
        for place in chain(liked, count_up()):
            if place not in counted and not (holds.get(place, 0) & others or avoids.get(place, 0) >> register & 1):
                break
        give(register, place)


def in_order(template: Template) -> list[int]:
    """The registers, as the code mentions them."""
    found: dict[int, None] = {}
    for i in template.code:
        for operand in (*i.operands(template.argument_lists), *sets(i)):
            found[operand] = None
    return [register for register in found if register >= 0]


def renamed(instruction: Instruction, colours: dict[int, int]) -> Instruction:
    """The instruction with its registers in their places."""
    facts = FACTS[instruction.opcode]
    changed: dict[str, Any] = {}
    for name in facts.reads + facts.sets + facts.counters:
        register = instruction.__dict__[name]
        if register >= 0 and colours.get(register, register) != register:
            changed[name] = colours[register]
    return replace(instruction, **changed) if changed else instruction
