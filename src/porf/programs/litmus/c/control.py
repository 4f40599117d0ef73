"""Statements of C as instructions: one `Thread` compiles one process."""

from collections.abc import Mapping, Sequence

from porf.programs.assemble import Label
from porf.programs.form import Template
from porf.programs.litmus.c.flow import Flow
from porf.programs.litmus.c.operations import Operation
from porf.programs.litmus.c.syntax import (
    Assign,
    Block,
    Declare,
    Evaluate,
    Expression,
    If,
    Leave,
    Loop,
    Postfix,
    Process,
    Statement,
)
from porf.programs.litmus.c.values import Values
from porf.programs.litmus.cursor import Number
from porf.programs.litmus.dialects import Variable
from porf.programs.litmus.initial import Address, Setting
from porf.programs.litmus.kinds import INT, Type, pointer_to
from porf.programs.litmus.memory import Memory
from porf.programs.litmus.source import Source


class Thread(Values):
    """The code of one thread; `template` finishes it."""

    def __init__(self, source: Source, process: Process, operations: Mapping[str, Operation], kernel: bool) -> None:
        super().__init__(source, Flow(f"P{process.number}"), kernel)
        self.operations = operations
        self.pointers = process.parameters
        self._scopes: list[set[str]] = []
        self._loops: list[tuple[Label, Label]] = []  # where continue and break lead
        for parameter in process.parameters:
            if parameter.name in self.parameters:
                source.fail(parameter.at, f"two parameters are called '{parameter.name}'", None, len(parameter.name))
            self.parameters[parameter.name] = parameter.type
        self._body = process.body
        self._given: set[str] = set()  # variables that the initial state sets

    def compile(self, memory: Memory, settings: Sequence[Setting], messages: list[str]) -> None:
        """Emits the whole thread. Registers may have a value at first."""
        self.memory, self.messages = memory, messages
        for setting in settings:
            self._setting(setting)
        self._given = {setting.name for setting in settings}
        self._block(self._body)

    def template(self, observed: tuple[int, ...]) -> Template:
        return self.asm.template(observed)

    def _setting(self, setting: Setting) -> None:
        kind = setting.type
        if kind is None:
            target = self.memory.locations[setting.value.name].type if isinstance(setting.value, Address) else None
            kind = pointer_to(target) if target is not None else INT
        self.place(setting.at)
        variable = self._declare(setting.at, setting.name, kind)
        value = self.constant(kind.wrap(self.memory.value(setting.value)))
        self.asm.copy(variable.register, value.operand)
        self.asm.set(setting.name)

    def _declare(self, at: int, name: str, kind: Type) -> Variable:
        """A variable has one register, whichever of the thread's blocks declare it: conditions call it by name."""
        if name in self.parameters:
            self.source.fail(at, f"'{name}' is a parameter already", "give the variable another name", len(name))
        if any(name in scope for scope in self._scopes):
            self.source.fail(at, f"'{name}' is declared already", "give one of them another name", len(name))
        if self._scopes:
            self._scopes[-1].add(name)
        known = self.variables.get(name)
        register = known.register if known is not None else self.asm.register(name)
        self.variables[name] = Variable(register, kind)
        return self.variables[name]

    def _statement(self, node: Statement) -> None:
        self.place(node.at)
        match node:
            case Evaluate(expression=Postfix() as step):  # its value is not used
                self.value(Assign(step.at, step.sign, step.target, Number(step.at, 1, INT)))
            case Evaluate():
                self.value(node.expression)
            case Declare():
                self._declaration(node)
            case Block():
                self._block(node)
            case If():
                self._if(node)
            case Loop():
                self._loop(node)
            case Leave():
                self._leave(node)

    def _declaration(self, node: Declare) -> None:
        variable = self._declare(node.at, node.name, node.type)
        if node.value is not None or node.name not in self._given:
            self.asm.unset(node.name)
        if node.value is not None:
            self.assign(node.name, variable, node.value)

    def _block(self, node: Block) -> None:
        self._scopes.append(set())
        for statement in node.body:
            self._statement(statement)
        self._scopes.pop()

    def _if(self, node: If) -> None:
        arm = self.arm()
        no = self.asm.label()
        self.branch(node.test, no, when=False)
        self._scoped(node.yes)
        if node.no is None:
            self.asm.put(no)
        else:
            end = self.asm.label()
            self.asm.jump(end)
            self.asm.put(no)
            self._scoped(node.no)
            self.asm.put(end)
        self.joined(arm)

    def _scoped(self, node: Statement) -> None:
        self._block(node if isinstance(node, Block) else Block(node.at, [node]))

    def _loop(self, node: Loop) -> None:
        arm = self.arm()
        following, end = self.asm.label(), self.asm.label()
        loop = self.asm.loop()
        if not node.test_last:
            self._test(node.test, end)
        self._loops.append((following, end))
        self._scoped(node.body)
        self._loops.pop()
        self.asm.put(following)
        if node.step is not None:
            self._statement(Evaluate(node.step.at, node.step))
        if node.test_last:
            self._test(node.test, end)
        self.asm.again(loop)
        self.asm.put(end)
        self.joined(arm)

    def _test(self, test: Expression | None, end: Label) -> None:
        """Leaves the loop if the test fails; one that is a number is known now."""
        if isinstance(test, Number):
            if not test.value:
                self.asm.jump(end)
        elif test is not None:
            self.branch(test, end, when=False)

    def _leave(self, node: Leave) -> None:
        if node.word == "return":
            self.asm.exit()
            self.asm.assigned = None
            return
        if not self._loops:
            self.source.fail(node.at, f"'{node.word}' is not inside a loop", None, len(node.word))
        self.asm.jump(self._loops[-1][node.word == "break"])
