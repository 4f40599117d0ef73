"""Axioms as walks: an axiom that forbids cycles of a regular relation becomes a small automaton over steps that an
execution has few of, so that looking for such a cycle takes time that is linear in the events.

Steps are sparse. Program order is the repetition of the step to a thread's next event, the modification order that of
the step to the next write, happens-before that of its generating edges; and so on, with what makes the two alike in
`porf.checking.steps`. Files with other shapes have no walks, and are for the generic procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from porf._core import Check
from porf.language import base
from porf.language import relation as r
from porf.language.automaton import DYNAMIC, EMPTY, NOTHING, Part, Positions, Step, UnwalkableError, Walk
from porf.language.model_file import Axiom, ModelFile
from porf.language.recursion import Paths, paths_of
from porf.language.selection import Selections
from porf.record import Record

_DEEPEST = 150  # nodes inside each other


class WalkModel(Record):
    """A model whose axioms all are walks, but for coherence and atomicity."""

    closures: tuple[Walk, ...]  # the happens-befores: transitive, with all of po, without mo
    coherence: int | None  # coherence under that one; None: under po
    atomic: bool  # nothing comes between the two halves of an update
    walks: tuple[Walk, ...]


def walks_of(model: ModelFile) -> WalkModel | None:
    """The walks of a model; None if it has another shape."""
    try:
        return _Translator(model).translate()
    except UnwalkableError:
        return None


class _Translator:
    def __init__(self, model: ModelFile) -> None:
        self._model = model
        self._sets = Selections(model.view == "two")
        self._closures: dict[r.Node, int] = {}
        self._made: list[Walk] = []

    def translate(self) -> WalkModel:
        coherence: list[int | None] = []
        atomic = self._model.view == "one"
        rest: list[Axiom] = []
        for axiom in self._model.axioms:
            if axiom.flagged:
                continue
            if axiom.negated or axiom.node.depth_below > _DEEPEST:
                raise UnwalkableError
            if _is_atomicity(axiom):
                atomic = True
            elif (found := self._coherence(axiom)) is not None:
                coherence += found
            else:
                rest.append(axiom)
        if len(coherence) != 1:
            raise UnwalkableError
        walks = [self._axiom(axiom) for axiom in rest]
        return WalkModel(tuple(self._made), coherence[0], atomic, tuple(walks))

    def _coherence(self, axiom: Axiom) -> list[int | None] | None:
        node = axiom.node
        if axiom.check == Check.ACYCLIC:
            return [None] if r.operands(node) == _UNIPROCESSOR else None
        match node:
            case r.Sequence((one, r.Unary("optional", r.Unary("plus", eco)))) if r.operands(eco) == _ECO:
                one = _plain(one)
                if one in (_PO, _PO_LOC):
                    return [None]
                if _is_closure(one):
                    return [self._closure(one)]
        return None

    def _axiom(self, axiom: Axiom) -> Walk:
        node, repeats = axiom.node, axiom.check == Check.ACYCLIC
        if axiom.check == Check.EMPTY:
            raise UnwalkableError
        while repeats and isinstance(node, r.Unary) and node.operator == "plus":
            node = node.body
        return _Expression(self._sets, self._closure).walk_of(axiom.name, node, repeats)

    def _closure(self, node: r.Node) -> int:
        """The number of a happens-before."""
        if node not in self._closures:
            assert isinstance(node, r.Unary)
            walk = _Expression(self._sets, self._closure).walk_of("", node.body, True)
            if walk.dynamic:
                raise UnwalkableError
            self._closures[node] = len(self._made)
            self._made.append(walk)
        return self._closures[node]


_WITHIN_THREADS = {"addr", "data", "ctrl", "rmw", "amo", "lxsx"}
_PO, _LOC = base.relation("po"), base.relation("loc")
_PO_LOC = r.Intersection(_PO, _LOC)
_RF, _MO, _FR = (base.relation(name) for name in ("rf", "mo", "fr"))
_INT, _EXT = base.relation("int"), base.relation("ext")
_WRITES, _READS = base.events("W"), base.events("R")
_UNIPROCESSOR: set[r.Node] = {_PO_LOC, _RF, _MO, _FR}
_ECO: set[r.Node] = {_RF, _MO, _FR}
_RFE, _MOE, _FRE = (r.Intersection(one, _EXT) for one in (_RF, _MO, _FR))
_COMMUNICATION = {_RF, _MO, _FR, _RFE, _MOE, _FRE, *(r.Intersection(one, _INT) for one in (_RF, _MO, _FR))}


def _plain(node: r.Node) -> r.Node:
    return r.plain(node)


def _is_atomicity(axiom: Axiom) -> bool:
    """`empty rmw & (fr; mo)`, or between threads alone: within one, coherence says so."""
    if axiom.check != Check.EMPTY:
        return False
    match axiom.node:
        case r.Intersection(one, r.Sequence((first, second))):
            return one == base.relation("rmw") and _plain(first) in (_FR, _FRE) and _plain(second) in (_MO, _MOE)
    return False


def _is_closure(node: r.Node) -> bool:
    """Something transitive that has all of po and does not look at mo: clocks know it."""
    if not isinstance(node, r.Unary) or node.operator != "plus" or _PO not in r.operands(node.body):
        return False
    return node.body != _PO and not any(isinstance(n, r.Base) and n.name in ("mo", "fr") for n in r.walk(node))


class _Expression(Positions):
    """The positions of one axiom's expression, and how they follow each other (Glushkov's construction)."""

    def __init__(self, sets: Selections, closure: Callable[[r.Node], int]) -> None:
        super().__init__(sets)
        self._closure = closure
        self._forces = True

    def walk_of(self, name: str, node: r.Node, repeats: bool) -> Walk:
        whole = self._part(node)
        return self.walk(name, whole, repeats=repeats, forces=self._forces)

    def _part(self, node: r.Node) -> Part:
        node = _plain(node)
        match node:
            case r.Empty():
                return NOTHING
            case r.Base(name):
                return self._base(name)
            case r.Unary("test", events):
                return self.tested(events)
            case r.Unary("plus") if _is_closure(node):
                return self.again(self.letter("hb", self._closure(node)))
            case r.Unary("plus" | "star" | "optional" as operator, body):
                part = self._part(body) if operator == "optional" else self._repeated(body)
                return part if operator == "plus" else self.optional(part)
            case r.Union(operands):
                return self.any(map(self._part, operands))
            case r.Sequence(operands):
                return self._sequence(operands)
            case r.Intersection():
                return self._intersection(node)
            case r.Difference(left, right):
                return self._difference(left, right)
            case r.Component(recursion, index):
                return self._paths(paths_of(recursion, index))
        raise UnwalkableError

    def _repeated(self, body: r.Node) -> Part:
        before = len(self.letters)
        part = self._part(body)
        dynamic = any(letter.step in DYNAMIC for letter in self.letters[before:])
        # A cycle within the repetition would not be one of the axiom; among these there is none.
        if dynamic and not {_plain(n) for n in r.operands(body)} <= _COMMUNICATION:
            self._forces = False
        return self.again(part)

    def _base(self, name: str) -> Part:
        match name:
            case "id":
                return EMPTY
            case "po":
                return self.again(self.letter("next"))
            case "mo":
                return self.again(self.letter("mo"))
            case "fr":
                return self.then(self.letter("fr"), self.optional(self.again(self.letter("mo"))))
            case "rf" | "rmw" | "amo" | "lxsx" | "addr" | "data" | "ctrl":
                return self.letter(name)
        raise UnwalkableError

    def _sequence(self, operands: tuple[r.Node, ...]) -> Part:
        flat = list(_flat(operands))
        part = EMPTY
        for at, node in enumerate(flat):
            if node == _PO_OTHER:
                # Beside happens-before, of all events of other locations the nearest is enough.
                if at + 1 < len(flat) and _is_closure(flat[at + 1]):
                    step: Step = "next-other"
                elif at > 0 and _is_closure(flat[at - 1]):
                    step = "last-other"
                else:
                    raise UnwalkableError
                part = self.then(part, self.letter(step))
            else:
                part = self.then(part, self._part(node))
        return part

    def _intersection(self, node: r.Intersection) -> Part:
        rest: list[r.Node] = []
        masks: set[str] = set()
        boxes: list[tuple[r.Node, r.Node]] | None = None
        for one in _factors(node):
            if one in (_LOC, _INT, _EXT):
                assert isinstance(one, r.Base)
                masks.add(one.name)
            elif (found := _boxes(one)) is not None:
                boxes = found if boxes is None else _crossed(boxes, found)
            else:
                rest.append(one)
        if boxes is None:
            return self._masked(rest, masks)
        return self.any([self.between(a, self._masked(rest, masks), b) for a, b in boxes])

    def _masked(self, rest: list[r.Node], masks: set[str]) -> Part:
        if _PO in rest and len(rest) > 1:
            return self._within(r.Sequence(tuple(_flat((next(one for one in rest if one != _PO),)))), len(rest))
        if len(rest) != 1:
            raise UnwalkableError
        (node,) = rest
        if not masks:
            return self._part(node)
        match node:
            case r.Union(operands):
                return self.any([self._masked([_plain(one)], masks) for one in operands])
            case r.Base("po"):
                return NOTHING if "ext" in masks else self.again(self.letter("next-at" if "loc" in masks else "next"))
            case r.Base(name) if name in _WITHIN_THREADS and "loc" not in masks:
                return NOTHING if "ext" in masks else self._part(node)
            case r.Base("rf" | "mo" | "fr" as name):
                return self._communication(name, masks - {"loc"})
            case r.Unary("plus") if _is_closure(node) and masks == {"loc"}:
                return self._closed_at(self._closure(node))
        raise UnwalkableError

    def _communication(self, name: str, masks: set[str]) -> Part:
        if not masks:
            return self._part(base.relation(name))
        if masks == {"int", "ext"}:
            return NOTHING
        inside = masks == {"int"}
        if name == "rf":
            return self.letter("rfi" if inside else "rfe")
        if inside:  # coherence: it is program order
            starts = _WRITES if name == "mo" else _READS
            return self.between(starts, self.again(self.letter("next-at")), _WRITES)
        step: Step = "moe" if name == "mo" else "fre"
        return self.then(self.letter(step), self.optional(self.again(self.letter("own"))))

    def _within(self, node: r.Sequence, factors: int) -> Part:
        """Two steps between threads that together stay in program order; coherence says which they are."""
        ends = self.sets.of(r.Unary("range", _RFE))
        if factors == 2 and node.operands == (_MOE, _RFE):
            return self.between(_WRITES, self.again(self.letter("next-at")), ends)
        if factors == 2 and node.operands == (_FRE, _RFE):
            on = self.optional(self.again(self.letter("next-at")))
            return self.between(_READS, self.then(self.letter("changed-read"), on), ends)
        raise UnwalkableError

    def _closed_at(self, closure: int) -> Part:
        before = self.again(self.letter("next-at"))
        across = self.then(self.letter("hb-at", closure), self.optional(self.again(self.letter("next-at"))))
        return self.any([before, self.then(self.optional(before), across)])

    def _difference(self, left: r.Node, right: r.Node) -> Part:
        left, right = _plain(left), _plain(right)
        if (boxes := _boxes(right)) is not None:
            everything = base.events("_")
            node = left
            for a, b in boxes:
                inside, outside = _without(everything, a), _without(everything, b)
                node = r.Union(
                    (r.Sequence((r.Unary("test", inside), node)), r.Sequence((node, r.Unary("test", outside))))
                )
            return self._part(node)
        if tuple(_flat((right,))) == (r.Unary("inverse", _RF), _RF):
            return self._other_reads(left)
        stop = _stops(left, right)
        if stop is None:
            raise UnwalkableError
        events, at_start = stop
        go_on = self.sets.of(_without(base.events("_"), events))
        step: Step = "next" if left == _PO else "next-at"
        part = self.letter(step)
        self.join(self.then(part, self.tested(go_on)), part)
        return self.then(self.tested(go_on), part) if at_start else part

    def _other_reads(self, left: r.Node) -> Part:
        """Reads of one location that take different writes, with no write of the thread between them."""
        match tuple(_flat((left,))):
            case (r.Unary("test", one), r.Difference(order, stops), r.Unary("test", other)):
                stop = _stops(_plain(order), _plain(stops))
                if one == other == _READS and _plain(order) == _PO_LOC and stop is not None and stop[0] == _WRITES:
                    same = self.optional(self.again(self.letter("same-read")))
                    change = self.between(_READS, self.letter("next-at"), _READS)
                    return self.then(same, self.again(change))
        raise UnwalkableError

    def _paths(self, paths: Paths | None) -> Part:
        """Steps between sorts of places, such as the begin and the end of an access."""
        if paths is None:
            raise UnwalkableError
        before = len(self.letters)
        parts = [(source, self._part(node), target) for source, node, target in paths.steps]
        if any(part.empty for _, part, _ in parts):
            raise UnwalkableError
        self._forces &= not any(letter.step in DYNAMIC for letter in self.letters[before:])
        for _, one, middle in parts:
            for begin, other, _ in parts:
                if paths.leads(middle, begin):
                    self.join(one, other)
        first = [f for source, part, _ in parts if paths.leads(paths.source, source) for f in part.first]
        last = [e for _, part, target in parts if paths.leads(target, paths.target) for e in part.last]
        return Part((), tuple(first), tuple(last))


_PO_OTHER = r.Difference(_PO, _LOC)


def _flat(operands: Iterable[r.Node]) -> Iterator[r.Node]:
    for node in map(_plain, operands):
        if isinstance(node, r.Sequence):
            yield from _flat(node.operands)
        else:
            yield node


def _factors(node: r.Node) -> Iterator[r.Node]:
    node = _plain(node)
    if isinstance(node, r.Intersection):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _without(events: r.Node, others: r.Node) -> r.Node:
    return r.Difference(events, others)


def _boxes(node: r.Node) -> list[tuple[r.Node, r.Node]] | None:
    """A relation that looks at its two events apart, as pairs of sets; None if it is another one."""
    match _plain(node):
        case r.Product(left, right):
            return [(left, right)]
        case r.Union(operands):
            found = [_boxes(one) for one in operands]
            return None if None in found else [box for one in found for box in one or ()]
        case r.Intersection(left, right):
            a, b = _boxes(left), _boxes(right)
            return None if a is None or b is None else _crossed(a, b)
        case r.Difference(left, right):
            a, b = _boxes(left), _boxes(right)
            if a is None or b is None:
                return None
            for x, y in b:
                a = [box for p, q in a for box in ((_without(p, x), q), (p, _without(q, y)))]
            return a
    return None


def _crossed(one: list[tuple[r.Node, r.Node]], other: list[tuple[r.Node, r.Node]]) -> list[tuple[r.Node, r.Node]]:
    return [(r.Intersection(a, c), r.Intersection(b, d)) for a, b in one for c, d in other]


def _stops(order: r.Node, between: r.Node) -> tuple[r.Node, bool] | None:
    """Of `order \\ (order; [S]; order)`: S, and whether it counts at the start, too."""
    if order not in (_PO, _PO_LOC) or not isinstance(between, r.Sequence):
        return None
    match tuple(_flat((between,))):
        case (first, r.Unary("test", events), last) if last == order and first == order:
            return events, False
        case (r.Unary("optional", first), r.Unary("test", events), last) if last == order and _plain(first) == order:
            return events, True
    return None
