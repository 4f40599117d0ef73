"""From an object to its leaves: by its type in the source, its type in LLVM, and the accesses of it in the code."""

from collections.abc import Callable, Iterable

from porf.programs.c import ir
from porf.programs.c.accesses import Access, Accesses, Root, Spot
from porf.programs.c.shapes import Leaf, Shapes
from porf.programs.c.types import Types, plain_name

LIMIT = 1024  # leaves of an array without initial values; later ones get their cells when they are accessed


class Layouts:
    """Decides the leaves of objects: places that do not overlap, in order."""

    def __init__(self, shapes: Shapes, types: Types, accesses: Accesses) -> None:
        self.shapes = shapes
        self.types = types
        self.accesses = accesses
        self._known: dict[str, list[str]] = {}  # what the source calls a structure -> its names in LLVM
        for name in types.structs:
            self._known.setdefault(plain_name(name), []).append(name)

    def leaves(self, number: int, type: ir.Type | None, size: int, root: Root | None) -> list[Leaf]:
        """The leaves of an object of debug type `number` (-1 unknown) and LLVM type `type`."""
        known = number >= 0 and self.shapes.size(number) > 0
        found = self._completed(number, type) if known else self._plain(type)
        facts = self.facts(self.llvm(number) or type, size, root)
        return self._adjusted([leaf for leaf in found if leaf.end <= size], facts)

    def llvm(self, number: int) -> ir.Type | None:
        """The structure in LLVM that has the name and the size of one in the source."""
        if number < 0:
            return None
        type = self.shapes.debug.type(number)
        if type.kind == "array" and type.element >= 0:
            element = self.llvm(type.element)
            step = self.shapes.size(type.element)
            return ir.Array(self.shapes.size(number) // step, element) if element is not None and step else None
        if type.kind not in ("struct", "union") or not type.name:
            return None
        names = self._known.get(type.name.partition("<")[0], [])
        return next((s for name in names if self.types.size(s := ir.Struct(name)) == type.size), None)

    def _plain(self, type: ir.Type | None) -> list[Leaf]:
        """Without the source's type, LLVM's is used. Elements of arrays are named by index, all others by offset."""
        if type is None:
            return []
        out: list[Leaf] = []
        for offset, leaf in self.types.leaves(type):
            size = self.types.size(leaf)
            width = next(w for w in (8, 4, 2, 1) if size % w == 0 and offset % w == 0)
            out += (Leaf(at, width) for at in range(offset, offset + size, width))
        step = self.types.size(type.element) if isinstance(type, ir.Array) else 0
        if step and all(leaf.width == step for leaf in out):
            return [leaf.moved(0, f"[{leaf.offset // step}]") for leaf in out]
        return [leaf.moved(0, f"+{leaf.offset}" if leaf.offset else "") for leaf in out]

    def _completed(self, number: int, type: ir.Type | None) -> list[Leaf]:
        """Bit-fields get LLVM's places for them; parts of unions get none if an atomic access may cut them."""
        out: list[Leaf] = []
        known: list[Leaf] | None = None
        for leaf in self.shapes.leaves(number):
            if leaf.width:
                if not leaf.part or all(width <= leaf.width for width in self.accesses.loose):
                    out.append(leaf)
            elif leaf.bits:
                known = self._plain(self.llvm(number) or type) if known is None else known
                inside = (unit for unit in known if leaf.offset <= unit.offset and unit.end <= leaf.end)
                out += (Leaf(unit.offset, unit.width, label(unit, leaf.bits), unit.signed) for unit in inside)
        return out

    def facts(self, type: ir.Type | None, size: int, root: Root | None) -> dict[int, tuple[int, bool]]:
        """Offset -> the width of the accesses there, and whether some are atomic. The widest atomic one wins."""
        found: dict[int, tuple[int, bool]] = {}
        for offset, access in self._relevant(type, size, root):
            width, atomic = found.get(offset, (0, False))
            if not width or (access.atomic, access.width if access.atomic else -access.width) > (
                atomic,
                width if atomic else -width,
            ):
                found[offset] = (access.width, access.atomic)
        return found

    def _relevant(self, type: ir.Type | None, size: int, root: Root | None) -> Iterable[tuple[int, Access]]:
        if root is not None:
            for access in self.accesses.at.get(root, ()):
                repeated = size * (1 + access.spot.offset // size) if root[0] and size else size
                spot = self._bounded(access.spot, type, size)
                yield from ((offset % size, access) for offset in spot.offsets(repeated))
        for at, name in self._structs(type):
            struct, inner = ir.Struct(name), self.types.size(ir.Struct(name))
            for access in self.accesses.at.get(("struct", name), ()):
                spot = self._bounded(access.spot, struct, inner)
                yield from ((at + offset, access) for offset in spot.offsets(inner))

    def _bounded(self, spot: Spot, type: ir.Type | None, size: int) -> Spot:
        """A pointer that begins in an array and moves by its elements does not leave it."""
        if not size or all(bound or step % size == 0 for step, bound in spot.steps):
            return spot
        at = spot.offset % size
        steps = tuple((step, bound or self._elements_left(at, step, type)) for step, bound in spot.steps)
        return Spot(spot.root, spot.offset, steps)

    def _elements_left(self, offset: int, step: int, type: ir.Type | None) -> int:
        """How many steps of this size there are from an offset in a type to the end of the array there; 0 unknown."""
        while isinstance(type, ir.Array | ir.Struct):
            if isinstance(type, ir.Array):
                size = self.types.size(type.element)
                if size and step % size == 0:
                    return max(0, -(-(size * type.count - offset) // step))
                index = offset // size if 0 <= offset < size * type.count else -1
            else:
                starts = [self.types.offset(type, index) for index in range(len(self.types.elements(type)))]
                index = max((index for index, start in enumerate(starts) if start <= offset), default=-1)
            if index < 0:
                return 0
            offset -= self.types.offset(type, index)
            type = self.types.element(type, index)
        return 0

    def _structs(self, type: ir.Type | None) -> Iterable[tuple[int, str]]:
        """The named structures in a type, with their offsets."""
        if isinstance(type, ir.Array):
            step = self.types.size(type.element)
            inner = list(self._structs(type.element))
            yield from ((i * step + at, name) for i in range(min(type.count, LIMIT)) for at, name in inner)
        elif isinstance(type, ir.Struct):
            if type.name:
                yield 0, type.name
            for index, element in enumerate(self.types.elements(type)):
                start = self.types.offset(type, index)
                yield from ((start + at, name) for at, name in self._structs(element))

    def _adjusted(self, leaves: list[Leaf], facts: dict[int, tuple[int, bool]]) -> list[Leaf]:
        """A place of an atomic access is as wide as the access; a place that is accessed in parts is split."""
        known = {leaf.offset: leaf for leaf in leaves}
        widest = max((leaf.width for leaf in leaves), default=0)
        for offset, (width, atomic) in sorted(facts.items()):
            if offset % width or (offset in known and known[offset].width == width):
                continue
            near = (known.get(at) for at in range(offset - widest + 1, offset + width))
            covered = [leaf for leaf in near if leaf is not None and offset < leaf.end]
            if atomic:
                new = [Leaf(offset, width, common(covered), covered[0].signed)] if covered else []
                new += (rest for leaf in covered if leaf.width > width for rest in around(leaf, offset, width))
            elif len(covered) == 1 and covered[0].width > width:
                new = parts(covered[0], width)
            else:
                continue
            for leaf in covered:
                del known[leaf.offset]
            known.update((leaf.offset, leaf) for leaf in new)
        return sorted(known.values(), key=lambda leaf: leaf.offset)


def parts(leaf: Leaf, width: int) -> list[Leaf]:
    """A place, split into parts."""
    return [
        Leaf(at, width, leaf.label + (f"+{at - leaf.offset}" if at > leaf.offset else ""), leaf.signed)
        for at in range(leaf.offset, leaf.end, width)
    ]


def around(leaf: Leaf, offset: int, width: int) -> list[Leaf]:
    """What is left of a place without the part at this offset, in parts as large as can be: no byte is lost."""
    half = leaf.width // 2
    if half < width:
        return []
    first, second = parts(leaf, half)
    if offset < second.offset:
        return [*around(first, offset, width), second]
    return [first, *around(second, offset, width)]


def label(unit: Leaf, bits: tuple[tuple[int, str], ...]) -> str:
    """A unit of bit-fields is named after the first one that begins in it, or else after the last one before it."""
    inside = [name for at, name in bits if unit.offset <= at < unit.end]
    before = [f"{name}+{unit.offset - at}" for at, name in bits if at < unit.offset]
    return inside[0] if inside else before[-1] if before else unit.label


def common(leaves: list[Leaf]) -> str:
    """The name of the whole that several places belong to."""
    if len(leaves) == 1:
        return leaves[0].label
    first = leaves[0].label
    same = 0
    while all(same < len(leaf.label) and leaf.label[: same + 1] == first[: same + 1] for leaf in leaves):
        same += 1
    while same and not all(leaf.label[same : same + 1] in ("", ".", "[", "+") for leaf in leaves):
        same -= 1
    return first[:same]


def cells_needed(leaves: list[Leaf], is_set: Callable[[Leaf], bool]) -> list[Leaf]:
    """All leaves, or if there are very many, the first ones and those with initial values."""
    return [leaf for i, leaf in enumerate(leaves) if i < LIMIT or is_set(leaf)]
