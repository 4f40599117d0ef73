"""Shared memory: one object per location, laid out from the initial state and the parameters of the threads."""

from collections.abc import Iterable
from dataclasses import dataclass

from porf.programs.form import Cell, Object, pointer
from porf.programs.litmus.initial import Address, Entry, Setting, Value
from porf.programs.litmus.kinds import INT, LONG, Type, pointer_to
from porf.programs.litmus.source import Source


@dataclass(slots=True)
class Parameter:
    """A pointer to the shared location of the same name. `count` is the length if it says that of an array."""

    at: int
    name: str
    type: Type  # of the pointer: `pointer_to` what the location holds
    count: int | None = None


@dataclass(slots=True)
class Location:
    name: str
    type: Type  # of an element, if it is an array
    count: int | None  # the length of an array, else None
    pointer: int

    def label(self, index: int = 0) -> str:
        return self.name if self.count is None else f"{self.name}[{index}]"


class Memory:
    """The locations by name, and the objects that they are."""

    def __init__(
        self,
        source: Source,
        entries: dict[str, Entry],
        settings: Iterable[Setting],
        parameters: Iterable[Parameter],
        kernel: bool,
    ) -> None:
        self._source = source
        self._kernel = kernel  # a test of the Linux kernel: pointers are numbers
        entries = dict(entries)
        for parameter in parameters:
            self._meet(entries, parameter)
        values = [value for entry in entries.values() for value in entry.values]
        for value in [*values, *(setting.value for setting in settings)]:
            if isinstance(value, Address):
                entries.setdefault(value.name, Entry(value.at, value.name))
        self.locations = {
            name: Location(name, entry.type or self._guess(entry, entries), entry.count, pointer(number))
            for number, (name, entry) in enumerate(entries.items())
        }
        self.objects = tuple(self._object(entry) for entry in entries.values())

    def _meet(self, entries: dict[str, Entry], parameter: Parameter) -> None:
        """What a parameter says of its location must go with what is known."""
        kind = parameter.type.target
        assert kind is not None
        name = parameter.name
        entry = entries.setdefault(name, Entry(parameter.at, name, kind, parameter.count))
        if entry.type is None:
            entry.type = kind
        same = entry.type.kind == kind.kind or (self._kernel and "mutex" not in (entry.type.kind, kind.kind))
        if not same or entry.type.width != kind.width:
            hint = "use the same type in the initial state and in every thread"
            message = f"'{name}' is {entry.type.name} elsewhere, but {kind.name} here"
            self._source.fail(parameter.at, message, hint, len(name))
        if parameter.count is not None and entry.count != parameter.count:
            known = "no array" if entry.count is None else f"an array of {entry.count}"
            self._source.fail(parameter.at, f"'{name}' is {known} elsewhere", None, len(name))

    def _guess(self, entry: Entry, entries: dict[str, Entry]) -> Type:
        """The type of a location that nobody declares: a pointer if it holds an address, else int."""
        for value in entry.values:
            if isinstance(value, Address):
                return pointer_to(entries[value.name].type or INT)
        return LONG if self._kernel else INT

    def _object(self, entry: Entry) -> Object:
        location = self.locations[entry.name]
        count = location.count or 1
        if location.type.kind == "void":
            self._source.fail(entry.at, f"'{entry.name}' has no type", None, len(entry.name))
        width = location.type.width
        values = [location.type.wrap(self.value(v)) for v in entry.values]
        values += [0] * (count - len(values))
        cells = tuple(
            Cell(n * width, width, location.label(n), value, location.type.signed) for n, value in enumerate(values)
        )
        return Object(entry.name, count * width, cells, self._source.place(entry.at))

    def value(self, value: Value) -> int:
        """What a register holds for a number or an address."""
        return self.address(value) if isinstance(value, Address) else value

    def address(self, address: Address) -> int:
        location = self.locations.get(address.name)
        if location is None:
            self._source.fail(address.at, f"there is no location '{address.name}'", None, len(address.name))
        if not 0 <= address.index < (location.count or 1):
            self._source.fail(address.at, f"'{address.name}' has no element {address.index}", None, len(address.name))
        return location.pointer + address.index * location.type.width
