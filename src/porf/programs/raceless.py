"""Which objects of a program cannot be in a data race: while there are several threads, all accesses of such an object
are atomic, or none of them writes.

The analysis follows the addresses of objects through registers and arguments, whatever the order of instructions. An
address that goes elsewhere, into memory or a call through a pointer, could be used by anybody: then nothing is known.
"""

from collections.abc import Iterable

from porf._core import Order
from porf.programs.form import (
    FACTS,
    Binary,
    Callee,
    Instruction,
    Opcode,
    Program,
    Sort,
    Template,
    nearest_object,
    sort_of,
)
from porf.programs.liveness import successors

PLAIN = (Opcode.LOAD, Opcode.STORE)  # they are plain without an order
READS = (Opcode.LOAD, Opcode.BARRIER)
ACCESSES = (*PLAIN, Opcode.RMW, Opcode.CAS, Opcode.LOCK, Opcode.UNLOCK, Opcode.TRYLOCK, Opcode.BARRIER)
HARMLESS = (Opcode.JUMP_IF, Opcode.JUMP_UNLESS, Opcode.ASSUME, Opcode.ASSERT, Opcode.PRINT)
STARTS = (Opcode.CALL, Opcode.SPAWN)
COMPUTES = (Opcode.CHECKED, Opcode.WITHIN)  # beside pure instructions
COMPARISONS = frozenset(kind for kind in Binary if sort_of(kind) is Sort.COMPARISON)
NOTHING: frozenset[int] = frozenset()
Place = tuple[int, int]  # a register, after the number of its template


def raceless(program: Program) -> set[int]:
    """The objects, by their numbers."""
    return _Addresses(program).raceless()


class _Addresses:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.pools = [[self._pointed(value) for value in template.pool] for template in program.templates]
        self.held: dict[Place, set[int]] = {}  # objects whose addresses a register may hold
        self.passed: dict[Place, list[Place]] = {}  # to which other registers it passes them
        self.escaped: set[int] = set()
        self.plain: set[int] = set()
        self.written: set[int] = set()

    def raceless(self) -> set[int]:
        program = self.program
        values = [c.initial for o in program.objects for c in o.cells]
        values += [word for local in program.locals for word in local.words]
        for value in values:
            self.escaped |= self._pointed(value or 0)
        for start in program.starts:
            for register, value in enumerate(start.arguments):
                self.held.setdefault((start.template, register), set()).update(self._pointed(value))
        for n, template in enumerate(program.templates):
            for i in template.code:
                self._flow(n, template, i)
        waiting = list(self.held)
        while waiting:
            objects = self.held[source := waiting.pop()]
            for target in self.passed.get(source, ()):
                known = self.held.setdefault(target, set())
                if not objects <= known:
                    known |= objects
                    waiting.append(target)
        for n, template in enumerate(program.templates):
            alone = self._alone(n, template)
            for place, i in enumerate(template.code):
                self._use(n, template, i, place in alone)
        risky = self.escaped | (self.plain & self.written)
        return {n for n in range(len(program.objects)) if n not in risky}

    def _pointed(self, value: int) -> set[int]:
        """The object that a number may be an address of."""
        number = nearest_object(value)
        return {number} if 0 <= number < len(self.program.objects) else set()

    def _objects(self, n: int, operands: Iterable[int]) -> set[int]:
        found: set[int] = set()
        for o in operands:
            found |= self.held.get((n, o), NOTHING) if o >= 0 else self.pools[n][~o]
        return found

    def _flow(self, n: int, template: Template, i: Instruction) -> None:
        """An instruction that only computes passes addresses on, and so does one that starts a template."""
        if FACTS[i.opcode].pure or i.opcode in COMPUTES:
            if i.opcode is not Opcode.BINARY or i.kind not in COMPARISONS:
                for operand in i.operands(template.argument_lists):
                    self._pass(n, operand, (n, i.a))
        elif i.opcode in STARTS and i.kind == Callee.TEMPLATE:
            for register, operand in enumerate(template.argument_lists[i.d]):
                self._pass(n, operand, (i.c, register))

    def _pass(self, n: int, operand: int, target: Place) -> None:
        if operand >= 0:
            self.passed.setdefault((n, operand), []).append(target)
        elif objects := self.pools[n][~operand]:
            self.held.setdefault(target, set()).update(objects)

    def _use(self, n: int, template: Template, i: Instruction, alone: bool) -> None:
        if FACTS[i.opcode].pure or i.opcode in HARMLESS or i.opcode in COMPUTES:
            return
        if i.opcode in STARTS and i.kind == Callee.TEMPLATE:
            return
        operands = i.operands(template.argument_lists)
        if i.opcode in ACCESSES:
            objects = self._objects(n, [i.b])
            if i.opcode in PLAIN and i.order is Order.NA and not alone:
                self.plain |= objects
            if i.opcode not in READS and not alone:
                self.written |= objects
            operands = operands[1:]
        self.escaped |= self._objects(n, operands)

    def _alone(self, n: int, template: Template) -> set[int]:
        """The instructions of the first thread that come before all starts of others, and all calls."""
        starts = self.program.starts
        called = any(i.opcode in STARTS and i.c == n for t in self.program.templates for i in t.code)
        if len(starts) != 1 or starts[0].template != n or called or any(o.template == n for o in self.program.objects):
            return set()
        code = template.code
        seen: set[int] = set()
        waiting = [s for place, i in enumerate(code) if i.opcode in STARTS for s in successors(i, place)]
        while waiting:
            place = waiting.pop()
            if place < len(code) and place not in seen:
                seen.add(place)
                waiting += successors(code[place], place)
        return set(range(len(code))) - seen
