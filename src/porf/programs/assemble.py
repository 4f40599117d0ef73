"""An assembler for the code of one thread: registers, constants, labels, loops; front ends write with it."""

from collections.abc import Iterable
from typing import Any

from porf.programs.form import LOOP_COUNTERS, Back, Instruction, Opcode, Place, Template
from porf.programs.liveness import live_at
from porf.record import Record, replace


def signed(value: int) -> int:
    """The number that 64 bits hold of a value."""
    return (value + 2**63) % 2**64 - 2**63


class Label(Record):
    number: int


class Loop(Record):
    """A loop that is being assembled: `again` closes an iteration."""

    number: int
    counters: int
    head: Label


class Assembler:
    """Collects instructions; `template` makes the thread's code of them."""

    def __init__(self, name: str, parameters: Iterable[str] = ()) -> None:
        self.name = name
        self.place: Place | None = None  # of the instructions to come
        self._code: list[Instruction] = []
        self._registers = 0
        self._names: dict[int, str] = {}
        self.constants: list[int] = []
        self._pool: dict[int, int] = {}  # constant -> where it is in the list
        self._lists: list[tuple[int, ...]] = []
        self._targets: list[int] = []  # label -> instruction
        self._loops: list[Place | None] = []
        self.parameters = [self.register(p) for p in parameters]

    def register(self, name: str | None = None) -> int:
        """A new register, called so in reports if it is one of the source."""
        self._registers += 1
        if name is not None:
            self._names[self._registers - 1] = name
        return self._registers - 1

    def registers(self, count: int) -> int:
        """So many new registers, one after the other; the first of them."""
        self._registers += count
        return self._registers - count

    def constant(self, value: int) -> int:
        """The operand that is this number, taken modulo 2^64."""
        value = signed(value)
        place = self._pool.get(value)
        if place is None:
            place = self._pool[value] = len(self.constants)
            self.constants.append(value)
        return ~place

    def arguments(self, operands: Iterable[int]) -> int:
        """A list of operands: what is passed to a call, or to a new thread, or printed."""
        self._lists.append(tuple(operands))
        return len(self._lists) - 1

    def emit(self, opcode: Opcode, **fields: Any) -> None:
        """An instruction; jumps and loops have methods of their own."""
        self._code.append(Instruction(opcode, place=self.place, **fields))

    def label(self) -> Label:
        """A new label; `put` says where it stands."""
        self._targets.append(-1)
        return Label(len(self._targets) - 1)

    def put(self, label: Label) -> None:
        """The label stands here."""
        self._targets[label.number] = len(self._code)

    def jump(self, label: Label) -> None:
        self.emit(Opcode.JUMP, a=label.number)

    def jump_if(self, operand: int, label: Label) -> None:
        self.emit(Opcode.JUMP_IF, a=label.number, b=operand)

    def jump_unless(self, operand: int, label: Label) -> None:
        self.emit(Opcode.JUMP_UNLESS, a=label.number, b=operand)

    def loop(self) -> Loop:
        """A loop begins: what follows is its iteration. Jump to a label of your own to leave it."""
        loop = self.new_loop()
        self.enter(loop)
        self.head(loop)
        return loop

    def new_loop(self) -> Loop:
        """A loop that may be entered in several places: `enter` in each, and `head` where its iterations begin."""
        counters, *_ = [self.register() for _ in range(LOOP_COUNTERS)]
        self._loops.append(self.place)
        return Loop(len(self._loops) - 1, counters, self.label())

    def enter(self, loop: Loop) -> None:
        """The loop is entered here, from outside."""
        self.emit(Opcode.MOVE, a=loop.counters, b=self.constant(0))

    def head(self, loop: Loop) -> None:
        """What follows is the loop's iteration."""
        self.put(loop.head)
        self.emit(Opcode.HEAD, a=loop.number, b=loop.counters)

    def again(self, loop: Loop, kind: Back = Back.EXACT) -> None:
        """An iteration ends here and the next begins (the end of the body, and `continue`)."""
        self.emit(Opcode.BACK, a=loop.number, b=loop.counters, c=loop.head.number, kind=kind)

    def template(self, observed: tuple[int, ...] = ()) -> Template:
        """The finished code. The values of observed registers matter when the thread ends."""
        return with_live(self.draft(), observed)

    def draft(self) -> Template:
        """The code as it was written; which registers matter in loops is not known yet."""
        self.emit(Opcode.EXIT, b=self.constant(0))
        code = tuple(i.with_target(self._targets.__getitem__) for i in self._code)
        return Template(
            name=self.name,
            code=code,
            registers=self._registers,
            pool=tuple(self.constants),
            parameters=len(self.parameters),
            argument_lists=tuple(self._lists),
            names=dict(self._names),
            loops=tuple(self._loops),
        )


def with_live(template: Template, observed: tuple[int, ...] = ()) -> Template:
    """The template with the registers that matter at the head of each loop."""
    heads = {i.a: n for n, i in enumerate(template.code) if i.opcode is Opcode.HEAD}
    if not heads:
        return template
    found = live_at(template.code, template.argument_lists, list(heads.values()), observed)
    counters = {i.b for i in template.code if i.opcode is Opcode.HEAD}
    live: list[tuple[int, ...]] = [()] * len(template.loops)
    for loop, registers in zip(heads, found, strict=True):
        live[loop] = tuple(sorted(registers - counters))
    return replace(template, live=tuple(live))
