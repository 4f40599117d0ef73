"""From a function of LLVM to a template: its blocks in order, its branches, and the values that change along them."""

from collections.abc import Callable, Mapping
from typing import ParamSpec

from porf._core import BugKind
from porf.errors import ProgramError
from porf.programs import form
from porf.programs.assemble import Label, Loop
from porf.programs.c import ir
from porf.programs.c.bitcode import ROOTS
from porf.programs.c.calls import call
from porf.programs.c.control import Flow, flow, in_sequence
from porf.programs.c.copies import transfer
from porf.programs.c.ends import end_program
from porf.programs.c.exceptions import is_unwinding, thrown
from porf.programs.c.frame import Frame, Unit
from porf.programs.c.instructions import translate_instruction
from porf.programs.c.library import runtime_functions
from porf.programs.c.lifetimes import end_all, marked, stack_object
from porf.programs.c.retries import retry_loops
from porf.programs.c.types import is_wide
from porf.programs.code import Code
from porf.programs.colour import colour
from porf.programs.form import Back, Binary, Retry, Template
from porf.programs.tidy import tidy
from porf.record import replace

P = ParamSpec("P")
NO_LABEL = "a goto leads to what is no label of the function"
UNREACHABLE = "unreachable code is reached"


def translate_function(unit: Unit, function: ir.Function, before: tuple[int, ...] = ()) -> Template:
    """The template of a function; it calls the templates `before` first. What is not supported ends an execution."""
    refused: dict[str, tuple[int, ProgramError]] = {}
    while True:
        try:
            return Function(unit, function, refused).template(before)
        except RefusalError as found:
            refused[found.block] = (found.index, found.error)


class RefusalError(Exception):
    """An instruction is not supported, so nothing after it is reached: the function is translated anew without it."""

    def __init__(self, block: str, index: int, error: ProgramError) -> None:
        super().__init__(error.message)
        self.block = block
        self.index = index
        self.error = error


def scalars(unit: Unit, function: ir.Function) -> int:
    """How many parameters the template of a function has."""
    count = sum(len(unit.types.leaves(p.type)) for p in function.parameters)
    return count + function.variadic + (len(unit.types.leaves(function.result)) > 1)


