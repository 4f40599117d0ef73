"""From a type to its size, its alignment and the offsets of its elements: the data layout of x86-64."""

import re
from collections.abc import Mapping

from porf.programs.c import ir
from porf.programs.c.errors import unsupported

NUMBERS = {"float": 32, "double": 64}  # floating point that registers can hold, and how many bits
FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16, "ppc_fp128": 16}
NUMBERED = re.compile(r"(\.\d+)+$")
VECTOR = re.compile(r"< ?(\d+) x (\w+) ?>")


class Types:
    """Sizes, alignments and offsets in bytes. `structs` says what named structures are made of."""

    def __init__(self, structs: Mapping[str, ir.Struct]) -> None:
        self.structs = structs
        self._extents: dict[ir.Type, tuple[int, int]] = {}
        self._offsets: dict[ir.Struct, tuple[int, ...]] = {}
        self._leaves: dict[ir.Type, list[tuple[int, ir.Type]]] = {}

    def size(self, type: ir.Type) -> int:
        """How many bytes apart two elements of this type are in an array."""
        return self._extent(type)[0]

    def alignment(self, type: ir.Type) -> int:
        return self._extent(type)[1]

    def offset(self, type: ir.Type, index: int) -> int:
        """Where an element of a structure or an array begins."""
        if isinstance(type, ir.Array):
            return index * self.size(type.element)
        if isinstance(type, ir.Struct):
            return self._places(type)[index]
        raise TypeError(f"{type} has no elements")

    def element(self, type: ir.Type, index: int) -> ir.Type:
        """The type of an element of a structure or an array."""
        if isinstance(type, ir.Array):
            return type.element
        if isinstance(type, ir.Struct):
            return self.elements(type)[index]
        raise TypeError(f"{type} has no elements")

    def elements(self, type: ir.Struct) -> tuple[ir.Type, ...]:
        return self.definition(type).elements

    def definition(self, type: ir.Struct) -> ir.Struct:
        """The structure with its elements."""
        if not type.name:
            return type
        found = self.structs.get(type.name)
        if found is None:
            raise unsupported(f"the size of '{type.name}', which is only declared", None)
        return found

    def leaves(self, type: ir.Type) -> list[tuple[int, ir.Type]]:
        """The scalars in a type, each with its offset."""
        found = self._leaves.get(type)
        if found is None:
            found = self._leaves[type] = list(self._spread(type))
        return found

    def _spread(self, type: ir.Type) -> list[tuple[int, ir.Type]]:
        if isinstance(type, ir.Array):
            step, inner = self.size(type.element), self.leaves(type.element)
            return [(at + offset, leaf) for at in range(0, step * type.count, step or 1) for offset, leaf in inner]
        if isinstance(type, ir.Struct):
            parts = zip(self._places(type), self.elements(type), strict=True)
            return [(at + offset, leaf) for at, element in parts for offset, leaf in self.leaves(element)]
        if isinstance(type, ir.Integer) and is_wide(type):
            return [(0, ir.Integer(64)), (8, ir.Integer(type.bits - 64))]
        return [] if isinstance(type, ir.Void) else [(0, type)]

    def _extent(self, type: ir.Type) -> tuple[int, int]:
        found = self._extents.get(type)
        if found is None:
            found = self._extents[type] = self._measure(type)
        return found

    def _measure(self, type: ir.Type) -> tuple[int, int]:
        match type:
            case ir.Integer(bits):
                size = 1
                while size * 8 < bits and size < 16:
                    size *= 2
                return -(-bits // (size * 8)) * size, size
            case ir.Pointer():
                return 8, 8
            case ir.Void():
                return 0, 1
            case ir.Array(count, element):
                size, alignment = self._extent(element)
                return count * size, alignment
            case ir.Struct():
                return self._measure_struct(type)
            case ir.Opaque(name):
                return measure_opaque(name)

    def _measure_struct(self, type: ir.Struct) -> tuple[int, int]:
        definition = self.definition(type)
        at, alignment = 0, 1
        for element in definition.elements:
            size, own = self._extent(element)
            own = 1 if definition.packed else own
            at, alignment = rounded(at, own) + size, max(alignment, own)
        return rounded(at, alignment), alignment

    def _places(self, type: ir.Struct) -> tuple[int, ...]:
        found = self._offsets.get(type)
        if found is not None:
            return found
        definition = self.definition(type)
        at, places = 0, []
        for element in definition.elements:
            size, own = self._extent(element)
            at = rounded(at, 1 if definition.packed else own)
            places.append(at)
            at += size
        self._offsets[type] = tuple(places)
        return self._offsets[type]


def plain_name(struct: str) -> str:
    """What the source calls a structure, without namespaces and arguments: `struct.std::pair.7` is a `pair`."""
    name = NUMBERED.sub("", struct.partition(".")[2])
    return name.partition("<")[0].rpartition("::")[2]


def is_wide(type: ir.Type) -> bool:
    """Whether an integer takes two registers: the lower 64 bits, and the others."""
    return isinstance(type, ir.Integer) and 64 < type.bits <= 128


def rounded(at: int, alignment: int) -> int:
    return -(-at // alignment) * alignment


def measure_opaque(name: str) -> tuple[int, int]:
    """Size and alignment of types that registers cannot hold, but memory can."""
    if name in FLOATS:
        return FLOATS[name], FLOATS[name]
    vector = VECTOR.fullmatch(name)
    if vector:
        element = 8 if vector[2] == "ptr" else FLOATS.get(vector[2]) or max(1, int(vector[2][1:]) // 8)
        size = 1
        while size < int(vector[1]) * element:
            size *= 2
        return size, size
    raise unsupported(f"a value of type '{name}' in memory", None)
