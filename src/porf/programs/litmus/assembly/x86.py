"""x86 instructions: those of X86_64 tests, where the source comes first, and of X86 tests, where it comes last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from porf.programs.form import Binary, Modify, Unary
from porf.programs.litmus.assembly.operands import Line, Operand
from porf.programs.litmus.assembly.thread import Machine, Thread, Write, read
from porf.programs.litmus.assembly.x86_operands import (
    ADDRESS,
    CARRY,
    HIDDEN,
    LEFT,
    LETTERS,
    OVER,
    REGISTERS,
    SCRATCH,
    SIGN,
    SMALLER,
    SUCCESS,
    VALUE,
    ZERO,
    Side,
    address_of,
    locations,
    memory_of,
    sides,
    width_of,
)
from porf.programs.litmus.cursor import Cursor

# Each of these writes one kind of instruction; `last` and `letter` come from how it is spelled.


def _mov(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = sides(thread, letter, last)
    if to.register >= 0 and of.memory is not None and to.width >= 4:
        of.get(to.register)
        return
    to.put(of.get())


def _xchg(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    one, other = sides(thread, letter, last)
    if one.memory is None and other.memory is None:
        thread.code.copy(SUCCESS, one.get())
        one.put(other.get(SCRATCH))
        other.put(SUCCESS)
        return
    place, register = (one, other) if one.memory is not None else (other, one)
    value = register.get()
    thread.modify(Modify.EXCHANGE, SUCCESS, place.address, value, place.width, thread.tags("X"))
    register.put(SUCCESS)


_MODIFY = {
    Binary.ADD: Modify.ADD,
    Binary.SUB: Modify.SUB,
    Binary.AND: Modify.AND,
    Binary.OR: Modify.OR,
    Binary.XOR: Modify.XOR,
}


def _change(thread: Thread, to: Side, kind: Binary, operand: int, locked: bool) -> None:
    """The target becomes `target kind operand`; the flags say what it became. With `lock` that is one event."""
    if to.memory is not None and locked:
        thread.modify(_MODIFY[kind], SUCCESS, to.address, operand, to.width, thread.tags("X"))
        old = SUCCESS
    else:
        old = to.get(SUCCESS)
    if kind is Binary.SUB:
        _compare(thread, old, operand, to.width)
    thread.binary(kind, SCRATCH, old, operand, to.width)
    if not (to.memory is not None and locked):
        to.put(SCRATCH)
    if kind is Binary.ADD:
        _flags_of_sum(thread, old, operand, to.width)
    elif kind is not Binary.SUB:
        _flags(thread, SCRATCH, to.width)


def _arithmetic(kind: Binary, thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = sides(thread, letter, last)
    _change(thread, to, kind, of.get(VALUE), locked)


def _one(kind: Binary, thread: Thread, letter: str, last: bool, locked: bool) -> None:
    (operand,) = thread.operands(1)
    thread.code.copy(LEFT, CARRY)  # which these instructions leave as it was
    _change(thread, Side(thread, operand, width_of(thread, letter), locked), kind, thread.code.constant(1), locked)
    thread.code.copy(CARRY, LEFT)


def _shift(kind: Binary, thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = sides(thread, letter, last)
    thread.binary(kind, SUCCESS, to.get(SUCCESS), of.get(), to.width)
    to.put(SUCCESS)
    _flags(thread, SUCCESS, to.width)


def _negate(kind: Unary, thread: Thread, letter: str, last: bool, locked: bool) -> None:
    (operand,) = thread.operands(1)
    side = Side(thread, operand, width_of(thread, letter), locked)
    if side.memory is not None and locked:
        thread.fail(operand, f"a locked {thread.line.mnemonic} is not supported")
    old = side.get(SUCCESS)
    if kind is Unary.NEG:
        _compare(thread, thread.code.constant(0), old, side.width)
    thread.unary(kind, SUCCESS, old, side.width)
    side.put(SUCCESS)


def _xadd(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = sides(thread, letter, last)
    added = of.get(VALUE)
    if to.memory is not None and locked:
        thread.modify(Modify.ADD, SUCCESS, to.address, added, to.width, thread.tags("X"))
    else:
        thread.code.copy(SUCCESS, to.get(SUCCESS))
        thread.binary(Binary.ADD, SCRATCH, SUCCESS, added, to.width)
        to.put(SCRATCH)
    thread.binary(Binary.ADD, SCRATCH, SUCCESS, added, to.width)
    of.put(SUCCESS)
    _flags_of_sum(thread, SUCCESS, added, to.width)


def _cmpxchg(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = sides(thread, letter, last)
    if to.memory is None or not locked:
        thread.fail(None, "cmpxchg is supported with lock, and on memory", "write lock cmpxchg")
    accumulator = REGISTERS["rax"]
    thread.unary(Unary.WRAP, LEFT, accumulator, to.width)
    value = of.get(VALUE)
    thread.compare_exchange(SCRATCH, SUCCESS, to.address, LEFT, value, to.width, thread.tags("X"))
    _compare(thread, LEFT, SCRATCH, to.width)
    thread.select(accumulator, SUCCESS, accumulator, SCRATCH)


def _cmp(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = _sides_of_compare(thread, letter, last)
    _compare(thread, to, of, width_of(thread, letter))


def _test(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = _sides_of_compare(thread, letter, last)
    thread.binary(Binary.AND, SCRATCH, to, of, width_of(thread, letter))
    _flags(thread, SCRATCH, width_of(thread, letter))


def _sides_of_compare(thread: Thread, letter: str, last: bool) -> tuple[int, int]:
    first, second = thread.operands(2)
    width = width_of(thread, letter)
    one, other = (second, first) if last else (first, second)
    return Side(thread, one, width, False).get(SCRATCH), Side(thread, other, width, False).get(SUCCESS)


def _compare(thread: Thread, b: int, c: int, width: int) -> None:
    """The flags of b - c."""
    bits = {1: 56, 2: 48, 4: 32, 8: 0}[width]
    up = thread.code.constant(bits)
    thread.binary(Binary.EQ, ZERO, b, c)
    thread.binary(Binary.ULT, CARRY, b, c)
    thread.binary(Binary.SHL, SIGN, b, up)  # to where the sign is that of 64 bits
    thread.binary(Binary.SHL, OVER, c, up)
    thread.binary(Binary.LT, SMALLER, SIGN, OVER)
    thread.binary(Binary.SUB, SIGN, SIGN, OVER)
    thread.binary(Binary.LT, SIGN, SIGN, thread.code.constant(0))
    thread.binary(Binary.XOR, OVER, SIGN, SMALLER)


def _flags(thread: Thread, result: int, width: int) -> None:
    """The flags of a result, as if it was compared with 0."""
    _compare(thread, result, thread.code.constant(0), width)


def _flags_of_sum(thread: Thread, old: int, added: int, width: int) -> None:
    """Of SCRATCH, their sum: it is carried if it is below either, and overflows if both have the other sign."""
    _flags(thread, SCRATCH, width)
    thread.binary(Binary.ULT, CARRY, SCRATCH, added)
    thread.binary(Binary.XOR, OVER, old, SCRATCH)
    thread.binary(Binary.XOR, SMALLER, added, SCRATCH)
    thread.binary(Binary.AND, OVER, OVER, SMALLER)
    thread.binary(Binary.SHL, OVER, OVER, thread.code.constant(64 - 8 * width))
    thread.binary(Binary.LT, OVER, OVER, thread.code.constant(0))


def _holds(thread: Thread, condition: str) -> int:
    """A register that is 1 if the condition holds, else 0."""
    kind, negated = _CONDITIONS[condition]
    zero = thread.code.constant(0)
    if kind == "below-or-equal":
        thread.binary(Binary.OR, SCRATCH, CARRY, ZERO)
    elif kind in ("less", "less-or-equal"):
        thread.binary(Binary.XOR, SCRATCH, SIGN, OVER)
        if kind == "less-or-equal":
            thread.binary(Binary.OR, SCRATCH, SCRATCH, ZERO)
    else:
        thread.code.copy(SCRATCH, {"equal": ZERO, "below": CARRY, "sign": SIGN, "overflow": OVER}[kind])
    if negated:
        thread.binary(Binary.EQ, SCRATCH, SCRATCH, zero)
    return SCRATCH


_POSITIVE = {
    "equal": ("e", "z"),
    "below": ("b", "c", "nae"),
    "below-or-equal": ("be", "na"),
    "less": ("l", "nge", "lt"),
    "less-or-equal": ("le", "ng"),
    "sign": ("s",),
    "overflow": ("o",),
}
_NEGATIVE = {
    "equal": ("ne", "nz"),
    "below": ("ae", "nb", "nc"),
    "below-or-equal": ("a", "nbe"),
    "less": ("ge", "nl"),
    "less-or-equal": ("g", "nle", "gt"),
    "sign": ("ns",),
    "overflow": ("no",),
}
_CONDITIONS = {name: (kind, False) for kind, names in _POSITIVE.items() for name in names} | {
    name: (kind, True) for kind, names in _NEGATIVE.items() for name in names
}


def _jump_if(condition: str, thread: Thread) -> None:
    (target,) = thread.operands(1)
    thread.code.jump_if(_holds(thread, condition), thread.label(target))


def _set_if(condition: str, thread: Thread) -> None:
    (target,) = thread.operands(1)
    Side(thread, target, 1, False).put(_holds(thread, condition))


def _move_if(condition: str, thread: Thread, letter: str, last: bool, locked: bool) -> None:
    to, of = sides(thread, letter, last)
    value = of.get(ADDRESS)
    thread.select(SUCCESS, _holds(thread, condition), value, to.register)
    to.put(SUCCESS)


def _jump(thread: Thread) -> None:
    (target,) = thread.operands(1)
    thread.code.jump(thread.label(target))


def _lea(thread: Thread, letter: str, last: bool, locked: bool) -> None:
    first, second = thread.operands(2)
    target, source = (second, first) if last else (first, second)
    place = memory_of(source)
    if place is None:
        thread.fail(source, "lea needs a place in memory")
    thread.code.copy(thread.register(target), address_of(thread, place))


def _nothing(thread: Thread) -> None:
    pass


def _fence(tag: str, thread: Thread) -> None:
    thread.operands(0)
    thread.fence(tag)


Sized = Callable[[Thread, str, bool, bool], None]

# Without operands, or with a label only.
_PLAIN: dict[str, Write] = {
    "mfence": partial(_fence, "MFENCE"),
    "sfence": partial(_fence, "SFENCE"),
    "lfence": partial(_fence, "LFENCE"),
    "nop": _nothing,
    "jmp": _jump,
    **{f"j{name}": partial(_jump_if, name) for name in _CONDITIONS},
    **{f"set{name}": partial(_set_if, name) for name in _CONDITIONS},
}
# With operands; a letter for their width may follow.
_SIZED: dict[str, Sized] = {
    "mov": _mov,
    "movnti": _mov,
    "xchg": _xchg,
    "xadd": _xadd,
    "cmpxchg": _cmpxchg,
    "cmp": _cmp,
    "test": _test,
    "lea": _lea,
    "add": partial(_arithmetic, Binary.ADD),
    "sub": partial(_arithmetic, Binary.SUB),
    "and": partial(_arithmetic, Binary.AND),
    "or": partial(_arithmetic, Binary.OR),
    "xor": partial(_arithmetic, Binary.XOR),
    "inc": partial(_one, Binary.ADD),
    "dec": partial(_one, Binary.SUB),
    "shl": partial(_shift, Binary.SHL),
    "sal": partial(_shift, Binary.SHL),
    "shr": partial(_shift, Binary.USHR),
    "not": partial(_negate, Unary.INVERT),
    "neg": partial(_negate, Unary.NEG),
    **{f"cmov{name}": partial(_move_if, name) for name in _CONDITIONS},
}


@lru_cache(maxsize=1 << 10)
def _row(mnemonic: str, last: bool) -> Write | None:
    if mnemonic == "lock":
        return partial(_lock, last)
    return _PLAIN.get(mnemonic) or _sized(mnemonic, last, False)


def parts_of(mnemonic: str) -> tuple[str, str] | None:
    """The name of an instruction with operands, and the letter for their width, if it has one."""
    for name, letter in ((mnemonic, ""), (mnemonic[:-1], mnemonic[-1:])):
        if name in _SIZED and (not letter or letter in LETTERS):
            return name, letter
    return None


def _sized(mnemonic: str, last: bool, locked: bool) -> Write | None:
    found = parts_of(mnemonic)
    return partial(_with_size, _SIZED[found[0]], found[1], last, locked) if found is not None else None


def _with_size(write: Sized, letter: str, last: bool, locked: bool, thread: Thread) -> None:
    write(thread, letter, last, locked)


def _lock(last: bool, thread: Thread) -> None:
    """The prefix: the instruction follows where the first operand begins."""
    if not thread.line.operands:
        thread.fail(None, "lock stands before an instruction", "lock incl (x)")
    inner = after_lock(thread.line)
    write = _sized(inner.mnemonic, last, True)
    if write is None:
        thread.fail(thread.line.operands[0], f"unknown instruction '{inner.mnemonic}' after lock")
    thread.line = inner
    write(thread)


def after_lock(line: Line) -> Line:
    """The instruction that the prefix is of: the first operand has its mnemonic before it."""
    first, *others = line.operands
    mnemonic, _, rest = first.text.partition(" ")
    begin = first.at + len(first.text) - len(rest.lstrip())
    return Line((), mnemonic.lower(), first.at, (Operand(rest.strip(), begin), *others))


def _mnemonics() -> list[str]:
    sized = [name + letter for name in _SIZED for letter in ("", *LETTERS)]
    return ["lock", *_PLAIN, *sized]


def _locations_of(line: Line) -> Sequence[Operand]:
    """Those of a locked instruction, too."""
    return locations(after_lock(line) if line.mnemonic == "lock" and line.operands else line)


MACHINES = {
    "X86_64": Machine("x86", REGISTERS, HIDDEN, lambda m: _row(m, True), _mnemonics, _locations_of),
    "X86": Machine("x86", REGISTERS, HIDDEN, lambda m: _row(m, False), _mnemonics, _locations_of),
}


def read_threads(cursor: Cursor, word: str) -> list[Thread]:
    return read(cursor, MACHINES[word])
