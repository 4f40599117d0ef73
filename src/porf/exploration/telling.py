"""How events of an explored graph are called in sentences: the store at queue.c:28 (e4)."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from porf._core import EventKind, ExploredEvent, Order, Role
from porf.execution import ORDER_NAMES
from porf.exploration.sources import place_text
from porf.programs.form import Program
from porf.programs.lower import instruction
from porf.record import Record

NOUNS = {
    EventKind.READ: "load",
    EventKind.WRITE: "store",
    EventKind.UPDATE: "update",
    EventKind.FENCE: "fence",
    EventKind.SPAWN: "start",
    EventKind.JOIN: "join",
    EventKind.FREE: "free",
    EventKind.CHOOSE: "choice",
    EventKind.BARRIER: "wait",
}
PLAIN = {EventKind.READ: "read", EventKind.WRITE: "write"}


class Telling(Record):
    program: Program
    rows: Sequence[ExploredEvent]
    names: Sequence[str]  # of threads
    numbers: Mapping[int, int]  # rows that a table shows, by their numbers there

    def noun(self, n: int) -> str:
        row = self.rows[n]
        if row.role is not Role.NONE:
            return {Role.LOCK: "lock", Role.TRYLOCK: "lock", Role.UNLOCK: "unlock"}[row.role]
        kind = EventKind(row.kind)
        return (PLAIN.get(kind) if row.order == Order.NA else None) or NOUNS[kind]

    def event(self, n: int) -> str:
        """The store at queue.c:28 (e4)."""
        number = self.numbers.get(n)
        return f"the {self.noun(n)}{self.at(n)}" + ("" if number is None else f" (e{number})")

    def at(self, n: int) -> str:
        place = instruction(self.program, self.rows[n].pc)[1].place
        if place is None:
            return ""
        file = place.file or self.program.source or self.program.name
        return f" at {PurePath(file).name}:{place.line}"

    def place(self, n: int) -> str:
        return place_text(instruction(self.program, self.rows[n].pc)[1].place, self.program.source or self.program.name)

    def thread(self, n: int) -> str:
        return self.names[self.rows[n].thread]

    def order(self, n: int) -> str:
        """How strong an access is, as an adjective."""
        order = Order(self.rows[n].order)
        known = {Order.NA: "not atomic", Order.RLX: "relaxed", Order.ACQ: "acquire", Order.REL: "release"}
        return known.get(order, ORDER_NAMES[order].replace("_", "-"))
