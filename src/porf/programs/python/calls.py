"""Calls in threads: the words of programs, a few functions of Python, and helper functions, written out in place."""

import ast
import builtins
import types
from collections.abc import Callable
from typing import Any

from porf.errors import nearest
from porf.programs.form import Binary, Unary
from porf.programs.python import operations, words
from porf.programs.python.constants import constant
from porf.programs.python.expressions import held, kept, number, numbers, reference, type_of, value
from porf.programs.python.frame import Frame, Result
from porf.programs.python.function import ThreadFunction
from porf.programs.python.operations import bind, wait
from porf.programs.python.shared import TYPES, CellType
from porf.programs.python.statements import block
from porf.programs.python.values import Handle, Known, Number, Reference, Value, is_passed, variable


def call(frame: Frame, node: ast.Call, into: int | None) -> Value | None:
    """Compiles a call; None if it has no value."""
    known = constant(frame, node.func)
    if known is None:
        if isinstance(node.func, ast.Attribute):
            return operations.method(frame, node, node.func, into)
        raise frame.error(node.func, f"'{ast.unparse(node.func)}' is not a function")
    function = known.value
    frame.at(node)
    if isinstance(function, ThreadFunction):
        return inline(frame, node, function)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, ThreadFunction):  # f.join()
        bind(frame, node, "join", (), 0)
        return wait_for_all(frame, node, owner, into)
    handler = HANDLERS.get(function) if callable(function) else None
    if handler is None:
        raise not_callable(frame, node, function)
    return handler(frame, node, into)


def not_callable(frame: Frame, node: ast.Call, function: object) -> Exception:
    text = ast.unparse(node.func)
    if function is builtins.print:
        return frame.error(node, "threads cannot print", "state what should hold with 'assert'")
    if isinstance(function, types.FunctionType):
        hint: str | None = f"decorate '{text}' with @p.function; its calls are inlined"
    else:
        hint = nearest(text, [f.__name__ for f in HANDLERS])
    return frame.error(node.func, f"'{text}' is not a function that threads can call", hint)


def inline(frame: Frame, node: ast.Call, function: ThreadFunction) -> Value | None:
    """A helper function, compiled again for this call."""
    name = function.__name__
    refuse_recursion(frame, node, function)
    if function.starts is not None:
        raise frame.error(node, f"'{name}' is a thread and cannot be called", "decorate helpers with @p.function")
    inner = Frame(frame.unit, function, frame)
    arguments = argument_values(frame, node, function)
    anew = {n.id for n in ast.walk(inner.source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for parameter, argument in arguments.items():
        if parameter not in anew:
            inner.bound[parameter] = argument
        else:
            type, operand = type_of(frame, node, argument)
            register = inner.set_type(node, parameter, type)
            inner.asm.copy(register, operand)
            inner.mark_set(parameter)
    inner.result = result = Result(frame.asm.label(), frame.asm.result())
    block(inner, inner.source.tree.body)
    frame.asm.put(result.leave)
    if inner.assigned is not None:
        result.valued.append(False)
    if result.type is None or not all(result.valued):
        return None
    return variable(result.type, result.register)


def refuse_recursion(frame: Frame, node: ast.Call, function: ThreadFunction) -> None:
    chain: Frame | None = frame
    while chain is not None:
        if chain.function is function:
            raise frame.error(
                node,
                f"recursion without bound: '{function.__name__}' calls itself"
                + ("" if frame.function is function else f" through '{frame.source.name}'"),
                "write a loop; a program with recursion has no bound that is known in advance",
            )
        chain = chain.parent


def argument_values(frame: Frame, node: ast.Call, function: ThreadFunction) -> dict[str, Value]:
    """What each parameter is, from left to right; defaults as Python computed them."""
    parameters, defaults = function.parameters, function.defaults
    required = len([p for p in parameters if p not in defaults])
    bound = bind(frame, node, function.__name__, parameters, required)
    sets = any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))
    given = {p: value(frame, a) if not sets else held(frame, value(frame, a)) for p, a in bound.items()}
    return {p: given[p] if p in given else Known(defaults[p]) for p in parameters}


def spawn(frame: Frame, node: ast.Call, into: int | None) -> Handle:
    known = constant(frame, node.args[0]) if node.args else None
    function = known.value if known is not None else None
    if not isinstance(function, ThreadFunction):
        raise frame.error(node, "'spawn' needs a function, and then its arguments", "write spawn(worker, 1)")
    if function.starts is not None:
        hint = "decorate functions that are spawned with @p.function"
        raise frame.error(node, f"'{function.__name__}' is a thread that starts by itself", hint)
    rest = ast.copy_location(ast.Call(node.func, node.args[1:], node.keywords), node)
    arguments = list(argument_values(frame, rest, function).values())
    template = frame.unit.linker.template(function, arguments)
    operands = tuple(type_of(frame, node, a)[1] for a in arguments if is_passed(a))
    frame.at(node)
    return Handle(frame.asm.spawn(template, operands))


