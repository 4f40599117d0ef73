"""Operations on shared cells: which there are, which orders they can have, and their instructions."""

import ast
from collections.abc import Sequence

from porf._core import Order
from porf.errors import nearest
from porf.programs.form import Modify, Unary
from porf.programs.python.constants import constant
from porf.programs.python.expressions import as_number, kept, number, reference, value
from porf.programs.python.frame import Frame
from porf.programs.python.shared import CellType, SharedArray
from porf.programs.python.values import Handle, Known, Number, Pair, Reference, Value
from porf.programs.python.words import ORDER_WORDS

LOAD = (Order.RLX, Order.ACQ, Order.SC)
STORE = (Order.RLX, Order.REL, Order.SC)
UPDATE = (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)
FENCE = (Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC)

UPDATES = {
    "exchange": Modify.EXCHANGE,
    "fetch_add": Modify.ADD,
    "fetch_sub": Modify.SUB,
    "fetch_and": Modify.AND,
    "fetch_or": Modify.OR,
    "fetch_xor": Modify.XOR,
    "fetch_min": Modify.MIN,
    "fetch_max": Modify.MAX,
}
EXCHANGES = ("compare_exchange", "compare_exchange_weak")
METHODS = {
    "atomic": ("load", "store", *EXCHANGES, *UPDATES),
    "plain": ("load", "store", "value"),
    "mutex": ("lock", "unlock", "trylock"),
}


def bind(
    frame: Frame, call: ast.Call, name: str, parameters: Sequence[str], required: int, hint: str | None = None
) -> dict[str, ast.expr]:
    """Which argument of a call is which parameter."""
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            raise frame.error(argument, "starred arguments are not supported in threads", "write them one by one")
    bound = dict(zip(parameters, call.args, strict=False))
    for keyword in call.keywords:
        parameter = keyword.arg or "**"
        if parameter not in parameters:
            raise frame.error(keyword, f"'{name}' has no parameter '{parameter}'", nearest(parameter, parameters))
        if parameter in bound:
            raise frame.error(keyword, f"'{parameter}' is given twice")
        bound[parameter] = keyword.value
    given = len(call.args) + len(call.keywords)
    missing = [p for p in parameters[:required] if p not in bound]
    if len(call.args) > len(parameters) or missing:
        most = len(parameters)
        count = f"{most}" if required == most else f"{required} to {most}"
        names = f" ({', '.join(parameters)})" if parameters else ""
        plural = "" if count == "1" else "s"
        raise frame.error(call, f"'{name}' takes {count} argument{plural}{names}, not {given}", hint)
    return bound


def order_of(
    frame: Frame, node: ast.expr | None, operation: str, allowed: Sequence[Order], default: Order = Order.SC
) -> Order:
    """The order that is written there, if the operation can have it."""
    if node is None:
        return default
    known = constant(frame, node)
    words = ", ".join(ORDER_WORDS[o] for o in allowed)
    if known is None or not isinstance(known.value, Order) or known.value not in ORDER_WORDS:
        raise frame.error(node, f"'{ast.unparse(node)}' is not an order", f"the orders are {words}")
    if known.value not in allowed:
        hint = f"it can be {words}"
        if operation == "fence":
            hint += "; a relaxed fence would do nothing"
        raise frame.error(node, f"a {operation} cannot be {ORDER_WORDS[known.value]}", hint)
    return known.value


def method(frame: Frame, node: ast.Call, func: ast.Attribute, into: int | None) -> Value | None:
    """A call of a method of a shared cell, or of a thread."""
    receiver = value(frame, func.value)
    name = func.attr
    if isinstance(receiver, Handle):
        if name != "join":
            raise frame.error(func, f"a thread has no '{name}'", "wait for it with join()")
        bind(frame, node, name, (), 0)
        return wait(frame, receiver.operand, into)
    cell = reference(frame, func.value, receiver)
    if cell is None:
        raise no_cell(frame, func, receiver)
    frame.at(node)
    if name not in METHODS[cell.type.kind] or name == "value":
        raise no_method(frame, func, cell.type)
    if cell.type.kind == "mutex":
        return mutex(frame, node, name, cell)
    if name == "load":
        return load(frame, node, cell, into)
    if name == "store":
        store(frame, node, cell)
        return None
    return update(frame, node, name, cell, into) if name in UPDATES else exchange(frame, node, name, cell)


def no_cell(frame: Frame, func: ast.Attribute, receiver: Value) -> Exception:
    text = ast.unparse(func.value)
    if isinstance(receiver, Known) and isinstance(receiver.value, SharedArray):
        return frame.error(func.value, f"'{text}' is an array", f"write {text}[i].{func.attr}(…)")
    return frame.error(func.value, f"'{text}' is a number and has no '{func.attr}'", "only shared objects have methods")


