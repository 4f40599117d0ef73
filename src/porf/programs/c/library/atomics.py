"""Atomic accesses that the compiler leaves to its library, because it does not know how data is aligned."""

from porf._core import Order
from porf.programs.c.events import check_width, halves, paired
from porf.programs.c.library.record import Call, function
from porf.programs.form import Modify

ORDERS = (Order.RLX, Order.ACQ, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)  # by C's numbers; 1 is consume


def width_of(call: Call) -> int:
    """The first argument: how many bytes."""
    return check_width(call.frame, call.number(0))


def order_of(call: Call, index: int) -> Order:
    number = call.number(index)
    if number is None or not 0 <= number < len(ORDERS):
        raise call.unsupported("an atomic access whose order is not a constant")
    return ORDERS[number]


def fetched(call: Call, pointer: int, width: int) -> int:
    """What an argument points to."""
    code = call.code
    if width < 16:
        return code.load(pointer, width)
    return paired(code, (code.load(pointer, 8), code.load(code.add(pointer, 8), 8)))


def put(call: Call, pointer: int, value: int, width: int) -> None:
    code = call.code
    parts = halves(code, value) if width == 16 else (value,)
    for n, part in enumerate(parts):
        code.store(code.add(pointer, 8 * n), part, min(width, 8))


@function("__atomic_load")
def load(call: Call) -> None:
    width = width_of(call)
    put(call, call.argument(2), call.code.load(call.argument(1), width, order_of(call, 3)), width)


@function("__atomic_store")
def store(call: Call) -> None:
    width = width_of(call)
    call.code.store(call.argument(1), fetched(call, call.argument(2), width), width, order_of(call, 3))


@function("__atomic_exchange")
def swap(call: Call) -> None:
    width = width_of(call)
    value = fetched(call, call.argument(2), width)
    put(
        call,
        call.argument(3),
        call.code.modify(Modify.EXCHANGE, call.argument(1), value, width, order_of(call, 4)),
        width,
    )


@function("__atomic_compare_exchange")
def compare_exchange(call: Call) -> int:
    new = fetched(call, call.argument(3), width_of(call))
    return compared(
        call, call.argument(1), call.argument(2), new, width_of(call), (order_of(call, 4), order_of(call, 5))
    )


def compared(call: Call, place: int, expected: int, new: int, width: int, orders: tuple[Order, Order]) -> int:
    """What was there goes to where the expected value stands, if that was another one."""
    code = call.code
    old, done = code.compare_exchange(place, fetched(call, expected, width), new, width, orders)
    end = code.label()
    code.jump_if(done, end)
    put(call, expected, old, width)
    code.put(end)
    return done


@function("__atomic_load_16")
def load_wide(call: Call) -> tuple[int, ...]:
    return halves(call.code, call.code.load(call.argument(0), 16, order_of(call, 1)))


@function("__atomic_store_16")
def store_wide(call: Call) -> None:
    call.code.store(call.argument(0), wide(call, 1), 16, order_of(call, 2))


@function("__atomic_exchange_16")
def swap_wide(call: Call) -> tuple[int, ...]:
    old = call.code.modify(Modify.EXCHANGE, call.argument(0), wide(call, 1), 16, order_of(call, 2))
    return halves(call.code, old)


@function("__atomic_compare_exchange_16")
def compare_exchange_wide(call: Call) -> int:
    orders = order_of(call, 3), order_of(call, 4)
    return compared(call, call.argument(0), call.argument(1), wide(call, 2), 16, orders)


def wide(call: Call, index: int) -> int:
    """An argument of 16 bytes."""
    return paired(call.code, call.frame.all(call.operands[index]))
