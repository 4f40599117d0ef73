"""Exceptions of C++: which functions they can leave, and how a handler is found.

A function that an exception leaves returns, and the runtime's thread-local `porf_thrown` says that there is one. So a
look at it follows every call that an exception may leave; programs that throw nothing have none of this.
"""

from collections.abc import Mapping

from porf.programs.c import ir
from porf.programs.c.frame import Frame, Unit
from porf.programs.c.library import Call, find
from porf.programs.c.lifetimes import end_all
from porf.programs.c.reachable import Reachable
from porf.programs.c.type_infos import TypeInfos
from porf.programs.code import Code
from porf.programs.form import Binary, Home

THROWN, TYPE, AT, RESUME = "porf_thrown", "porf_thrown_type", "porf_thrown_at", "__porf_resume"
NOT_CAUGHT = "std::terminate: an exception is not caught"
POINTER = 1 << 31  # added to a landed exception: the handler wants the value of the pointer that was thrown
ANYTHING = 1 << 16  # the number of `catch (...)`; the others have the numbers of their types


class Exceptions:
    """What a program throws."""

    def __init__(self, module: ir.Module, functions: Mapping[str, ir.Function], found: Reachable) -> None:
        self.types = TypeInfos(module)
        self._pointed = [name for name in found.pointed if name in functions]
        instructions = (i for f in functions.values() for block in f.blocks for i in block.instructions)
        self.places = list(
            dict.fromkeys(i.place for i in instructions if is_unwinding(i))
        )  # where exceptions are thrown
        self.leaves: set[str] = set()  # functions that an exception may leave
        self._any_pointed = False
        changed = THROWN in found.globals
        while changed:
            more = {f for f in functions if f not in self.leaves and self._leaves(functions[f])}
            self.leaves |= more
            self._any_pointed = any(name in self.leaves for name in self._pointed)
            changed = bool(more)

    def _leaves(self, function: ir.Function) -> bool:
        blocks = {block.name: block for block in function.blocks}
        seen, waiting = set[str](), [function.blocks[0].name]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for i in blocks[name].instructions:
                if i.opcode == "resume" or (i.opcode == "call" and self.may_leave(i)) or passes_on(i):
                    return True
            waiting += self.targets(blocks[name])
        return False

    def targets(self, block: ir.Block) -> tuple[str, ...]:
        """The successors of a block."""
        last = block.instructions[-1]
        if last.opcode == "invoke":
            return last.labels if self.may_leave(last) else last.labels[:1]
        return tuple(dict.fromkeys(last.labels)) if last.opcode in ("br", "switch", "indirectbr") else ()

    def may_leave(self, i: ir.Instruction) -> bool:
        """Whether an exception may leave what is called here."""
        if isinstance(i.callee, ir.Symbol):
            return is_unwinding(i) or i.callee.name in self.leaves
        return isinstance(i.callee, ir.Register) and self._any_pointed

    def may_leave_thread(self, function: str) -> bool:
        """Whether an exception may leave a thread that runs this function; "" stands for one that is not known."""
        return function in self.leaves if function else self._any_pointed

    def number(self, type: ir.Operand) -> int:
        """A number for a type that is caught."""
        return 1 + self.types.names.index(type.name) if isinstance(type, ir.Symbol) else ANYTHING


def is_unwinding(i: ir.Instruction) -> bool:
    record = find(i.callee.name) if isinstance(i.callee, ir.Symbol) else None
    return record is not None and record.emit is unwind


def passes_on(i: ir.Instruction) -> bool:
    """A landing pad that does not stop every exception."""
    return i.opcode == "landingpad" and i.kind != "cleanup" and not any(map(catches_all, i.operands))


def catches_all(clause: ir.Operand) -> bool:
    return isinstance(clause, ir.Zero) or (isinstance(clause, ir.Number) and clause.value == 0)


def unwind(call: Call) -> None:
    """An exception is thrown; the runtime has set the variables. In an invoke, the edge of the exception follows."""
    code, unit = call.code, call.frame.unit
    number = code.constant(unit.exceptions.places.index(call.instruction.place))
    code.store(variable(code, unit, AT), number, 8)
    if call.instruction.opcode == "call":
        leave(call.frame)


def leave(frame: Frame) -> None:
    """The exception leaves the function."""
    if frame.is_main:
        fail(frame.code, frame.unit)
        return
    end_all(frame)
    frame.code.give_back(frame.code.constant(0))


def fail(code: Code, unit: Unit) -> None:
    """Nobody has caught the exception: that is a bug where it was thrown."""
    at, message = code.load(variable(code, unit, AT), 8), unit.message(NOT_CAUGHT)
    for number, place in enumerate(unit.exceptions.places):
        code.place, other = place or code.place, code.label()
        code.jump_unless(code.binary(Binary.EQ, at, code.constant(number)), other)
        code.fail(message)
        code.put(other)
    code.fail(message)


def thrown(code: Code, unit: Unit) -> int:
    """Whether there is an exception, as an operand."""
    return code.load(variable(code, unit, THROWN), 8)


def variable(code: Code, unit: Unit, name: str) -> int:
    return code.address(unit.memory.local_slot(name), 8, Home.THREAD)


def after_call(frame: Frame, i: ir.Instruction) -> None:
    """An exception that leaves what was called, and has no handler here, leaves the caller."""
    if frame.unit.exceptions.may_leave(i) and not is_unwinding(i):
        on = frame.code.label()
        frame.code.jump_unless(thrown(frame.code, frame.unit), on)
        leave(frame)
        frame.code.put(on)


def land(frame: Frame, i: ir.Instruction) -> None:
    """A landing pad: the exception, and the number of the first clause that takes it, 0 if only cleaning up does."""
    code, types = frame.code, frame.unit.exceptions.types
    what, type = thrown(code, frame.unit), code.load(variable(code, frame.unit, TYPE), 8)
    landed, number, end = code.register(), code.register(), code.label()
    code.copy(landed, what)
    for clause in i.operands:
        if isinstance(clause.type, ir.Array):
            raise frame.unsupported("a list of exceptions that a function may throw", "use noexcept")
        code.copy(number, code.constant(frame.unit.exceptions.number(clause)))
        if catches_all(clause):
            code.jump(end)
            break
        assert isinstance(clause, ir.Symbol)
        for name in filter(frame.unit.memory.has, types.names):
            if types.has_virtual_base(name, clause.name):
                raise frame.unsupported("catching an exception by a virtual base")
            offset = types.offset(name, clause.name)
            if types.points_to(name, clause.name):
                offset = POINTER
            if offset is not None:
                is_it = code.binary(Binary.EQ, type, frame.one(ir.Symbol(ir.Pointer(), name)))
                code.copy(landed, code.add(what, offset))
                code.jump_if(is_it, end)
    else:
        code.copy(landed, what)
        code.copy(number, code.constant(0))
        if i.kind != "cleanup":
            leave(frame)
    code.put(end)
    code.store(variable(code, frame.unit, THROWN), code.constant(0), 8)
    frame.set(i.result, (landed, number))


def resume(frame: Frame, i: ir.Instruction) -> None:
    """After cleaning up, the exception goes on."""
    frame.code.call(frame.unit.templates[RESUME], [frame.all(i.operands[0])[0]])
    leave(frame)


def type_number(call: Call) -> int:
    """LLVM asks for the number of a type."""
    return call.code.constant(call.frame.unit.exceptions.number(call.operands[0]))
