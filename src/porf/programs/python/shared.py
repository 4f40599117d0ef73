"""Shared objects, as people declare and name them. Their methods stand in threads, which are compiled and never run."""

import operator
from collections.abc import Iterator
from typing import Generic, NoReturn, TypeVar

from porf._core import Order
from porf.programs.form import Cell, Object, Place, pointer
from porf.programs.python.source import wrong_call
from porf.record import Record


class CellType(Record):
    """What a cell of shared memory is: `kind` is atomic, plain (not atomic) or mutex."""

    width: int  # bytes
    signed: bool = True
    kind: str = "atomic"

    def wrap(self, value: int) -> int:
        """The value that such a cell keeps of this one, as a 64-bit signed number."""
        bits = 8 * self.width
        value %= 1 << bits
        return value - (1 << bits) if value >> (bits - 1) and (self.signed or bits == 64) else value


TYPES = {
    name: (width, signed)
    for width in (1, 2, 4, 8)
    for signed, names in ((True, (f"i{8 * width}", f"int{8 * width}")), (False, (f"u{8 * width}", f"uint{8 * width}")))
    for name in names
} | {"int": (8, True), "bool": (1, False)}

MUTEX = CellType(8, kind="mutex")


def only_in_threads(what: str) -> NoReturn:
    """Somebody ran what is meant to be compiled."""
    raise wrong_call(
        f"{what} was called by Python itself",
        "it belongs in a function decorated with @p.thread or @p.function, which is compiled and never run",
    )


class Declaration(Record):
    """A shared object of a program: its cells have one type. `length` is None if it is not an array."""

    number: int  # among the objects of its program
    name: str
    type: CellType
    length: int | None
    initial: tuple[int | None, ...]
    place: Place | None

    def label(self, index: int) -> str:
        return self.name if self.length is None else f"{self.name}[{index}]"

    def form(self) -> Object:
        width, signed = self.type.width, self.type.signed
        cells = tuple(Cell(i * width, width, self.label(i), v, signed) for i, v in enumerate(self.initial))
        return Object(self.name, width * len(self.initial), cells, self.place)


class Shared:
    """What all shared things have in common: where they were declared, and which cell of that they are."""

    def __init__(self, declaration: Declaration, index: int = 0) -> None:
        self.declaration = declaration
        self.index = index

    @property
    def pointer(self) -> int:
        return pointer(self.declaration.number, self.index * self.declaration.type.width)

    def __repr__(self) -> str:
        return f"<shared {self.declaration.label(self.index)}>"


class SharedInt(Shared):
    """A shared integer, atomic or plain. A plain one is accessed without an order, or as `value`."""

    value: int

    def load(self, order: Order = Order.SC) -> int:
        only_in_threads("load")

    def store(self, value: int, order: Order = Order.SC) -> None:
        only_in_threads("store")

    def exchange(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("exchange")

    def compare_exchange(
        self, expected: int, desired: int, order: Order = Order.SC, failure_order: Order | None = None
    ) -> bool:
        """Whether it was exchanged; `ok, old = x.compare_exchange(…)` also gives the value that was found."""
        only_in_threads("compare_exchange")

    def compare_exchange_weak(
        self, expected: int, desired: int, order: Order = Order.SC, failure_order: Order | None = None
    ) -> bool:
        """Like compare_exchange, but it may fail for no reason."""
        only_in_threads("compare_exchange_weak")

    def fetch_add(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_add")

    def fetch_sub(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_sub")

    def fetch_and(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_and")

    def fetch_or(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_or")

    def fetch_xor(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_xor")

    def fetch_min(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_min")

    def fetch_max(self, value: int, order: Order = Order.SC) -> int:
        only_in_threads("fetch_max")


class Mutex(Shared):
    """A lock that one thread holds at a time; `with m:` holds it for a block."""

    def lock(self) -> None:
        only_in_threads("lock")

    def unlock(self) -> None:
        only_in_threads("unlock")

    def trylock(self) -> bool:
        only_in_threads("trylock")

    def __enter__(self) -> None:
        only_in_threads("with")

    def __exit__(self, *exception: object) -> None:
        only_in_threads("with")


Element = TypeVar("Element", bound=Shared)


class SharedArray(Shared, Generic[Element]):
    """An array of shared integers or of mutexes; in threads its index may be computed."""

    def __init__(self, declaration: Declaration, element: type[Element]) -> None:
        super().__init__(declaration)
        self.element = element

    def __len__(self) -> int:
        return len(self.declaration.initial)

    def __getitem__(self, index: int) -> Element:
        number = operator.index(index)
        if not 0 <= number < len(self):
            raise IndexError(f"{self.declaration.name}[{number}]: the array has {len(self)} elements")
        return self.element(self.declaration, number)

    def __iter__(self) -> Iterator[Element]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<shared array {self.declaration.name}>"
