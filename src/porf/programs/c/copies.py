"""Copying and filling blocks of memory, by accesses of whole places, however wide these are.

The places are looked up when the program runs: those of the object that is read, or else of the one that is written.
Bytes between places are left out, unless the exploration finds that other accesses are of such bytes. Where no places
are declared, as in private memory, accesses are as wide as the addresses allow. If the addresses are constants, and
there is nothing between the places, they are known now, and the accesses are written out.
"""

from collections.abc import Callable

from porf.programs.c.frame import Frame
from porf.programs.form import WIDTHS, Binary, Reading, Unary, object_of, offset_of

FEW = 32  # accesses that are written out; more become a loop
Step = Callable[[int, int], None]  # an access at an offset (an operand) with a width


def transfer(frame: Frame, target: int, source: int, size: int) -> None:
    """Copies so many bytes, one place after the other."""
    code = frame.code

    def step(offset: int, width: int) -> None:
        value = code.load(code.binary(Binary.ADD, source, offset), width, kind=Reading.COPIES)
        code.store(code.binary(Binary.ADD, target, offset), value, width)

    each_place(frame, [source, target], size, step)


def each_place(frame: Frame, pointers: list[int], size: int, step: Step) -> None:
    """Does the step for each place in so many bytes."""
    known = plan(frame, pointers, frame.code.known(size))
    if known is not None:
        for offset, width in known:
            step(frame.code.constant(offset), width)
    else:
        loop(frame, pointers, size, step)


def loop(frame: Frame, pointers: list[int], size: int, step: Step) -> None:
    """The same as a loop. It always ends, so it is not marked as one whose iterations are compared."""
    code = frame.code
    offset, width = code.register(), code.register()
    head, found, between, end = (code.label() for _ in range(4))
    code.copy(offset, code.constant(0))
    code.put(head)
    code.jump_unless(code.binary(Binary.ULT, offset, size), end)
    left = code.binary(Binary.SUB, size, offset)
    gap = code.constant(0)  # how far it is to the next place of any, as a negative number
    for pointer in pointers:
        code.copy(width, code.unary(Unary.CELL, code.binary(Binary.ADD, pointer, offset)))
        code.jump_if(code.binary(Binary.GT, width, code.constant(0)), found)
        gap = code.select(gap, code.select(width, code.binary(Binary.MAX, gap, width), gap), width)
    code.copy(width, gap)
    code.put(found)
    code.jump_if(code.binary(Binary.LT, width, code.constant(0)), between)
    most = widest(frame, pointers, offset, left)
    some = code.binary(Binary.NE, width, code.constant(0))
    code.copy(width, code.select(some, code.binary(Binary.MIN, width, most), most))
    by_width(frame, width, offset, step)
    code.copy(offset, code.binary(Binary.ADD, offset, width))
    code.jump(head)
    code.put(between)
    code.copy(offset, code.binary(Binary.SUB, offset, width))
    code.jump(head)
    code.put(end)


def widest(frame: Frame, pointers: list[int], offset: int, left: int) -> int:
    """The largest width that all addresses are aligned to, and that is not more than what is left."""
    code = frame.code
    together = code.constant(8)
    for pointer in pointers:
        together = code.binary(Binary.OR, together, code.binary(Binary.ADD, pointer, offset))
    width = code.binary(Binary.AND, together, code.unary(Unary.NEG, together))  # its lowest bit
    for limit in (4, 2, 1):
        short = code.binary(Binary.ULT, left, width)
        width = code.select(short, code.binary(Binary.MIN, width, code.constant(limit)), width)
    return width


def by_width(frame: Frame, width: int, offset: int, step: Step) -> None:
    """The step with a width that is only known when the program runs."""
    code, end = frame.code, frame.code.label()
    for each in reversed(WIDTHS):
        other = code.label()
        if each > 1:
            code.jump_unless(code.binary(Binary.EQ, width, code.constant(each)), other)
        step(offset, each)
        code.jump(end)
        code.put(other)
    code.put(end)


def backwards(frame: Frame, target: int, source: int, size: int) -> None:
    """Copies from the end to the beginning, with the width that both addresses and the size allow."""
    code, end = frame.code, frame.code.label()
    common = code.binary(Binary.OR, code.binary(Binary.OR, target, source), size)
    for width in reversed(WIDTHS):
        narrower, head = code.label(), code.label()
        if width > 1:
            code.jump_if(code.binary(Binary.AND, common, code.constant(width - 1)), narrower)
        offset = code.register()
        code.copy(offset, size)
        code.put(head)
        code.jump_unless(offset, end)
        code.copy(offset, code.binary(Binary.SUB, offset, code.constant(width)))
        value = code.load(code.binary(Binary.ADD, source, offset), width, kind=Reading.COPIES)
        code.store(code.binary(Binary.ADD, target, offset), value, width)
        code.jump(head)
        code.put(narrower)
    code.put(end)


def plan(frame: Frame, pointers: list[int], size: int | None) -> list[tuple[int, int]] | None:
    """The offset and width of each access, if the places are known now, and few."""
    known = [place for pointer in pointers if (place := frame.code.known(pointer)) is not None]
    if size is None or len(known) < len(pointers):
        return None
    if size == 0:
        return []
    for place in known:
        number, start = object_of(place), offset_of(place)
        if not 0 <= number < len(frame.unit.objects):
            continue
        cells = frame.unit.objects[number].cells
        inside = [c for c in cells if c.offset < start + size and start < c.offset + c.width]
        whole = all(start <= c.offset and c.offset + c.width <= start + size for c in inside)
        aligned = all((other + c.offset - start) % c.width == 0 for c in inside for other in known)
        if whole and aligned and sum(c.width for c in inside) == size and len(inside) <= FEW:
            return [(c.offset - start, c.width) for c in inside]
    return None
