"""From an allocation to the type of its elements, by the variables and the places that its pointer is stored in."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from porf.programs.c import ir
from porf.programs.c.accesses import MEMORY, Places, accessed
from porf.programs.c.library import find
from porf.programs.c.shapes import Shapes
from porf.programs.c.types import Types, plain_name
from porf.record import Record

FLOW = ("phi", "select", "bitcast", "freeze", "ptrtoint", "inttoptr", "addrspacecast")


class Element(Record):
    """The elements of an allocation: their debug type (-1 unknown), type of LLVM, and the name of a variable."""

    number: int = -1
    type: ir.Type | None = None
    variable: str = ""


class Heap:
    """Guesses, checked against the allocated size. They decide names, and how wide the accesses of a copy are."""

    def __init__(self, module: ir.Module, types: Types, shapes: Shapes) -> None:
        self.module = module
        self.types = types
        self.shapes = shapes
        self._named: dict[str, int] | None = None
        self._places: dict[str, Places] = {}
        self._uses: dict[str, _Uses] = {}

    def element(self, function: ir.Function, call: ir.Instruction) -> Element | None:
        """The elements that the call allocates, if they are known."""
        weak = None
        amount = allocated(call)
        for found in self._candidates(function, call):
            size = self.size(found)
            if not size or (amount is not None and (amount < size or (amount % size and self.tail(found, amount) < 0))):
                continue
            if size > 1:
                return found
            weak = weak or found
        return weak

    def size(self, element: Element) -> int:
        if element.number >= 0:
            return self.shapes.size(element.number)
        return self.types.size(element.type) if element.type is not None else 0

    def tail(self, element: Element, amount: int | None = 0) -> int:
        """The debug type of the elements that follow a structure with a flexible array at its end, or -1.

        Older programs write [1] for []: that is meant if the amount of memory is not that of whole structures.
        """
        if element.number < 0:
            return -1
        type = self.shapes.debug.type(element.number)
        if type.kind != "struct" or not type.members or type.members[-1][2] < 0:
            return -1
        last = self.shapes.debug.type(type.members[-1][2])
        if last.kind != "array":
            return -1
        size = self.shapes.size(type.members[-1][2])
        old = size == self.shapes.size(last.element) and amount is not None and amount % self.size(element) != 0
        return last.element if not size or old else -1

    def places(self, function: ir.Function) -> Places:
        if function.name not in self._places:
            self._places[function.name] = Places(function, self.types)
        return self._places[function.name]

    def _candidates(self, function: ir.Function, call: ir.Instruction) -> Iterator[Element]:
        if function.name not in self._uses:
            self._uses[function.name] = _Uses(function)
        names = self._uses[function.name].copies(call.result)
        for name in names:
            yield from self._pointed(function.variables.get(name))
        instructions = self._uses[function.name].of(names)
        for instruction in instructions:
            yield from self._stored(function, instruction, names)
        for instruction in instructions:
            yield from self._accessed(instruction, names)

    def _pointed(self, variable: ir.Variable | None) -> Iterator[Element]:
        if variable is not None and variable.address:
            yield Element(variable.type, None, variable.name)
        elif variable is not None and variable.type >= 0:
            yield from self._behind(variable.type, variable.name)

    def _behind(self, number: int, name: str) -> Iterator[Element]:
        type = self.shapes.debug.type(number)
        if type.kind == "pointer" and type.element >= 0:
            yield Element(type.element, None, name)

    def _stored(self, function: ir.Function, instruction: ir.Instruction, names: dict[str, None]) -> Iterator[Element]:
        """The pointer is stored in a place, or passed to a function, whose type is known."""
        at = MEMORY.get(instruction.opcode)
        if at is not None:
            pointer = instruction.operands[at]
            if any(is_one(o, names) for i, o in enumerate(instruction.operands) if i != at):
                yield from self._at(function, pointer)
        callee = instruction.callee
        if isinstance(callee, ir.Symbol) and callee.name in self.module.functions:
            called = self.module.functions[callee.name]
            for operand, parameter in zip(instruction.operands, called.parameters, strict=False):
                if is_one(operand, names):
                    yield from self._pointed(called.variables.get(parameter.name))

    def _at(self, function: ir.Function, pointer: ir.Operand) -> Iterator[Element]:
        for spot in self.places(function).spots(pointer):
            kind, name = spot.root
            if kind == "struct":
                number = self.named(name)
            elif kind == "":
                variable = self.module.globals[name].variable if name in self.module.globals else None
                number = variable.type if variable is not None else -1
            else:
                local = function.variables.get(name)
                number = local.type if local is not None else -1
            found = self._member(number, spot.offset)
            if found is not None:
                yield from self._behind(*found)

    def _member(self, number: int, offset: int, name: str = "") -> tuple[int, str] | None:
        """The type of the pointer at an offset in a type, and the name of its member."""
        if number < 0:
            return None
        type = self.shapes.debug.type(number)
        if type.kind == "pointer":
            return (number, name) if offset == 0 else None
        if type.kind == "array":
            step = self.shapes.size(type.element)
            return self._member(type.element, offset % step, name) if step else None
        for member, at, inner in type.members:
            if at <= offset < at + self.shapes.size(inner):
                return self._member(inner, offset - at, member)
        return None

    def _accessed(self, instruction: ir.Instruction, names: dict[str, None]) -> Iterator[Element]:
        """What the pointer is used as."""
        if instruction.opcode == "getelementptr" and is_one(instruction.operands[0], names):
            source = instruction.source
            if isinstance(source, ir.Struct):
                yield Element(self.named(source.name), source)
            elif source is not None and len(instruction.operands) == 2:
                yield Element(-1, source)
        at = MEMORY.get(instruction.opcode)
        if at is not None and is_one(instruction.operands[at], names):
            yield Element(-1, instruction.operands[0].type if at else accessed(instruction))

    def named(self, struct: str) -> int:
        """The debug type of a structure of LLVM, by its name; -1 if there is none."""
        if self._named is None:
            self._named = dict(self._walk())
        number = self._named.get(plain_name(struct), -1) if struct else -1
        return number if self.shapes.size(number) == self.types.size(ir.Struct(struct)) else -1

    def _walk(self) -> Iterator[tuple[str, int]]:
        """All debug types with a name that can be reached from variables."""
        variables = [g.variable for g in self.module.globals.values() if g.variable is not None]
        variables += [v for f in self.module.functions.values() for v in f.variables.values()]
        todo, seen = [v.type for v in variables], set[int]()
        while todo:
            number = todo.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            type = self.shapes.debug.type(number)
            if type.kind in ("struct", "union") and type.name:
                yield type.name.partition("<")[0], number
            todo += [type.element, *(member[2] for member in type.members)]


class _Uses:
    """Which instructions of a function use its registers."""

    def __init__(self, function: ir.Function) -> None:
        self._instructions = [i for block in function.blocks for i in block.instructions]
        self._users: dict[str, list[int]] = {}  # register -> positions
        for position, i in enumerate(self._instructions):
            for operand in i.operands:
                if isinstance(operand, ir.Register):
                    self._users.setdefault(operand.name, []).append(position)

    def copies(self, start: str) -> dict[str, None]:
        """The registers that may hold the pointer in one, in the order in which passes over the code find them."""
        names = {start: None}
        heap = [(0, position) for position in self._users.get(start, ())]  # which pass, and where
        while heap:
            turn, position = heappop(heap)
            i = self._instructions[position]
            if i.opcode in FLOW and i.result not in names:
                names[i.result] = None
                for user in self._users.get(i.result, ()):
                    heappush(heap, (turn + (user <= position), user))
        return names

    def of(self, names: Iterable[str]) -> list[ir.Instruction]:
        """The instructions that use one of these, in their order."""
        positions = {position for name in names for position in self._users.get(name, ())}
        return [self._instructions[position] for position in sorted(positions)]


def is_one(operand: ir.Operand, names: dict[str, None]) -> bool:
    return isinstance(operand, ir.Register) and operand.name in names


def allocated(call: ir.Instruction) -> int | None:
    """How many bytes a call allocates, if the number is constant."""
    record = find(call.callee.name) if isinstance(call.callee, ir.Symbol) else None
    if record is None or not record.allocates:
        return None
    total = 1
    for index in record.allocates:
        operand = call.operands[index] if index < len(call.operands) else None
        if not isinstance(operand, ir.Number):
            return None
        total *= operand.value
    return total
