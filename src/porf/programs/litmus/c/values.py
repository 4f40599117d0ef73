"""Expressions of C as instructions: variables, memory, assignments; calls are in `operations`."""

from collections.abc import Mapping
from typing import NoReturn

from porf._core import Order
from porf.errors import nearest
from porf.programs.assemble import Label
from porf.programs.form import Assumption, Exclusive, Modify, Opcode, Reading
from porf.programs.litmus.c.arithmetic import Arithmetic, Typed
from porf.programs.litmus.c.flow import Flow
from porf.programs.litmus.c.operations import ORDERS, Operation, call
from porf.programs.litmus.c.syntax import Assign, Binary, Call, Cast, Conditional, Expression, Name, Postfix, Unary
from porf.programs.litmus.cursor import Number
from porf.programs.litmus.dialects import Variable
from porf.programs.litmus.kinds import INT, LONG, VOID, Type, common, pointer_to
from porf.programs.litmus.memory import Memory
from porf.programs.litmus.source import Source

# What C does in one step if an atomic location is the target, as in `*x += 1`.
_MODIFY = {"+": Modify.ADD, "-": Modify.SUB, "&": Modify.AND, "|": Modify.OR, "^": Modify.XOR}


class Values(Arithmetic):
    """Emits the expressions of one thread."""

    memory: Memory
    operations: Mapping[str, Operation]  # the functions that it may call
    messages: list[str]  # of assertions that fail

    def __init__(self, source: Source, asm: Flow, kernel: bool) -> None:
        super().__init__(source, asm, kernel)
        self._arms = 0
        self.variables: dict[str, Variable] = {}
        self.parameters: dict[str, Type] = {}

    def value(self, node: Expression, into: int | None = None) -> Typed:
        """Emits an expression. Its operand is `into` only if the last instruction set it."""
        match node:
            case Number():
                return self.constant(node.value, node.type)
            case Name():
                return self._name(node)
            case Call():
                return call(self, node, into)
            case Unary():
                return self._unary(node, into)
            case Binary(sign=","):
                self.value(node.left)
                return self.value(node.right, into)
            case Binary(sign="&&" | "||"):
                return self._logical(node, into)
            case Binary():
                left = self.scalar(node.left)
                return self.binary(node.at, node.sign, left, self.scalar(node.right), into)
            case Conditional():
                return self._conditional(node, into)
            case Assign():
                return self._assign(node)
            case Postfix():
                return self._postfix(node)
            case Cast():
                return self._cast(node, into)

    def branch(self, node: Expression, label: Label, when: bool) -> None:
        """Goes to the label if the expression's truth is `when`."""
        match node:
            case Unary(sign="!"):
                self.branch(node.operand, label, not when)
            case Binary(sign="&&" | "||"):
                if (node.sign == "||") == when:
                    self.branch(node.left, label, when)
                    self.branch(node.right, label, when)
                else:
                    over = self.asm.label()
                    self.branch(node.left, over, not when)
                    self.branch(node.right, label, when)
                    self.asm.put(over)
            case _:
                operand = self.scalar(node).operand
                (self.asm.jump_if if when else self.asm.jump_unless)(operand, label)

    def arm(self) -> int:
        """Begins what may depend on a condition. In the kernel's model what follows it does not, and in the models of
        machines and of C it does."""
        if self.kernel:
            self._arms += 1
            self._mark(self._arms, Exclusive.ARM)
        return self._arms

    def joined(self, arm: int) -> None:
        """Ends it."""
        if self.kernel:
            self._arms = arm - 1
            self._mark(arm, Exclusive.JOINED)

    def _mark(self, arm: int, what: Exclusive) -> None:
        self.asm.emit(Opcode.ASSUME, b=self.asm.constant(arm), kind=Assumption.REQUIRED, exclusive=what)

    def scalar(self, node: Expression, into: int | None = None) -> Typed:
        """Emits an expression that must have a value."""
        value = self.value(node, into)
        if value.type.kind == "void":
            self.nothing(node)
        return value

    def nothing(self, node: Expression) -> NoReturn:
        what = node.name if isinstance(node, Call) else "this"
        self.source.fail(node.at, f"{what} gives no value", None, len(what) if isinstance(node, Call) else 1)

    def number(self, node: Expression, kind: Type, into: int | None = None) -> int:
        """Emits an expression as a value of this type."""
        return self.convert(node.at, self.scalar(node, into), kind, into)

    def place(self, at: int) -> None:
        self.asm.place = self.source.place(at)

    def target(self, node: Expression, what: str) -> Typed:
        """Emits an expression that points to shared memory; the type is that of what is there."""
        value = self.value(node)
        target = LONG if self.kernel and value.type.is_number else value.type.target
        if target is None:
            is_value = isinstance(node, Unary) and node.sign == "*"
            hint = "write x, the address, and not *x" if is_value else None
            self.source.fail(node.at, f"{what} needs a pointer to a shared location, not {value.type.name}", hint)
        return Typed(value.operand, target)

    def plain(self, node: Unary) -> Typed:
        """Emits the address in `*address`: a place of a number or a pointer."""
        place = self.target(node.operand, "'*'")
        if not (place.type.is_number or place.type.kind == "pointer"):
            self.source.fail(node.at, f"a {place.type.name} has no value", "lock and unlock it")
        return place

    def load(self, place: Typed, order: Order, into: int | None = None, tags: int = 0) -> Typed:
        fields = {"kind": Reading.USES, "width": place.type.width, "order": order, "signed": place.type.signed}
        return Typed(self.asm.value(Opcode.LOAD, place.operand, into=into, **fields, tags=tags), place.type)

    def store(self, place: Typed, operand: int, order: Order, tags: int = 0) -> None:
        fields = {"width": place.type.width, "order": order, "signed": place.type.signed}
        self.asm.emit(Opcode.STORE, b=place.operand, c=operand, **fields, tags=tags)

    def variable(self, node: Name) -> Variable:
        """A local variable that is to be set."""
        found = self.variables.get(node.name)
        if found is None:
            if node.name in self.parameters:
                message = f"'{node.name}' is a pointer to a shared location, and cannot be set"
                self.source.fail(node.at, message, f"write *{node.name} for its value", len(node.name))
            if not self.kernel or node.name in self.memory.locations:
                self._unknown(node)
            found = self.variables[node.name] = Variable(self.asm.register(node.name), LONG)
        return found

    def assign(self, name: str, variable: Variable, node: Expression) -> None:
        """Emits an expression whose value a local variable takes."""
        self.settle(variable, node.at, self.scalar(node, variable.register))
        self.asm.set(name)

    def settle(self, variable: Variable, at: int, value: Typed) -> None:
        operand = self.convert(at, value, variable.type, variable.register)
        if operand != variable.register:
            self.asm.copy(variable.register, operand)

    def _name(self, node: Name) -> Typed:
        variable = self.variables.get(node.name)
        if variable is not None:
            if not self.asm.is_set(node.name):
                message = f"'{node.name}' is used before it is set"
                self.source.fail(node.at, message, "set it on every path that leads here", len(node.name))
            return Typed(*variable)
        kind = self.parameters.get(node.name)
        if kind is None:
            self._unknown(node)
        return self.constant(self.memory.locations[node.name].pointer, kind)

    def _unknown(self, node: Name) -> NoReturn:
        hint = nearest(node.name, [*self.variables, *self.parameters])
        if node.name in self.memory.locations:
            kind = self.memory.locations[node.name].type.name
            hint = f"it is a shared location: add {kind}* {node.name} to the parameters of {self.asm.name}"
        elif node.name in ORDERS:
            hint = "an order is an argument of an _explicit operation"
        message = f"{self.asm.name} has no variable '{node.name}'"
        self.source.fail(node.at, message, hint or f"declare it: int {node.name};", len(node.name))

    def _unary(self, node: Unary, into: int | None) -> Typed:
        if node.sign == "*":
            place = self.plain(node)
            self.place(node.at)
            return self.load(place, self._plain_order(place.type), into)
        if node.sign == "&":
            if isinstance(node.operand, Unary) and node.operand.sign == "*":
                place = self.target(node.operand.operand, "'*'")
                return Typed(place.operand, pointer_to(place.type))
            hint = "&r0 is only the expected value of a compare-exchange; a parameter x is an address already"
            self.source.fail(node.at, "local variables have no address here", hint)
        return self.unary(node.at, node.sign, self.scalar(node.operand), into)

    def _logical(self, node: Expression, into: int | None) -> Typed:
        result, false, end = self._result(into), self.asm.label(), self.asm.label()
        self.branch(node, false, when=False)
        self.asm.copy(result, self.asm.constant(1))
        self.asm.jump(end)
        self.asm.put(false)
        self.asm.copy(result, self.asm.constant(0))
        self.asm.put(end)
        return Typed(result, INT)

    def _conditional(self, node: Conditional, into: int | None) -> Typed:
        result, no, end = self._result(into), self.asm.label(), self.asm.label()
        arm = self.arm()
        self.branch(node.test, no, when=False)
        kind = self._settled(node.yes, result)
        self.asm.jump(end)
        self.asm.put(no)
        other = self._settled(node.no, result)
        self.asm.put(end)
        self.joined(arm)
        if kind.kind == "pointer" or other.kind == "pointer":
            return Typed(result, kind if kind.kind == "pointer" else other)
        both = common(kind, other)
        return Typed(self.convert(node.at, Typed(result, LONG), both, result), both)

    def _result(self, into: int | None) -> int:
        return self.asm.result() if into is None else into

    def _settled(self, node: Expression, register: int) -> Type:
        value = self.scalar(node, register)
        if value.operand != register:
            self.asm.copy(register, value.operand)
        return value.type

    def _assign(self, node: Assign) -> Typed:
        target = node.target
        if isinstance(target, Name):
            variable = self.variable(target)
            if node.sign:
                result = self.binary(node.at, node.sign, self._name(target), self.scalar(node.value), variable.register)
                self.settle(variable, node.at, result)
            else:
                self.assign(target.name, variable, node.value)
            return Typed(*variable)
        if not (isinstance(target, Unary) and target.sign == "*"):
            self.source.fail(node.at, "this cannot be assigned to", "assign to a variable, or to *x")
        place = self.plain(target)
        if not node.sign:
            operand = self.number(node.value, place.type)
            self.place(target.at)
            self.store(place, operand, self._plain_order(place.type))
            return Typed(operand, place.type)
        return self._modify(node, place, self.scalar(node.value))[1]

    def _modify(self, node: Assign | Postfix, place: Typed, right: Typed) -> tuple[Typed, Typed]:
        """`*x += e`: the value before and the one after. On an atomic location it is one step."""
        self.place(node.at)
        if not place.type.atomic or self.kernel:
            before = self.load(place, Order.NA)
            after = self.binary(node.at, node.sign, before, right)
            operand = self.convert(node.at, after, place.type)
            self.store(place, operand, Order.NA)
            return before, Typed(operand, place.type)
        if node.sign not in _MODIFY or place.type.kind != "integer":
            hint = "write a loop with atomic_compare_exchange_weak"
            self.source.fail(node.at, f"'{node.sign}=' of an atomic location is not supported", hint)
        operand = self.convert(node.at, right, place.type)
        before = self.modify(place, _MODIFY[node.sign], operand, Order.SC)
        after = self.binary(node.at, node.sign, before, Typed(operand, place.type))
        return before, Typed(self.convert(node.at, after, place.type), place.type)

    def modify(
        self, place: Typed, kind: Modify, operand: int, order: Order, into: int | None = None, tags: int = 0
    ) -> Typed:
        fields = {"kind": kind, "width": place.type.width, "order": order, "signed": place.type.signed}
        return Typed(self.asm.value(Opcode.RMW, place.operand, operand, into=into, **fields, tags=tags), place.type)

    def _postfix(self, node: Postfix) -> Typed:
        one = self.constant(1)
        if isinstance(node.target, Name):
            variable = self.variable(node.target)
            before = self.asm.register()
            self.asm.copy(before, self._name(node.target).operand)
            self.settle(variable, node.at, self.binary(node.at, node.sign, Typed(*variable), one, variable.register))
            return Typed(before, variable.type)
        if not (isinstance(node.target, Unary) and node.target.sign == "*"):
            self.source.fail(node.at, f"'{node.sign * 2}' needs a variable, or *x", None, 2)
        return self._modify(node, self.plain(node.target), one)[0]

    def _cast(self, node: Cast, into: int | None) -> Typed:
        if node.type.kind == "void":
            return Typed(self.value(node.operand, into).operand, VOID)
        value = self.scalar(node.operand, into)
        return Typed(self.convert(node.at, value, node.type, into, cast=True), node.type)

    def _plain_order(self, kind: Type) -> Order:
        """The order of an access that is written without one."""
        return Order.SC if kind.atomic and not self.kernel else Order.NA
