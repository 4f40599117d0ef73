"""AArch64 instructions: loads and stores with their orders, exclusives, atomic updates (LSE), barriers, arithmetic,
branches. `aarch64_local.py` has those that only a thread itself notices."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from porf.architectures import ARCHITECTURES
from porf.programs.form import Binary, Exclusive, Modify, Unary
from porf.programs.litmus.assembly.aarch64_local import (
    HIDDEN,
    LOCAL,
    REGISTERS,
    SCRATCH,
    SUCCESS,
    VALUE,
    address,
    read_register,
    target,
    value,
    width,
)
from porf.programs.litmus.assembly.thread import Machine, Thread, Write, read
from porf.programs.litmus.cursor import Cursor

_BYTES = {"b": 1, "h": 2}


def _load(thread: Thread, bytes_: int, tags: tuple[str, ...], signed: bool = False, links: bool = False) -> None:
    register, *place = thread.operands(2, 3)
    finish = address(thread, place)
    wide = width(register)
    size = bytes_ or wide
    into = target(thread, register)
    thread.load(into, finish.register, size, thread.tags(*tags), signed, links)
    if signed and wide == 4:
        thread.unary(Unary.WRAP, into, into, 4)
    finish.write_back()


def _store(thread: Thread, bytes_: int, tags: tuple[str, ...]) -> None:
    register, *place = thread.operands(2, 3)
    finish = address(thread, place)
    thread.store(finish.register, value(thread, register, VALUE), bytes_ or width(register), thread.tags(*tags))
    finish.write_back()


def _pair(thread: Thread, stores: bool) -> None:
    """Two accesses, of places next to each other."""
    first, second, *place = thread.operands(3, 4)
    finish = address(thread, place)
    size = width(first)
    thread.code.copy(SUCCESS, finish.register)
    for number, register in enumerate((first, second)):
        where = SUCCESS
        if number:
            thread.binary(Binary.ADD, SCRATCH, SUCCESS, thread.code.constant(size))
            where = SCRATCH
        if stores:
            thread.store(where, value(thread, register, VALUE), size)
        else:
            thread.load(target(thread, register), where, size)
    finish.write_back()


def _conditional(thread: Thread, bytes_: int, tags: tuple[str, ...]) -> None:
    status, register, place = thread.operands(3)
    where = address(thread, [place]).register
    size = bytes_ or width(register)
    held = value(thread, register, VALUE)
    thread.conditional(SUCCESS, where, held, size, Exclusive.OF_NOTHING, thread.tags("EX", *tags))
    thread.unary(Unary.NOT, target(thread, status), SUCCESS)


def _swap(thread: Thread, bytes_: int, tags: tuple[str, ...]) -> None:
    source, register, place = thread.operands(3)
    where = address(thread, [place]).register
    _update(thread, Modify.EXCHANGE, value(thread, source, VALUE), target(thread, register), where, tags, bytes_)


def _update(
    thread: Thread, kind: Modify, operand: int, into: int, where: int, tags: tuple[str, ...], bytes_: int
) -> None:
    size = bytes_ or width(thread.line.operands[0])
    signed = thread.line.mnemonic.startswith(("ldsm", "stsm"))
    returns = into != SCRATCH
    kept = tags if returns else (*(tag for tag in tags if tag != "A"), "NoRet")  # XZR: nothing is acquired
    thread.modify(kind, SUCCESS, where, operand, size, thread.tags(*kept), signed)
    if returns:
        thread.unary(Unary.WRAP, into, SUCCESS, size)


def _modify(thread: Thread, kind: Modify, inverted: bool, bytes_: int, tags: tuple[str, ...], returns: bool) -> None:
    """LDADD and its like, and without a result STADD and its like."""
    source, *others = thread.operands(3 if returns else 2)
    where = address(thread, others[-1:]).register
    operand = value(thread, source, VALUE)
    if inverted:
        thread.unary(Unary.INVERT, VALUE, operand)
        operand = VALUE
    _update(thread, kind, operand, target(thread, others[0]) if returns else SCRATCH, where, tags, bytes_)


def _compare_and_swap(thread: Thread, bytes_: int, tags: tuple[str, ...]) -> None:
    compared, source, place = thread.operands(3)
    where = address(thread, [place]).register
    size = bytes_ or width(compared)
    held = value(thread, source, VALUE)
    register = read_register(thread, compared)
    thread.compare_exchange(SUCCESS, SCRATCH, where, register, held, size, thread.tags(*tags))
    thread.unary(Unary.WRAP, target(thread, compared), SUCCESS, size)


def _barrier(name: str, thread: Thread) -> None:
    (option,) = thread.operands(1) if thread.line.operands else (None,)
    tag = f"{name}.{option.text.upper() if option is not None else 'SY'}"
    if tag not in ARCHITECTURES["aarch64"].fences:
        options = [fence.partition(".")[2] for fence in ARCHITECTURES["aarch64"].fences if fence.startswith(name)]
        thread.fail(option, f"{name} has no option '{tag.partition('.')[2]}'", f"its options are {', '.join(options)}")
    thread.fence(tag)


def _instruction_barrier(thread: Thread) -> None:
    thread.operands(0, 1)
    thread.fence("ISB")


Access = Callable[[Thread, int, tuple[str, ...]], None]

# By mnemonic without the letter of its size: what it does, and the tags of its events.
_ACCESSES: dict[str, tuple[Access, tuple[str, ...]]] = {
    "ldr": (_load, ()),
    "ldur": (_load, ()),
    "ldar": (_load, ("A",)),
    "ldapr": (_load, ("Q",)),
    "ldapur": (_load, ("Q",)),
    "ldxr": (partial(_load, links=True), ("EX",)),
    "ldaxr": (partial(_load, links=True), ("A", "EX")),
    "str": (_store, ()),
    "stur": (_store, ()),
    "stlr": (_store, ("L",)),
    "stlur": (_store, ("L",)),
    "stxr": (_conditional, ()),
    "stlxr": (_conditional, ("L",)),
}
_ORDERS = {"": (), "a": ("A",), "l": ("L",), "al": ("A", "L")}
_UPDATES = {
    "add": (Modify.ADD, False),
    "clr": (Modify.AND, True),
    "eor": (Modify.XOR, False),
    "set": (Modify.OR, False),
    "smax": (Modify.MAX, False),
    "smin": (Modify.MIN, False),
    "umax": (Modify.MAX, False),
    "umin": (Modify.MIN, False),
}


def _atomics() -> dict[str, tuple[Access, tuple[str, ...]]]:
    """The updates with their orders, without the letter of their size."""
    out: dict[str, tuple[Access, tuple[str, ...]]] = {}
    for order, tags in _ORDERS.items():
        out[f"swp{order}"] = (_swap, tags)
        out[f"cas{order}"] = (_compare_and_swap, tags)
        for name, (kind, inverted) in _UPDATES.items():
            out[f"ld{name}{order}"] = (_writes(kind, inverted, returns=True), tags)
            if "A" not in tags:
                out[f"st{name}{order}"] = (_writes(kind, inverted, returns=False), tags)
    return out


def _writes(kind: Modify, inverted: bool, returns: bool) -> Access:
    return lambda thread, bytes_, tags: _modify(thread, kind, inverted, bytes_, tags, returns)


_ACCESSES |= _atomics()
_OTHERS: dict[str, Write] = {
    "ldp": partial(_pair, stores=False),
    "stp": partial(_pair, stores=True),
    "ldrsb": lambda thread: _load(thread, 1, (), signed=True),
    "ldrsh": lambda thread: _load(thread, 2, (), signed=True),
    "ldrsw": lambda thread: _load(thread, 4, (), signed=True),
    "dmb": partial(_barrier, "DMB"),
    "dsb": partial(_barrier, "DSB"),
    "isb": _instruction_barrier,
    **LOCAL,
}


@lru_cache(maxsize=1 << 10)
def _row(mnemonic: str) -> Write | None:
    if mnemonic in _OTHERS:
        return _OTHERS[mnemonic]
    for name, letter in ((mnemonic, ""), (mnemonic[:-1], mnemonic[-1:])):
        if name in _ACCESSES and (not letter or letter in _BYTES):
            access, tags = _ACCESSES[name]
            return partial(_access, access, _BYTES.get(letter, 0), tags)
    return None


def _access(access: Access, bytes_: int, tags: tuple[str, ...], thread: Thread) -> None:
    access(thread, bytes_, tags)


def _mnemonics() -> list[str]:
    return [*_OTHERS, *(name + letter for name in _ACCESSES for letter in ("", *_BYTES))]


MACHINE = Machine("aarch64", REGISTERS, HIDDEN, _row, _mnemonics)


def read_threads(cursor: Cursor, word: str) -> list[Thread]:
    return read(cursor, MACHINE)
