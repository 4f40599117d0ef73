"""What happens before what in an explored graph, in Python: for the few graphs that a person reads."""

from collections.abc import Callable, Mapping, Sequence

from porf._core import EventKind, ExploredEvent, HappensBefore, Order
from porf.exploration.graph import before_at_once, chronological

Clock = dict[int, int]  # thread -> how many of its events are known
RELEASES = (Order.REL, Order.ACQ_REL, Order.SC)
ACQUIRES = (Order.ACQ, Order.ACQ_REL, Order.SC)


def _join(into: Clock, more: Mapping[int, int]) -> None:
    for thread, count in more.items():
        if into.get(thread, 0) < count:
            into[thread] = count


class Knowledge:
    """For each event, what happens before it: by program order, starts and joins, and as reads synchronise. Other
    orders can be tried: `stronger` gives rows theirs."""

    def __init__(
        self, rows: Sequence[ExploredEvent], sync: HappensBefore, stronger: Mapping[int, Order] | None = None
    ) -> None:
        self.rows = rows
        self.sync = sync
        self._stronger = stronger or {}
        self.clocks: list[Clock] = [{} for _ in rows]
        self._messages: list[Clock] = [{} for _ in rows]
        self._fenced: dict[int, Clock] = {}  # thread -> what it knew at its last release fence
        self._unfenced: dict[int, Clock] = {}  # thread -> what an acquire fence would tell it
        self._released: dict[tuple[int, int], int] = {}  # thread, place -> its last release there
        needed = before_at_once(rows)
        for n in chronological(rows):
            self._set(n, needed[n])

    def order(self, n: int) -> Order:
        return Order(self._stronger.get(n, self.rows[n].order))

    def releases(self, n: int) -> bool:
        return self._passes(n, RELEASES)

    def acquires(self, n: int) -> bool:
        return self._passes(n, ACQUIRES)

    def silent(self, n: int) -> bool:
        """Whether an access takes no part in synchronisation, because it is not atomic."""
        return self.order(n) == Order.NA and self.sync not in (HappensBefore.ALL, HappensBefore.ORDERS)

    def before(self, a: int, b: int) -> bool:
        row = self.rows[a]
        return self.clocks[b].get(row.thread, 0) > row.index

    def last_of(self, thread: int, b: int, shown: Callable[[ExploredEvent], bool]) -> int | None:
        """The last of the events of a thread that happen before another event, among those that are shown."""
        count = self.clocks[b].get(thread, 0)
        known = [n for n, row in enumerate(self.rows) if row.thread == thread and row.index < count and shown(row)]
        return max(known, key=lambda n: self.rows[n].index, default=None)

    def _passes(self, n: int, orders: Sequence[Order]) -> bool:
        if self.sync is HappensBefore.ALL:
            return True
        if self.sync is HappensBefore.ATOMIC:
            return self.order(n) != Order.NA
        return self.sync is not HappensBefore.NONE and self.order(n) in orders

    def _set(self, n: int, needed: set[int]) -> None:
        row, t = self.rows[n], self.rows[n].thread
        clock = self.clocks[n]
        for m in needed:
            if m != row.source or self.rows[m].thread == t:
                _join(clock, self.clocks[m])
        clock[t] = max(clock.get(t, 0), row.index + 1)
        silent = self.silent(n)
        if row.reads and row.source >= 0 and not silent:
            into = clock if self.acquires(n) else self._unfenced.setdefault(t, {})
            _join(into, self._messages[row.source])
        if row.kind == EventKind.FENCE:
            if self.acquires(n):
                _join(clock, self._unfenced.get(t, {}))
            if self.releases(n):
                self._fenced[t] = dict(clock)
        if row.writes and not silent:
            self._message(n, clock)

    def _message(self, n: int, clock: Clock) -> None:
        row, message = self.rows[n], self._messages[n]
        place = row.thread, row.pointer
        if self.releases(n):
            self._released[place] = n
        _join(message, clock if self.releases(n) else self._fenced.get(row.thread, {}))
        if self.sync is HappensBefore.OWN_WRITES and place in self._released:
            _join(message, self.clocks[self._released[place]])
        if row.kind == EventKind.UPDATE and row.source >= 0:
            _join(message, self._messages[row.source])
