"""Thread-local variables whose address other threads may get: objects that a thread makes when it first uses one, and
that end with the thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from porf.programs.code import Code
from porf.programs.colour import colour
from porf.programs.form import Allocation, Home, Storage
from porf.programs.tidy import tidy

if TYPE_CHECKING:
    from porf.programs.c.frame import Unit


def own_pointer(code: Code, unit: Unit, name: str) -> int:
    """The address of the present thread's variable."""
    key = f"thread-local {name}"
    if key not in unit.added:
        unit.added[key] = colour(tidy(_maker(unit, name).draft()))
    return code.call(len(unit.templates) + list(unit.added).index(key), ())


def _maker(unit: Unit, name: str) -> Code:
    """The code that makes the variable, unless it is there."""
    layout, size, cells = unit.memory.own_copy(name)
    code = Code(unit.memory.layouts[layout].name)
    code.place = unit.memory.layouts[layout].place
    known, home = code.label(), _home(code, unit, name)
    found = code.load(home, 8)
    code.jump_if(found, known)
    new = code.allocate(code.constant(size), layout, Allocation.LOCAL)
    for cell in cells:
        code.store(code.add(new, cell.offset), code.constant(cell.initial or 0), cell.width)
    code.store(_home(code, unit, name), new, 8)
    code.give_back(new)
    code.put(known)
    code.give_back(found)
    return code


def _home(code: Code, unit: Unit, name: str) -> int:
    """Where the thread has the pointer to its variable."""
    return code.address(unit.memory.local_slot(name), 8, Home.THREAD)


def end_own(code: Code, unit: Unit) -> None:
    """The thread ends, and so do its variables."""
    for name in unit.memory.given_away:
        code.free(code.load(_home(code, unit, name), 8), Storage.STACK)
