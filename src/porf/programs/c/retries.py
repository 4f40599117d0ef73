"""Loops that only try a compare-exchange again: a failed try is as good as having loaded its value at the beginning.

Such a loop is `v = load(x); while (!compare_exchange(x, &v, ...)) ...`, with the same order for the load and for a
failure. An execution in which a try fails, reads w, and changes nothing, goes on exactly as one whose load reads w. So
the thread waits there: the other execution is explored anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from porf.programs.c import ir

CASTS = {"bitcast", "inttoptr", "ptrtoint", "freeze", "trunc", "zext", "sext", "addrspacecast"}
ADDRESSES = {"getelementptr", *CASTS}
QUIET = {  # nothing between the load and the loop that another thread could see
    "icmp", "select", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "extractvalue", "br", *ADDRESSES,
}  # fmt: skip


def retry_loops(
    function: ir.Function, heads: Iterable[str], retreating: Iterable[tuple[str, str]], makers: Mapping[str, ir.Instruction]
) -> set[str]:
    """The heads of loops whose values at the beginning of an iteration are all what a failed try has read."""
    blocks = {block.name: block for block in function.blocks}
    back = set(retreating)
    return {head for head in heads if _retries(blocks, head, {s for s, t in back if t == head}, makers)}


def _retries(
    blocks: Mapping[str, ir.Block], head: str, latches: set[str], makers: Mapping[str, ir.Instruction]
) -> bool:
    phis = [i for i in blocks[head].instructions if i.opcode == "phi"]
    return bool(phis) and all(_is_retry(blocks, phi, latches, makers) for phi in phis)


def _is_retry(
    blocks: Mapping[str, ir.Block], phi: ir.Instruction, latches: set[str], makers: Mapping[str, ir.Instruction]
) -> bool:
    tries: list[ir.Instruction] = []
    for value, source in zip(phi.operands, phi.labels, strict=True):
        if source in latches and not _from_tries(value, phi.result, makers, tries, set()):
            return False
    if not tries:
        return False
    for value, source in zip(phi.operands, phi.labels, strict=True):
        if source in latches:
            continue
        load = _stripped(value, makers)
        if load is None or load.opcode != "load" or not load.order or not _is_last(blocks[source], load):
            return False
        if any(load.order != t.failure or not _same(load.operands[0], t.operands[0], makers) for t in tries):
            return False
    return True


def _from_tries(
    value: ir.Operand, own: str, makers: Mapping[str, ir.Instruction], tries: list[ir.Instruction], seen: set[str]
) -> bool:
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


def _stripped(value: ir.Operand, makers: Mapping[str, ir.Instruction]) -> ir.Instruction | None:
    """What made a value, without casts."""
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


def _same(a: ir.Operand, b: ir.Operand, makers: Mapping[str, ir.Instruction]) -> bool:
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
