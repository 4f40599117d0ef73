"""Expressions of threads: integers of 64 bits, computed as Python does it, and references to shared cells."""

import ast
from collections.abc import Sequence

from porf.programs.assemble import Label
from porf.programs.form import Binary, Unary
from porf.programs.python.constants import constant, refuse_shared, truth
from porf.programs.python.frame import Frame, join
from porf.programs.python.shared import Mutex, SharedInt
from porf.programs.python.unsupported import unsupported
from porf.programs.python.values import Handle, Known, Number, Pair, Plain, Reference, Value, VariableType
from porf.record import replace

ARITHMETIC: dict[type[ast.operator], Binary] = {
    ast.Add: Binary.ADD,
    ast.Sub: Binary.SUB,
    ast.Mult: Binary.MUL,
    ast.FloorDiv: Binary.FLOORDIV,
    ast.Mod: Binary.FLOORMOD,
    ast.LShift: Binary.SHL,
    ast.RShift: Binary.SHR,
    ast.BitAnd: Binary.AND,
    ast.BitOr: Binary.OR,
    ast.BitXor: Binary.XOR,
}
COMPARISONS: dict[type[ast.cmpop], Binary] = {
    ast.Eq: Binary.EQ,
    ast.NotEq: Binary.NE,
    ast.Lt: Binary.LT,
    ast.LtE: Binary.LE,
    ast.Gt: Binary.GT,
    ast.GtE: Binary.GE,
}
UNARY: dict[type[ast.unaryop], Unary] = {ast.USub: Unary.NEG, ast.Invert: Unary.INVERT, ast.Not: Unary.NOT}


def value(frame: Frame, node: ast.expr, into: int | None = None) -> Value:
    """Compiles an expression. `into` is a register where its number may be put, if that saves a move."""
    known = constant(frame, node)
    if known is not None:
        return known
    result = optional(frame, node, into)
    if result is None:
        raise frame.error(node, f"'{ast.unparse(node)}' has no value", "use it alone, as a statement")
    return result


def optional(frame: Frame, node: ast.expr, into: int | None = None) -> Value | None:
    """Compiles an expression that may have no value: a store, or a call of a function that returns nothing."""
    frame.at(node)
    match node:
        case ast.Call():
            return frame.unit.call(frame, node, into)
        case ast.Name():
            return frame.read(node)
        case ast.BinOp():
            return binary(frame, node, into)
        case ast.UnaryOp(op=ast.UAdd()):
            return Number(number(frame, node.operand, into))
        case ast.UnaryOp():
            return Number(frame.asm.unary(UNARY[type(node.op)], number(frame, node.operand), into=into))
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return membership(frame, node)
        case ast.Compare(ops=[op]):
            return comparison(frame, node, op, [node.left, node.comparators[0]], into)
        case ast.Compare() | ast.BoolOp():
            return chosen(frame, node)
        case ast.IfExp():
            return conditional(frame, node)
        case ast.NamedExpr():
            return named(frame, node)
        case ast.Subscript():
            return frame.unit.element(frame, node)
        case ast.Attribute():
            return frame.unit.attribute(frame, node, into)
        case ast.Constant():
            return Known(node.value)
    raise unsupported(frame, node)


def number(frame: Frame, node: ast.expr, into: int | None = None) -> int:
    """The operand that an expression comes to, which must be an integer."""
    return as_number(frame, node, value(frame, node, into))


def as_number(frame: Frame, node: ast.AST, result: Value) -> int:
    match result:
        case Number():
            return result.operand
        case Pair():
            return result.first.operand
        case Known() if result.integer is not None:
            if not -(2**63) <= result.integer < 2**64:
                raise frame.error(node, f"{result.integer} does not fit into 64 bits")
            return frame.asm.constant(result.integer)
        case Known():
            refuse_shared(frame, node, result)
            kind = type(result.value).__name__
            raise frame.error(
                node,
                f"'{ast.unparse(node)}' is not an integer but {article(kind)}",
                "threads compute with integers only",
            )
        case Reference():
            text = ast.unparse(node)
            hint = f"its value is {text}.load(order)" if result.type.kind != "mutex" else None
            raise frame.error(node, f"'{text}' is a shared object, not a number", hint)
        case Handle():
            raise frame.error(node, f"'{ast.unparse(node)}' is a thread, not a number", "wait for it with join()")


def article(kind: str) -> str:
    return "nothing (None)" if kind == "NoneType" else f"of type {kind}"


def numbers(frame: Frame, nodes: Sequence[ast.expr]) -> list[int]:
    """Operands from left to right; one that a later part sets anew is kept aside."""
    operands = []
    for n, node in enumerate(nodes):
        operand = number(frame, node)
        later = (part for other in nodes[n + 1 :] for part in ast.walk(other))
        if any(isinstance(part, ast.NamedExpr) for part in later):
            operand = kept(frame, operand)
        operands.append(operand)
    return operands


def kept(frame: Frame, operand: int) -> int:
    """The operand as it is now, even if its variable is set anew."""
    if operand < 0 or frame.asm.is_temporary(operand):
        return operand
    register = frame.asm.result()
    frame.asm.copy(register, operand)
    return register


def held(frame: Frame, result: Value) -> Value:
    """A value as it is now, even if variables are set anew."""
    if isinstance(result, Number | Reference | Handle):
        return replace(result, operand=kept(frame, result.operand))
    return result


def binary(frame: Frame, node: ast.BinOp, into: int | None) -> Value:
    if type(node.op) not in ARITHMETIC:
        raise unsupported(frame, node)
    return Number(arithmetic(frame, node, node.op, numbers(frame, [node.left, node.right]), into))