class Function:
    """Writes the code of one function."""

    def __init__(self, unit: Unit, function: ir.Function, refused: Mapping[str, tuple[int, ProgramError]]) -> None:
        self.function = function
        self.refused = refused  # block -> the instruction that is not supported, and why; 0 stands for the whole block
        self.code = Code(function.title or function.name, [""] * scalars(unit, function))
        self.frame = Frame(unit, function, self.code)
        self.frame.is_main = function.name in ROOTS
        self.frame.marked = marked(function)
        self.blocks = {block.name: block for block in function.blocks}
        targets = unit.exceptions.targets
        self.targets = {block.name: () if block.name in refused else targets(block) for block in function.blocks}
        self.flow: Flow = flow(function.blocks[0].name, self.targets)
        self.loops: dict[str, Loop] = {}
        self.retries: dict[str, Retry] = {}  # heads of loops that only retry a compare-exchange

    def template(self, before: tuple[int, ...]) -> Template:
        self.code.place = self.function.place
        if self.refused.get(self.function.blocks[0].name, (1,))[0]:
            self._within(self.function.blocks[0], 0, self._parameters)
        for template in before:
            self.code.call(template, ())
        self._prepare()
        for name in self.flow.order:
            self._block(self.blocks[name])
        draft = self.code.draft()
        types = [parameter.type for parameter in self.function.parameters]
        name, allowed = self.function.name, self.frame.unit.allowed
        free = self.function.variadic or "type" in allowed or name in runtime_functions()
        signature = -1 if free else self.frame.unit.signature(self.function.result, types)
        retries = {self.loops[head].number: retry for head, retry in self.retries.items()}
        return colour(tidy(replace(draft, private=self.frame.slots, signature=signature, retries=retries)))

    def _parameters(self) -> None:
        """Parameters are the first registers. Then there may be pointers to further arguments, and to where a result of
        several scalars is stored."""
        at = 0
        for parameter in self.function.parameters:
            count = len(self.frame.leaves(parameter.type))
            self.frame.set(parameter.name, tuple(range(at, at + count)))
            at += count
        if self.function.variadic:
            self.frame.varargs, at = at, at + 1
        if len(self.frame.leaves(self.function.result)) > 1:
            self.frame.result_pointer = at
        for name, type in self.function.copied.items():
            self._copy_parameter(name, type)

    def _copy_parameter(self, name: str, type: ir.Type) -> None:
        """A structure that is passed by value: the function has its own copy."""
        given = self.frame.one(ir.Register(ir.Pointer(), name))
        stack_object(self.frame, ir.Instruction("alloca", name, ir.Pointer(), source=type))
        size = self.frame.unit.types.size(type)
        own = self.frame.one(ir.Register(ir.Pointer(), name))
        transfer(self.frame, own, given, self.code.constant(size))

    def _prepare(self) -> None:
        """Makes labels for blocks, registers for their phis, and loops."""
        for name in self.flow.order:
            self.frame.labels[name] = self.code.label()
            for i in self.blocks[name].instructions:
                if i.opcode == "phi" and self.refused.get(name, (1,))[0]:
                    self._within(self.blocks[name], 0, self._phi, i)
                if i.result:
                    self.frame.makers[i.result] = i
            if name in self.flow.heads:
                first = next((i.place for i in self.blocks[name].instructions if i.place is not None), None)
                self.code.place = first or self.function.place
                self.loops[name] = self.code.new_loop()
        self.retries = retry_loops(self.function, self.flow, self.frame.makers, self.frame.unit.module)
        for name in self.flow.order:
            if name in self.flow.side_doors:  # -1: no iteration has begun, and effects are never fewer than 0
                self.code.enter(self.loops[name])
                self.code.copy(self.loops[name].counters + 1, self.code.constant(-1))

    def _block(self, block: ir.Block) -> None:
        self.code.put(self.frame.labels[block.name])
        if block.name in self.loops:
            self.code.place = self.place_of(block)
            self.code.head(self.loops[block.name])
        last, error = self.refused.get(block.name, (-1, None))
        for index, instruction in enumerate(block.instructions):
            self.code.place = instruction.place or self.code.place
            if index == last and error is not None:
                self._refuse(error)
                return
            if instruction.opcode != "phi":
                self._within(block, index, self._instruction, block, instruction)

    def _within(self, block: ir.Block, index: int, write: Callable[P, None], *given: P.args, **named: P.kwargs) -> None:
        """Writes code for an instruction, or says that it is not supported."""
        try:
            write(*given, **named)
        except ProgramError as error:
            raise RefusalError(block.name, index, error) from None

    def _refuse(self, error: ProgramError) -> None:
        text = error.message.removeprefix("unsupported: ")
        if error.hint is not None:
            self.frame.unit.hints[text] = error.hint
        self.code.fail(self.frame.unit.message(text), BugKind.UNSUPPORTED)

    def _phi(self, i: ir.Instruction) -> None:
        self.frame.set(i.result, tuple(self.code.register() for _ in self.frame.leaves(i.type)))

    def place_of(self, block: ir.Block) -> form.Place | None:
        return next((i.place for i in block.instructions if i.place is not None), self.function.place)

    def _instruction(self, block: ir.Block, i: ir.Instruction) -> None:
        match i.opcode:
            case "br" if not i.operands:
                self._go(block.name, i.labels[0])
            case "br":
                self._branch(block.name, *self._condition(i.operands[0], i.labels))
            case "switch":
                self._switch(block.name, i)
            case "indirectbr":
                self._computed_goto(block.name, i)
            case "ret":
                self._return(i)
            case "invoke":
                call(self.frame, i)
                self._branch_if_thrown(block.name, i)
            case "unreachable":
                self.code.fail(self.frame.unit.message(UNREACHABLE))
            case _:
                translate_instruction(self.frame, i)

    def _branch_if_thrown(self, source: str, i: ir.Instruction) -> None:
        """After an invoke."""
        normal, unwind = i.labels
        if is_unwinding(i):
            self._go(source, unwind)
        elif self.frame.unit.exceptions.may_leave(i):
            self._branch(source, thrown(self.code, self.frame.unit), unwind, normal)
        else:
            self._go(source, normal)

    # Edges.

    def _go(self, source: str, target: str) -> None:
        """The edge from one block to another: copies of values, and the bookkeeping of loops."""
        for register, operand in in_sequence(self._copies(source, target), self.code.register):
            self.code.copy(register, operand)
        if (source, target) in self.flow.retreating:
            retry = self.retries.get(target)
            self.code.again(self.loops[target], kind=Back.EXACT if retry is None else retry.back())
            return
        if target in self.loops:
            self.code.enter(self.loops[target])
        self.code.jump(self.frame.labels[target])

    def _copies(self, source: str, target: str) -> list[tuple[int, int]]:
        """The values of a block's phis when it is entered from another block."""
        found: list[tuple[int, int]] = []
        for i in self.blocks[target].instructions:
            if i.opcode != "phi":
                break
            value = i.operands[i.labels.index(source)]
            registers = self.frame.all(ir.Register(i.type, i.result))
            found += zip(registers, self.frame.all(value), strict=True)
        return found

    def _is_plain(self, source: str, target: str) -> bool:
        """Whether nothing happens on an edge."""
        has_phi = any(i.opcode == "phi" for i in self.blocks[target].instructions[:1])
        return target not in self.loops and not has_phi

    def _edge(self, source: str, target: str, waiting: dict[str, Label]) -> Label:
        """Where to jump for an edge; if it needs code of its own, that is written later."""
        if self._is_plain(source, target):
            return self.frame.labels[target]
        return waiting.setdefault(target, self.code.label())

    def _condition(self, operand: ir.Operand, labels: tuple[str, ...]) -> tuple[int, str, str]:
        """The condition of a branch, and where it leads if that holds and if not; `!x` is x with both swapped."""
        yes, no = labels
        while isinstance(operand, ir.Register):
            i = self.frame.makers.get(operand.name)
            against = i.operands[1] if i is not None and len(i.operands) == 2 else None
            if i is None or not isinstance(against, ir.Number | ir.Zero) or is_wide(against.type):
                break
            value = self.frame.number(against)
            if i.opcode == "icmp" and i.kind in ("eq", "ne") and value == 0:
                yes, no = (yes, no) if i.kind == "ne" else (no, yes)
            elif i.opcode == "xor" and i.type == ir.Integer(1) and value == 1:
                yes, no = no, yes
            else:
                break
            operand = i.operands[0]
        return self.frame.tested(operand), yes, no

    def _branch(self, source: str, condition: int, yes: str, no: str) -> None:
        known = self.code.known(condition)
        if known is not None or yes == no:
            self._go(source, yes if known or yes == no else no)
            return
        waiting: dict[str, Label] = {}
        self.code.jump_if(condition, self._edge(source, yes, waiting))
        self._go(source, no)
        self._write(source, waiting)

    def _switch(self, source: str, i: ir.Instruction) -> None:
        value = self.frame.one(i.operands[0])
        cases = [(self.frame.one(o), target) for o, target in zip(i.operands[1:], i.labels[1:], strict=True)]
        known = self.code.known(value)
        if known is not None:
            self._go(source, next((t for o, t in cases if self.code.known(o) == known), i.labels[0]))
            return
        waiting: dict[str, Label] = {}
        for operand, target in cases:
            if target != i.labels[0]:
                label = self._edge(source, target, waiting)
                self.code.jump_if(self.code.binary(Binary.EQ, value, operand), label)
        self._go(source, i.labels[0])
        self._write(source, waiting)

    def _computed_goto(self, source: str, i: ir.Instruction) -> None:
        address = self.frame.one(i.operands[0])
        waiting: dict[str, Label] = {}
        for target in dict.fromkeys(i.labels):
            label = self.frame.one(ir.Label(ir.Pointer(), self.function.name, target))
            self.code.jump_if(self.code.binary(Binary.EQ, address, label), self._edge(source, target, waiting))
        self.code.fail(self.frame.unit.message(NO_LABEL))
        self._write(source, waiting)

    def _write(self, source: str, waiting: dict[str, Label]) -> None:
        for target, label in waiting.items():
            self.code.put(label)
            self._go(source, target)

    def _use(self, value: int) -> None:
        """Makes it an error if a value was never set."""
        label = self.code.label()
        self.code.jump_if(value, label)
        self.code.put(label)

    def _return(self, i: ir.Instruction) -> None:
        operands = self.frame.all(i.operands[0]) if i.operands else ()
        if self.frame.result_pointer is not None:
            for n, operand in enumerate(operands):
                self.code.store(self.code.add(self.frame.result_pointer, 8 * n), operand, 8)
        single = operands[0] if len(operands) == 1 else self.code.constant(0)
        if self.frame.is_main:
            self._use(single)
            end_program(self.frame)
        end_all(self.frame)
        self.code.give_back(single)
