"""RISC-V instructions: loads and stores, load-reserved and store-conditional, atomic updates (AMO), fences, arithmetic,
branches."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from porf.architectures import ARCHITECTURES
from porf.programs.form import Binary, Exclusive, Modify, Unary
from porf.programs.litmus.assembly.operands import Operand, number
from porf.programs.litmus.assembly.thread import Machine, Thread, Write, read
from porf.programs.litmus.cursor import Cursor

_ABI = [
    "zero",
    "ra",
    "sp",
    "gp",
    "tp",
    "t0",
    "t1",
    "t2",
    "s0",
    "s1",
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "a6",
    "a7",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s7",
    "s8",
    "s9",
    "s10",
    "s11",
    "t3",
    "t4",
    "t5",
    "t6",
]
REGISTERS = {f"x{n}": n for n in range(32)} | {name: n for n, name in enumerate(_ABI)} | {"fp": 8}
ADDRESS, SCRATCH, SUCCESS, NOWHERE = range(32, 36)
HIDDEN = 4
_PLACE = re.compile(r"(?P<by>-?\w*)\((?P<base>\w+)\)\Z")
_SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
_SUFFIXES: dict[str, tuple[str, ...]] = {
    "": (),
    "aq": ("Acq",),
    "rl": ("Rel",),
    "aqrl": ("AcqRel",),
    "aq.rl": ("AcqRel",),
}


def _value(thread: Thread, operand: Operand) -> int:
    register = thread.register(operand)
    return thread.code.constant(0) if register == 0 else register


def _target(thread: Thread, operand: Operand) -> int:
    """The register that is written; x0 stays 0."""
    return thread.register(operand) or NOWHERE


def _address(thread: Thread, operand: Operand) -> int:
    found = _PLACE.match(operand.text)
    by = number(found["by"] or "0") if found else None
    if found is None or by is None:
        thread.fail(operand, f"expected an address, but found '{operand.text}'", "addresses are 0(x5), (x6)")
    base = _value(thread, Operand(found["base"], operand.at))
    if not by:
        return base
    thread.binary(Binary.ADD, ADDRESS, base, thread.code.constant(by))
    return ADDRESS


def _load(size: int, signed: bool, tags: tuple[str, ...], thread: Thread) -> None:
    register, place = thread.operands(2)
    thread.load(_target(thread, register), _address(thread, place), size, thread.tags(*tags), signed)


def _store(size: int, tags: tuple[str, ...], thread: Thread) -> None:
    register, place = thread.operands(2)
    thread.store(_address(thread, place), _value(thread, register), size, thread.tags(*tags))


def _reserve(size: int, tags: tuple[str, ...], thread: Thread) -> None:
    register, place = thread.operands(2)
    where = _address(thread, place)
    thread.load(_target(thread, register), where, size, thread.tags("EX", *tags), signed=True, links=True)


def _conditional(size: int, tags: tuple[str, ...], thread: Thread) -> None:
    status, register, place = thread.operands(3)
    where = _address(thread, place)
    all_tags = thread.tags("EX", *tags)
    thread.conditional(SUCCESS, where, _value(thread, register), size, Exclusive.OF_ITSELF, all_tags)
    thread.unary(Unary.NOT, _target(thread, status), SUCCESS)


def _update(kind: Modify, signed: bool, size: int, tags: tuple[str, ...], thread: Thread) -> None:
    to, source, place = thread.operands(3)
    where, operand = _address(thread, place), _value(thread, source)
    thread.modify(kind, _target(thread, to), where, operand, size, thread.tags(*tags), signed)


def _arithmetic(kind: Binary, size: int, thread: Thread) -> None:
    to, one, other = thread.operands(3)
    _write(thread, kind, size, to, _value(thread, one), _value(thread, other))


def _immediate(kind: Binary, size: int, thread: Thread) -> None:
    to, one, by = thread.operands(3)
    _write(thread, kind, size, to, _value(thread, one), thread.code.constant(thread.number(by)))


def _write(thread: Thread, kind: Binary, size: int, to: Operand, b: int, c: int) -> None:
    into = _target(thread, to)
    thread.binary(kind, into, b, c)
    if size < 8:
        thread.unary(Unary.WRAP, into, into, size, signed=True)


def _one(kind: Unary, size: int, thread: Thread) -> None:
    to, source = thread.operands(2)
    thread.unary(kind, _target(thread, to), _value(thread, source), size, signed=True)


def _set(kind: Binary, thread: Thread) -> None:
    """SEQZ and SNEZ."""
    to, source = thread.operands(2)
    thread.binary(kind, _target(thread, to), _value(thread, source), thread.code.constant(0))


def _load_number(shifted: int, thread: Thread) -> None:
    to, value = thread.operands(2)
    thread.code.copy(_target(thread, to), thread.code.constant(thread.number(value) << shifted))


def _branch_if(kind: Binary, swapped: bool, thread: Thread) -> None:
    one, other, to = thread.operands(3)
    b, c = _value(thread, one), _value(thread, other)
    thread.binary(kind, SCRATCH, c if swapped else b, b if swapped else c)
    thread.code.jump_if(SCRATCH, thread.label(to))


def _branch_zero(kind: Binary, thread: Thread) -> None:
    one, to = thread.operands(2)
    thread.binary(kind, SCRATCH, _value(thread, one), thread.code.constant(0))
    thread.code.jump_if(SCRATCH, thread.label(to))


def _jump(thread: Thread) -> None:
    (to,) = thread.operands(1)
    thread.code.jump(thread.label(to))


def _fence(thread: Thread) -> None:
    found = thread.operands(0, 2)
    before, after = (operand.text for operand in found) if found else ("rw", "rw")
    for operand in found:
        if operand.text.strip("io") not in ("r", "w", "rw"):
            thread.fail(operand, f"'{operand.text}' is no set of accesses", "fence has r, w or rw on each side")
    tag = f"Fence.{before.strip('io')}.{after.strip('io')}"
    assert tag in ARCHITECTURES["riscv"].fences
    thread.fence(tag)


def _one_fence(tag: str, thread: Thread) -> None:
    thread.operands(0)
    thread.fence(tag)


def _nothing(thread: Thread) -> None:
    pass


_ARITHMETIC = {
    "add": Binary.ADD,
    "sub": Binary.SUB,
    "and": Binary.AND,
    "or": Binary.OR,
    "xor": Binary.XOR,
    "sll": Binary.SHL,
    "srl": Binary.USHR,
    "sra": Binary.SHR,
    "slt": Binary.LT,
    "sltu": Binary.ULT,
    "mul": Binary.MUL,
}
_WITH_NUMBER = {name + "i": kind for name, kind in _ARITHMETIC.items() if name not in ("sub", "mul", "sltu")}
_BRANCHES = {
    "beq": (Binary.EQ, False),
    "bne": (Binary.NE, False),
    "blt": (Binary.LT, False),
    "bge": (Binary.GE, False),
    "bgt": (Binary.LT, True),
    "ble": (Binary.GE, True),
    "bltu": (Binary.ULT, False),
    "bgeu": (Binary.UGE, False),
}
_ZEROS = {
    "beqz": Binary.EQ,
    "bnez": Binary.NE,
    "bltz": Binary.LT,
    "bgez": Binary.GE,
    "bgtz": Binary.GT,
    "blez": Binary.LE,
}
_AMOS = {
    "swap": (Modify.EXCHANGE, True),
    "add": (Modify.ADD, True),
    "and": (Modify.AND, True),
    "or": (Modify.OR, True),
    "xor": (Modify.XOR, True),
    "max": (Modify.MAX, True),
    "min": (Modify.MIN, True),
    "maxu": (Modify.MAX, False),
    "minu": (Modify.MIN, False),
}
_ROWS: dict[str, Write] = {
    **{name: partial(_arithmetic, kind, 8) for name, kind in _ARITHMETIC.items()},
    **{name: partial(_immediate, kind, 8) for name, kind in _WITH_NUMBER.items()},
    "sltiu": partial(_immediate, Binary.ULT, 8),
    "addw": partial(_arithmetic, Binary.ADD, 4),
    "subw": partial(_arithmetic, Binary.SUB, 4),
    "addiw": partial(_immediate, Binary.ADD, 4),
    "li": partial(_load_number, 0),
    "lui": partial(_load_number, 12),
    "mv": partial(_one, Unary.WRAP, 8),
    "not": partial(_one, Unary.INVERT, 8),
    "neg": partial(_one, Unary.NEG, 8),
    "sext.w": partial(_one, Unary.WRAP, 4),
    "seqz": partial(_set, Binary.EQ),
    "snez": partial(_set, Binary.NE),
    **{name: partial(_branch_if, kind, swapped) for name, (kind, swapped) in _BRANCHES.items()},
    **{name: partial(_branch_zero, kind) for name, kind in _ZEROS.items()},
    "j": _jump,
    "fence": _fence,
    "fence.tso": partial(_one_fence, "Fence.tso"),
    "fence.i": partial(_one_fence, "Fence.i"),
    "nop": _nothing,
}
_ORDERED: dict[str, partial[None]] = {  # any of these may be followed by an order
    **{f"l{letter}": partial(_load, size, True) for letter, size in _SIZES.items()},
    **{f"l{letter}u": partial(_load, size, False) for letter, size in _SIZES.items() if size < 8},
    **{f"s{letter}": partial(_store, size) for letter, size in _SIZES.items()},
    **{f"lr.{letter}": partial(_reserve, _SIZES[letter]) for letter in "wd"},
    **{f"sc.{letter}": partial(_conditional, _SIZES[letter]) for letter in "wd"},
    **{
        f"amo{name}.{letter}": partial(_update, kind, signed, _SIZES[letter])
        for name, (kind, signed) in _AMOS.items()
        for letter in "wd"
    },
}


@lru_cache(maxsize=1 << 10)
def _row(mnemonic: str) -> Write | None:
    if mnemonic in _ROWS:
        return _ROWS[mnemonic]
    for suffix, tags in _SUFFIXES.items():
        name = mnemonic.removesuffix(f".{suffix}") if suffix else mnemonic
        if (name != mnemonic or not suffix) and name in _ORDERED:
            return partial(_ORDERED[name], tags)
    return None


MACHINE = Machine("riscv", REGISTERS, HIDDEN, _row, lambda: [*_ROWS, *_ORDERED])


def read_threads(cursor: Cursor, word: str) -> list[Thread]:
    return read(cursor, MACHINE)
