"""Power instructions: loads and stores, exclusives, barriers, arithmetic, compares, branches on condition fields."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from porf.programs.form import Binary, Exclusive, Unary
from porf.programs.litmus.assembly.operands import Operand, number
from porf.programs.litmus.assembly.thread import Machine, Thread, Write, read
from porf.programs.litmus.cursor import Cursor

REGISTERS = {f"r{n}": n for n in range(32)}
FIELDS = {f"cr{n}": 32 + 3 * n for n in range(8)}  # each three registers: less, greater, equal
ADDRESS, SCRATCH, SUCCESS = range(56, 59)
HIDDEN = 27
LESS, GREATER, EQUAL = range(3)
_DISPLACED = re.compile(r"(?P<by>-?\w*)\((?P<base>\w+)\)\Z")
_SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}


def _register_or_zero(thread: Thread, operand: Operand) -> int:
    """As a base of an address r0 stands for the number 0."""
    return thread.code.constant(0) if operand.text in ("r0", "0") else thread.register(operand)


def _displaced(thread: Thread, operand: Operand) -> tuple[int, int]:
    """The base register and the address of 4(r2)."""
    found = _DISPLACED.match(operand.text)
    by = number(found["by"] or "0") if found else None
    if found is None or by is None:
        thread.fail(operand, f"expected an address, but found '{operand.text}'", "addresses are 0(r1), 4(r2)")
    base = thread.register(Operand(found["base"], operand.at))
    if by:
        thread.binary(Binary.ADD, ADDRESS, base, thread.code.constant(by))
    return base, ADDRESS if by else base


def _indexed(thread: Thread, base: Operand, index: Operand) -> int:
    first = _register_or_zero(thread, base)
    thread.binary(Binary.ADD, ADDRESS, first, thread.register(index))
    return ADDRESS


def _load(size: int, indexed: bool, thread: Thread, update: bool = False, signed: bool = False) -> None:
    if indexed:
        register, base, index = thread.operands(3)
        thread.load(thread.register(register), _indexed(thread, base, index), size, signed=signed)
        return
    register, place = thread.operands(2)
    base_register, where = _displaced(thread, place)
    thread.load(thread.register(register), where, size, signed=signed)
    if update and where != base_register:
        thread.code.copy(base_register, where)


def _store(size: int, indexed: bool, thread: Thread, update: bool = False) -> None:
    if indexed:
        register, base, index = thread.operands(3)
        thread.store(_indexed(thread, base, index), thread.register(register), size)
        return
    register, place = thread.operands(2)
    base_register, where = _displaced(thread, place)
    thread.store(where, thread.register(register), size)
    if update and where != base_register:
        thread.code.copy(base_register, where)


def _reserve(size: int, thread: Thread) -> None:
    register, base, index = thread.operands(3)
    where = _indexed(thread, base, index)
    thread.load(thread.register(register), where, size, thread.tags("EX"), links=True)


def _conditional(size: int, thread: Thread) -> None:
    register, base, index = thread.operands(3)
    where, first = _indexed(thread, base, index), FIELDS["cr0"]
    thread.conditional(SUCCESS, where, thread.register(register), size, Exclusive.OF_SOURCES, thread.tags("EX"))
    thread.code.copy(first + EQUAL, SUCCESS)
    for flag in (LESS, GREATER):
        thread.code.copy(first + flag, thread.code.constant(0))


def _arithmetic(kind: Binary, thread: Thread, swapped: bool = False, records: bool = False) -> None:
    to, one, other = thread.operands(3)
    b, c = thread.register(one), thread.register(other)
    _write(thread, kind, to, c if swapped else b, b if swapped else c, records)


def _immediate(kind: Binary, thread: Thread, shifted: int = 0, records: bool = False) -> None:
    to, one, by = thread.operands(3)
    b = _register_or_zero(thread, one) if kind is Binary.ADD else thread.register(one)
    _write(thread, kind, to, b, thread.code.constant(thread.number(by) << shifted), records)


def _subtract_immediate(thread: Thread) -> None:
    to, one, by = thread.operands(3)
    _write(thread, Binary.ADD, to, _register_or_zero(thread, one), thread.code.constant(-thread.number(by)), False)


def _write(thread: Thread, kind: Binary, to: Operand, b: int, c: int, records: bool) -> None:
    into = thread.register(to)
    thread.binary(kind, into, b, c)
    if records:
        _compare_into(thread, FIELDS["cr0"], into, thread.code.constant(0), signed=True)


def _one(kind: Unary, thread: Thread) -> None:
    to, source = thread.operands(2)
    thread.unary(kind, thread.register(to), thread.register(source))


def _load_number(shifted: int, thread: Thread) -> None:
    to, value = thread.operands(2)
    thread.code.copy(thread.register(to), thread.code.constant(thread.number(value) << shifted))


def _move(thread: Thread, records: bool = False) -> None:
    to, source = thread.operands(2)
    thread.code.copy(thread.register(to), thread.register(source))
    if records:
        _compare_into(thread, FIELDS["cr0"], thread.register(to), thread.code.constant(0), signed=True)


def _compare(size: int, signed: bool, thread: Thread, immediate: bool = False) -> None:
    *field, one, other = thread.operands(2, 3)
    first = FIELDS["cr0"]
    if field:
        found = FIELDS.get(field[0].text)
        if found is None:
            thread.fail(field[0], f"expected a condition field, but found '{field[0].text}'", "they are cr0 to cr7")
        first = found
    left = thread.register(one)
    right = thread.code.constant(thread.number(other)) if immediate else thread.register(other)
    if size < 8:
        thread.unary(Unary.WRAP, SCRATCH, left, size, signed)
        left = SCRATCH
        if not immediate:
            thread.unary(Unary.WRAP, SUCCESS, right, size, signed)
            right = SUCCESS
    _compare_into(thread, first, left, right, signed)


def _compare_into(thread: Thread, first: int, left: int, right: int, signed: bool) -> None:
    thread.binary(Binary.LT if signed else Binary.ULT, first + LESS, left, right)
    thread.binary(Binary.GT if signed else Binary.UGT, first + GREATER, left, right)
    thread.binary(Binary.EQ, first + EQUAL, left, right)


def _branch(thread: Thread) -> None:
    (to,) = thread.operands(1)
    thread.code.jump(thread.label(to))


def _branch_if(flag: int, holds: bool, thread: Thread) -> None:
    *field, to = thread.operands(1, 2)
    first = FIELDS.get(field[0].text if field else "cr0")
    if first is None:
        thread.fail(field[0], f"expected a condition field, but found '{field[0].text}'", "they are cr0 to cr7")
    (thread.code.jump_if if holds else thread.code.jump_unless)(first + flag, thread.label(to))


def _fence(tag: str, thread: Thread) -> None:
    thread.operands(0)
    thread.fence(tag)


def _nothing(thread: Thread) -> None:
    pass


_ARITHMETIC = {
    "add": (Binary.ADD, False),
    "sub": (Binary.SUB, False),
    "subf": (Binary.SUB, True),
    "and": (Binary.AND, False),
    "or": (Binary.OR, False),
    "xor": (Binary.XOR, False),
    "mullw": (Binary.MUL, False),
    "slw": (Binary.SHL, False),
    "srw": (Binary.USHR, False),
}
_IMMEDIATE = {"addi": Binary.ADD, "ori": Binary.OR, "xori": Binary.XOR, "mulli": Binary.MUL, "slwi": Binary.SHL}
_ACCESSES: dict[str, Write] = {}
for _letter, _size in _SIZES.items():
    _zero = "" if _letter == "d" else "z"  # ld, lwz
    _ACCESSES[f"l{_letter}{_zero}"] = partial(_load, _size, False)
    _ACCESSES[f"l{_letter}{_zero}x"] = partial(_load, _size, True)
    _ACCESSES[f"l{_letter}{_zero}u"] = partial(_load, _size, False, update=True)
    _ACCESSES[f"st{_letter}"] = partial(_store, _size, False)
    _ACCESSES[f"st{_letter}x"] = partial(_store, _size, True)
    _ACCESSES[f"st{_letter}u"] = partial(_store, _size, False, update=True)
    _ACCESSES[f"l{_letter}arx"] = partial(_reserve, _size)
    _ACCESSES[f"st{_letter}cx."] = partial(_conditional, _size)

_ROWS: dict[str, Write] = {
    **_ACCESSES,
    "lwa": partial(_load, 4, False, signed=True),
    "lha": partial(_load, 2, False, signed=True),
    **{name: partial(_arithmetic, kind, swapped=swapped) for name, (kind, swapped) in _ARITHMETIC.items()},
    **{
        f"{name}.": partial(_arithmetic, kind, swapped=swapped, records=True)
        for name, (kind, swapped) in _ARITHMETIC.items()
    },
    **{name: partial(_immediate, kind) for name, kind in _IMMEDIATE.items()},
    "andi.": partial(_immediate, Binary.AND, records=True),
    "addis": partial(_immediate, Binary.ADD, shifted=16),
    "subi": _subtract_immediate,
    "li": partial(_load_number, 0),
    "lis": partial(_load_number, 16),
    "mr": _move,
    "mr.": partial(_move, records=True),
    "neg": partial(_one, Unary.NEG),
    "not": partial(_one, Unary.INVERT),
    "cmpw": partial(_compare, 4, True),
    "cmpwi": partial(_compare, 4, True, immediate=True),
    "cmplw": partial(_compare, 4, False),
    "cmplwi": partial(_compare, 4, False, immediate=True),
    "cmpd": partial(_compare, 8, True),
    "cmpdi": partial(_compare, 8, True, immediate=True),
    "b": _branch,
    **{
        name: partial(_branch_if, flag, holds)
        for name, flag, holds in (
            ("beq", EQUAL, True),
            ("bne", EQUAL, False),
            ("blt", LESS, True),
            ("bge", LESS, False),
            ("bgt", GREATER, True),
            ("ble", GREATER, False),
        )
    },
    "sync": partial(_fence, "SYNC"),
    "hwsync": partial(_fence, "SYNC"),
    "lwsync": partial(_fence, "LWSYNC"),
    "eieio": partial(_fence, "EIEIO"),
    "isync": partial(_fence, "ISYNC"),
    "nop": _nothing,
}


@lru_cache(maxsize=1 << 10)
def _row(mnemonic: str) -> Write | None:
    return _ROWS.get(mnemonic) or _ROWS.get(mnemonic.rstrip("+-"))  # hints whether a branch is taken


MACHINE = Machine("ppc", REGISTERS, HIDDEN, _row, lambda: list(_ROWS))


def read_threads(cursor: Cursor, word: str) -> list[Thread]:
    return read(cursor, MACHINE)
