"""Loops that count: each iteration changes a register that matters, so none leaves everything as it was.

Then the machine need not compare registers at the end of an iteration, nor try out values that could end one.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Self

from porf.programs.form import Back, Binary, Instruction, Opcode, Template, Unary
from porf.programs.liveness import sets, successors
from porf.record import Record, replace

REMAINDERS = (Binary.MOD, Binary.FLOORMOD)
TURNS = range(-3, 4)  # how often a sum can have left its width: once, or once more if signs differ


class Sum(Record):
    """What a register had at the head, plus a constant, in the lowest bits. Without bits: something else than the
    register had, and smaller than the constant."""

    register: int
    constant: int = 0
    bits: int = 64

    @property
    def differs(self) -> bool:
        return self.bits == 0 or self.constant % (1 << self.bits) != 0

    def plus(self, constant: int, width: int) -> Self | None:
        if not width:
            return None
        if not self.bits:
            return self if constant == 0 and self.constant <= 1 << (8 * width - 1) else None
        return replace(self, constant=self.constant + constant, bits=min(self.bits, 8 * width))

    def rest(self, kind: Binary, divisor: int) -> Self | None:
        """What is left when it is divided, or when only the bits of a mask are kept."""
        if kind is Binary.AND:
            kind, divisor = Binary.UMOD, divisor + 1
        if not self.bits or divisor <= 0 or kind not in (*REMAINDERS, Binary.UMOD):
            return None
        if divisor & (divisor - 1) == 0:
            return replace(self, bits=min(self.bits, divisor.bit_length() - 1)) if divisor > 1 else None
        differs = kind in REMAINDERS and all((self.constant + n * 2**self.bits) % divisor for n in TURNS)
        return replace(self, constant=divisor, bits=0) if differs else None


Known = Mapping[int, Sum]  # registers that are not there may hold anything


def counting(template: Template) -> Template:
    """The template with loops that count marked as such."""
    heads = {i.a: n for n, i in enumerate(template.code) if i.opcode is Opcode.HEAD}
    if not heads:
        return template
    code, live, preceding = list(template.code), list(template.live), dict[int, list[int]]()
    for n, i in enumerate(template.code):
        for target in successors(i, n):
            preceding.setdefault(target, []).append(n)
    for loop, head in heads.items():
        backs = [n for n, i in enumerate(code) if i.opcode is Opcode.BACK and i.a == loop]
        if any(code[n].kind != Back.EXACT for n in backs) or not live[loop]:
            continue
        inside = _inside(preceding, head, backs)
        if all(_changes(known, live[loop]) for known in _known_at(template, head, backs, inside)):
            for n in backs:
                code[n] = replace(code[n], kind=Back.NEVER)
            live[loop] = ()
    return replace(template, code=tuple(code), live=tuple(live))


def _changes(known: Known, live: Sequence[int]) -> bool:
    return any(r in known and known[r].register == r and known[r].differs for r in live)


def _known_at(template: Template, head: int, backs: Sequence[int], inside: Container[int]) -> list[Known]:
    """What is known of registers where iterations of a loop end: forward data flow from its head, once around."""
    code = template.code
    before: dict[int, Known] = {head: {r: Sum(r) for r in template.live[code[head].a]}}
    waiting = [head]
    while waiting:
        n = waiting.pop()
        if n in backs:
            continue
        after = _after(code[n], before[n], template.pool)
        for target in successors(code[n], n):
            if target not in inside:
                continue
            old = before.get(target)
            new = after if old is None else {r: value for r, value in old.items() if after.get(r) == value}
            if new != old:
                before[target] = new
                waiting.append(target)
    return [before[n] for n in backs if n in before]


def _inside(preceding: Mapping[int, Sequence[int]], head: int, backs: Sequence[int]) -> set[int]:
    """The instructions between the head of a loop and the ends of its iterations: those from which one of these ends is
    reached without another iteration."""
    inside, waiting = set(backs), list(backs)
    while waiting:
        for n in preceding.get(waiting.pop(), ()):
            if n not in inside and n != head:
                inside.add(n)
                waiting.append(n)
    return inside


def _after(i: Instruction, known: Known, pool: Sequence[int]) -> Known:
    changed = sets(i)
    if not changed:
        return known
    value = _value(i, known, pool)
    after = {r: old for r, old in known.items() if r not in changed}
    return after if value is None else after | {i.a: value}


def _value(i: Instruction, known: Known, pool: Sequence[int]) -> Sum | None:
    """What an instruction computes, as far as that is known."""
    b = known.get(i.b)
    if i.opcode is Opcode.MOVE:
        return b
    if i.opcode is Opcode.UNARY:
        return b.plus(0, i.width) if b is not None and i.kind == Unary.WRAP else None
    if i.opcode not in (Opcode.BINARY, Opcode.CHECKED, Opcode.WITHIN) or i.c >= 0 or b is None:
        return None
    constant = pool[~i.c]
    if i.opcode is Opcode.WITHIN:
        return b.plus(constant, 8)
    if i.kind in (Binary.ADD, Binary.SUB):
        return b.plus(constant if i.kind == Binary.ADD else -constant, i.width)
    return b.rest(Binary(i.kind), constant)
