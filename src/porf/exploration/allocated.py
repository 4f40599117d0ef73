"""Objects that threads allocated, by names: the program of a report has them beside its own objects."""

from collections.abc import Sequence

from porf._core import Allocated
from porf.programs.form import Cell, Object, Program
from porf.record import replace

MOST_CELLS = 4096  # of an object that get a name


def with_allocated(program: Program, objects: Sequence[Allocated]) -> Program:
    """The program as if it always had what was allocated. The core's numbers go on where the program's objects end."""
    made = []
    for o in objects:
        layout = program.layouts[o.layout]
        made.append(_object(layout, f"{layout.name}@{o.thread}.{o.number}", o.size))
    return replace(program, objects=(*program.objects, *made)) if made else program


def _object(layout: Object, name: str, size: int) -> Object:
    """Elements of the layout, as many as fit."""
    count = size // layout.size if layout.size else 0
    cells: list[Cell] = []
    for element in range(count):
        if len(cells) >= MOST_CELLS:
            break
        base = name if count == 1 else f"{name}[{element}]"
        for cell in layout.cells:
            label = cell.label if not cell.label or cell.label.startswith("[") else f".{cell.label}"
            cells.append(Cell(element * layout.size + cell.offset, cell.width, base + label, None, cell.signed))
    return Object(name, size, tuple(cells), layout.place)
