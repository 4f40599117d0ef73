"""Atomic accesses that the compiler leaves to its library, because it does not know how data is aligned."""

from porf.execution import Order
from porf.programs.c.events import check_width
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


@function("__atomic_load")
def load(call: Call) -> None:
    width = width_of(call)
    value = call.code.load(call.argument(1), width, order_of(call, 3))
    call.code.store(call.argument(2), value, width)


@function("__atomic_store")
def store(call: Call) -> None:
    width = width_of(call)
    value = call.code.load(call.argument(2), width)
    call.code.store(call.argument(1), value, width, order_of(call, 3))


@function("__atomic_exchange")
def swap(call: Call) -> None:
    width = width_of(call)
    value = call.code.load(call.argument(2), width)
    old = call.code.modify(Modify.EXCHANGE, call.argument(1), value, width, order_of(call, 4))
    call.code.store(call.argument(3), old, width)


@function("__atomic_compare_exchange")
def compare_exchange(call: Call) -> int:
    """What was there goes to where the expected value stands, if that was another one."""
    width, code = width_of(call), call.code
    place, expected = call.argument(1), call.argument(2)
    old_value, new = code.load(expected, width), code.load(call.argument(3), width)
    orders = order_of(call, 4), order_of(call, 5)
    old, done = code.compare_exchange(place, old_value, new, width, orders)
    end = code.label()
    code.jump_if(done, end)
    code.store(expected, old, width)
    code.put(end)
    return done
