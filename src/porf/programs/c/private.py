"""From a module to its private stack objects, which only their own thread can ever reach: accesses of them need no
events.

A shared object that is taken for private would give wrong verdicts, so whatever is not understood lets an object
escape. A pointer that is stored anywhere escapes; so does one that becomes a number, unless that is only compared.
"""

from collections import defaultdict

from porf.programs.c import ir
from porf.programs.c.accesses import MEMORY
from porf.programs.c.library import called
from porf.programs.c.reachable import symbols
from porf.programs.c.types import is_wide
from porf.record import Record, field

# The result points to where the operand points, or is that address as a number.
SAME = ("getelementptr", "phi", "select", "bitcast", "freeze", "addrspacecast", "ptrtoint")


class Uses(Record, frozen=False):
    """What a function does with the pointers in its registers, from one pass over its code."""

    flows: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # register -> its copies
    escapes: set[str] = field(default_factory=set)
    passed: dict[str, list[tuple[str, int, str]]] = field(default_factory=lambda: defaultdict(list))
    returned: set[str] = field(default_factory=set)


def private_allocas(module: ir.Module) -> dict[str, set[str]]:
    """Function -> the registers that point to its private stack objects: allocas, and parameters that are copied."""
    analysis = Analysis(module)
    found: dict[str, set[str]] = {}
    for function in module.functions.values():
        allocas = [i.result for block in function.blocks for i in block.instructions if i.opcode == "alloca"]
        if function.blocks:
            own = (*allocas, *function.copied)
            found[function.name] = {name for name in own if not analysis.escapes(function.name, name)}
    return found


def escaping_locals(module: ir.Module) -> set[str]:
    """The thread-local variables whose address may leave their thread."""
    if not any(item.thread_local for item in module.globals.values()):
        return set()
    analysis = Analysis(module)
    found: set[str] = set()
    for function in module.functions.values():
        for block in function.blocks:
            for i in block.instructions:
                for index, name in thread_locals(module, i):
                    record = called(i, module)
                    if record is not None and index in record.gives_back:
                        if i.result and analysis.escapes(function.name, i.result):
                            found.add(name)
                    elif record is not None and record.hands_to is not None and index == record.hands_to[1]:
                        if analysis.keeps(i.operands[record.hands_to[0]]):
                            found.add(name)
                    elif (index != MEMORY.get(i.opcode) or is_wide_atomic(i)) and (
                        record is None or index not in record.forgets
                    ):
                        found.add(name)
    return found


class Analysis:
    """A fixpoint over all functions: which registers' pointers escape, and which parameters are returned."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.uses = {f.name: collect(f, module) for f in module.functions.values() if f.blocks}
        self.lost: dict[str, set[str]] = {name: set(u.escapes) for name, u in self.uses.items()}
        self.returned: dict[str, set[str]] = {name: set(u.returned) for name, u in self.uses.items()}
        changed = True
        while changed:
            changed = sum(self._step(name) for name in self.uses) > 0

    def escapes(self, function: str, register: str) -> bool:
        """A stack object that is returned is dead. Exploration reports its use as a bug, so it counts as escaping."""
        return register in self.lost[function] or register in self.returned[function]

    def keeps(self, function: ir.Operand) -> bool:
        """Whether a function of one argument, a pointer, may let that escape."""
        if not isinstance(function, ir.Symbol) or function.name not in self.uses:
            return True
        parameters = self.module.functions[function.name].parameters
        return any(self.escapes(function.name, parameter.name) for parameter in parameters)

    def _step(self, name: str) -> bool:
        uses, lost, returned = self.uses[name], self.lost[name], self.returned[name]
        before = len(lost) + len(returned)
        for register, targets in uses.flows.items():
            for target in targets:
                if target in lost:
                    lost.add(register)
                if target in returned:
                    returned.add(register)
        for register, calls in uses.passed.items():
            for callee, argument, result in calls:
                self._pass(name, register, callee, argument, result)
        return len(lost) + len(returned) != before

    def _pass(self, name: str, register: str, callee: str, argument: int, result: str) -> None:
        lost, returned = self.lost[name], self.returned[name]
        parameters = self.module.functions[callee].parameters
        inner = parameters[argument].name if argument < len(parameters) else None
        if inner is None or inner in self.lost[callee]:
            lost.add(register)
        elif inner in self.returned[callee] and result:
            if result in lost:
                lost.add(register)
            if result in returned:
                returned.add(register)


def collect(function: ir.Function, module: ir.Module) -> Uses:
    uses = Uses()
    instructions = [i for block in function.blocks for i in block.instructions]
    for i in instructions:
        for index, operand in enumerate(i.operands):
            for register in registers(operand):
                note(uses, i, index, register, module)
        if i.callee is not None:
            for register in registers(i.callee):
                uses.flows.setdefault(register, set())  # a call through it keeps nothing
    return uses


def note(uses: Uses, i: ir.Instruction, index: int, register: str, module: ir.Module) -> None:
    """What one use of a register does with the pointer in it."""
    match i.opcode:
        case opcode if opcode in MEMORY and is_wide_atomic(i):
            uses.escapes.add(register)
        case "load":
            pass
        case "store" if index == 1:
            pass
        case "cmpxchg" | "atomicrmw" if index == 0:
            pass
        case "icmp" | "br" | "switch":
            pass
        case "getelementptr" if index > 0:
            uses.escapes.add(register)  # an index that is computed from a pointer
        case opcode if opcode in SAME:
            uses.flows[register].add(i.result)
        case "ret":
            uses.returned.add(register)
        case "call" | "invoke":
            note_call(uses, i, index, register, module)
        case _:
            uses.escapes.add(register)


def note_call(uses: Uses, i: ir.Instruction, index: int, register: str, module: ir.Module) -> None:
    callee = i.callee.name if isinstance(i.callee, ir.Symbol) else ""
    function, record = module.functions.get(callee), called(i, module)
    if function is not None and index < len(function.parameters) and function.parameters[index].name in function.copied:
        return  # the function gets a copy
    if record is not None and index in record.gives_back:
        if i.result:
            uses.flows[register].add(i.result)
    elif record is None and function is not None and function.blocks:
        uses.passed[register].append((callee, index, i.result))
    elif record is None or index not in record.forgets:
        uses.escapes.add(register)


def is_wide_atomic(i: ir.Instruction) -> bool:
    """Whether an atomic access is of 16 bytes: private memory has none."""
    return bool(i.order) and any(is_wide(type) for type in (i.type, *(operand.type for operand in i.operands)))


def registers(operand: ir.Operand) -> list[str]:
    """The registers in an operand."""
    match operand:
        case ir.Register(name=name):
            return [name]
        case ir.Aggregate(elements=inner) | ir.Expression(operands=inner):
            return [name for each in inner for name in registers(each)]
    return []


def thread_locals(module: ir.Module, i: ir.Instruction) -> list[tuple[int, str]]:
    """The thread-local variables that an instruction names, with the numbers of the operands."""
    names = ((index, name) for index, operand in enumerate(i.operands) for name in symbols(operand))
    return [(index, name) for index, name in names if name in module.globals and module.globals[name].thread_local]
