"""Puts the compiler's checks of signed arithmetic together again: each becomes one instruction that must not overflow.

The compiler makes of `a + b` a call whose result says whether it overflows, and a branch to a trap. As one instruction
it is cheaper to run, and analyses of loops see that it is nothing but arithmetic.
"""

import re
from collections.abc import Mapping

from porf.programs.c import ir
from porf.record import replace

_CALLED = re.compile(r"llvm\.s(add|sub|mul)\.with\.overflow\.i(8|16|32|64)")


def with_checked_arithmetic(module: ir.Module) -> ir.Module:
    """The module with `add`, `sub` and `mul` that are `generated` in the place of such checks."""
    return replace(module, functions={name: _function(function) for name, function in module.functions.items()})


def _function(function: ir.Function) -> ir.Function:
    blocks = tuple(_block(block) for block in function.blocks)
    changed = any(new is not old for new, old in zip(blocks, function.blocks, strict=True))
    return replace(function, blocks=blocks) if changed else function


def _block(block: ir.Block) -> ir.Block:
    """At most one check, because the branch to its trap ends the block."""
    last = block.instructions[-1]
    if last.opcode != "br" or not last.generated or not last.operands:
        return block
    makers = {i.result: i for i in block.instructions if i.result}
    call = _checked_by(last.operands[0], makers)
    named = _CALLED.fullmatch(call.callee.name) if call is not None and isinstance(call.callee, ir.Symbol) else None
    if call is None or named is None:
        return block
    out: list[ir.Instruction] = []
    values = [i for i in block.instructions if _is_part(i, call, 0)]
    if len(values) != 1:
        return block
    for i in block.instructions:
        if i is call:
            value = values[0]
            out.append(replace(call, opcode=named[1], result=value.result, type=value.type, callee=None))
        elif i is last:
            out.append(replace(last, operands=(), labels=last.labels[:1]))
        elif not _is_part(i, call, 0) and not _is_part(i, call, 1) and i is not makers.get(_name(last.operands[0])):
            out.append(i)
    return ir.Block(block.name, tuple(out))


def _checked_by(condition: ir.Operand, makers: Mapping[str, ir.Instruction]) -> ir.Instruction | None:
    """The call of which a condition says that it has not overflowed."""
    inverted = makers.get(_name(condition))
    if inverted is None or inverted.opcode != "xor" or not inverted.generated:
        return None
    part = makers.get(_name(inverted.operands[0]))
    if part is None or part.opcode != "extractvalue" or part.indices != (1,):
        return None
    call = makers.get(_name(part.operands[0]))
    return call if call is not None and call.opcode == "call" and call.generated else None


def _is_part(i: ir.Instruction, call: ir.Instruction, index: int) -> bool:
    return i.opcode == "extractvalue" and i.indices == (index,) and _name(i.operands[0]) == call.result


def _name(operand: ir.Operand) -> str:
    return operand.name if isinstance(operand, ir.Register) else ""
