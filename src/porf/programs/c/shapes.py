"""From a type of the source to its leaves: which places such data has, how wide they are, and their names."""

from __future__ import annotations

from itertools import pairwise

from porf.programs.c import ir
from porf.programs.c.library import opaque_words
from porf.record import Record

SCALARS = ("integer", "boolean", "enum", "pointer", "float", "other", "function")
MANY = 1 << 16  # cells that one object may declare


class Leaf(Record):
    """A place in data, or (width 0) a stretch of bit-fields, whose places only LLVM's types tell."""

    offset: int
    width: int
    label: str = ""  # what is added to the name of the whole: ".next", "[3].value"
    signed: bool = True
    size: int = 0  # of a stretch
    bits: tuple[tuple[int, str], ...] = ()  # of a stretch: offsets and labels of the bit-fields
    part: bool = False  # of a union whose members have different places: a part of some of them

    @property
    def end(self) -> int:
        return self.offset + (self.width or self.size)

    def moved(self, by: int, prefix: str) -> Leaf:
        bits = tuple((at + by, prefix + label) for at, label in self.bits) if self.bits else ()
        return Leaf(self.offset + by, self.width, prefix + self.label, self.signed, self.size, bits, self.part)


class Shapes:
    """The leaves of each debug type, by its number."""

    def __init__(self, debug: ir.Debug) -> None:
        self.debug = debug
        self._leaves: dict[int, tuple[Leaf, ...]] = {}

    def size(self, number: int) -> int:
        if number < 0:
            return 0
        type = self.debug.type(number)
        return type.size or (type.count * self.size(type.element) if type.kind == "array" else 0)

    def leaves(self, number: int) -> tuple[Leaf, ...]:
        found = self._leaves.get(number)
        if found is None:
            self._leaves[number] = ()  # a type that contains itself: the debug information is broken
            found = self._leaves[number] = self._find(number)
        return found

    def _find(self, number: int) -> tuple[Leaf, ...]:
        type = self.debug.type(number)
        if (count := used_words(self.debug, type)) is not None:
            return words(type, count)
        if type.kind in SCALARS:
            return scalar(type)
        if type.kind == "array":
            return self._array(number, type)
        return self._union(type) if type.kind == "union" else self._struct(type)

    def _array(self, number: int, type: ir.DebugType) -> tuple[Leaf, ...]:
        step, inner = self.size(type.element), self.leaves(type.element) if type.element >= 0 else ()
        count = min(self.size(number) // step, MANY // max(1, len(inner))) if step else 0
        return tuple(leaf.moved(i * step, f"[{i}]") for i in range(count) for leaf in inner)

    def _struct(self, type: ir.DebugType) -> tuple[Leaf, ...]:
        found: list[Leaf] = []
        members = [m for m in type.members if m[2] >= 0]
        wrapper = len([m for m in members if self.leaves(m[2])]) == 1
        for name, offset, member in members:
            prefix = "" if not name or (wrapper and is_reserved(name)) else f".{name}"
            found += (leaf.moved(offset, prefix) for leaf in self.leaves(member))
        return merged(sorted(found, key=lambda leaf: leaf.offset), type.size)

    def _union(self, type: ir.DebugType) -> tuple[Leaf, ...]:
        """The leaves of all members, if they agree where they overlap; otherwise parts that none of them cuts."""
        choices = []
        for name, offset, member in type.members:
            if member >= 0:
                prefix = f".{name}" if name else ""
                choices.append([leaf.moved(offset, prefix) for leaf in self.leaves(member)])
        best = max(choices, key=len, default=[])
        places = {(leaf.offset, leaf.width) for leaf in best}
        if all((leaf.offset, leaf.width) in places and leaf.width for own in choices for leaf in own):
            return tuple(best)
        return refined([leaf for own in choices for leaf in own])


def refined(leaves: list[Leaf]) -> tuple[Leaf, ...]:
    """Places so small that each of these leaves consists of whole ones: an access of a leaf accesses all its places."""
    cuts: set[int] = set()
    for leaf in leaves:
        cuts.update((leaf.offset, leaf.end) if leaf.width else range(leaf.offset, leaf.end + 1))
    names = {leaf.offset: leaf for leaf in reversed(leaves)}
    covered = {byte for leaf in leaves for byte in range(leaf.offset, leaf.end)}
    out = []
    for start, end in pairwise(sorted(cuts)):
        if start not in covered:
            continue
        width = next(w for w in (8, 4, 2, 1) if start % w == 0 and (end - start) % w == 0)
        for at in range(start, end, width):
            known = names.get(at)
            signed = known is not None and known.signed and known.width == width
            label = known.label if known is not None and known.width else f"+{at}" if at else ""
            out.append(Leaf(at, width, label, signed, part=True))
    return tuple(out)


def scalar(type: ir.DebugType) -> tuple[Leaf, ...]:
    if type.size in (1, 2, 4, 8):
        return (Leaf(0, type.size, signed=type.signed),)
    if type.size % 8 == 0:
        return tuple(Leaf(at, 8, f"+{at}" if at else "", type.signed) for at in range(0, type.size, 8))
    return (Leaf(0, 0, size=type.size, bits=((0, ""),)),)


def merged(leaves: list[Leaf], size: int) -> tuple[Leaf, ...]:
    """Leaves that overlap, or are not aligned, are bit-fields: one stretch, whose places LLVM knows."""
    out: list[Leaf] = []
    for leaf in leaves:
        if out and leaf.offset < out[-1].end:
            last = out.pop()
            end = max(last.end, leaf.end)
            out.append(Leaf(last.offset, 0, "", True, end - last.offset, labels(last) + labels(leaf)))
        elif leaf.width and (leaf.offset % leaf.width or leaf.end > size):
            out.append(Leaf(leaf.offset, 0, "", True, leaf.width, labels(leaf)))
        else:
            out.append(leaf)
    return tuple(out)


def labels(leaf: Leaf) -> tuple[tuple[int, str], ...]:
    return leaf.bits or ((leaf.offset, leaf.label),)


def is_reserved(name: str) -> bool:
    """Whether only libraries may have this name: `_M_i`, `__a_`, `_Value`."""
    return name.startswith("__") or (name[:1] == "_" and name[1:2].isupper())


def used_words(debug: ir.Debug, type: ir.DebugType) -> int | None:
    """How many words of a type the threads library uses, None if it is not the library's.

    Typedefs are gone: glibc's unions are known by their members.
    """
    found = opaque_words(type.name)
    if found or type.kind != "union":
        return found
    data = [debug.type(number).name for name, _, number in type.members if name == "__data" and number >= 0]
    if found is None and not any(name == "__size" for name, _, _ in type.members):
        return None
    return max((opaque_words(name) or 0 for name in data), default=0)


def words(type: ir.DebugType, count: int) -> tuple[Leaf, ...]:
    """The first word has the variable's own name; there are at most four."""
    count = count or min(type.size // 4, 4)
    return tuple(Leaf(at, 4, f"+{at}" if at else "") for at in range(0, 4 * count, 4))
