"""Calls: of functions of the program, through pointers, of LLVM's own functions, and of the library's."""

from __future__ import annotations

import re

from porf.execution import Order
from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.inlining import ATOMIC
from porf.programs.c.intrinsics import intrinsic
from porf.programs.c.natives import find_native
from porf.programs.form import Opcode

# Functions that mean what they are known for, even if the program defines them.
FIXED = {"__VERIFIER_assume", "assume_abort_if_not", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"}
NOTHING = re.compile(r"(\s|;|nop|pause|rep|yield|#[^\n]*|\\0A|\\09)*")
FENCES = re.compile(r"\s*(mfence|lock(\s|;|\\0A|\\09)*(add|or)[bwlq]\s+\$+0\s*,[^;]*\(%+[er]sp\))\s*;?\s*")
HINT = "give its source, too, or define it in the program; what is known is in docs/programs.md"


def call(frame: Frame, i: ir.Instruction) -> None:
    """A call or an invoke."""
    callee = i.callee
    if isinstance(callee, ir.Unsupported):
        inline_assembly(frame, callee.text)
        return
    if not isinstance(callee, ir.Symbol):
        assert callee is not None
        pointed(frame, i, frame.one(callee))
        return
    function = frame.unit.module.functions.get(callee.name)
    if function is not None and function.blocks and callee.name not in FIXED:
        direct(frame, i, function)
    elif callee.name.startswith("llvm."):
        intrinsic(frame, i, callee.name)
    else:
        native = find_native(callee.name)
        if native is None:
            raise frame.unsupported(f"a call of '{callee.name}', which is not defined", HINT)
        native(frame, i)


def direct(frame: Frame, i: ir.Instruction, function: ir.Function) -> None:
    """A call of a function that the program has; arguments are as many as it takes, whatever the call says."""
    parameters = [len(frame.leaves(p.type)) for p in function.parameters]
    arguments = [o for operand in i.operands for o in frame.all(operand)][: sum(parameters)]
    arguments += [frame.code.constant(0)] * (sum(parameters) - len(arguments))
    whole = function.name.startswith(ATOMIC) and not frame.function.name.startswith(ATOMIC)
    mutex = frame.code.constant(frame.unit.hidden_mutex("__VERIFIER_atomic")) if whole else 0
    if whole:
        frame.code.emit(Opcode.LOCK, b=mutex, width=4)
    run(frame, i, arguments, c=frame.unit.templates[function.name])
    if whole:
        frame.code.emit(Opcode.UNLOCK, b=mutex, width=4)


def pointed(frame: Frame, i: ir.Instruction, pointer: int) -> None:
    """A call through a pointer."""
    run(frame, i, [o for operand in i.operands for o in frame.all(operand)], b=pointer, kind=1)


def run(frame: Frame, i: ir.Instruction, arguments: list[int], b: int = 0, c: int = 0, kind: int = 0) -> None:
    """A result of several scalars comes through private memory of the caller."""
    code, leaves = frame.code, frame.leaves(i.type)
    slot, size = 0, 8 * len(leaves)
    if len(leaves) > 1:
        slot = frame.reserve(size)
        arguments = [*arguments, frame.private_address(slot, size)]
    result = code.register()
    code.emit(Opcode.CALL, a=result, b=b, c=c, d=code.arguments(tuple(arguments)), kind=kind)
    if len(leaves) == 1:
        frame.set_one(i, result)
    elif leaves:
        pointer = frame.private_address(slot, size)
        frame.set(i.result, tuple(code.load(code.add(pointer, 8 * n), 8) for n in range(len(leaves))))


def inline_assembly(frame: Frame, text: str) -> None:
    """Barriers for the compiler, and hints for the processor, do nothing; x86's fence is one."""
    quoted = re.search(r'"([^"]*)"', text)
    body = quoted[1] if quoted else text
    if FENCES.fullmatch(body):
        frame.code.emit(Opcode.FENCE, order=Order.SC)
    elif not NOTHING.fullmatch(body):
        raise frame.unsupported(f'inline assembly "{body}"', "use the functions of <stdatomic.h>")
