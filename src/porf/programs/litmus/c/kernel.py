"""The macros of the Linux kernel in C litmus tests: each with its events, and what these are in the kernel's model.

As in the kernel's own table (tools/memory-model/linux-kernel.def). A read-modify-write with the order of a full barrier
stands between two fences, if it does not fail; a lock is an update, and an unlock a write.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from porf._core import Order
from porf.architectures import ARCHITECTURES
from porf.programs.form import Assumption, Binary, Exclusive, Modify, Opcode
from porf.programs.litmus.c.arithmetic import Typed
from porf.programs.litmus.c.operations import Operation, lvalue, place_of
from porf.programs.litmus.c.syntax import Call, Expression, Unary
from porf.programs.litmus.kinds import INT, VOID

if TYPE_CHECKING:
    from porf.programs.litmus.c.values import Values

_NOTHING = Typed(0, VOID)
_ORDERS = {"": ("Full",), "_relaxed": (), "_acquire": ("Acquire",), "_release": ("Release",)}
_MODIFY = {
    "add": Modify.ADD,
    "sub": Modify.SUB,
    "and": Modify.AND,
    "or": Modify.OR,
    "xor": Modify.XOR,
}
_AFTER = {
    Modify.ADD: Binary.ADD,
    Modify.SUB: Binary.SUB,
    Modify.AND: Binary.AND,
    Modify.OR: Binary.OR,
    Modify.XOR: Binary.XOR,
}
Tags = tuple[str, ...]
Where = Callable[["Values", Call], Typed]


def _tags(*names: str) -> int:
    return ARCHITECTURES["lkmm"].mask(names)


def _guessed(c: Values, condition: int) -> None:
    """Only the way on which this holds goes on; nothing depends on it."""
    c.asm.emit(Opcode.ASSUME, b=condition, kind=Assumption.REQUIRED, exclusive=Exclusive.GUESSED)


def _fence(c: Values, *names: str) -> None:
    c.asm.emit(Opcode.FENCE, tags=_tags(*names))


def _fences(names: Tags, c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    c.place(node.at)
    _fence(c, *names)
    return _NOTHING


def _nothing(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    """What every load does nowadays."""
    return _NOTHING


def _load(where: Where, tags: Tags, c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = where(c, node)
    c.place(node.at)
    return c.load(place, Order.RLX, into, _tags(*tags))


def _store(
    where: Where, tags: Tags, after: Tags, c: Values, node: Call, into: int | None, _: tuple[Order, ...]
) -> Typed:
    place = where(c, node)
    operand = c.number(node.arguments[1], place.type)
    c.place(node.at)
    c.store(place, operand, Order.RLX, _tags(*tags))
    if after:
        _fence(c, *after)
    return _NOTHING


def _update(c: Values, place: Typed, kind: Modify, operand: int, tags: Tags, into: int | None = None) -> Typed:
    """A read-modify-write; the value is that before."""
    full = "Full" in tags
    if full:
        _fence(c, "Mb")
    found = c.modify(place, kind, operand, Order.RLX, into, _tags("RMW", "Once", *tags))
    if full:
        _fence(c, "Mb")
    return found


def _exchange(tags: Tags, c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = place_of(c, node)
    operand = c.number(node.arguments[1], place.type)
    c.place(node.at)
    return _update(c, place, Modify.EXCHANGE, operand, tags, into)


def _compare_exchange(tags: Tags, c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    """What was there before; it succeeds if that is the second argument."""
    place = place_of(c, node)
    expected = c.number(node.arguments[1], place.type)
    desired = c.number(node.arguments[2], place.type)
    c.place(node.at)
    return _compared(c, place, expected, desired, tags)[0]


def _compared(c: Values, place: Typed, expected: int, desired: int, tags: Tags) -> tuple[Typed, int]:
    """Whether it succeeds is guessed first where fences depend on that; nothing depends on the guess."""
    asm = c.asm
    old, done = asm.register(), asm.register()

    def exchange() -> None:
        fields = {"a": old, "e": done, "b": place.operand, "c": expected, "d": desired}
        orders = {"order": Order.RLX, "failure": Order.RLX, "signed": place.type.signed, "width": place.type.width}
        asm.emit(Opcode.CAS, **fields, **orders, tags=_tags("RMW", "Once", *tags))

    if "Full" not in tags:
        exchange()
        return Typed(old, place.type), done
    fails, end = asm.label(), asm.label()
    guess = asm.choose(asm.constant(0), asm.constant(1))
    asm.jump_unless(guess, fails)
    _fence(c, "Mb")
    exchange()
    _guessed(c, done)
    _fence(c, "Mb")
    asm.jump(end)
    asm.put(fails)
    exchange()
    _guessed(c, asm.binary(Binary.EQ, done, asm.constant(0)))
    asm.put(end)
    return Typed(old, place.type), done


# What an atomic operation gives: nothing, the value before, or the one after.
def _modifies(
    kind: Modify, gives: str, one: bool, inverted: bool, tags: Tags,
    c: Values, node: Call, into: int | None, _: tuple[Order, ...],
) -> Typed:  # fmt: skip
    """`atomic_add(value, place)` and its kin; `one`: of inc and dec, which have no value."""
    place = place_of(c, node, 0 if one else 1)
    operand = c.asm.constant(1) if one else c.number(node.arguments[0], place.type)
    if inverted:
        operand = c.asm.binary(Binary.XOR, operand, c.asm.constant(-1), place.type.width, place.type.signed)
    c.place(node.at)
    if gives == "nothing":
        _update(c, place, kind, operand, ("Noreturn",))
        return _NOTHING
    before = _update(c, place, kind, operand, tags, into if gives == "before" else None)
    return before if gives == "before" else _after(c, place, kind, before, operand)


def _after(c: Values, place: Typed, kind: Modify, before: Typed, operand: int) -> Typed:
    result = c.asm.binary(_AFTER[kind], before.operand, operand, place.type.width, place.type.signed)
    return Typed(result, place.type)


def _tested(
    kind: Modify, one: bool, test: Binary, c: Values, node: Call, into: int | None, _: tuple[Order, ...]
) -> Typed:
    """`atomic_dec_and_test` and its kin: what is true of the value after."""
    after = _modifies(kind, "after", one, False, ("Full",), c, node, None, ())
    return Typed(c.asm.binary(test, after.operand, c.asm.constant(0)), INT)


def _add_unless(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    """`atomic_add_unless(place, value, unless)`: whether the value was added."""
    place = place_of(c, node)
    value, unless = (c.number(argument, place.type) for argument in node.arguments[1:])
    c.place(node.at)
    asm = c.asm
    result, end, fails = asm.register(), asm.label(), asm.label()
    guess = asm.choose(asm.constant(0), asm.constant(1))
    asm.jump_unless(guess, fails)
    _fence(c, "Mb")
    before = c.modify(place, Modify.ADD, value, Order.RLX, None, _tags("RMW", "Once", "Full"))
    _guessed(c, asm.binary(Binary.NE, before.operand, unless))
    _fence(c, "Mb")
    asm.copy(result, asm.binary(Binary.NE, before.operand, unless))
    asm.jump(end)
    asm.put(fails)
    seen = c.load(place, Order.RLX, None, _tags("RMW", "Once"))
    _guessed(c, asm.binary(Binary.EQ, seen.operand, unless))
    asm.copy(result, asm.binary(Binary.NE, seen.operand, unless))
    asm.put(end)
    return Typed(result, INT)


# Locks. What they read is settled by who holds the lock; nothing depends on it but what the lock itself orders.
def _place_of_lock(c: Values, node: Call) -> Typed:
    argument: Expression = node.arguments[0]
    if isinstance(argument, Unary) and argument.sign == "&":
        argument = argument.operand
    place = c.target(argument, node.name)
    if place.type.kind != "mutex":
        c.source.fail(argument.at, f"{node.name} needs a lock, not {place.type.name}", "a lock is a spinlock_t")
    c.place(node.at)
    return place


def _taken(c: Values, place: Typed) -> None:
    before = c.modify(place, Modify.EXCHANGE, c.asm.constant(1), Order.RLX, None, _tags("LKR", "LKW", "Acquire"))
    free = c.asm.binary(Binary.EQ, before.operand, c.asm.constant(0))
    _guessed(c, free)


def _lock(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    _taken(c, _place_of_lock(c, node))
    return _NOTHING


def _unlock(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    c.store(_place_of_lock(c, node), c.asm.constant(0), Order.RLX, _tags("UL", "Release"))
    return _NOTHING


def _trylock(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = _place_of_lock(c, node)
    asm = c.asm
    result, fails, end = asm.register(), asm.label(), asm.label()
    guess = asm.choose(asm.constant(0), asm.constant(1))
    asm.jump_unless(guess, fails)
    _taken(c, place)
    asm.copy(result, asm.constant(1))
    asm.jump(end)
    asm.put(fails)
    _guessed(c, c.load(place, Order.RLX, None, _tags("LF")).operand)
    asm.copy(result, asm.constant(0))
    asm.put(end)
    return Typed(result, INT)


def _is_locked(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = _place_of_lock(c, node)
    asm = c.asm
    result, free, end = asm.register(), asm.label(), asm.label()
    guess = asm.choose(asm.constant(0), asm.constant(1))
    asm.jump_unless(guess, free)
    seen = c.load(place, Order.RLX, result, _tags("RL"))
    _guessed(c, seen.operand)
    asm.jump(end)
    asm.put(free)
    seen = c.load(place, Order.RLX, result, _tags("RU"))
    _guessed(c, asm.binary(Binary.EQ, seen.operand, asm.constant(0)))
    asm.put(end)
    return Typed(result, INT)


# Sleepable RCU: a read and a write of the structure's location, and a grace period as a fence of it.
def _srcu_lock(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = c.target(node.arguments[0], node.name)
    c.place(node.at)
    return c.load(place, Order.RLX, into, _tags("Srcu-lock"))


def _srcu_unlock(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = c.target(node.arguments[0], node.name)
    operand = c.number(node.arguments[1], place.type)
    c.place(node.at)
    c.store(place, operand, Order.RLX, _tags("Srcu-unlock"))
    return _NOTHING


def _srcu_grace(c: Values, node: Call, into: int | None, _: tuple[Order, ...]) -> Typed:
    place = c.target(node.arguments[0], node.name)
    c.place(node.at)
    c.asm.emit(Opcode.FENCE, b=place.operand, width=place.type.width, tags=_tags("Sync-srcu"))
    return _NOTHING


def _accesses() -> dict[str, Operation]:
    place, value = partial(_load, place_of), partial(_store, place_of)
    return {
        "READ_ONCE": Operation(partial(_load, lvalue, ("Once",)), 1),
        "WRITE_ONCE": Operation(partial(_store, lvalue, ("Once",), ()), 2),
        "smp_store_mb": Operation(partial(_store, lvalue, ("Once",), ("Mb",)), 2),
        "rcu_dereference": Operation(partial(_load, lvalue, ("Once",)), 1),
        "lockless_dereference": Operation(partial(_load, lvalue, ("Once",)), 1),
        "smp_read_barrier_depends": Operation(_nothing, 0),
        "rcu_assign_pointer": Operation(partial(_store, lvalue, ("Release",), ()), 2),
        "smp_load_acquire": Operation(partial(place, ("Acquire",)), 1),
        "smp_store_release": Operation(partial(value, ("Release",), ()), 2),
        "atomic_read": Operation(partial(place, ("Once",)), 1),
        "atomic_set": Operation(partial(value, ("Once",), ()), 2),
        "atomic_read_acquire": Operation(partial(place, ("Acquire",)), 1),
        "atomic_set_release": Operation(partial(value, ("Release",), ()), 2),
    }


_FENCES = {
    "smp_mb": "Mb",
    "smp_rmb": "Rmb",
    "smp_wmb": "Wmb",
    "smp_mb__before_atomic": "Before-atomic",
    "smp_mb__after_atomic": "After-atomic",
    "smp_mb__after_spinlock": "After-spinlock",
    "smp_mb__after_unlock_lock": "After-unlock-lock",
    "smp_mb__after_srcu_read_unlock": "After-srcu-read-unlock",
    "barrier": "Barrier",
    "rcu_read_lock": "Rcu-lock",
    "rcu_read_unlock": "Rcu-unlock",
    "synchronize_rcu": "Sync-rcu",
    "synchronize_rcu_expedited": "Sync-rcu",
}


def _atomics() -> dict[str, Operation]:
    out: dict[str, Operation] = {}
    for suffix, tags in _ORDERS.items():
        for prefix in ("", "atomic_"):
            out[f"{prefix}xchg{suffix}"] = Operation(partial(_exchange, tags), 2)
            out[f"{prefix}cmpxchg{suffix}"] = Operation(partial(_compare_exchange, tags), 3)
        for name, kind in _MODIFY.items():
            out[f"atomic_{name}_return{suffix}"] = Operation(partial(_modifies, kind, "after", False, False, tags), 2)
            out[f"atomic_fetch_{name}{suffix}"] = Operation(partial(_modifies, kind, "before", False, False, tags), 2)
        out[f"atomic_fetch_andnot{suffix}"] = Operation(partial(_modifies, Modify.AND, "before", False, True, tags), 2)
        for name, kind in (("inc", Modify.ADD), ("dec", Modify.SUB)):
            out[f"atomic_{name}_return{suffix}"] = Operation(partial(_modifies, kind, "after", True, False, tags), 1)
            out[f"atomic_fetch_{name}{suffix}"] = Operation(partial(_modifies, kind, "before", True, False, tags), 1)
    for name, kind in _MODIFY.items():
        out[f"atomic_{name}"] = Operation(partial(_modifies, kind, "nothing", False, False, ()), 2)
    out["atomic_andnot"] = Operation(partial(_modifies, Modify.AND, "nothing", False, True, ()), 2)
    for name, kind in (("inc", Modify.ADD), ("dec", Modify.SUB)):
        out[f"atomic_{name}"] = Operation(partial(_modifies, kind, "nothing", True, False, ()), 1)
        out[f"atomic_{name}_and_test"] = Operation(partial(_tested, kind, True, Binary.EQ), 1)
    out["atomic_sub_and_test"] = Operation(partial(_tested, Modify.SUB, False, Binary.EQ), 2)
    out["atomic_add_negative"] = Operation(partial(_tested, Modify.ADD, False, Binary.LT), 2)
    out["atomic_add_unless"] = Operation(_add_unless, 3)
    return out


KERNEL: dict[str, Operation] = {
    **_accesses(),
    **{name: Operation(partial(_fences, (tag,)), 0) for name, tag in _FENCES.items()},
    **_atomics(),
    "spin_lock": Operation(_lock, 1),
    "spin_unlock": Operation(_unlock, 1),
    "spin_trylock": Operation(_trylock, 1),
    "spin_is_locked": Operation(_is_locked, 1),
    "srcu_read_lock": Operation(_srcu_lock, 1),
    "srcu_down_read": Operation(_srcu_lock, 1),
    "srcu_read_unlock": Operation(_srcu_unlock, 2),
    "srcu_up_read": Operation(_srcu_unlock, 2),
    "synchronize_srcu": Operation(_srcu_grace, 1),
    "synchronize_srcu_expedited": Operation(_srcu_grace, 1),
}
