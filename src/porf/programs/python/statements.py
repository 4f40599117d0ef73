"""Statements of threads: assignments, branches, returns, assertions and held locks."""

import ast
from collections.abc import Sequence

from porf.programs.python.constants import constant, truth
from porf.programs.python.expressions import (
    arithmetic,
    as_number,
    branch,
    held,
    kept,
    number,
    numbers,
    optional,
    reference,
    type_of,
    value,
)
from porf.programs.python.frame import Frame, join
from porf.programs.python.loops import for_loop, leave, proceed, while_loop
from porf.programs.python.operations import plain_cell, put
from porf.programs.python.unsupported import unsupported
from porf.programs.python.values import Known, Pair, Value


def block(frame: Frame, statements: Sequence[ast.stmt]) -> None:
    """Compiles statements up to the first that control does not come out of."""
    for statement in statements:
        if frame.assigned is None:
            return
        with frame.asm.statement():
            frame.at(statement)
            compile_statement(frame, statement)


def compile_statement(frame: Frame, node: ast.stmt) -> None:
    match node:
        case ast.Expr():
            if constant(frame, node.value) is None:
                optional(frame, node.value)
        case ast.Assign():
            assign_all(frame, node.targets, node.value)
        case ast.AnnAssign():
            if node.value is not None:
                assign_all(frame, [node.target], node.value)
        case ast.AugAssign():
            augment(frame, node)
        case ast.If():
            if_statement(frame, node)
        case ast.While():
            while_loop(frame, node, block)
        case ast.For():
            for_loop(frame, node, block, assign)
        case ast.Break():
            leave(frame)
        case ast.Continue():
            proceed(frame)
        case ast.Return():
            return_statement(frame, node)
        case ast.Assert():
            assertion(frame, node)
        case ast.With():
            with_statement(frame, node)
        case ast.Pass():
            pass
        case _:
            raise unsupported(frame, node)


def assign_all(frame: Frame, targets: Sequence[ast.expr], node: ast.expr) -> None:
    """`a = v`, `a = b = v`, `a, b = v, w`."""
    first = targets[0]
    if len(targets) == 1 and isinstance(first, ast.Tuple) and isinstance(node, ast.Tuple | ast.List):
        if len(first.elts) != len(node.elts):
            raise frame.error(node, f"{len(node.elts)} values for {len(first.elts)} variables")
        values = [held(frame, value(frame, e)) for e in node.elts]
        for target, part, result in zip(first.elts, node.elts, values, strict=True):
            assign(frame, target, part, result)
        return
    into = None
    if len(targets) == 1 and isinstance(first, ast.Name) and frame.is_local(first.id):
        into = frame.unit.variable(frame.source, first.id)
    result = value(frame, node, into)
    for target in targets:
        assign(frame, target, node, result)


def assign(frame: Frame, target: ast.expr, node: ast.expr, result: Value) -> None:
    """Sets a variable, or what else may stand left of `=`, to a value; node is where it comes from."""
    match target:
        case ast.Name():
            type, operand = type_of(frame, node, result)
            register = frame.set_type(target, target.id, type)
            if operand != register:
                frame.at(target)
                frame.asm.copy(register, operand)
            frame.mark_set(target.id)
        case ast.Tuple() | ast.List():
            unpack(frame, target, node, result)
        case ast.Attribute():
            put(frame, target, plain_cell(frame, target), as_number(frame, node, result))
        case ast.Subscript():
            cell = ast.unparse(target)
            raise frame.error(target, f"'{cell}' cannot be set", f"write {cell}.store(…, order)")
        case _:
            raise unsupported(frame, target)


