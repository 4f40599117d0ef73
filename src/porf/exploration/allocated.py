"""Objects that threads allocated, by names: the program of a report has them beside its own objects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from porf.programs.form import Cell, Object, Program

COLUMNS = 5  # number, thread, how many the thread had allocated with it, layout, size
MOST_CELLS = 4096  # of an object that get a name


def with_allocated(program: Program, columns: npt.NDArray[np.int64]) -> Program:
    """The program as if it always had what was allocated. The core's numbers go on where the program's objects end."""
    made = []
    for _, thread, number, layout, size in columns.reshape(-1, COLUMNS).tolist():
        made.append(_object(program.layouts[layout], f"{program.layouts[layout].name}@{thread}.{number}", size))
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
