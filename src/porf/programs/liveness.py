"""Which registers' values still matter at given instructions: backward data flow over the code of one thread."""

from collections.abc import Iterable, Iterator, Sequence

from porf.programs.form import FACTS, Instruction, Opcode


def live_at(
    code: Sequence[Instruction], lists: Sequence[tuple[int, ...]], points: Sequence[int], observed: Sequence[int] = ()
) -> list[set[int]]:
    """The live registers before each of these instructions. The hidden counters of loops are never among them."""
    flow = Flow(code, lists, observed)
    return [set(members(flow.before(point))) for point in points]


class Flow:
    """Liveness of a whole code: sets of registers are integers, one bit per register; blocks are solved, then read.

    With `counters`, the first counter of a loop counts as read and set by its iterations: it lives as long as the loop.
    """

    def __init__(
        self,
        code: Sequence[Instruction],
        lists: Sequence[tuple[int, ...]],
        observed: Sequence[int] = (),
        counters: bool = False,
    ) -> None:
        self.reads = [_bits(i.operands(lists)) for i in code]
        self.sets = [0] * len(code)
        for n, i in enumerate(code):
            fields = i.__dict__
            facts = FACTS[i.opcode]
            for field in facts.sets:
                self.sets[n] |= 1 << fields[field]
            if counters and facts.counters:
                self.reads[n] |= _bits([fields[field] for field in facts.counters])
            if observed and i.opcode is Opcode.EXIT:
                self.reads[n] |= _bits(observed)
        following = [successors(i, n) for n, i in enumerate(code)]
        self.starts = sorted(leaders(code, following))
        self._block_of = blocks(self.starts, len(code))
        self._ends = [*self.starts[1:], len(code)]
        self._next = [
            [self._block_of[s] for s in following[end - 1] if s < len(code)] if end else [] for end in self._ends
        ]
        self._out = self._solve()

    def _solve(self) -> list[int]:
        """What is live after each block."""
        count = len(self.starts)
        gen, kill = [0] * count, [0] * count
        for block in range(count):
            needed = killed = 0
            for n in range(self._ends[block] - 1, self.starts[block] - 1, -1):
                needed = self.reads[n] | (needed & ~self.sets[n])
                killed |= self.sets[n]
            gen[block], kill[block] = needed, killed
        before: list[list[int]] = [[] for _ in range(count)]
        for block, targets in enumerate(self._next):
            for target in targets:
                before[target].append(block)
        live, out = [0] * count, [0] * count
        waiting, is_waiting = list(range(count)), [True] * count
        while waiting:
            block = waiting.pop()
            is_waiting[block] = False
            after = 0
            for target in self._next[block]:
                after |= live[target]
            out[block] = after
            entry = gen[block] | (after & ~kill[block])
            if entry != live[block]:
                live[block] = entry
                for source in before[block]:
                    if not is_waiting[source]:
                        is_waiting[source] = True
                        waiting.append(source)
        return out

    def before(self, point: int) -> int:
        """What is live before an instruction."""
        block = self._block_of[point]
        live = self._out[block]
        for n in range(self._ends[block] - 1, point - 1, -1):
            live = self.reads[n] | (live & ~self.sets[n])
        return live

    def after_each(self) -> Iterator[tuple[int, int]]:
        """Each instruction with what is live after it, from the last to the first."""
        for block in reversed(range(len(self.starts))):
            live = self._out[block]
            for n in range(self._ends[block] - 1, self.starts[block] - 1, -1):
                yield n, live
                live = self.reads[n] | (live & ~self.sets[n])


def leaders(code: Sequence[Instruction], following: Sequence[tuple[int, ...]]) -> set[int]:
    """The instructions where blocks begin."""
    found = {0} if code else set()
    for n, targets in enumerate(following):
        if targets != (n + 1,):
            found.update(targets)
            found.add(n + 1)
    return {n for n in found if n < len(code)}


def blocks(starts: Sequence[int], count: int) -> list[int]:
    """The block of each instruction."""
    found, block = [0] * count, -1
    begins = set(starts)
    for n in range(count):
        block += n in begins
        found[n] = block
    return found


def bits(registers: Iterable[int]) -> int:
    """Registers as a set, one bit for each."""
    found = 0
    for register in registers:
        found |= 1 << register
    return found


def _bits(operands: Iterable[int]) -> int:
    """Those of the operands that are registers."""
    found = 0
    for operand in operands:
        if operand >= 0:
            found |= 1 << operand
    return found


def members(bits: int) -> list[int]:
    """The registers of a set, from the least."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def successors(instruction: Instruction, n: int) -> tuple[int, ...]:
    """The instructions that may come next."""
    facts = FACTS[instruction.opcode]
    if not facts.target:
        return (n + 1,) if facts.falls_through else ()
    target = instruction.__dict__[facts.target]
    return (n + 1, target) if facts.falls_through else (target,)


def uses(instruction: Instruction, lists: Sequence[tuple[int, ...]]) -> set[int]:
    """The registers that an instruction reads."""
    return {o for o in instruction.operands(lists) if o >= 0}


def sets(instruction: Instruction) -> set[int]:
    """The registers that an instruction sets."""
    return {instruction.__dict__[field] for field in FACTS[instruction.opcode].sets}
