"""AArch64 registers and addresses, and the instructions that only a thread itself notices: moves, arithmetic, flags,
conditional selects, branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from porf.errors import nearest
from porf.programs.form import Binary, Unary
from porf.programs.litmus.assembly.operands import Operand, number
from porf.programs.litmus.assembly.thread import Thread, Write


def _names() -> dict[str, int]:
    out = {f"{letter}{n}": n for n in range(31) for letter in "XWxw"}
    return out | {"SP": 31, "sp": 31}


REGISTERS = _names()
# Flags, and registers that only hold something within an instruction.
NEGATIVE, ZERO, CARRY, OVER, ADDRESS, VALUE, SCRATCH, SUCCESS, BACK = range(32, 41)
HIDDEN = 9
_ZEROS = frozenset({"XZR", "WZR", "xzr", "wzr"})
_NARROW = re.compile(r"[Ww]")
_SHIFTS = {"lsl": Binary.SHL, "lsr": Binary.USHR, "asr": Binary.SHR}
_EXTENDS = {"uxtb": (1, False), "uxth": (2, False), "uxtw": (4, False), "uxtx": (8, True), "sxtb": (1, True)} | {
    "sxth": (2, True),
    "sxtw": (4, True),
    "sxtx": (8, True),
}


def width(operand: Operand) -> int:
    """How many bytes of a register are named."""
    return 4 if _NARROW.match(operand.text) else 8


def read_register(thread: Thread, operand: Operand) -> int:
    """The register, or the number 0."""
    return thread.code.constant(0) if operand.text in _ZEROS else thread.register(operand)


def value(thread: Thread, operand: Operand, scratch: int) -> int:
    """What a register holds, as many bytes of it as are named."""
    register = read_register(thread, operand)
    if register < 0 or width(operand) == 8:
        return register
    thread.unary(Unary.WRAP, scratch, register, 4)
    return scratch


def target(thread: Thread, operand: Operand) -> int:
    """The register that is written; nobody sees what is written to XZR."""
    return SCRATCH if operand.text in _ZEROS else thread.register(operand)


class Address(NamedTuple):
    """A register that holds an address; and how the base changes once it was used."""

    thread: Thread
    register: int
    base: int = -1
    after: int = -1

    def write_back(self) -> None:
        if self.base >= 0:
            self.thread.code.copy(self.base, self.after)


@lru_cache(maxsize=1 << 12)
def _bracketed(text: str) -> tuple[tuple[str, ...], bool] | None:
    """The parts in [ ], and whether ! follows."""
    if not text.startswith("[") or "]" not in text:
        return None
    inner, _, rest = text[1:].partition("]")
    return tuple(part.strip() for part in inner.split(",")), rest.strip() == "!"


def address(thread: Thread, operands: Sequence[Operand]) -> Address:
    """[X1], [X1,#4], [X1,X2], [X1,W2,SXTW #2], [X1,#4]!, [X1],#4."""
    place = operands[0]
    found = _bracketed(place.text)
    if found is None:
        thread.fail(place, f"expected an address, but found '{place.text}'", "addresses are [X1], [X1,#4], [X1,X2]")
    parts, before = found
    base = thread.register(Operand(parts[0], place.at + 1))
    register = base
    if len(parts) > 1:
        _index(thread, place, base, parts[1:])
        register = ADDRESS
    if len(operands) > 1:
        thread.binary(Binary.ADD, BACK, base, thread.code.constant(thread.number(operands[1])))
        return Address(thread, base, base, BACK)
    if before:
        thread.code.copy(BACK, ADDRESS)
        return Address(thread, BACK, base, BACK)
    return Address(thread, register)


def _index(thread: Thread, place: Operand, base: int, parts: tuple[str, ...]) -> None:
    """ADDRESS becomes the base and what is added to it."""
    by = number(parts[0])
    if by is not None:
        thread.binary(Binary.ADD, ADDRESS, base, thread.code.constant(by))
        return
    index = thread.register(Operand(parts[0], place.at)) if parts[0] not in _ZEROS else thread.code.constant(0)
    if len(parts) > 1:
        index = _moved(thread, place, index, parts[1])
    elif parts[0][0] in "Ww":
        thread.unary(Unary.WRAP, SCRATCH, index, 4)
        index = SCRATCH
    thread.binary(Binary.ADD, ADDRESS, base, index)


def _moved(thread: Thread, operand: Operand, register: int, how: str) -> int:
    """A register that is extended or shifted: SXTW, UXTW #2, LSL #1."""
    word, _, by_text = how.partition(" ")
    by = number(by_text.strip()) if by_text.strip() else 0
    word = word.lower()
    if by is None or word not in {*_SHIFTS, *_EXTENDS}:
        hint = nearest(word.upper(), [name.upper() for name in (*_SHIFTS, *_EXTENDS)])
        thread.fail(operand, f"'{how}' neither shifts nor extends a register", hint)
    if word in _EXTENDS:
        bytes_, signed = _EXTENDS[word]
        thread.unary(Unary.WRAP, SCRATCH, register, bytes_, signed)
    else:
        thread.binary(_SHIFTS[word], SCRATCH, register, thread.code.constant(by))
    if word in _EXTENDS and by:
        thread.binary(Binary.SHL, SCRATCH, SCRATCH, thread.code.constant(by))
    return SCRATCH


def _last(thread: Thread, operands: Sequence[Operand], scratch: int = VALUE) -> int:
    """The last operand of arithmetic: a number or a register, perhaps shifted or extended."""
    first = operands[0]
    known = number(first.text)
    if known is not None:
        shift = _shift_of(thread, operands[1:])
        return thread.code.constant(known << shift)
    held = value(thread, first, scratch)
    if len(operands) > 1:
        held = _moved(thread, operands[1], held, operands[1].text)
        thread.code.copy(scratch, held)
        return scratch
    return held


def _shift_of(thread: Thread, operands: Sequence[Operand]) -> int:
    if not operands:
        return 0
    word, _, by = operands[0].text.partition(" ")
    found = number(by.strip())
    if word.lower() != "lsl" or found is None:
        thread.fail(operands[0], f"expected LSL #n, but found '{operands[0].text}'")
    return found


# Each of these writes one kind of instruction.


def _move(thread: Thread) -> None:
    to, *source = thread.operands(2, 3)
    held = _last(thread, source)
    thread.unary(Unary.WRAP, target(thread, to), held, width(to))


def _move_keep(thread: Thread) -> None:
    to, *source = thread.operands(2, 3)
    shift = _shift_of(thread, source[1:])
    register, code = target(thread, to), thread.code
    thread.binary(Binary.AND, register, register, code.constant(~(0xFFFF << shift)))
    thread.binary(Binary.OR, register, register, code.constant(thread.number(source[0]) << shift), width(to))


def _move_not(thread: Thread) -> None:
    to, *source = thread.operands(2, 3)
    thread.unary(Unary.INVERT, target(thread, to), _last(thread, source), width(to))


def _negate(thread: Thread) -> None:
    to, *source = thread.operands(2, 3)
    thread.unary(Unary.NEG, target(thread, to), _last(thread, source), width(to))


def _arithmetic(kind: Binary, thread: Thread, inverted: bool = False, sets_flags: bool = False) -> None:
    to, first, *last = thread.operands(3, 4)
    left = value(thread, first, SUCCESS)
    right = _last(thread, last)
    if inverted:
        thread.unary(Unary.INVERT, VALUE, right)
        right = VALUE
    if not sets_flags:
        thread.binary(kind, target(thread, to), left, right, width(to))
        return
    thread.code.copy(ADDRESS, left)
    thread.code.copy(BACK, right)
    thread.binary(kind, target(thread, to), ADDRESS, BACK, width(to))
    _set_flags(thread, kind, ADDRESS, BACK, width(to))


def _compare(kind: Binary, thread: Thread) -> None:
    """CMP, CMN and TST: only the flags are set."""
    first, *last = thread.operands(2, 3)
    left = value(thread, first, SUCCESS)
    _set_flags(thread, kind, left, _last(thread, last), width(first))


def _set_flags(thread: Thread, kind: Binary, left: int, right: int, bytes_: int) -> None:
    code = thread.code
    up, zero = code.constant(64 - 8 * bytes_), code.constant(0)
    thread.binary(Binary.SHL, NEGATIVE, left, up)  # to where the sign is that of 64 bits
    thread.binary(Binary.SHL, ZERO, right, up)
    thread.binary(kind, SCRATCH, NEGATIVE, ZERO)
    if kind is Binary.SUB:
        thread.binary(Binary.UGE, CARRY, NEGATIVE, ZERO)
        thread.binary(Binary.LT, OVER, NEGATIVE, ZERO)  # what the sign would be without overflow
    elif kind is Binary.ADD:
        thread.binary(Binary.ULT, CARRY, SCRATCH, NEGATIVE)
        thread.binary(Binary.LT, OVER, NEGATIVE, zero)  # adding moves down iff what is added is negative
        thread.binary(Binary.XOR, OVER, NEGATIVE, SCRATCH)
        thread.binary(Binary.XOR, NEGATIVE, ZERO, SCRATCH)
        thread.binary(Binary.AND, OVER, OVER, NEGATIVE)
        thread.binary(Binary.LT, OVER, OVER, zero)
    else:
        code.copy(CARRY, zero)
        code.copy(OVER, zero)
    thread.binary(Binary.LT, NEGATIVE, SCRATCH, zero)
    thread.binary(Binary.EQ, ZERO, SCRATCH, zero)
    if kind is Binary.SUB:
        thread.binary(Binary.XOR, OVER, OVER, NEGATIVE)


_CONDITIONS = ("eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al")


def _holds(thread: Thread, condition: str, operand: Operand | None = None) -> int:
    """A register that is 1 if the condition holds, else 0."""
    condition = condition.lower()
    if condition not in _CONDITIONS:
        hint = nearest(condition.upper(), [c.upper() for c in _CONDITIONS])
        thread.fail(operand, f"there is no condition '{condition.upper()}'", hint)
    code = thread.code
    zero, one = code.constant(0), code.constant(1)
    flag = {"eq": ZERO, "cs": CARRY, "hs": CARRY, "mi": NEGATIVE, "vs": OVER}.get(condition)
    negated = {"ne": ZERO, "cc": CARRY, "lo": CARRY, "pl": NEGATIVE, "vc": OVER}.get(condition)
    if flag is not None:
        code.copy(SCRATCH, flag)
    elif negated is not None:
        thread.binary(Binary.EQ, SCRATCH, negated, zero)
    elif condition in ("hi", "ls"):
        thread.binary(Binary.GT, SCRATCH, CARRY, ZERO)
    elif condition == "al":
        code.copy(SCRATCH, one)
    else:
        thread.binary(Binary.XOR, SCRATCH, NEGATIVE, OVER)
        if condition in ("gt", "le"):
            thread.binary(Binary.OR, SCRATCH, SCRATCH, ZERO)
    if condition in ("ls", "ge", "gt"):
        thread.binary(Binary.EQ, SCRATCH, SCRATCH, zero)
    return SCRATCH


def _select(change: Unary | None, by: int, thread: Thread) -> None:
    """CSEL; and CSINC, CSINV, CSNEG, which change the second register."""
    to, yes, no, condition = thread.operands(4)
    left, right = value(thread, yes, VALUE), value(thread, no, SUCCESS)
    _choose(thread, to, left, right, _holds(thread, condition.text, condition), change, by)


def _choose(
    thread: Thread, to: Operand, yes: int, no: int, condition: int, change: Unary | None = None, by: int = 0
) -> None:
    if change is not None:
        thread.unary(change, BACK, no, width(to))
        no = BACK
    elif by:
        thread.binary(Binary.ADD, BACK, no, thread.code.constant(by), width(to))
        no = BACK
    thread.select(target(thread, to), condition, yes, no)


def _set_if(yes: int, thread: Thread) -> None:
    """CSET and CSETM."""
    to, condition = thread.operands(2)
    code = thread.code
    bits = code.constant(yes if width(to) == 8 or yes > 0 else 0xFFFFFFFF)
    thread.select(target(thread, to), _holds(thread, condition.text, condition), bits, code.constant(0))


def _change_if(change: Unary | None, by: int, thread: Thread) -> None:
    """CINC, CINV, CNEG."""
    to, source, condition = thread.operands(3)
    held = value(thread, source, VALUE)
    chosen = _holds(thread, condition.text, condition)
    thread.binary(Binary.EQ, chosen, chosen, thread.code.constant(0))
    _choose(thread, to, held, held, chosen, change, by)


def _branch(thread: Thread) -> None:
    (to,) = thread.operands(1)
    thread.code.jump(thread.label(to))


def _branch_if(condition: str, thread: Thread) -> None:
    (to,) = thread.operands(1)
    thread.code.jump_if(_holds(thread, condition), thread.label(to))


def _branch_zero(zero: bool, thread: Thread) -> None:
    register, to = thread.operands(2)
    held = value(thread, register, VALUE)
    (thread.code.jump_unless if zero else thread.code.jump_if)(held, thread.label(to))


def _branch_bit(zero: bool, thread: Thread) -> None:
    register, bit, to = thread.operands(3)
    mask = thread.code.constant(1 << thread.number(bit))
    thread.binary(Binary.AND, SCRATCH, read_register(thread, register), mask)
    (thread.code.jump_unless if zero else thread.code.jump_if)(SCRATCH, thread.label(to))


def _extend(word: str, thread: Thread) -> None:
    to, source = thread.operands(2)
    bytes_, signed = _EXTENDS[word]
    into = target(thread, to)
    thread.unary(Unary.WRAP, into, read_register(thread, source), bytes_, signed)
    if width(to) == 4:
        thread.unary(Unary.WRAP, into, into, 4)


def _shift(kind: Binary, thread: Thread) -> None:
    to, source, last = thread.operands(3)
    held = value(thread, source, SUCCESS)
    if kind is Binary.SHR and width(source) == 4:
        thread.unary(Unary.WRAP, SUCCESS, held, 4, True)
        held = SUCCESS
    thread.binary(kind, target(thread, to), held, _last(thread, [last]), width(to))


def _nothing(thread: Thread) -> None:
    pass


LOCAL: dict[str, Write] = {
    "mov": _move,
    "movz": _move,
    "movk": _move_keep,
    "movn": _move_not,
    "mvn": _move_not,
    "neg": _negate,
    **{
        name + flags: partial(_arithmetic, kind, inverted=inverted, sets_flags=bool(flags))
        for name, kind, inverted, suffixes in (
            ("add", Binary.ADD, False, ("", "s")),
            ("sub", Binary.SUB, False, ("", "s")),
            ("and", Binary.AND, False, ("", "s")),
            ("bic", Binary.AND, True, ("", "s")),
            ("orr", Binary.OR, False, ("",)),
            ("orn", Binary.OR, True, ("",)),
            ("eor", Binary.XOR, False, ("",)),
            ("eon", Binary.XOR, True, ("",)),
            ("mul", Binary.MUL, False, ("",)),
        )
        for flags in suffixes
    },
    "cmp": partial(_compare, Binary.SUB),
    "cmn": partial(_compare, Binary.ADD),
    "tst": partial(_compare, Binary.AND),
    "lsl": partial(_shift, Binary.SHL),
    "lsr": partial(_shift, Binary.USHR),
    "asr": partial(_shift, Binary.SHR),
    **{word: partial(_extend, word) for word in ("uxtb", "uxth", "uxtw", "sxtb", "sxth", "sxtw")},
    "csel": partial(_select, None, 0),
    "csinc": partial(_select, None, 1),
    "csinv": partial(_select, Unary.INVERT, 0),
    "csneg": partial(_select, Unary.NEG, 0),
    "cset": partial(_set_if, 1),
    "csetm": partial(_set_if, -1),
    "cinc": partial(_change_if, None, 1),
    "cinv": partial(_change_if, Unary.INVERT, 0),
    "cneg": partial(_change_if, Unary.NEG, 0),
    "b": _branch,
    **{f"b.{condition}": partial(_branch_if, condition) for condition in _CONDITIONS},
    **{f"b{condition}": partial(_branch_if, condition) for condition in _CONDITIONS},
    "cbz": partial(_branch_zero, True),
    "cbnz": partial(_branch_zero, False),
    "tbz": partial(_branch_bit, True),
    "tbnz": partial(_branch_bit, False),
    "nop": _nothing,
    "hint": _nothing,
}
