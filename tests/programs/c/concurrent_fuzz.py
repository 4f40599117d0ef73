"""Random small concurrent programs, as data: shared objects, threads of statements, and what is said of the results.

`concurrent_c.py` and `concurrent_cxx.py` write them as sources; `concurrent_form.py` makes the form of them by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

RLX, ACQ, REL, AR, SC = "relaxed", "acquire", "release", "acq_rel", "seq_cst"
LOADS, STORES, UPDATES = (RLX, ACQ, SC), (RLX, REL, SC), (RLX, ACQ, REL, AR, SC)
VARIABLES = ("u", "v", "w")


@dataclass(frozen=True)
class Shared:
    """A shared object: so many cells of one type. Those with a group are fields of a structure of that name."""

    name: str
    width: int
    signed: bool = True
    atomic: bool = True
    initial: tuple[int, ...] = (0,)
    group: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell of an object; the index is a number, or a variable taken modulo the number of cells, a power of two."""

    of: Shared
    index: int | str = 0


@dataclass(frozen=True)
class Value:
    """A constant, a variable, the thread's argument ("arg"), or one of these with an operator and a constant."""

    base: int | str
    operator: str = ""  # + ^ & == != <
    constant: int = 0


@dataclass(frozen=True)
class Load:
    into: str
    cell: Cell
    order: str = ""  # empty: plain


@dataclass(frozen=True)
class Store:
    cell: Cell
    value: Value
    order: str = ""


@dataclass(frozen=True)
class Update:
    into: str
    cell: Cell
    kind: str  # add sub and or xor exchange
    value: Value
    order: str


@dataclass(frozen=True)
class Compare:
    """A compare-exchange: `expected` is a variable and gets what was found, `into` says whether it was written."""

    into: str
    cell: Cell
    expected: str
    desired: Value
    order: str
    failure: str
    weak: bool = False


@dataclass(frozen=True)
class Retry:
    """expected = load; while not compare-exchange: again. With `unless`, it gives up when it has found that number,
    and loads `peek` after that, a plain object. `body` stands before each try. If it reloads, it loads before that."""

    load: str
    trial: Compare
    unless: int | None = None
    peek: Cell | None = None
    body: tuple[Statement, ...] = ()
    reloads: bool = False


@dataclass(frozen=True)
class Wait:
    """Loads until the value is so."""

    cell: Cell
    number: int
    order: str


@dataclass(frozen=True)
class Fence:
    order: str


@dataclass(frozen=True)
class Assign:
    into: str
    value: Value


@dataclass(frozen=True)
class If:
    condition: Value
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class For:
    """The counter is the variable `i` of the source; the body may not use it."""

    times: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Locked:
    """A body with the mutex; if it only tries, the body is left out when the mutex is not free."""

    body: tuple[Statement, ...]
    tries: bool = False


Statement = Load | Store | Update | Compare | Retry | Wait | Fence | Assign | If | For | Locked


@dataclass(frozen=True)
class Concurrent:
    """A program. Threads with the same code differ in their argument. At the end each thread stores its variables,
    in their order; main joins all, reads `final`, and says that not all of `never` (a result and its value) are so."""

    objects: tuple[Shared, ...]
    threads: tuple[tuple[Statement, ...], ...]
    arguments: tuple[int, ...]
    final: tuple[Cell, ...]
    never: tuple[tuple[int, int], ...] = ()

    @property
    def results(self) -> int:
        """The variables of each thread, then the cells that main reads."""
        return len(self.threads) * len(VARIABLES) + len(self.final)


