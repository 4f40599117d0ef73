"""From a call to code: of the program's functions, through pointers, and of functions that have a record."""

from itertools import zip_longest

from porf._core import BugKind, Order
from porf.errors import ProgramError
from porf.programs.c import ir
from porf.programs.c.assembly import inline_assembly
from porf.programs.c.copies import transfer
from porf.programs.c.events import store_scalar
from porf.programs.c.frame import Frame
from porf.programs.c.library import Call, find, is_atomic, nearest, runtime_functions
from porf.programs.c.library.locks import enter_section, leave_section
from porf.programs.form import Callee

HINT = "define it in the program, or name its source as well; docs/programs.md lists the known functions"


def call(frame: Frame, i: ir.Instruction) -> None:
    """A call or an invoke."""
    callee = i.callee
    if isinstance(callee, ir.Unsupported):
        inline_assembly(frame, i, callee.text)
        return
    if not isinstance(callee, ir.Symbol):
        assert callee is not None
        pointed(frame, i, frame.one(callee))
        return
    function, record = frame.unit.module.functions.get(callee.name), find(callee.name)
    if function is not None and function.blocks and not (record is not None and record.fixed):
        direct(frame, i, function)
    elif callee.name in frame.unit.module.globals:
        pointed(frame, i, frame.one(callee))  # the machine says that this is no function
    elif record is None or record.emit is None:
        raise undefined(frame, callee.name)
    else:
        found = record.emit(Call(frame, i, callee.name, record))
        if found is None:
            found = tuple(frame.code.constant(0) for _ in frame.leaves(i.type))
        frame.set(i.result, found if isinstance(found, tuple) else (found,))


def undefined(frame: Frame, name: str) -> ProgramError:
    """The error for a function that nobody defines."""
    if name.startswith("llvm."):
        return frame.unsupported(f"a call to '{name}'")
    near = nearest(name)
    return frame.unsupported(
        f"a call to '{name}', which is not defined", f"did you mean '{near}'? If not, {HINT}" if near else HINT
    )


def direct(frame: Frame, i: ir.Instruction, function: ir.Function) -> None:
    """A call of a function that is defined, with as many arguments as that has. The functions of the runtime may be
    declared in several ways; a call of the program's own must fit."""
    if not function.variadic and not fits(frame, i, function):
        frame.code.fail(frame.unit.message(""), BugKind.WRONG_TYPE)
    parameters = [len(frame.leaves(p.type)) for p in function.parameters]
    arguments = [o for operand in i.operands for o in frame.all(operand)][: sum(parameters)]
    arguments += [frame.code.constant(0)] * (sum(parameters) - len(arguments))
    if function.variadic:
        arguments.append(further(frame, i, len(parameters)))
    whole = is_atomic(function.name) and not is_atomic(frame.function.name)
    if whole:
        enter_section(frame)
    run(frame, i, frame.unit.templates[function.name], arguments, Callee.TEMPLATE)
    if whole:
        leave_section(frame)


def fits(frame: Frame, i: ir.Instruction, function: ir.Function) -> bool:
    """Whether a call has the type of the function; a result that nobody uses may be declared as any."""
    if "type" in frame.unit.allowed or function.name in runtime_functions():
        return True
    wanted = isinstance(i.type, ir.Void) or i.type == function.result
    return wanted and [o.type for o in i.operands] == [p.type for p in function.parameters]


def pointed(frame: Frame, i: ir.Instruction, pointer: int) -> None:
    """A call through a pointer. A type without any parameters tells nothing: `int (*f)()`."""
    fixed = i.fixed if i.fixed > 0 else len(i.operands)
    arguments = [o for operand in i.operands[:fixed] for o in frame.all(operand)]
    if i.fixed > 0:
        arguments.append(further(frame, i, fixed))
    run(frame, i, pointer, arguments, Callee.POINTER)


def further(frame: Frame, i: ir.Instruction, fixed: int) -> int:
    """Where the arguments are that have no parameter: in words of the caller's private memory, one after the other."""
    code, size = frame.code, 0
    words: list[tuple[int, ir.Operand, int]] = []  # where, what, and the size of what it points to, if that is passed
    for operand, copied in list(zip_longest(i.operands, i.copied))[fixed:]:
        whole = frame.unit.types.size(copied) if copied is not None else 0
        words.append((size, operand, whole))
        size += -(-whole // 8) * 8 or 8 * len(frame.leaves(operand.type))
    if not size:
        return code.constant(0)
    pointer = frame.private_address(frame.reserve(size), size)
    for at, operand, whole in words:
        if whole:
            transfer(frame, code.add(pointer, at), frame.one(operand), code.constant(whole))
            continue
        for n, (scalar, (_, kind)) in enumerate(zip(frame.all(operand), frame.leaves(operand.type), strict=True)):
            store_scalar(frame, code.add(pointer, at + 8 * n), scalar, kind, Order.NA)
    return pointer


def run(frame: Frame, i: ir.Instruction, function: int, arguments: list[int], callee: Callee) -> None:
    """A result of several scalars is returned through private memory of the caller."""
    code, leaves = frame.code, frame.leaves(i.type)
    slot, size = 0, 8 * len(leaves)
    if len(leaves) > 1:
        slot = frame.reserve(size)
        arguments = [*arguments, frame.private_address(slot, size)]
    if callee is Callee.POINTER:
        result = code.call_pointer(function, arguments, frame.unit.signature(i.type, [o.type for o in i.operands]))
    else:
        result = code.call(function, arguments)
    if len(leaves) == 1:
        frame.set_one(i, result)
    elif leaves:
        pointer = frame.private_address(slot, size)
        frame.set(i.result, tuple(code.load(code.add(pointer, 8 * n), 8) for n in range(len(leaves))))