def unpack(frame: Frame, target: ast.Tuple | ast.List, node: ast.expr, result: Value) -> None:
    parts: Sequence[Value]
    if isinstance(result, Pair):
        parts = (result.first, result.second)
    elif isinstance(result, Known) and isinstance(result.value, tuple | list):
        parts = [Known(v) for v in result.value]
    else:
        raise frame.error(node, f"'{ast.unparse(node)}' is one value, not several")
    if len(parts) != len(target.elts):
        raise frame.error(target, f"{len(parts)} values for {len(target.elts)} variables")
    for part, single in zip(target.elts, parts, strict=True):
        assign(frame, part, node, single)


def augment(frame: Frame, node: ast.AugAssign) -> None:
    """`v += w`, and `d.value += w` for a plain object: a load and a store."""
    if isinstance(node.target, ast.Name):
        name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        operands = numbers(frame, [name, node.value])
        register = frame.unit.variable(frame.source, node.target.id)
        result = arithmetic(frame, node, node.op, operands, register)
        if result != register:
            frame.asm.copy(register, result)
    elif isinstance(node.target, ast.Attribute):
        cell = plain_cell(frame, node.target)
        old = frame.asm.load(cell.operand, cell.type.width, is_signed=cell.type.signed)
        put(frame, node, cell, arithmetic(frame, node, node.op, [old, number(frame, node.value)]))
    else:
        assign(frame, node.target, node.value, Known(0))


def if_statement(frame: Frame, node: ast.If) -> None:
    known = constant(frame, node.test)
    if known is not None:
        block(frame, node.body if truth(frame, node.test, known) else node.orelse)
        return
    otherwise, end = frame.asm.label(), frame.asm.label()
    with frame.asm.statement():
        branch(frame, node.test, otherwise, when=False)
    before = frame.assigned
    block(frame, node.body)
    after, frame.assigned = frame.assigned, before
    if node.orelse and after is not None:
        frame.asm.jump(end)
    frame.asm.put(otherwise)
    block(frame, node.orelse)
    frame.asm.put(end)
    frame.assigned = join([after, frame.assigned])


def return_statement(frame: Frame, node: ast.Return) -> None:
    nothing = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    result = frame.result
    if result is None:
        operand = frame.asm.constant(0) if nothing or node.value is None else number(frame, node.value)
        frame.unlock(0)
        frame.asm.exit(operand)
    else:
        if not nothing and node.value is not None:
            type, operand = type_of(frame, node.value, value(frame, node.value))
            if result.type not in (None, type):
                raise frame.error(node, f"'{frame.source.name}' returns different kinds of values")
            result.type = type
            frame.asm.copy(result.register, operand)
        result.valued.append(not nothing)
        frame.unlock(0)
        frame.asm.jump(result.leave)
    frame.assigned = None


def assertion(frame: Frame, node: ast.Assert) -> None:
    text = ast.unparse(node.test)
    if node.msg is not None:
        known = constant(frame, node.msg)
        if known is None or not isinstance(known.value, str):
            raise frame.error(node.msg, "the message of an assertion must be a string known at compile time")
        text = known.value
    message = frame.unit.linker.message(text)
    known = constant(frame, node.test)
    if known is None:
        operand = number(frame, node.test)
        frame.at(node)
        frame.asm.check(operand, message)
    elif not truth(frame, node.test, known):
        frame.asm.fail(message)
        frame.assigned = None


def with_statement(frame: Frame, node: ast.With) -> None:
    outer = len(frame.locks)
    for item in node.items:
        cell = reference(frame, item.context_expr, value(frame, item.context_expr))
        if cell is None or cell.type.kind != "mutex":
            raise frame.error(
                item.context_expr, "'with' needs a mutex, and this is not one", "mutexes are made with p.mutex"
            )
        if item.optional_vars is not None:
            raise frame.error(item.optional_vars, "'with … as' is not supported in threads", "write 'with m:'")
        mutex = kept(frame, cell.operand)
        frame.at(item.context_expr)
        frame.asm.lock(mutex, cell.type.width)
        frame.locks.append(mutex)
    block(frame, node.body)
    if frame.assigned is not None:
        frame.at(node)
        frame.unlock(outer)
    del frame.locks[outer:]