def join(frame: Frame, node: ast.Call, into: int | None) -> Number | None:
    argument = value(frame, bind(frame, node, "join", ("thread",), 1)["thread"])
    frame.at(node)
    if isinstance(argument, Handle):
        return wait(frame, argument.operand, into)
    if isinstance(argument, Known) and isinstance(argument.value, ThreadFunction):
        return wait_for_all(frame, node, argument.value, into)
    raise frame.error(
        node.args[0] if node.args else node, "'join' waits for a thread, and this is not one", "t = spawn(f)"
    )


def wait_for_all(frame: Frame, node: ast.Call, function: ThreadFunction, into: int | None) -> Number | None:
    """Waits for the threads of a function; what it returned, if it is one thread."""
    handles = frame.unit.linker.started(function)
    if not handles:
        raise frame.error(node, f"no thread of '{function.__name__}' starts by itself", "t = spawn(f); t.join()")
    into = frame.asm.result() if into is None else into
    for handle in handles:
        wait(frame, frame.asm.constant(handle), into)
    return Number(into) if len(handles) == 1 else None


def address(frame: Frame, node: ast.Call, into: int | None) -> Number:
    argument = bind(frame, node, "address", ("shared",), 1)["shared"]
    cell = reference(frame, argument, value(frame, argument))
    if cell is None:
        raise frame.error(
            argument, f"'{ast.unparse(argument)}' is not a shared object", "write address(x) or address(a[i])"
        )
    return Number(cell.operand)


def at(kind: str) -> Callable[[Frame, ast.Call, int | None], Reference]:
    def dereference(frame: Frame, node: ast.Call, into: int | None) -> Reference:
        bound = bind(frame, node, "at" if kind == "atomic" else "plain_at", ("pointer", "type"), 1)
        known = constant(frame, bound["type"]) if "type" in bound else Known("int64")
        if known is None or known.value not in TYPES:
            raise frame.error(bound["type"], "not a type of shared integers", f"the types are {', '.join(TYPES)}")
        width, signed = TYPES[known.value]
        return Reference(kept(frame, number(frame, bound["pointer"])), CellType(width, signed, kind))

    return dereference


def extreme(kind: Binary) -> Callable[[Frame, ast.Call, int | None], Number]:
    def smallest_or_largest(frame: Frame, node: ast.Call, into: int | None) -> Number:
        if len(node.args) < 2 or node.keywords:
            raise frame.error(node, "'min' and 'max' take two numbers or more")
        first, *others = numbers(frame, node.args)
        register = frame.asm.result()
        for other in others:
            first = frame.asm.binary(kind, first, other, into=register)
        return Number(first)

    return smallest_or_largest


def absolute(frame: Frame, node: ast.Call, into: int | None) -> Number:
    operand = number(frame, one_argument(frame, node))
    negative = frame.asm.unary(Unary.NEG, operand)
    return Number(frame.asm.binary(Binary.MAX, negative, operand))


def integer(frame: Frame, node: ast.Call, into: int | None) -> Number:
    return Number(number(frame, one_argument(frame, node)))


def boolean(frame: Frame, node: ast.Call, into: int | None) -> Number:
    operand = number(frame, one_argument(frame, node))
    return Number(frame.asm.binary(Binary.NE, operand, frame.asm.constant(0)))


def one_argument(frame: Frame, node: ast.Call) -> ast.expr:
    return bind(frame, node, ast.unparse(node.func), ("number",), 1)["number"]


def length(frame: Frame, node: ast.Call, into: int | None) -> Number:
    argument = one_argument(frame, node)
    raise frame.error(argument, f"'{ast.unparse(argument)}' has no length", "shared arrays are made with p.array")


def counting(frame: Frame, node: ast.Call, into: int | None) -> Number:
    raise frame.error(node, "'range' can only be used in a 'for' loop", "write 'for i in range(n):'")


def fence(frame: Frame, node: ast.Call, into: int | None) -> None:
    operations.fence(frame, node)


def assume(frame: Frame, node: ast.Call, into: int | None) -> None:
    operations.assume(frame, node)


Handler = Callable[[Frame, ast.Call, int | None], Value | None]
HANDLERS: dict[Callable[..., Any], Handler] = {
    words.fence: fence,
    words.assume: assume,
    words.spawn: spawn,
    words.join: join,
    words.address: address,
    words.at: at("atomic"),
    words.plain_at: at("plain"),
    builtins.min: extreme(Binary.MIN),
    builtins.max: extreme(Binary.MAX),
    builtins.abs: absolute,
    builtins.int: integer,
    builtins.bool: boolean,
    builtins.len: length,
    builtins.range: counting,
}
