"""Assertions, assumptions and choices; ends of the program; exceptions, which nobody catches here."""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.output import text_at
from porf.programs.c.threads import argument, done, leave
from porf.programs.form import Opcode

UNSIGNED = ("u", "size_t", "pthread", "loff")
NUMBERS = {
    "int",
    "uint",
    "bool",
    "_Bool",
    "char",
    "uchar",
    "short",
    "ushort",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "unsigned",
    "size_t",
    "u8",
    "u16",
    "u32",
    "u64",
    "s8",
    "s16",
    "s32",
    "s64",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "unsigned_int",
    "unsigned_char",
    "unsigned_long",
    "unsigned_short",
    "sector_t",
    "loff_t",
    "pthread_t",
}


def failing(text: str) -> Callable[[Frame, ir.Instruction], None]:
    """An error with this message."""

    def emit(frame: Frame, i: ir.Instruction) -> None:
        frame.code.emit(Opcode.FAIL, c=frame.unit.message(text))
        frame.set(i.result, tuple(frame.code.constant(0) for _ in frame.leaves(i.type)))

    return emit


def told(index: int) -> Callable[[Frame, ir.Instruction], None]:
    """An error whose message is an argument."""

    def emit(frame: Frame, i: ir.Instruction) -> None:
        text = text_at(frame, i.operands[index]) if index < len(i.operands) else None
        failing(text or "")(frame, i)

    return emit


def wide(frame: Frame, i: ir.Instruction) -> None:
    failing("")(frame, i)


def holds(frame: Frame, i: ir.Instruction) -> None:
    frame.code.emit(Opcode.ASSERT, b=argument(frame, i, 0), c=frame.unit.message("__VERIFIER_assert"))
    done(frame, i)


def assumed(frame: Frame, i: ir.Instruction) -> None:
    frame.code.emit(Opcode.ASSUME, b=argument(frame, i, 0))
    done(frame, i)


def awaited(frame: Frame, i: ir.Instruction) -> None:
    """What should become true; if it never does, that is a deadlock."""
    frame.code.emit(Opcode.ASSUME, b=argument(frame, i, 0), kind=1)
    done(frame, i)


def nondeterministic(frame: Frame, i: ir.Instruction) -> None:
    """Every number of the range that the caller gave, as far as the type has it."""
    assert isinstance(i.callee, ir.Symbol)
    kind = i.callee.name.removeprefix("__VERIFIER_nondet_")
    if kind not in NUMBERS:
        raise frame.unsupported(f"a call of '{i.callee.name}'", "the types of C's integers are supported")
    least, most = frame.unit.nondet
    bits = frame.bits(i.type)
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    if kind in ("bool", "_Bool"):
        low, high, least, most = 0, 1, 0, 1
    else:
        said = f"unknown values are each number from {least} to {most}, as far as their type has it: --nondet=LO..HI"
        frame.unit.notes[said] = None
        low = 0 if kind.startswith(UNSIGNED) else low
    code, result = frame.code, frame.code.register()
    least, most = min(max(least, low), high), min(max(most, low), high)
    code.emit(Opcode.CHOOSE, a=result, b=code.constant(least), c=code.constant(most))
    frame.set_one(i, result)


def thrown_by_name(frame: Frame, i: ir.Instruction) -> None:
    failing("an exception is thrown")(frame, i)


TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    "__assert_fail": told(0),
    "__assert_perror_fail": failing("assert_perror"),
    "__assert": told(0),
    "__assert_rtn": told(3),
    "_wassert": wide,
    "__porf_fail": told(0),
    "abort": failing("abort"),
    "reach_error": failing("reach_error"),
    "__VERIFIER_error": failing("__VERIFIER_error"),
    "__VERIFIER_assert": holds,
    "__VERIFIER_assume": assumed,
    "__CPROVER_assume": assumed,
    "assume_abort_if_not": assumed,
    "__porf_assume": assumed,
    "__porf_wait": awaited,
    **dict.fromkeys(("exit", "_exit", "_Exit", "quick_exit"), leave),
    "__cxa_throw": failing("an exception is thrown"),
    "__cxa_allocate_exception": failing("an exception is thrown"),
    "__cxa_rethrow": failing("an exception is thrown"),
    "__cxa_bad_cast": failing("an exception is thrown"),
    "_ZSt9terminatev": failing("std::terminate"),
    "__clang_call_terminate": failing("std::terminate"),
    "__cxa_pure_virtual": failing("a pure virtual function is called"),
    "__stack_chk_fail": failing("the stack is overwritten"),
}
