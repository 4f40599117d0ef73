"""The functions that a thread may call, each with its arguments, the orders it can have, and its instructions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from porf._core import Order
from porf.errors import nearest
from porf.programs.form import Modify
from porf.programs.litmus.c.arithmetic import Typed
from porf.programs.litmus.c.syntax import Call, Expression, Name, Unary
from porf.programs.litmus.kinds import BOOL, INT, VOID
from porf.record import Record

if TYPE_CHECKING:
    from porf.programs.litmus.c.values import Values

# Nobody implements consume as it is meant; compilers, and so this reader, make it acquire.
ORDERS = {
    "memory_order_relaxed": Order.RLX,
    "memory_order_consume": Order.ACQ,
    "memory_order_acquire": Order.ACQ,
    "memory_order_release": Order.REL,
    "memory_order_acq_rel": Order.ACQ_REL,
    "memory_order_seq_cst": Order.SC,
}
_LOAD = (Order.RLX, Order.ACQ, Order.SC)
_STORE = (Order.RLX, Order.REL, Order.SC)
_ANY = (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)
_NOTHING = Typed(0, VOID)

Handler = Callable[["Values", Call, int | None, tuple[Order, ...]], Typed]


class Operation(Record):
    """A function. Its arguments are `values`, then an order for each of `allowed`, unless they are `fixed`."""

    handler: Handler
    values: int
    allowed: tuple[tuple[Order, ...], ...] = ()
    fixed: tuple[Order, ...] | None = None
    role: str = ""  # what an order is the order of, in messages


def call(c: Values, node: Call, into: int | None) -> Typed:
    """Emits a call."""
    operation = c.operations.get(node.name)
    if operation is None:
        known = nearest(node.name, c.operations)
        hint = known or "the known functions are those of <stdatomic.h>, mutexes, assert, assume, and some from Linux"
        c.source.fail(node.at, f"the function '{node.name}' is not known", hint, len(node.name))
    wanted = operation.values + (len(operation.allowed) if operation.fixed is None else 0)
    if len(node.arguments) != wanted:
        some = "1 argument" if wanted == 1 else f"{wanted or 'no'} arguments"
        c.source.fail(node.at, f"{node.name} takes {some}, not {len(node.arguments)}", None, len(node.name))
    orders = operation.fixed if operation.fixed is not None else _orders(c, node, operation)
    return operation.handler(c, node, into, orders)


def _orders(c: Values, node: Call, operation: Operation) -> tuple[Order, ...]:
    out = []
    for argument, allowed in zip(node.arguments[operation.values :], operation.allowed, strict=True):
        name = argument.name if isinstance(argument, Name) else ""
        if name not in ORDERS:
            hint = nearest(name, ORDERS) or f"orders are {', '.join(ORDERS)}"
            c.source.fail(argument.at, "this is not a memory order", hint, max(1, len(name)))
        if ORDERS[name] not in allowed:
            is_failure = operation.values + 1 < len(node.arguments) and argument is node.arguments[-1]
            what = "a compare-exchange that fails" if is_failure else operation.role
            names = ", ".join(n for n, order in ORDERS.items() if order in allowed)
            c.source.fail(argument.at, f"{what} cannot be {name[13:]}", f"it can be {names}", len(name))
        out.append(ORDERS[name])
    return tuple(out)


def place_of(c: Values, node: Call, what: int = 0) -> Typed:
    """Emits the argument that points to a number or a pointer in shared memory."""
    argument = node.arguments[what]
    if isinstance(argument, Unary) and argument.sign == "&" and isinstance(argument.operand, Name):
        name = argument.operand.name
        if name in c.parameters:
            message = f"'{name}' is already a pointer, and &{name} is another"
            c.source.fail(argument.at, message, f"write {name}", len(name) + 1)
    place = c.target(argument, node.name)
    if not (place.type.is_number or place.type.kind == "pointer"):
        c.source.fail(argument.at, f"{node.name} needs a pointer to a number, not to {place.type.name}")
    return place


def lvalue(c: Values, node: Call) -> Typed:
    """Emits the address of the first argument, which is `*x`, as Linux has it."""
    argument = node.arguments[0]
    if not (isinstance(argument, Unary) and argument.sign == "*"):
        c.source.fail(
            argument.at, f"{node.name} needs a shared location, not a pointer to it", f"write {node.name}(*x)"
        )
    return c.plain(argument)


Where = Callable[["Values", Call], Typed]


def _load(where: Where, c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = where(c, node)
    c.place(node.at)
    return c.load(place, orders[0], into)


def _store(where: Where, c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = where(c, node)
    operand = c.number(node.arguments[1], place.type)
    c.place(node.at)
    c.store(place, operand, orders[0])
    return _NOTHING


def _modify(kind: Modify, c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = place_of(c, node)
    if kind is not Modify.EXCHANGE and place.type.kind != "integer":
        c.source.fail(node.at, f"{node.name} needs an integer in memory, not {place.type.name}", None, len(node.name))
    operand = c.number(node.arguments[1], place.type)
    c.place(node.at)
    return c.modify(place, kind, operand, orders[0], into)


def _compare_exchange(weak: bool, c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    """The expected value is read from, and on failure written to, a local variable or a plain shared location."""
    place = place_of(c, node)
    argument = node.arguments[1]
    local = _local(c, argument)
    if local is not None:
        variable = c.variable(local)
        expected = c.convert(argument.at, c.value(local), place.type)
    else:
        shared = place_of(c, node, 1)
        plain = Order.SC if shared.type.atomic else Order.NA
        c.place(argument.at)
        expected = c.convert(argument.at, c.load(shared, plain), place.type)
    desired = c.number(node.arguments[2], place.type)
    success_order, failure_order = orders
    c.place(node.at)
    found, success = c.asm.compare_exchange(
        place.operand, expected, desired, place.type.width, (success_order, failure_order), place.type.signed, weak
    )
    if local is not None:  # on success, this changes nothing
        c.settle(variable, argument.at, Typed(found, place.type))
    else:
        end = c.asm.label()
        c.asm.jump_if(success, end)
        c.store(shared, c.convert(argument.at, Typed(found, place.type), shared.type), plain)
        c.asm.put(end)
    return Typed(success, INT)


def _local(c: Values, argument: Expression) -> Name | None:
    """The local variable r of an argument &r."""
    if isinstance(argument, Unary) and argument.sign == "&" and isinstance(argument.operand, Name):
        return argument.operand if argument.operand.name not in c.parameters else None
    return None


def _fence(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    c.place(node.at)
    if orders[0] is not Order.RLX:  # C says that such a fence has no effect
        c.asm.fence(orders[0])
    return _NOTHING


def _test_and_set(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = place_of(c, node)
    c.place(node.at)
    return Typed(c.modify(place, Modify.EXCHANGE, c.constant(1).operand, orders[0], into).operand, BOOL)


def _clear(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = place_of(c, node)
    c.place(node.at)
    c.store(place, c.constant(0).operand, orders[0])
    return _NOTHING


def _mutex(c: Values, node: Call) -> Typed:
    """Emits the argument that points to a mutex."""
    argument = node.arguments[0]
    if isinstance(argument, Unary) and argument.sign == "&" and isinstance(argument.operand, Name):
        argument = argument.operand  # the usual way to write it where the mutex is no parameter
    place = c.target(argument, node.name)
    if place.type.kind != "mutex":
        hint = "mutexes are pthread_mutex_t, mtx_t, mutex_t and spinlock_t"
        c.source.fail(argument.at, f"{node.name} needs a mutex, not {place.type.name}", hint)
    c.place(node.at)
    return place


def _lock(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = _mutex(c, node)
    c.asm.lock(place.operand, place.type.width)
    return c.constant(0)


def _unlock(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = _mutex(c, node)
    c.asm.unlock(place.operand, place.type.width)
    return c.constant(0)


def _trylock(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    place = _mutex(c, node)
    return Typed(c.asm.trylock(place.operand, place.type.width, into), INT)


def _trylock_fails(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    """POSIX and C11: 0 if the mutex was taken."""
    return c.unary(node.at, "!", _trylock(c, node, None, orders), into)


def _assume(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    operand = c.scalar(node.arguments[0]).operand
    c.place(node.at)
    c.asm.assume(operand)
    return _NOTHING


def _assert(c: Values, node: Call, into: int | None, orders: tuple[Order, ...]) -> Typed:
    operand = c.scalar(node.arguments[0]).operand
    c.place(node.at)
    c.asm.check(operand, len(c.messages))
    c.messages.append(f"{c.asm.name}: assertion failed: {_text(c, node)}")
    return _NOTHING


def _text(c: Values, node: Call) -> str:
    """The call as it is written, up to the parenthesis that closes it."""
    depth = 0
    for end in range(node.at, len(c.source.text)):
        depth += {"(": 1, ")": -1}.get(c.source.text[end], 0)
        if depth == 0 and c.source.text[end] == ")":
            break
    return " ".join(c.source.text[node.at : end + 1].split())


def _standard() -> dict[str, Operation]:
    """<stdatomic.h>: each function without orders is seq_cst, and has a form with them."""
    explicit = {
        "atomic_load": Operation(partial(_load, place_of), 1, (_LOAD,), role="a load"),
        "atomic_store": Operation(partial(_store, place_of), 2, (_STORE,), role="a store"),
        "atomic_flag_test_and_set": Operation(_test_and_set, 1, (_ANY,)),
        "atomic_flag_clear": Operation(_clear, 1, (_STORE,), role="a store"),
    }
    for weak in ("weak", "strong"):
        handler = partial(_compare_exchange, weak == "weak")
        explicit[f"atomic_compare_exchange_{weak}"] = Operation(handler, 3, (_ANY, _LOAD))
    for name, kind in (
        ("exchange", Modify.EXCHANGE),
        ("fetch_add", Modify.ADD),
        ("fetch_sub", Modify.SUB),
        ("fetch_or", Modify.OR),
        ("fetch_and", Modify.AND),
        ("fetch_xor", Modify.XOR),
    ):
        explicit[f"atomic_{name}"] = Operation(partial(_modify, kind), 2, (_ANY,))
    out = {f"{name}_explicit": operation for name, operation in explicit.items()}
    for name, o in explicit.items():
        out[name] = Operation(o.handler, o.values, o.allowed, (Order.SC,) * len(o.allowed))
    out["atomic_thread_fence"] = Operation(_fence, 0, (_ANY,))
    out["atomic_init"] = Operation(partial(_store, place_of), 2, fixed=(Order.NA,))
    return out


def _linux() -> dict[str, Operation]:
    """Linux's names for what C has too; fences are the nearest of C's."""
    return {
        "READ_ONCE": Operation(partial(_load, lvalue), 1, fixed=(Order.RLX,)),
        "WRITE_ONCE": Operation(partial(_store, lvalue), 2, fixed=(Order.RLX,)),
        "rcu_dereference": Operation(partial(_load, lvalue), 1, fixed=(Order.ACQ,)),
        "rcu_assign_pointer": Operation(partial(_store, lvalue), 2, fixed=(Order.REL,)),
        "smp_load_acquire": Operation(partial(_load, place_of), 1, fixed=(Order.ACQ,)),
        "smp_store_release": Operation(partial(_store, place_of), 2, fixed=(Order.REL,)),
        "smp_mb": Operation(_fence, 0, fixed=(Order.SC,)),
        "smp_rmb": Operation(_fence, 0, fixed=(Order.ACQ,)),
        "smp_wmb": Operation(_fence, 0, fixed=(Order.REL,)),
        "xchg_relaxed": Operation(partial(_modify, Modify.EXCHANGE), 2, fixed=(Order.RLX,)),
        "xchg_acquire": Operation(partial(_modify, Modify.EXCHANGE), 2, fixed=(Order.ACQ,)),
        "xchg_release": Operation(partial(_modify, Modify.EXCHANGE), 2, fixed=(Order.REL,)),
    }


def _mutexes() -> dict[str, Operation]:
    prefixes = ("", "pthread_mutex_", "mtx_", "mutex_", "spin_")
    out = {f"{prefix}lock": Operation(_lock, 1, fixed=()) for prefix in prefixes}
    out |= {f"{prefix}unlock": Operation(_unlock, 1, fixed=()) for prefix in prefixes}
    for name in ("pthread_mutex_trylock", "mtx_trylock"):
        out[name] = Operation(_trylock_fails, 1, fixed=())
    for name in ("trylock", "mutex_trylock", "spin_trylock"):
        out[name] = Operation(_trylock, 1, fixed=())
    return out


OPERATIONS: dict[str, Operation] = {
    **_standard(),
    **_linux(),
    **_mutexes(),
    "assert": Operation(_assert, 1, fixed=()),
    "assume": Operation(_assume, 1, fixed=()),
    "__VERIFIER_assume": Operation(_assume, 1, fixed=()),
}
