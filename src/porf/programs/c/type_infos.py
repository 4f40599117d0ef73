"""What a module says about C++'s types at run time: which classes are bases of which, and where in them."""

import re
from functools import cached_property

from porf.programs.c import ir
from porf.programs.c.reachable import symbols
from porf.record import Record

PREFIX, VTABLES = "_ZTI", "_ZTV"
VIRTUAL, PUBLIC = 1, 2  # flags of a base
POINTERS = re.compile(PREFIX + r"P([VK]*)(.*)")  # `const` and `volatile`, and what the pointer points to


class Base(Record):
    name: str
    offset: int
    public: bool
    virtual: bool


class Vtable(Record):
    """Where a vtable begins as objects have it: so many bytes after a symbol; and what stands before that."""

    symbol: str
    offset: int
    type: str  # of the whole object
    top: ir.Operand  # from a base to the whole object


class TypeInfos:
    """The type_infos of a module, by the names of their symbols."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self._module.globals if name.startswith(PREFIX))

    def offset(self, derived: str, base: str) -> int | None:
        """Where the one public base of this type is in a class, or in itself; None if there is not exactly one."""
        found = set(self._offsets(derived, base, 0))
        return next(iter(found)) if len(found) == 1 else None

    def points_to(self, thrown: str, caught: str) -> bool:
        """Whether a pointer of one type is caught as one of another: to a base at its beginning, or to anything."""
        from_, to = POINTERS.fullmatch(thrown), POINTERS.fullmatch(caught)
        if from_ is None or to is None or not set(from_[1]) <= set(to[1]):
            return False
        return to[2] == "v" or self.offset(PREFIX + from_[2], PREFIX + to[2]) == 0

    def has_virtual_base(self, derived: str, base: str) -> bool:
        """Whether where the base is depends on the object."""
        return any(
            (each.virtual and bool(self._offsets(each.name, base, 0))) or self.has_virtual_base(each.name, base)
            for each in self.bases(derived)
        )

    def _offsets(self, derived: str, base: str, at: int) -> list[int]:
        if derived == base:
            return [at]
        return [o for b in self.bases(derived) if b.public for o in self._offsets(b.name, base, at + b.offset)]

    @cached_property
    def vtables(self) -> list[Vtable]:
        """The tables of virtual functions of all classes, those of their bases in them as well."""
        found = []
        for name, item in self._module.globals.items():
            if name.startswith(VTABLES) and isinstance(item.initial, ir.Aggregate):
                at = 0
                for part in item.initial.elements:
                    entries = part.elements if isinstance(part, ir.Aggregate) else ()
                    for index, entry in enumerate(entries):
                        if isinstance(entry, ir.Symbol) and entry.name.startswith(PREFIX):
                            found.append(Vtable(name, at + 8 * index + 8, entry.name, entries[index - 1]))
                            break
                    at += 8 * len(entries)
        return found

    def bases(self, name: str) -> list[Base]:
        """The direct bases of a class; none of what is not a class, or is not defined here."""
        item = self._module.globals.get(name)
        if item is None or not isinstance(item.initial, ir.Aggregate):
            return []
        parts = item.initial.elements
        kind = next(iter(symbols(parts[0])), "")
        if "__si_class_type_info" in kind and isinstance(parts[2], ir.Symbol):
            return [Base(parts[2].name, 0, True, False)]
        if "__vmi_class_type_info" not in kind:
            return []
        found = []
        for base, flags in zip(parts[4::2], parts[5::2], strict=False):
            if isinstance(base, ir.Symbol) and isinstance(flags, ir.Number):
                value = flags.value
                found.append(Base(base.name, value >> 8, bool(value & PUBLIC), bool(value & VIRTUAL)))
        return found
