"""All execution graphs of n events at once: a formula whose models they are, and the algebra of their relations in it.

A relation is n by n literals. The formula says a second time, apart from `graphs.py`, what a well-formed execution is;
the tests of the oracle hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from tests.automata.meaning import Vocabulary

Matrix = tuple[tuple[int, ...], ...]
TRUE, FALSE = 1, -1


class Formula:
    """Gates that are shared, and constants that vanish."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = [[TRUE]]
        self._last = TRUE
        self._gates: dict[tuple[int, ...], int] = {}

    def variable(self) -> int:
        self._last += 1
        return self._last

    def say(self, *literals: int) -> None:
        """At least one of them holds."""
        self.clauses.append(list(literals))

    def implies(self, premises: Iterable[int], *conclusions: int) -> None:
        """All conclusions, each by itself, where all premises hold."""
        negated = [-each for each in premises]
        for conclusion in conclusions:
            self.say(*negated, conclusion)

    def all_of(self, literals: Iterable[int]) -> int:
        key = set(literals) - {TRUE}
        if FALSE in key or any(-each in key for each in key):
            return FALSE
        if len(key) < 2:
            return key.pop() if key else TRUE
        gate = tuple(sorted(key))
        out = self._gates.get(gate)
        if out is None:
            out = self._gates[gate] = self.variable()
            self.clauses.extend([-out, each] for each in gate)
            self.clauses.append([out, *(-each for each in gate)])
        return out

    def any_of(self, literals: Iterable[int]) -> int:
        return -self.all_of(-each for each in literals)


