"""From the code to what it accesses: how wide, and at which offsets of globals, stack objects and structures.

A structure that is atomic as a whole looks like its members in the debug information. Only the accesses tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from porf.programs.c import ir
from porf.programs.c.types import Types
from porf.record import Record

MEMORY = {"load": 0, "store": 1, "cmpxchg": 0, "atomicrmw": 0}  # opcode -> which operand is the pointer
SAME = ("bitcast", "freeze", "addrspacecast")
Root = tuple[str, str]  # ("", global), (function, register), ("struct", name of a structure)
MANY = 4096  # places that one access may be spread over


class Spot(Record):
    """A place relative to a root. Steps are indices that vary: how many bytes each counts, and its bound (0: none)."""

    root: Root
    offset: int = 0
    steps: tuple[tuple[int, int], ...] = ()

    def offsets(self, size: int) -> Iterator[int]:
        """All its possible offsets in an object of this size."""
        ranges = [range(0, step * (count or size // step + 1), step) for step, count in self.steps if step > 0]
        places = 1
        for each in ranges:
            places *= len(each)
        if places <= MANY:
            yield from (at for parts in product(*ranges) if 0 <= (at := self.offset + sum(parts)) < size)


class Access(Record):
    spot: Spot
    width: int
    atomic: bool


class Accesses:
    """All accesses of a module, by what they are relative to."""

    def __init__(self, module: ir.Module, types: Types) -> None:
        self.types = types
        self.at: dict[Root, set[Access]] = defaultdict(set)
        self.loose: set[int] = set()  # widths of atomic accesses through pointers that may point anywhere
        for function in module.functions.values():
            places = Places(function, types)
            for block in function.blocks:
                for instruction in block.instructions:
                    if instruction.opcode in MEMORY:
                        self._note(instruction, places)

    def _note(self, instruction: ir.Instruction, places: Places) -> None:
        at = MEMORY[instruction.opcode]
        value = instruction.operands[0].type if at else accessed(instruction)
        width = self.types.size(value)
        if width in (1, 2, 4, 8) and not isinstance(value, ir.Struct | ir.Array):
            atomic = bool(instruction.order)
            spots = places.spots(instruction.operands[at])
            for spot in spots:
                self.at[spot.root].add(Access(spot, width, atomic))
            if atomic and not any(places.is_known(spot) for spot in spots):
                self.loose.add(width)


def accessed(instruction: ir.Instruction) -> ir.Type:
    """The type of what a load, a read-modify-write or a compare-exchange reads."""
    if instruction.opcode == "load":
        return instruction.source or instruction.type
    return instruction.operands[1].type


class Places:
    """Where the pointers of a function come from."""

    def __init__(self, function: ir.Function, types: Types) -> None:
        self.function = function
        self.types = types
        self.definitions = {i.result: i for b in function.blocks for i in b.instructions if i.result}
        self._spots: dict[str, tuple[Spot, ...]] = {}

    def spots(self, pointer: ir.Operand) -> tuple[Spot, ...]:
        """The place that a pointer points to, relative to its object and to the structures around it."""
        match pointer:
            case ir.Symbol(name=name):
                return (Spot(("", name)),)
            case ir.Expression(opcode="getelementptr", operands=operands, source=source) if source is not None:
                return self._moved(source, operands)
            case ir.Register(name=name):
                if name not in self._spots:
                    self._spots[name] = ()  # a pointer that depends on itself, in a loop, has no known place
                    self._spots[name] = self._defined(name)
                return self._spots[name]
        return ()

    def is_known(self, spot: Spot) -> bool:
        """Whether the root is a global, a structure, or an object on this function's stack."""
        kind, name = spot.root
        definition = self.definitions.get(name)
        return kind in ("", "struct") or (definition is not None and definition.opcode == "alloca")

    def _defined(self, name: str) -> tuple[Spot, ...]:
        definition = self.definitions.get(name)
        if definition is not None and definition.opcode == "getelementptr" and definition.source is not None:
            return self._moved(definition.source, definition.operands)
        if definition is not None and definition.opcode in SAME:
            return self.spots(definition.operands[0])
        return (Spot((self.function.name, name)),)

    def _moved(self, source: ir.Type, operands: tuple[ir.Operand, ...]) -> tuple[Spot, ...]:
        pointer, *indices = operands
        spots = [moved(spot, self.types.size(source), 0, indices[0]) for spot in self.spots(pointer)]
        at = source
        for index in indices[1:]:
            if isinstance(at, ir.Struct) and at.name:
                spots.append(Spot(("struct", at.name)))
            if isinstance(at, ir.Struct):
                number = index.value if isinstance(index, ir.Number) else 0
                offset = self.types.offset(at, number)
                spots = [Spot(s.root, s.offset + offset, s.steps) for s in spots]
                at = self.types.element(at, number)
            elif isinstance(at, ir.Array):
                size = self.types.size(at.element)
                spots = [moved(spot, size, at.count, index) for spot in spots]
                at = at.element
        return tuple(spots)


def moved(spot: Spot, size: int, count: int, index: ir.Operand) -> Spot:
    if isinstance(index, ir.Number):
        return Spot(spot.root, spot.offset + index.value * size, spot.steps)
    return Spot(spot.root, spot.offset, (*spot.steps, (size, count)))
