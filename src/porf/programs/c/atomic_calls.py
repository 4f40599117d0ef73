"""Atomic accesses that the compiler leaves to its library, since it does not know how data is aligned."""

from __future__ import annotations

from collections.abc import Callable

from porf.execution import Order
from porf.programs.c import ir
from porf.programs.c.events import exchange
from porf.programs.c.frame import Frame
from porf.programs.c.threads import argument
from porf.programs.form import WIDTHS, Modify

ORDERS = (Order.RLX, Order.ACQ, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)  # by C's numbers; 1 is consume


def width_of(frame: Frame, i: ir.Instruction) -> int:
    """The first argument: how many bytes."""
    size = frame.number(i.operands[0])
    if size not in WIDTHS:
        raise frame.unsupported(f"an atomic access of {size} bytes", "accesses of 1, 2, 4 and 8 bytes are supported")
    assert size is not None
    return size


def order_of(frame: Frame, i: ir.Instruction, index: int) -> Order:
    number = frame.number(i.operands[index])
    if number is None or not 0 <= number < len(ORDERS):
        raise frame.unsupported("an atomic access whose order is not a constant")
    return ORDERS[number]


def load(frame: Frame, i: ir.Instruction) -> None:
    width = width_of(frame, i)
    value = frame.code.load(argument(frame, i, 1), width, order_of(frame, i, 3))
    frame.code.store(argument(frame, i, 2), value, width)


def store(frame: Frame, i: ir.Instruction) -> None:
    width = width_of(frame, i)
    value = frame.code.load(argument(frame, i, 2), width)
    frame.code.store(argument(frame, i, 1), value, width, order_of(frame, i, 3))


def swap(frame: Frame, i: ir.Instruction) -> None:
    width = width_of(frame, i)
    value = frame.code.load(argument(frame, i, 2), width)
    old = frame.code.modify(Modify.EXCHANGE, argument(frame, i, 1), value, width, order_of(frame, i, 4))
    frame.code.store(argument(frame, i, 3), old, width)


def compare_exchange(frame: Frame, i: ir.Instruction) -> None:
    """What was there goes to where the expected value stands, if that was another one."""
    width, code = width_of(frame, i), frame.code
    place, expected = argument(frame, i, 1), argument(frame, i, 2)
    old_value, new = code.load(expected, width), code.load(argument(frame, i, 3), width)
    orders = order_of(frame, i, 4), order_of(frame, i, 5)
    old, done = exchange(code, place, old_value, new, width, *orders)
    end = code.label()
    code.jump_if(done, end)
    code.store(expected, old, width)
    code.put(end)
    frame.set_one(i, done)


TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    "__atomic_load": load,
    "__atomic_store": store,
    "__atomic_exchange": swap,
    "__atomic_compare_exchange": compare_exchange,
}