class Maker:
    """Makes a program of random numbers. `retries`: some thread has a loop that tries a compare-exchange again."""

    def __init__(self, seed: int, retries: bool = False) -> None:
        self.random = Random(seed)
        self.retries = retries
        self.sc = self.random.random() < 0.4
        self.budget = 0

    def program(self) -> Concurrent:
        r = self.random
        self.atomics = [self._object(n) for n in ("x", "y", "z")[: r.choice((1, 2, 2, 3))]]
        self.plain = Shared("d", r.choice((1, 2, 4, 8)), r.random() < 0.5, atomic=False)
        self.plains = r.random() < 0.4
        count = r.choice((2, 2, 2, 3))
        threads = [self._thread(7 // count) for _ in range(count)]
        if r.random() < 0.3:
            threads[1] = threads[0]
        if self.retries:
            threads = self._retrying(threads)
            count = len(threads)
        final = tuple(Cell(o, i) for o in self.atomics for i in range(len(o.initial)))
        results = [r.randrange(count * len(VARIABLES) + len(final)) for _ in range(r.choice((0, 1, 2)))]
        never = tuple((n, r.choice((0, 0, 1, 1, 2))) for n in results)
        return Concurrent((*self.atomics, self.plain), tuple(threads), tuple(range(count)), final, never)

    def _object(self, name: str) -> Shared:
        r = self.random
        initial = tuple(r.choice((0, 0, 0, 1)) for _ in range(r.choice((1, 1, 1, 2))))
        group = "s" if r.random() < 0.3 else ""
        return Shared(name, r.choice((1, 2, 4, 4, 8)), r.random() < 0.6, True, initial, group)

    def _order(self, orders: tuple[str, ...]) -> str:
        return self.random.choice([o for o in orders if self.sc or o != SC])

    def _cell(self) -> Cell:
        of = self.random.choice(self.atomics)
        if len(of.initial) == 1:
            return Cell(of)
        return Cell(of, self.random.choice((0, 1, self.random.choice(VARIABLES))))

    def _value(self) -> Value:
        r = self.random
        base: int | str = r.choice((1, 2, "arg", r.choice(VARIABLES), r.choice(VARIABLES)))
        if isinstance(base, str) and r.random() < 0.5:
            return Value(base, r.choice(("+", "^", "&", "==", "!=", "<")), r.choice((1, 2)))
        return Value(base)

    def _condition(self) -> Value:
        return Value(self._variable(), self.random.choice(("==", "!=", "<")), self.random.choice((0, 1, 2)))

    def _variable(self) -> str:
        return self.random.choice(VARIABLES)

    def _thread(self, events: int) -> tuple[Statement, ...]:
        self.budget = events
        found: list[Statement] = []
        while self.budget > 0:
            found.append(self._statement(2))
        return tuple(found)

    def _block(self) -> tuple[Statement, ...]:
        return tuple(self._statement(0) for _ in range(self.random.choice((1, 1, 2))))

    def _statement(self, depth: int) -> Statement:
        r = self.random
        kinds = ["load"] * 6 + ["store"] * 6 + ["update"] * 4 + ["compare"] * 3 + ["fence", "assign"]
        kinds += ["plain"] * 4 * self.plains + ["if", "if", "if", "for", "lock", "try", "wait"] * (depth > 0)
        kind = r.choice(kinds)
        self.budget -= kind != "assign"
        match kind:
            case "load":
                return Load(self._variable(), self._cell(), self._order(LOADS))
            case "store":
                return Store(self._cell(), self._value(), self._order(STORES))
            case "update":
                operation = r.choice(("add", "add", "sub", "and", "or", "xor", "exchange"))
                return Update(self._variable(), self._cell(), operation, self._value(), self._order(UPDATES))
            case "compare":
                return self._compare()
            case "fence":
                return Fence(self._order((ACQ, REL, AR, SC)))
            case "assign":
                return Assign(self._variable(), self._value())
            case "plain" if r.random() < 0.5:
                return Load(self._variable(), Cell(self.plain))
            case "plain":
                return Store(Cell(self.plain), self._value())
            case "if":
                return If(self._condition(), self._block(), self._block() if r.random() < 0.4 else ())
            case "for":
                self.budget -= 1
                return For(2, (self._statement(0),))
            case "wait":
                return Wait(self._cell(), r.choice((0, 1, 1, 2)), self._order(LOADS))
        return Locked(self._block(), kind == "try")

    def _compare(self) -> Compare:
        into, expected = self.random.sample(VARIABLES, 2)
        order, failure = self._order(UPDATES), self._order(LOADS)
        return Compare(into, self._cell(), expected, self._value(), order, failure, self.random.random() < 0.4)

    def _retrying(self, threads: list[tuple[Statement, ...]]) -> list[tuple[Statement, ...]]:
        """One or two threads try again, and another may publish data."""
        r = self.random
        if r.random() < 0.3:
            return self._giving_up(threads)
        cell = Cell(r.choice(self.atomics))
        retry = self._retry(cell)
        threads[0] = (*threads[0][: r.choice((0, 1))], retry, *threads[0][1:2])
        if r.random() < 0.3:
            threads[1] = (self._retry(cell), *threads[1][:2])
        elif r.random() < 0.7:
            number = Value(r.choice((1, 2, retry.unless or 2)))
            publish: Statement = Store(cell, number, self._order(STORES))
            if r.random() < 0.4:
                publish = Update(self._variable(), cell, r.choice(("add", "exchange")), number, self._order(UPDATES))
            data = (Store(Cell(self.plain), Value(1)),) if r.random() < 0.7 else ()
            threads[1] = (*data, publish, *threads[1][:1])
        return threads

    def _giving_up(self, threads: list[tuple[Statement, ...]]) -> list[tuple[Statement, ...]]:
        """Data is published, and a loop that finds that gives up and reads it: too early, if a failure is weak."""
        r = self.random
        cell = Cell(r.choice(self.atomics))
        into, expected = r.sample(VARIABLES, 2)
        trial = Compare(into, cell, expected, Value(expected, "+", 2), r.choice((ACQ, AR)), r.choice((RLX, ACQ)))
        data = Cell(self.plain)
        looked: tuple[Statement, ...] = threads[0][:1] if r.random() < 0.3 else ()
        retry = Retry(r.choice((ACQ, ACQ, RLX)), trial, 1 - cell.of.initial[0], data)
        published = Store(cell, Value(1 - cell.of.initial[0]), r.choice((REL, REL, RLX)))
        return [(*looked, retry), (Store(data, Value(1)), published)]

    def _retry(self, cell: Cell) -> Retry:
        """What is tried depends on what was found; the variable that is left may be for the body."""
        r = self.random
        into, expected, third = r.sample(VARIABLES, 3)
        desired = Value(expected, r.choice(("+", "+", "^", "&")), 1)
        trial = Compare(into, cell, expected, desired, self._order(UPDATES), self._order(LOADS), r.random() < 0.5)
        unless = r.choice((None, 1, 1, 2))
        peek = Cell(self.plain) if unless is not None and r.random() < 0.6 else None
        body: tuple[Statement, ...] = ()
        if r.random() < 0.3:
            body = (self._before_a_try(cell, third, expected),)
        return Retry(self._order(LOADS), trial, unless, peek, body, r.random() < 0.2)

    def _before_a_try(self, cell: Cell, into: str, expected: str) -> Statement:
        """Nothing that makes the next try fail: then the loop need not end."""
        other = self._cell()
        kinds = ["load", "plain", "assign"] + ["load", "store", "update"] * (other.of is not cell.of)
        match self.random.choice(kinds):
            case "load":
                return Load(into, other, self._order(LOADS))
            case "plain":
                return Load(into, Cell(self.plain))
            case "store":
                return Store(other, Value(1), self._order(STORES))
            case "update":
                return Update(into, other, "add", Value(1), self._order(UPDATES))
        return Assign(into, Value(expected))
