"""An assembler for the code of one thread: registers, constants, labels, loops; front ends write with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from porf.programs.form import LOOP_COUNTERS, Instruction, Opcode, Place, Template
from porf.programs.liveness import live_at

JUMPS = (Opcode.JUMP, Opcode.JUMP_IF, Opcode.JUMP_UNLESS)


@dataclass(frozen=True)
class Label:
    number: int


@dataclass(frozen=True)
class Loop:
    """A loop that is being assembled: `again` closes an iteration."""

    number: int
    counters: int
    head: Label


class Assembler:
    """Collects instructions; `template` makes the thread's code of them."""

    def __init__(self, name: str, parameters: list[str] | None = None) -> None:
        self.name = name
        self.place: Place | None = None  # of the instructions to come
        self._code: list[Instruction] = []
        self._registers = 0
        self._names: dict[int, str] = {}
        self._pool: dict[int, int] = {}
        self._lists: list[tuple[int, ...]] = []
        self._targets: list[int] = []  # label -> instruction
        self._loops: list[Place | None] = []
        self.parameters = [self.register(p) for p in parameters or []]

    def register(self, name: str | None = None) -> int:
        """A new register, called so in reports if it is one of the source."""
        self._registers += 1
        if name is not None:
            self._names[self._registers - 1] = name
        return self._registers - 1

    def constant(self, value: int) -> int:
        """The operand that is this number, taken modulo 2^64."""
        value = (value + 2**63) % 2**64 - 2**63
        return ~self._pool.setdefault(value, len(self._pool))

    def arguments(self, operands: tuple[int, ...]) -> int:
        """A list of operands, for SPAWN."""
        self._lists.append(operands)
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
        number = len(self._loops)
        self._loops.append(self.place)
        counters = self._registers
        self._registers += LOOP_COUNTERS
        self.emit(Opcode.MOVE, a=counters, b=self.constant(0))
        loop = Loop(number, counters, self.label())
        self.put(loop.head)
        self.emit(Opcode.HEAD, a=number, b=counters)
        return loop

    def again(self, loop: Loop) -> None:
        """An iteration ends here and the next begins (the end of the body, and `continue`)."""
        self.emit(Opcode.BACK, a=loop.number, b=loop.counters, c=self._targets[loop.head.number])

    def template(self, observed: tuple[int, ...] = ()) -> Template:
        """The finished code. The values of observed registers matter when the thread ends."""
        self.emit(Opcode.EXIT, b=self.constant(0))
        code = tuple(replace(i, a=self._targets[i.a]) if i.opcode in JUMPS else i for i in self._code)
        heads = [n for n, i in enumerate(code) if i.opcode is Opcode.HEAD]
        live = live_at(code, self._lists, heads, observed)
        return Template(
            name=self.name,
            code=code,
            registers=self._registers,
            pool=tuple(self._pool),
            parameters=len(self.parameters),
            argument_lists=tuple(self._lists),
            live=tuple(tuple(sorted(r)) for r in live),
            names=dict(self._names),
            loops=tuple(self._loops),
        )