def arithmetic(frame: Frame, node: ast.AST, op: ast.operator, operands: Sequence[int], into: int | None = None) -> int:
    if type(op) not in ARITHMETIC:
        raise unsupported(frame, node)
    frame.at(node)
    return frame.asm.binary(ARITHMETIC[type(op)], operands[0], operands[1], into=into)


def comparison(
    frame: Frame, node: ast.expr, op: ast.cmpop, parts: Sequence[ast.expr | int], into: int | None = None
) -> Number:
    """Compares two expressions; one that was computed already is given as an operand."""
    if type(op) not in COMPARISONS:
        raise frame.error(node, "'is' compares objects, not numbers", "write '=='")
    nodes = [p for p in parts if isinstance(p, ast.expr)]
    computed = iter(numbers(frame, nodes))
    operands = [p if isinstance(p, int) else next(computed) for p in parts]
    frame.at(node)
    return Number(frame.asm.binary(COMPARISONS[type(op)], operands[0], operands[1], into=into))


def membership(frame: Frame, node: ast.Compare) -> Number:
    """`v in (1, 2, w)`: one comparison for each."""
    container = node.comparators[0]
    items: list[int]
    if isinstance(container, ast.Tuple | ast.List | ast.Set):
        operand, *items = numbers(frame, [node.left, *container.elts])
    elif (known := constant(frame, container)) and isinstance(known.value, tuple | list | range | set | frozenset):
        operand = number(frame, node.left)
        items = [as_number(frame, container, Known(v)) for v in known.value]
    else:
        raise frame.error(container, "'in' needs numbers to compare with", "write 'v in (1, 2, 3)'")
    found, register, one = frame.asm.constant(0), frame.asm.result(), frame.asm.result()
    for item in items:
        found = frame.asm.binary(Binary.OR, found, frame.asm.binary(Binary.EQ, operand, item, into=one), into=register)
    return Number(frame.asm.unary(Unary.NOT, found, into=register) if isinstance(node.ops[0], ast.NotIn) else found)


def chosen(frame: Frame, node: ast.BoolOp | ast.Compare) -> Number:
    """`a and b`, `a or b`: the part that decides, as in Python; `a < b < c`: each part is computed once."""
    register, end = frame.asm.result(), frame.asm.label()
    decides = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    first: frozenset[str] | None = None
    left: int | None = None
    parts = node.values if isinstance(node, ast.BoolOp) else node.comparators
    for n, part in enumerate(parts):
        if isinstance(node, ast.Compare):
            left = kept(frame, number(frame, node.left)) if left is None else left
            right = kept(frame, number(frame, part))
            operand, left = comparison(frame, node, node.ops[n], [left, right]).operand, right
        else:
            operand = number(frame, part)
        frame.asm.copy(register, operand)
        if n == 0:
            first = frame.assigned
        if n + 1 < len(parts):
            (frame.asm.jump_if if decides else frame.asm.jump_unless)(register, end)
    frame.asm.put(end)
    frame.assigned = first
    return Number(register)


def conditional(frame: Frame, node: ast.IfExp) -> Number:
    register, otherwise, end = frame.asm.result(), frame.asm.label(), frame.asm.label()
    branch(frame, node.test, otherwise, when=False)
    before = frame.assigned
    frame.asm.copy(register, number(frame, node.body))
    frame.asm.jump(end)
    frame.asm.put(otherwise)
    after, frame.assigned = frame.assigned, before
    frame.asm.copy(register, number(frame, node.orelse))
    frame.asm.put(end)
    frame.assigned = join([after, frame.assigned])
    return Number(register)


def named(frame: Frame, node: ast.NamedExpr) -> Number:
    """`(v := x.load())`."""
    operand = number(frame, node.value)
    register = frame.set_type(node.target, node.target.id, Plain.NUMBER)
    frame.asm.copy(register, operand)
    frame.mark_set(node.target.id)
    return Number(register)


def branch(frame: Frame, node: ast.expr, target: Label, when: bool) -> None:
    """Jumps to the label if the condition holds, otherwise continues."""
    known = constant(frame, node)
    if known is not None:
        if truth(frame, node, known) is when:
            frame.asm.jump(target)
        return
    match node:
        case ast.UnaryOp(op=ast.Not()):
            branch(frame, node.operand, target, not when)
        case ast.BoolOp():
            decides = isinstance(node.op, ast.Or)
            end = frame.asm.label()
            first = None
            for n, part in enumerate(node.values):
                last = n + 1 == len(node.values)
                if last or decides is when:
                    branch(frame, part, target, when)
                else:
                    branch(frame, part, end, decides)
                first = frame.assigned if n == 0 else first
            frame.asm.put(end)
            frame.assigned = first
        case _:
            operand = number(frame, node)
            frame.at(node)
            (frame.asm.jump_if if when else frame.asm.jump_unless)(operand, target)


def reference(frame: Frame, node: ast.AST, result: Value) -> Reference | None:
    """The shared cell that a value is, or None if it is something else."""
    if isinstance(result, Reference):
        return result
    if isinstance(result, Known) and isinstance(result.value, SharedInt | Mutex):
        return Reference(frame.pointer(node, result.value), result.value.declaration.type)
    return None


def type_of(frame: Frame, node: ast.AST, result: Value) -> tuple[VariableType, int]:
    """What a variable is that holds this value, and the operand to put there."""
    if (cell := reference(frame, node, result)) is not None:
        return cell.type, cell.operand
    if isinstance(result, Handle):
        return Plain.HANDLE, result.operand
    return Plain.NUMBER, as_number(frame, node, result)