class AllGraphs:
    """The graphs of n events as an algebra; `formula` holds what makes them well-formed."""

    def __init__(self, n: int, vocabulary: Vocabulary) -> None:
        self.n = n
        self.formula = Formula()
        self.sets: dict[str, list[int]] = {}
        self.relations: dict[str, Matrix] = {}
        self._events()
        self._places()
        self._communication()
        self._within_threads()
        self._declared(vocabulary)
        self._names = self.relations | {name: self._test(events) for name, events in self.sets.items()}

    def _fresh_set(self) -> list[int]:
        return [self.formula.variable() for _ in range(self.n)]

    def _fresh(self, *, forward: bool = False, loops: bool = False) -> Matrix:
        """A relation of free variables: between any events, or only from lower to higher rows."""
        rows = range(self.n)
        return tuple(
            tuple(self.formula.variable() if (i < j or not forward) and (i != j or loops) else FALSE for j in rows)
            for i in rows
        )

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return ((i, j) for i in range(self.n) for j in range(self.n) if i != j)

    def _triples(self) -> Iterator[tuple[int, int, int]]:
        return ((i, j, k) for i, j in self._pairs() for k in range(self.n) if k not in (i, j))

    def _events(self) -> None:
        """Kinds exclude each other, and so do modes, except that SC is ACQ and REL; an event may have none."""
        f, sets = self.formula, self.sets
        for name in ("R", "W", "F", "NA", "RLX", "ACQ", "REL", "SC", "EXCL", "NEXCL"):
            sets[name] = self._fresh_set()
        exclusive = [*combinations("RWF", 2), ("NA", "RLX"), ("EXCL", "NEXCL")]
        exclusive += [(weak, strong) for weak in ("NA", "RLX") for strong in ("ACQ", "REL")]
        for e in range(self.n):
            for a, b in exclusive:
                f.say(-sets[a][e], -sets[b][e])
            f.implies([sets["SC"][e]], sets["ACQ"][e], sets["REL"][e])
        both = [f.any_of(pair) for pair in zip(sets["R"], sets["W"], strict=True)]
        sets |= {"MEM": both, "LOC": both, "DEP": sets["R"]}
        for name, kind in (("UR", "R"), ("UW", "W")):
            sets[name] = [f.all_of(pair) for pair in zip(sets[kind], sets["EXCL"], strict=True)]

    def _places(self) -> None:
        """Threads and locations are equivalences; the rows of a thread stand in program order."""
        f, located = self.formula, self.sets["LOC"]
        thread, place = self._fresh(forward=True), self._fresh(forward=True)
        threads = [[thread[min(i, j)][max(i, j)] for j in range(self.n)] for i in range(self.n)]
        places = [[place[min(i, j)][max(i, j)] for j in range(self.n)] for i in range(self.n)]
        for i, j, k in self._triples():
            f.implies([threads[i][j], threads[j][k]], threads[i][k])
            f.implies([places[i][j], places[j][k]], places[i][k])
        for i, j in self._pairs():
            f.implies([places[i][j]], located[i], located[j])
        for e in range(self.n):
            places[e][e] = located[e]
        self.same_loc: Matrix = tuple(tuple(row) for row in places)
        self.relations["any"] = tuple((TRUE,) * self.n for _ in range(self.n))
        self.relations["po"] = thread
        self.relations["po-loc"] = self.meet(thread, self.same_loc)

    def _communication(self) -> None:
        f, reads, writes, same = self.formula, self.sets["R"], self.sets["W"], self.same_loc
        rf, mo = self._fresh(), self._fresh()
        for i, j in self._pairs():
            f.implies([rf[i][j]], writes[i], reads[j], same[i][j])
            f.implies([mo[i][j]], writes[i], writes[j], same[i][j], -mo[j][i])
            f.say(-writes[i], -writes[j], -same[i][j], mo[i][j], mo[j][i])
        for i, j, k in self._triples():
            f.say(-rf[i][k], -rf[j][k])
            f.implies([mo[i][j], mo[j][k]], mo[i][k])
        po = self.relations["po"]
        for name, relation in (("rf", rf), ("mo", mo), ("fr", self.compose(self.inverse(rf), mo))):
            self.relations |= {
                name: relation,
                f"{name}i": self.meet(relation, po),
                f"{name}e": self.minus(relation, po),
            }
        for end in ("", "e", "i"):
            self.relations[f"co{end}"] = self.relations[f"mo{end}"]
        self.relations["detour"] = self.meet(self.compose(self.relations["moe"], self.relations["rfe"]), po)

    def _within_threads(self) -> None:
        f, sets, po = self.formula, self.sets, self.relations["po"]
        rmw = self.relations["rmw"] = self._fresh(forward=True)
        for i, j in combinations(range(self.n), 2):
            f.implies([rmw[i][j]], po[i][j], sets["UR"][i], sets["UW"][j], self.same_loc[i][j])
            for between in range(i + 1, j):
                f.implies([rmw[i][j]], -po[i][between])
        for name in ("ctrl", "addr", "data"):
            steps = self.relations[name] = self._fresh(forward=True)
            for i, j in combinations(range(self.n), 2):
                f.implies([steps[i][j]], po[i][j], sets["R"][i])

    def _declared(self, vocabulary: Vocabulary) -> None:
        f = self.formula
        taken = {*vocabulary.relations, *vocabulary.predicates} & {*self.relations, *self.sets}
        assert not taken, f"the oracle has its own {taken}"
        for name in vocabulary.relations:
            r, local = self._fresh(loops=True), self._fresh(loops=True)
            self.relations |= {name: r, f"{name}-loc": local}
            for i in range(self.n):
                for j in range(self.n):
                    f.implies([local[i][j]], r[i][j], self.same_loc[i][j])
        for name in vocabulary.predicates:
            self.sets[name] = self._fresh_set()
        for group in vocabulary.disjoint:
            for a, b in combinations(group, 2):
                for e in range(self.n):
                    f.say(-self.sets[a][e], -self.sets[b][e])

    # The algebra.

    def _test(self, events: list[int]) -> Matrix:
        return tuple(tuple(events[i] if i == j else FALSE for j in range(self.n)) for i in range(self.n))

    def base(self, name: str) -> Matrix | None:
        return self._names.get(name)

    def is_set(self, name: str) -> bool:
        return name in self.sets

    def zero(self) -> Matrix:
        return tuple((FALSE,) * self.n for _ in range(self.n))

    def identity(self) -> Matrix:
        return self._test([TRUE] * self.n)

    def union(self, a: Matrix, b: Matrix) -> Matrix:
        any_of = self.formula.any_of
        return tuple(tuple(map(any_of, zip(x, y, strict=True))) for x, y in zip(a, b, strict=True))

    def meet(self, a: Matrix, b: Matrix) -> Matrix:
        all_of = self.formula.all_of
        return tuple(tuple(map(all_of, zip(x, y, strict=True))) for x, y in zip(a, b, strict=True))

    def minus(self, a: Matrix, b: Matrix) -> Matrix:
        return self.meet(a, tuple(tuple(-cell for cell in row) for row in b))

    def compose(self, a: Matrix, b: Matrix) -> Matrix:
        f, columns = self.formula, tuple(zip(*b, strict=True))
        return tuple(
            tuple(f.any_of([f.all_of(pair) for pair in zip(row, column, strict=True)]) for column in columns)
            for row in a
        )

    def inverse(self, a: Matrix) -> Matrix:
        return tuple(zip(*a, strict=True))

    def plus(self, a: Matrix) -> Matrix:
        reached, length = a, 1
        while length < self.n:
            reached, length = self.union(reached, self.compose(reached, reached)), 2 * length
        return reached

    def some(self, a: Matrix) -> int:
        return self.formula.any_of(cell for row in a for cell in row)

    def both(self, a: int, b: int) -> int:
        return self.formula.all_of((a, b))

    def negate(self, a: int) -> int:
        return -a

    def rounds(self, names: int) -> int:
        return names * self.n + 1
