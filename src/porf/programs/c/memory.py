"""From a module's globals, thread-locals and allocations to objects with named cells, and the pointers to them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from porf._core import private_slots
from porf.errors import ProgramError
from porf.formats.rules import is_name
from porf.programs import form
from porf.programs.c import ir
from porf.programs.c.accesses import Accesses
from porf.programs.c.constants import Constants, wrapped
from porf.programs.c.errors import placed, unsupported
from porf.programs.c.heap import Element, Heap, allocated
from porf.programs.c.layout import Layouts, cells_needed
from porf.programs.c.library import find, is_variable
from porf.programs.c.reachable import Reachable
from porf.programs.c.shapes import Leaf, Shapes
from porf.programs.c.types import Types

TAIL = 1024  # elements of a flexible array whose size is not known before the program runs


class Memory:
    """The objects that a program can reach. `templates` are the numbers of the functions' templates.

    `given_away` are thread-local variables that other threads may reach: each thread has a pointer to its own.
    """

    def __init__(
        self,
        module: ir.Module,
        types: Types,
        templates: Mapping[str, int],
        found: Reachable,
        given_away: Collection[str] = (),
    ) -> None:
        self.given_away = tuple(name for name in module.globals if name in given_away and name in found.globals)
        self.module = module
        self.types = types
        self.layouts: list[form.Object] = []
        self._layouts_of: dict[tuple[str, str, form.Place | None], int] = {}
        self._constants = Constants(types, self._address)
        self._shapes = Shapes(module.debug)
        self._plan = Layouts(self._shapes, types, Accesses(module, types))
        self._heap = Heap(module, types, self._shapes)
        self._slots: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._titles: Counter[str] = Counter()  # objects with cells of one name are NAME, NAME@2, and so on
        self._number(found)
        self.locals = tuple(self._local(name) for name in self._slots)
        self.objects = tuple(self._object(name, found, templates) for name in self._numbers)

    def _number(self, found: Reachable) -> None:
        slots = 0
        for name, item in self.module.globals.items():
            if name not in found.globals or is_missing(item):
                continue
            if item.thread_local:
                self._slots[name] = slots
                slots += private_slots(8 if name in self.given_away else self.types.size(item.type))
            else:
                self._numbers[name] = len(self._numbers)
        for name, function in self.module.functions.items():
            if name in found.pointed and not (function.weak and find(name) is None):
                self._numbers[name] = len(self._numbers)

    def has(self, name: str) -> bool:
        """Whether the program can reach a global."""
        return name in self._numbers

    def local_slot(self, name: str) -> int:
        """The slot of a thread-local variable."""
        return self._slots[name]

    def value(self, operand: ir.Operand) -> int:
        """A scalar constant: a number, or a pointer to an object."""
        return self._constants.value(operand)

    def contents(self, name: str) -> bytes:
        """The initial bytes of a global."""
        initial = self.module.globals[name].initial
        try:
            size = self.types.size(self.module.globals[name].type)
            return self._constants.image(initial) if initial is not None else bytes(size)
        except ProgramError as error:
            raise placed(error, self._place(name)) from None

    def _address(self, name: str) -> int:
        if name in self._numbers:
            return form.pointer(self._numbers[name])
        declared = self.module.functions.get(name) or self.module.globals.get(name)
        if declared is not None and declared.weak:
            return 0
        if name in self._slots:
            raise unsupported(f"the address of the thread-local '{name}' in a constant", self._place(name))
        if name in self.module.globals:
            raise unsupported(f"the variable '{name}', which is declared but not defined", self._place(name))
        raise unsupported(f"'{name}', which is not defined anywhere", None)

    def _place(self, name: str) -> form.Place | None:
        item = self.module.globals.get(name)
        return item.variable.place if item is not None and item.variable is not None else None

    def own_copy(self, name: str) -> tuple[int, int, list[form.Cell]]:
        """A thread-local variable that is given away: its layout, its size, and the cells that are not 0 at first."""
        item = self.module.globals[name]
        size, title = self.types.size(item.type), self._title(item)
        cells = self._cells(item, title, size)
        unnamed = tuple(
            form.Cell(c.offset, c.width, c.label.removeprefix(title).removeprefix("."), None, c.signed) for c in cells
        )
        self.layouts.append(form.Object(title, size, unnamed, self._place(name)))
        return len(self.layouts) - 1, size, [cell for cell in cells if cell.initial]

    def _local(self, name: str) -> form.Local:
        if name in self.given_away:
            return form.Local(self._slots[name], 8, (0,))
        data = self.contents(name)
        data = data.ljust(-(-len(data) // 8) * 8, b"\0")
        words = tuple(int.from_bytes(data[at : at + 8], "little", signed=True) for at in range(0, len(data), 8))
        return form.Local(self._slots[name], self.types.size(self.module.globals[name].type), words)

    def _object(self, name: str, found: Reachable, templates: Mapping[str, int]) -> form.Object:
        if name in self.module.functions:
            function = self.module.functions[name]
            return form.Object(function.title or name, 0, (), function.place, templates.get(name, -1))
        item = self.module.globals[name]
        size = self.types.size(item.type)
        if is_variable(name):  # such as stderr: nobody looks into it, but it is not null
            return form.Object(name, size, (form.Cell(0, 8, name, self._address(name)),), constant=True)
        title = self._title(item)
        if name not in found.read:
            return form.Object(title, size, (), self._place(name), constant=item.constant)
        self._titles[title] += 1
        title = title if self._titles[title] == 1 else f"{title}@{self._titles[title]}"
        cells = self._cells(item, title, size)
        return form.Object(title, size, cells, self._place(name), constant=item.constant)

    def _title(self, item: ir.Global) -> str:
        """The variable's name; a string is named by its text."""
        title = item.name
        if item.variable is not None and item.variable.name:
            title = item.variable.name
        elif isinstance(item.initial, ir.Text) and item.constant:
            text = item.initial.data.split(b"\0")[0].decode("ascii", "replace")
            title = f'"{text[:20]}…"' if len(text) > 20 else f'"{text}"'
        return written(title)

    def _cells(self, item: ir.Global, title: str, size: int) -> tuple[form.Cell, ...]:
        data = self.contents(item.name)
        number = item.variable.type if item.variable is not None else -1
        if number >= 0 and self._shapes.size(number) > size:
            number = -1
        leaves = self._plan.leaves(number, item.type, size, ("", item.name))
        leaves = cells_needed(leaves, lambda leaf: any(data[leaf.offset : leaf.end]))
        leaves += self._rest(item, leaves, data)
        leaves.sort(key=lambda leaf: leaf.offset)
        return tuple(
            form.Cell(leaf.offset, leaf.width, title + label, initial(data, leaf), leaf.signed)
            for leaf, label in zip(leaves, own_labels(leaves), strict=True)
        )

    def _rest(self, item: ir.Global, leaves: list[Leaf], data: bytes) -> list[Leaf]:
        """Leaves for initial values outside of all leaves: in a member of a union, or in the threads library's data."""
        left = bytearray(data)
        for leaf in leaves:
            left[leaf.offset : leaf.end] = bytes(leaf.width)
        if not any(left) or item.initial is None:
            return []
        taken = {at for leaf in leaves for at in range(leaf.offset, leaf.end)}
        own = self._plan.leaves(-1, item.initial.type, len(data), None)
        return [o for o in own if any(left[o.offset : o.end]) and taken.isdisjoint(range(o.offset, o.end))]

    def alloca_layout(self, function: ir.Function, instruction: ir.Instruction) -> int:
        """The layout of a stack object that other threads may see."""
        return self._layout(function, instruction, self._stack(function, instruction))

    def heap_layout(self, function: ir.Function, call: ir.Instruction) -> int:
        """The layout of what a call allocates."""
        return self._layout(function, call, self._heap.element(function, call))

    def _stack(self, function: ir.Function, instruction: ir.Instruction) -> Element:
        variable = function.variables.get(instruction.result)
        type = instruction.source or ir.Integer(8)
        number = variable.type if variable is not None else -1
        name = variable.name if variable is not None else "temporary"
        fixed = instruction.operands in ((), (ir.Number(instruction.operands[0].type, 1),))
        if number >= 0 and self._shapes.debug.type(number).kind == "array" and not fixed:
            return Element(self._shapes.debug.type(number).element, None, name)
        if number >= 0 and self._shapes.size(number) != self.types.size(type):
            number = -1
        if (
            isinstance(type, ir.Array)
            and type.count
            and (number < 0 or self._shapes.debug.type(number).kind == "array")
        ):
            number = self._shapes.debug.type(number).element if number >= 0 else -1
            type = type.element
        return Element(number, type, name)

    def _layout(self, function: ir.Function, instruction: ir.Instruction, element: Element | None) -> int:
        key = (function.name, instruction.result, instruction.place)
        if key not in self._layouts_of:
            self._layouts_of[key] = len(self.layouts)
            self.layouts.append(self._described(function, instruction, element))
        return self._layouts_of[key]

    def _described(self, function: ir.Function, instruction: ir.Instruction, element: Element | None) -> form.Object:
        if element is None:
            return form.Object("heap", 1, (), instruction.place)
        size, stack = self._heap.size(element), instruction.opcode == "alloca"
        amount = size if stack else allocated(instruction)
        tail = self._heap.tail(element, amount)
        root = (function.name, instruction.result) if tail < 0 else None  # with a tail it is not an array of elements
        leaves = self._plan.leaves(element.number, element.type, size, root)
        if tail >= 0:
            leaves, size = self._extended(leaves, size, element.number, tail, amount)
        cells = tuple(
            form.Cell(o.offset, o.width, label.removeprefix("."), None, o.signed)
            for o, label in zip(leaves, own_labels(leaves), strict=True)
        )
        type = self._shapes.debug.type(element.number) if element.number >= 0 else None
        own = type.name if type is not None and type.kind in ("struct", "union") else ""
        name = (element.variable or own) if stack else (own or element.variable)
        return form.Object(written(name) or "heap", size, cells, instruction.place)

    def _extended(
        self, leaves: list[Leaf], size: int, number: int, tail: int, amount: int | None
    ) -> tuple[list[Leaf], int]:
        """A structure with as many elements of the flexible array at its end as are allocated, or may be."""
        name, start, _ = self._shapes.debug.type(number).members[-1]
        step = self._shapes.size(tail)
        size = amount if amount is not None else start + TAIL * step
        leaves = [leaf for leaf in leaves if leaf.offset < start]
        for index in range((size - start) // step if step else 0):
            leaves += (leaf.moved(start + index * step, f".{name}[{index}]") for leaf in self._shapes.leaves(tail))
        return leaves, size


def is_missing(item: ir.Global) -> bool:
    """Whether neither the program nor the library defines a variable."""
    return item.initial is None and not is_variable(item.name) and not item.name.startswith(("_Z", "__"))


def written(name: str) -> str:
    """A name as histories spell it."""
    return "".join(letter if is_name(letter) else "_" for letter in name)


def own_labels(leaves: Sequence[Leaf]) -> list[str]:
    """Labels that tell leaves apart: two bases of a class may have members of one name."""
    seen: Counter[str] = Counter()
    found = []
    for leaf in leaves:
        seen[leaf.label] += 1
        found.append(leaf.label if seen[leaf.label] == 1 else f"{leaf.label}@{seen[leaf.label]}")
    return found


def initial(data: bytes, leaf: Leaf) -> int:
    """The initial value of a cell, as a register holds it."""
    value = int.from_bytes(data[leaf.offset : leaf.end], "little", signed=leaf.signed)
    return wrapped(value, 64)
