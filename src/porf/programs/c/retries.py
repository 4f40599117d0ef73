"""From a function to its loops that only retry a compare-exchange, in which a failed try can be left out.

Such a loop is `v = load(x); while (!compare_exchange(x, &v, ...)) ...`. An execution in which a try fails, reads w and
changes nothing continues exactly as one whose load reads w, provided that only the loop uses the value that was loaded.
So the thread waits there: the other execution is explored anyway. The load must not be stronger than a failure; or, if
a success is as strong as the load, only a success, which reads w as well, may end the loop. Where neither holds, this
is true only in models that ignore orders. In others the loop goes on, and waits before its second try: what happens
before that may be new, but the try itself is not.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import cached_property

from porf.programs.c import ir
from porf.record import Record

CASTS = {"bitcast", "inttoptr", "ptrtoint", "freeze", "trunc", "zext", "sext", "addrspacecast"}
ADDRESSES = {"getelementptr", *CASTS}
ARITHMETIC = {"icmp", "select", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"}
QUIET = {"extractvalue", "br", *ARITHMETIC, *ADDRESSES}  # no other thread can see them
WEAK = ("unordered", "monotonic")
Makers = Mapping[str, ir.Instruction]


class Models(IntEnum):
    """Which models let a loop wait after a failed try."""

    NONE = 0
    WITHOUT_ORDERS = 1
    ALL = 2


class Retry(Record):
    """A loop that retries. It may wait before one of `tries`, except before the first."""

    models: Models
    tries: frozenset[str]


def retry_loops(function: ir.Function, retreating: Iterable[tuple[str, str]], makers: Makers) -> dict[str, Retry]:
    """The heads of loops whose values at the beginning of each iteration are all read by failed tries."""
    latches: dict[str, set[str]] = {}
    for source, head in retreating:
        latches.setdefault(head, set()).add(source)
    blocks = {block.name: block for block in function.blocks}
    users: dict[str, list[ir.Instruction]] = {}
    for block in function.blocks:
        for i in block.instructions:
            for operand in i.operands:
                if isinstance(operand, ir.Register):
                    users.setdefault(operand.name, []).append(i)
    found = {head: _Loop(blocks, head, sources, makers, users).retry() for head, sources in latches.items()}
    return {head: retry for head, retry in found.items() if retry is not None}


class _Loop(Record):
    blocks: Mapping[str, ir.Block]
    head: str
    latches: set[str]  # the blocks that lead back
    makers: Makers
    users: Mapping[str, list[ir.Instruction]]  # register -> what reads it

    def retry(self) -> Retry | None:
        phis = [i for i in self.blocks[self.head].instructions if i.opcode == "phi"]
        tries: list[ir.Instruction] = []
        models = min((self._of(phi, tries) for phi in phis), default=Models.NONE)
        if models is Models.NONE:
            return None
        quiet = all(i.opcode in QUIET or i.opcode in ("phi", "load") or i in tries for i in self._instructions())
        return Retry(models, frozenset(t.result for t in tries) if quiet else frozenset())

    def _of(self, phi: ir.Instruction, all_tries: list[ir.Instruction]) -> Models:
        """Which models allow it, as far as this value is concerned."""
        tries: list[ir.Instruction] = []
        models = Models.ALL
        ways = list(zip(phi.operands, phi.labels, strict=True))
        for value, source in ways:
            if source in self.latches and not _from_tries(value, phi.result, self.makers, tries, set()):
                return Models.NONE
        for value, source in ways:
            if source in self.latches:
                continue
            load = _stripped(value, self.makers)
            if load is None or load.opcode != "load" or not load.order or not _is_last(self.blocks[source], load):
                return Models.NONE
            if not self._is_for(value, phi):
                return Models.NONE
            if not all(_same(load.operands[0], t.operands[0], self.makers) for t in tries):
                return Models.NONE
            if not all(self._covers(t, load.order) for t in tries):
                models = Models.WITHOUT_ORDERS
        all_tries.extend(tries)
        return models if tries else Models.NONE

    def _is_for(self, value: ir.Operand, phi: ir.Instruction) -> bool:
        """Whether only the phi uses a value, and what the value is cast from."""
        user = phi
        while isinstance(value, ir.Register):
            if any(other is not user for other in self.users.get(value.name, ())):
                return False
            user = self.makers[value.name]
            if user.opcode not in CASTS:
                return True
            value = user.operands[0]
        return False

    def _covers(self, trial: ir.Instruction, order: str) -> bool:
        """Whether a failed try, together with what must follow it, is as strong as a load of this order."""
        if order in WEAK or trial.failure == order:
            return True
        return order == "acquire" and trial.order in ("acquire", "acq_rel", "seq_cst") and self._ends_with_success

    @cached_property
    def _body(self) -> set[str]:
        before: dict[str, list[str]] = {}
        for block in self.blocks.values():
            for target in block.instructions[-1].labels:
                before.setdefault(target, []).append(block.name)
        body, waiting = {self.head}, list(self.latches)
        while waiting:
            name = waiting.pop()
            if name not in body:
                body.add(name)
                waiting += before.get(name, [])
        return body

    def _instructions(self) -> Iterable[ir.Instruction]:
        return (i for name in self._body for i in self.blocks[name].instructions)

    @cached_property
    def _ends_with_success(self) -> bool:
        """Whether every exit of the loop tests if a compare-exchange has succeeded."""
        for name in self._body:
            last = self.blocks[name].instructions[-1]
            leaves = any(target not in self._body for target in last.labels)
            if not last.labels or (leaves and not _is_success(last, self.makers)):
                return False
        return True


def _is_success(branch: ir.Instruction, makers: Makers) -> bool:
    """Whether a branch tests if a compare-exchange has succeeded."""
    value = branch.operands[0] if branch.opcode == "br" and branch.operands else None
    while value is not None:
        maker = _stripped(value, makers)
        if maker is None:
            return False
        if maker.opcode == "extractvalue" and maker.indices == (1,):
            made = _stripped(maker.operands[0], makers)
            return made is not None and made.opcode == "cmpxchg"
        value = maker.operands[0] if maker.opcode in ("xor", "icmp") else None
    return False


def _from_tries(value: ir.Operand, own: str, makers: Makers, tries: list[ir.Instruction], seen: set[str]) -> bool:
    """Whether a value is the phi itself, or what a compare-exchange has read; these are collected."""
    if isinstance(value, ir.Register) and value.name == own:
        return True
    maker = _stripped(value, makers)
    if maker is None or maker.result in seen:
        return maker is not None
    seen.add(maker.result)
    if maker.result == own:
        return True
    if maker.opcode == "phi":
        return all(_from_tries(o, own, makers, tries, seen) for o in maker.operands)
    if maker.opcode == "extractvalue" and maker.indices == (0,):
        made = _stripped(maker.operands[0], makers)
        if made is not None and made.opcode == "cmpxchg":
            tries.append(made)
            return True
    return False


def _stripped(value: ir.Operand, makers: Makers) -> ir.Instruction | None:
    """The instruction that computes a value, below any casts."""
    while isinstance(value, ir.Register):
        maker = makers.get(value.name)
        if maker is None or maker.opcode not in CASTS:
            return maker
        value = maker.operands[0]
    return None


def _is_last(block: ir.Block, load: ir.Instruction) -> bool:
    """Whether the load is the last thing in its block that another thread could see."""
    names = [i.result for i in block.instructions]
    if load.result not in names:
        return False
    return all(i.opcode in QUIET for i in block.instructions[names.index(load.result) + 1 :])


def _same(a: ir.Operand, b: ir.Operand, makers: Makers) -> bool:
    """Whether two operands are the same address, computed in the same way."""
    if a == b:
        return True
    if not isinstance(a, ir.Register) or not isinstance(b, ir.Register):
        return False
    x, y = makers.get(a.name), makers.get(b.name)
    if x is None or y is None or x.opcode != y.opcode or x.opcode not in ADDRESSES or x.source != y.source:
        return False
    return len(x.operands) == len(y.operands) and all(
        _same(p, q, makers) for p, q in zip(x.operands, y.operands, strict=True)
    )
