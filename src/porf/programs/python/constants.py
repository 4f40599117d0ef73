"""Expressions that are known when the program is compiled: names from outside, and what Python makes of them."""

import ast
import operator
from collections.abc import Callable
from typing import Any

from porf.programs.python.frame import Frame
from porf.programs.python.shared import Shared, SharedArray
from porf.programs.python.values import Known

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}

# Functions of Python that may be applied to what is known.
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    len: len,
    min: min,
    max: max,
    sum: sum,
    abs: abs,
    int: int,
    bool: bool,
    tuple: tuple,
    list: list,
    sorted: sorted,
    enumerate: lambda items: list(enumerate(items)),
    zip: lambda *items: list(zip(*items, strict=False)),
    reversed: lambda items: list(items)[::-1],
}


def constant(frame: Frame, node: ast.expr) -> Known | None:
    """What the expression is, if no part of it hangs on what a thread does."""
    match node:
        case ast.Constant():
            return Known(node.value)
        case ast.Name():
            return name(frame, node)
        case ast.Tuple():
            items = [constant(frame, e) for e in node.elts]
            return Known(tuple(i.value for i in items if i)) if all(items) else None
        case ast.Attribute():
            return attribute(frame, node)
        case ast.Subscript():
            return apply(frame, node, operator.getitem, node.value, node.slice, shared=True)
        case ast.BinOp() if type(node.op) in BINARY:
            return apply(frame, node, BINARY[type(node.op)], node.left, node.right)
        case ast.UnaryOp():
            return apply(frame, node, UNARY[type(node.op)], node.operand)
        case ast.Compare(ops=[op]):
            return apply(frame, node, COMPARE[type(op)], node.left, node.comparators[0])
        case ast.BoolOp():
            return boolean(frame, node)
        case ast.IfExp():
            test = constant(frame, node.test)
            return constant(frame, node.body if truth(frame, node.test, test) else node.orelse) if test else None
        case ast.Call(func=ast.Name() as called, keywords=[]):
            function = name(frame, called)
            if function is not None and callable(function.value) and function.value in FUNCTIONS:
                return apply(frame, node, FUNCTIONS[function.value], *node.args, shared=True)
    return None


def name(frame: Frame, node: ast.Name) -> Known | None:
    if not frame.is_local(node.id):
        return Known(frame.source.known_name(node))
    bound = frame.bound.get(node.id)
    return bound if isinstance(bound, Known) else None


def attribute(frame: Frame, node: ast.Attribute) -> Known | None:
    known = constant(frame, node.value)
    if known is None or isinstance(known.value, Shared):
        return None
    try:
        return Known(getattr(known.value, node.attr))
    except AttributeError as error:
        raise frame.error(node, str(error)) from None


def boolean(frame: Frame, node: ast.BoolOp) -> Known | None:
    """Known as soon as one of its parts decides, and all before it are known."""
    decides = isinstance(node.op, ast.Or)
    known = None
    for part in node.values:
        known = constant(frame, part)
        if known is None or truth(frame, part, known) is decides:
            return known
    return known


def truth(frame: Frame, node: ast.expr, known: Known | None) -> bool:
    """Whether Python takes it for true; a shared object has no truth of its own."""
    if known is None:
        return False
    refuse_shared(frame, node, known)
    if callable(known.value):
        raise frame.error(node, f"'{ast.unparse(node)}' is a function", "call it with '(…)'")
    return bool(known.value)


def refuse_shared(frame: Frame, node: ast.AST, known: Known) -> None:
    if isinstance(known.value, SharedArray):
        text = ast.unparse(node)
        raise frame.error(
            node, f"'{text}' is a shared array, not a number", f"its elements are {text}[0], {text}[1], …"
        )
    if isinstance(known.value, Shared):
        text = ast.unparse(node)
        raise frame.error(node, f"'{text}' is a shared object, not a number", f"its value is {text}.load(order)")


def apply(
    frame: Frame, node: ast.expr, function: Callable[..., Any], *parts: ast.expr, shared: bool = False
) -> Known | None:
    values = [constant(frame, part) for part in parts]
    if not shared:
        for part, value in zip(parts, values, strict=True):
            if value is not None:
                refuse_shared(frame, part, value)
    known = [v for v in values if v is not None]
    return apply_values(frame, node, function, *known) if len(known) == len(parts) else None


def apply_values(frame: Frame, node: ast.expr, function: Callable[..., Any], *values: Known) -> Known:
    try:
        return Known(function(*(v.value for v in values)))
    except (TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise frame.error(node, str(error)) from None
