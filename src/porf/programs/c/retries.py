"""From a function to its loops that only retry a compare-exchange, in which a failed try can be left out.

Such a loop is `v = load(x); while (!compare_exchange(x, &v, ...)) ...`. An execution in which a try fails, reads w and
changes nothing continues as one whose load reads w, so the thread may wait there: the other execution is explored
anyway. That needs a load that is no stronger than a failure; or a loop without other events that only a success ends,
which is then as strong as the load. Where neither holds, it is true only in models that ignore orders, and in others
the loop goes on. docs/design/exploration.md has the proofs; what they do not cover is explored.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

from porf.programs.c import ir
from porf.programs.c.control import Flow
from porf.programs.c.library import arithmetic, called, find, idle
from porf.programs.c.orders import ORDERS
from porf.programs.form import Access, Opcode, Retry
from porf.record import Record

CASTS = {"bitcast", "inttoptr", "ptrtoint", "freeze", "trunc", "zext", "sext", "addrspacecast"}
ADDRESSES = {"getelementptr", *CASTS}
ARITHMETIC = {"icmp", "select", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"}
QUIET = {"extractvalue", "insertvalue", "br", "switch", "unreachable", *ARITHMETIC, *ADDRESSES}  # nobody can see them
QUIET_CALLS = (arithmetic.__name__, idle.__name__)  # the modules of their records
Makers = Mapping[str, ir.Instruction]


def retry_loops(function: ir.Function, flow: Flow, makers: Makers, module: ir.Module) -> dict[str, Retry]:
    """The heads of such loops. Orders say in which models they may wait after a failed try."""
    latches: dict[str, set[str]] = {}
    for source, head in flow.retreating:
        if head not in flow.side_doors:  # nothing was loaded there
            latches.setdefault(head, set()).add(source)
    blocks = {block.name: block for block in function.blocks}
    users: dict[str, list[ir.Instruction]] = {}
    before: dict[str, list[str]] = {}
    for block in function.blocks if latches else ():
        for target in block.instructions[-1].labels:
            before.setdefault(target, []).append(block.name)
        for i in block.instructions:
            for operand in i.operands:
                if isinstance(operand, ir.Register):
                    users.setdefault(operand.name, []).append(i)
    found = {
        head: _Loop(blocks, before, head, sources, makers, users, module).retry() for head, sources in latches.items()
    }
    return {head: retry for head, retry in found.items() if retry is not None}


class _Loop(Record):
    blocks: Mapping[str, ir.Block]
    before: Mapping[str, list[str]]  # block -> those that lead to it
    head: str
    latches: set[str]  # the blocks that lead back
    makers: Makers
    users: Mapping[str, list[ir.Instruction]]  # register -> what reads it
    module: ir.Module

    def retry(self) -> Retry | None:
        tries = [i for i in self._instructions() if i.opcode == "cmpxchg"]
        phis = [i for i in self.blocks[self.head].instructions if i.opcode == "phi"]
        if len(tries) != 1 or not phis or any(map(self._calls, self._instructions())):
            return None
        loads = [load for phi in phis for load in self._loads(phi, tries[0])]
        found = tuple(_access(Opcode.LOAD, load) for load in loads if load is not None)
        if len(found) < len(loads):
            return None
        return Retry(found, _access(Opcode.CAS, tries[0]), self._only_tries(tries[0]))

    def _calls(self, i: ir.Instruction) -> bool:
        """Whether other functions of the program run, which may have tries of their own."""
        is_call = i.opcode in ("call", "invoke") and not isinstance(i.callee, ir.Unsupported)
        return is_call and called(i, self.module) is None

    def _loads(self, phi: ir.Instruction, trial: ir.Instruction) -> list[ir.Instruction | None]:
        """The loads that give a value when the loop is entered; None if there is more to it, or the tries give it
        something else."""
        found: list[ir.Instruction | None] = []
        ways = list(zip(phi.operands, phi.labels, strict=True))
        casts: set[tuple[str, ...]] = set()  # between what is read and the value
        for value, source in ways:
            if source in self.latches:
                if not self._is_of(trial, value, phi.result, (), casts, {}):
                    return [None]
                continue
            load = _stripped(value, self.makers)
            if load is None or load.opcode != "load" or not load.order:
                return [None]
            if not _is_last(self.blocks[source], load) or not self._is_for(value, phi):
                return [None]
            if not self._same(load.operands[0], trial.operands[0]):
                return [None]
            casts.add(_casts(value, self.makers))
            found.append(load)
        return found if len(casts) == 1 and found else [None]

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

    def _is_of(
        self,
        trial: ir.Instruction,
        value: ir.Operand,
        own: str,
        after: tuple[str, ...],
        casts: set[tuple[str, ...]],
        seen: dict[str, tuple[str, ...]],
    ) -> bool:
        """Whether a value is the phi itself, or what the try has read; how that is cast is collected."""
        after = (*_casts(value, self.makers), *after)
        maker = _stripped(value, self.makers)
        if maker is None:
            return False
        if maker.result == own:
            return not after
        if maker.result in seen:
            return seen[maker.result] == after
        seen[maker.result] = after
        if maker.opcode == "phi":
            return all(self._is_of(trial, o, own, after, casts, seen) for o in maker.operands)
        casts.add(after)
        return maker.opcode == "extractvalue" and maker.indices == (0,) and self._made(maker.operands[0]) is trial

    def _made(self, value: ir.Operand) -> ir.Instruction | None:
        return self.makers.get(value.name) if isinstance(value, ir.Register) else None

    def _same(self, a: ir.Operand, b: ir.Operand) -> bool:
        """Whether two operands are the same address, computed in the same way from what the loop does not change."""
        x, y = self._made(a), self._made(b)
        if a == b and (x is None or all(x is not i for i in self._instructions())):
            return True
        if x is None or y is None or x.opcode != y.opcode or x.opcode not in ADDRESSES or x.source != y.source:
            return False
        return len(x.operands) == len(y.operands) and all(map(self._same, x.operands, y.operands))

    def _only_tries(self, trial: ir.Instruction) -> bool:
        """Whether the loop has no other events, and ends with a success or an error."""
        if not all(_is_quiet(i) or i.opcode == "phi" or i is trial for i in self._instructions()):
            return False
        successes = self._successes(trial)
        return all(
            (name, target) in successes or self._fails(target)
            for name in self._body
            for target in self.blocks[name].instructions[-1].labels
            if target not in self._body
        )

    def _fails(self, name: str) -> bool:
        """Whether a block does nothing but stop the program."""
        instructions = self.blocks[name].instructions
        return instructions[-1].opcode == "unreachable" and all(map(_is_quiet, instructions))

    def _successes(self, trial: ir.Instruction) -> set[tuple[str, str]]:
        """The edges that are taken only if the try has succeeded."""
        found = set()
        for name in self._body:
            last = self.blocks[name].instructions[-1]
            if last.opcode == "br" and last.operands and last.labels[0] != last.labels[1]:
                meaning = _success(last.operands[0], trial, self.makers)
                if meaning is not None:
                    found.add((name, last.labels[0 if meaning else 1]))
        return found

    @cached_property
    def _body(self) -> set[str]:
        body, waiting = {self.head}, list(self.latches)
        while waiting:
            name = waiting.pop()
            if name not in body:
                body.add(name)
                waiting += self.before.get(name, [])
        return body

    def _instructions(self) -> Iterator[ir.Instruction]:
        return (i for name in self._body for i in self.blocks[name].instructions)


def _access(opcode: Opcode, i: ir.Instruction) -> Access:
    failure = ORDERS[i.failure or i.order] if opcode is Opcode.CAS else ORDERS[""]
    return Access(i.place, opcode, ORDERS[i.order], failure)


def _is_quiet(i: ir.Instruction) -> bool:
    """Whether no other thread can see an instruction."""
    if i.opcode == "call":
        record = find(i.callee.name) if isinstance(i.callee, ir.Symbol) else None
        return record is not None and record.emit is not None and record.emit.__module__ in QUIET_CALLS
    return i.opcode in QUIET


def _success(value: ir.Operand, trial: ir.Instruction, makers: Makers) -> bool | None:
    """What a condition says of the try if it holds: that it has succeeded, or that it has failed; None if neither."""
    meaning = True
    while True:
        maker = _stripped(value, makers)
        if maker is None:
            return None
        if maker.opcode == "extractvalue":
            tried = maker.operands[0]
            is_its = isinstance(tried, ir.Register) and makers.get(tried.name) is trial
            return meaning if is_its and maker.indices == (1,) else None
        against = maker.operands[1] if len(maker.operands) == 2 else None
        if not isinstance(against, ir.Number):
            return None
        if maker.opcode == "icmp" and maker.kind in ("eq", "ne") and against.value == 0:
            meaning = meaning if maker.kind == "ne" else not meaning
        elif maker.opcode == "xor" and maker.type == ir.Integer(1) and against.value == 1:
            meaning = not meaning
        else:
            return None
        value = maker.operands[0]


def _casts(value: ir.Operand, makers: Makers) -> tuple[str, ...]:
    """How a value is cast from what computes it, first casts first."""
    found: list[str] = []
    while isinstance(value, ir.Register):
        maker = makers.get(value.name)
        if maker is None or maker.opcode not in CASTS:
            break
        found.append(f"{maker.opcode} to {maker.type}")
        value = maker.operands[0]
    return tuple(reversed(found))


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
    return all(_is_quiet(i) for i in block.instructions[names.index(load.result) + 1 :])