def no_method(frame: Frame, func: ast.Attribute, type: CellType) -> Exception:
    text, name = ast.unparse(func.value), func.attr
    known = METHODS[type.kind]
    if type.kind == "plain" and name in METHODS["atomic"]:
        return frame.error(func, f"'{text}' is plain: it has no '{name}'", "declare it with p.int to make it atomic")
    if name == "value":
        return frame.error(func, f"'{text}' is atomic: it has no 'value'", f"write {text}.load(order), {text}.store(…)")
    return frame.error(func, f"'{text}' has no '{name}'", nearest(name, known) or f"it has {', '.join(known)}")


def load(frame: Frame, node: ast.Call | ast.Attribute, cell: Reference, into: int | None) -> Number:
    order = Order.NA
    if isinstance(node, ast.Call):
        parameters = ("order",) if cell.type.kind == "atomic" else ()
        bound = bind(frame, node, "load", parameters, 0, None if parameters else "a plain access has no order")
        if parameters:
            order = order_of(frame, bound.get("order"), "load", LOAD)
    frame.at(node)
    return Number(frame.asm.load(cell.operand, cell.type.width, order, cell.type.signed, into=into))


def store(frame: Frame, node: ast.Call, cell: Reference) -> None:
    atomic = cell.type.kind == "atomic"
    parameters = ("value", "order") if atomic else ("value",)
    bound = bind(frame, node, "store", parameters, 1, None if atomic else "a plain access has no order")
    order = order_of(frame, bound.get("order"), "store", STORE) if atomic else Order.NA
    put(frame, node, cell, fitted(frame, bound["value"], cell.type), order)


def put(frame: Frame, node: ast.AST, cell: Reference, operand: int, order: Order = Order.NA) -> None:
    frame.at(node)
    frame.asm.store(cell.operand, operand, cell.type.width, order, cell.type.signed)


def update(frame: Frame, node: ast.Call, name: str, cell: Reference, into: int | None) -> Number:
    bound = bind(frame, node, name, ("value", "order"), 1)
    order = order_of(frame, bound.get("order"), name, UPDATE)
    operand = fitted(frame, bound["value"], cell.type)
    into = None if into in (operand, cell.operand) else into
    frame.at(node)
    width, signed = cell.type.width, cell.type.signed
    return Number(frame.asm.modify(UPDATES[name], cell.operand, operand, width, order, signed, into))


def exchange(frame: Frame, node: ast.Call, name: str, cell: Reference) -> Pair:
    bound = bind(frame, node, name, ("expected", "desired", "order", "failure_order"), 2)
    order = order_of(frame, bound.get("order"), name, UPDATE)
    weaker = {Order.ACQ_REL: Order.ACQ, Order.REL: Order.RLX}.get(order, order)
    failure = order_of(frame, bound.get("failure_order"), f"{name} that fails", LOAD, weaker)
    expected = kept(frame, fitted(frame, bound["expected"], cell.type))
    desired = fitted(frame, bound["desired"], cell.type)
    frame.at(node)
    width, signed, weak = cell.type.width, cell.type.signed, name.endswith("weak")
    old, written = frame.asm.compare_exchange(cell.operand, expected, desired, width, (order, failure), signed, weak)
    return Pair(Number(written), Number(old))


def mutex(frame: Frame, node: ast.Call, name: str, cell: Reference) -> Number | None:
    bind(frame, node, name, (), 0)
    if name == "trylock":
        return Number(frame.asm.trylock(cell.operand, cell.type.width))
    (frame.asm.lock if name == "lock" else frame.asm.unlock)(cell.operand, cell.type.width)
    return None


def wait(frame: Frame, operand: int, into: int | None) -> Number:
    return Number(frame.asm.join(operand, into))


def attribute(frame: Frame, node: ast.Attribute, into: int | None) -> Number:
    """`d.value`, as it is read."""
    cell = plain_cell(frame, node)
    return load(frame, node, cell, into)


def plain_cell(frame: Frame, node: ast.Attribute) -> Reference:
    """The cell of `d.value`."""
    receiver = value(frame, node.value)
    cell = reference(frame, node.value, receiver)
    if cell is None:
        raise no_cell(frame, node, receiver)
    if cell.type.kind == "plain" and node.attr == "value":
        return cell
    if node.attr in METHODS[cell.type.kind]:
        raise frame.error(node, f"'{node.attr}' is not called here", f"write {ast.unparse(node)}(…)")
    raise no_method(frame, node, cell.type)


def fitted(frame: Frame, node: ast.expr, type: CellType) -> int:
    """An operand as a cell of this type would keep it."""
    result = value(frame, node)
    if isinstance(result, Known) and result.integer is not None:
        as_number(frame, node, result)
        return frame.asm.constant(type.wrap(result.integer))
    operand = as_number(frame, node, result)
    return operand if type.width == 8 else frame.asm.unary(Unary.WRAP, operand, type.width, type.signed)


def fence(frame: Frame, node: ast.Call) -> None:
    bound = bind(frame, node, "fence", ("order",), 0)
    frame.asm.fence(order_of(frame, bound.get("order"), "fence", FENCE))


def assume(frame: Frame, node: ast.Call) -> None:
    operand = number(frame, bind(frame, node, "assume", ("condition",), 1)["condition"])
    frame.at(node)
    frame.asm.assume(operand)
