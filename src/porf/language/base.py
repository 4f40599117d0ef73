"""The names that every model may use without defining them: one row per name, with everything that is known about it.

What it means is a node of the tree (`relation.py`). Beside that a row of a relation or a set of the core says what
evidence, analyses of models and the theories of the automata make of it. A new built-in name is a row here, and one of
the core's own is a number and its computation in core/relations/base.hpp and base.cpp besides.
"""

from collections.abc import Callable
from functools import cache

from porf._core import BaseRelation, BaseSet, Order
from porf.architectures import ARCHITECTURES, Architecture
from porf.language import formula as f
from porf.language.relation import (
    Abbreviation,
    Base,
    Difference,
    Empty,
    Intersection,
    Kind,
    Node,
    Product,
    Sequence,
    Tagged,
    Unary,
    Union,
    Universe,
)
from porf.record import Record

REAL_TIME = len(BaseRelation) + 1
"""The number of a relation that the core does not know: it is given as pairs of rows, see `evaluation.py`."""


class Relation(Record):
    """A relation of the core."""

    name: str
    core: int
    selects: bool = False  # in `po & loc` the step is po, and loc says which
    mo: bool = False  # it depends on the modification order
    away: bool = False  # leads from every event to others, even from one that nothing follows
    strict: bool = True  # relates no event to itself


class Events(Record):
    """A set of the core, and the predicate of the theories that says the same; there ACQ means acquire or more."""

    name: str
    core: BaseSet
    predicate: f.Formula
    orders: frozenset[Order] | None = None  # of a set of orders: which
    predicate_two: f.Formula | None = None  # where it differs for updates as two events


def at_least(strong: Order, weak: Order) -> bool:
    """Whether one order promises everything that another does."""
    return strong == weak or (strong > weak and {strong, weak} != {Order.ACQ, Order.REL})


def _order_sets() -> list[Events]:
    any_order = f.disjunction(f.disjunction("RLX", "ACQ"), "REL")  # an initial write has none
    both = f.conjunction("ACQ", "REL")
    exactly: dict[Order, f.Formula] = {
        Order.NA: "NA",
        Order.RLX: "RLX",
        Order.ACQ: f.conjunction("ACQ", f.negation("REL")),
        Order.REL: f.conjunction("REL", f.negation("ACQ")),
        Order.ACQ_REL: f.conjunction(both, f.negation("SC")),
        Order.SC: "SC",
    }
    least: dict[Order, f.Formula] = {
        Order.NA: f.disjunction("NA", any_order),
        Order.RLX: any_order,
        Order.ACQ: "ACQ",
        Order.REL: "REL",
        Order.ACQ_REL: both,
        Order.SC: "SC",
    }
    rows = [Events(o.name, BaseSet[o.name], exactly[o], frozenset({o})) for o in Order]
    for o in Order:
        stronger = frozenset(other for other in Order if at_least(other, o))
        rows.append(Events(f"ge{o.name}", BaseSet[f"GE_{o.name}"], least[o], stronger))
    return rows


RELATIONS = {
    row.name: row
    for row in (
        Relation("id", BaseRelation.ID, selects=True, strict=False),
        Relation("po", BaseRelation.PO),
        Relation("rf", BaseRelation.RF),
        Relation("mo", BaseRelation.MO, mo=True),
        Relation("fr", BaseRelation.FR, mo=True),
        Relation("loc", BaseRelation.LOC, selects=True, away=True, strict=False),
        Relation("int", BaseRelation.INT, selects=True, away=True, strict=False),
        Relation("ext", BaseRelation.EXT, selects=True, away=True),
        Relation("rmw", BaseRelation.RMW, strict=False),
        Relation("addr", BaseRelation.ADDR),
        Relation("data", BaseRelation.DATA),
        Relation("ctrl", BaseRelation.CTRL),
        Relation("amo", BaseRelation.AMO, strict=False),
        Relation("lxsx", BaseRelation.LXSX),
        Relation("rt", REAL_TIME, away=True),
    )
}
SETS = {
    row.name: row
    for row in (
        Events("_", BaseSet.ALL, True),
        Events("R", BaseSet.READS, "R"),
        Events("W", BaseSet.WRITES, "W"),
        Events("F", BaseSet.FENCES, "F"),
        Events("U", BaseSet.UPDATES, "U", predicate_two="EXCL"),
        Events("IW", BaseSet.INITIAL_WRITES, "IW"),
        *_order_sets(),
    )
}
ORDER_SETS = {row.name: row.orders for row in SETS.values() if row.orders is not None}
"""The orders that each set of orders holds."""


def relation(name: str) -> Base:
    return Base(RELATIONS[name].name, "relation")


def events(name: str) -> Base:
    return Base(SETS[name].name, "set")


_EXTERNAL, _INTERNAL = relation("ext"), relation("int")
_MEMORY = Union((events("R"), events("W")))
# Sets of published files for C that no event is in: a consume is an acquire here, a lock an update, an unlock a write,
# and what is wrong with memory is found by exploration itself.
_NOWHERE_IN_C = ("CON", "LK", "LS", "UL", "ALLOC", "FREE", "UB")
_WRITTEN = Difference(events("W"), events("IW"))


def _cut(name: str, selector: Base) -> Node:
    return Intersection(relation(name), selector)


class _Name(Record):
    """A name and its meaning. `primitive`: the theories of the automata may have it as a primitive of their own."""

    name: str
    meaning: Node
    primitive: str | None = None
    dialects: tuple[str, ...] = ("cat", "kat")


def _absent(kind: Kind, *names: str) -> list[_Name]:
    """Kater's names for what no execution here has: thread events, allocation, recovery."""
    return [_Name(name, Empty(kind), name, ("kat",)) for name in names]


def _renamed(dialect: str, **names: str) -> list[_Name]:
    return [_Name(name, events(meant), None, (dialect,)) for name, meant in names.items()]


_NAMES = [
    *(_Name(name, relation(name)) for name in RELATIONS),
    *(_Name(name, events(name)) for name in SETS),
    _Name("co", relation("mo")),
    _Name("same-thread", _INTERNAL, "same-thread"),
    _Name("po-loc", _cut("po", relation("loc")), "po-loc"),
    *(_Name(f"{name}e", _cut(name, _EXTERNAL), f"{name}e") for name in ("rf", "mo", "fr")),
    *(_Name(f"{name}i", _cut(name, _INTERNAL), f"{name}i") for name in ("rf", "mo", "fr")),
    _Name("coe", _cut("mo", _EXTERNAL), "moe"),
    _Name("coi", _cut("mo", _INTERNAL), "moi"),
    _Name("M", _MEMORY),
    _Name("RMW", events("U")),
    *_renamed("cat", X="U", A="geRLX"),
    # In kat an order means "at least", as in Kater.
    *_renamed("kat", EXCL="U", ACQ="geACQ", REL="geREL", ACQ_REL="geACQ_REL", SC="geSC"),
    # herd's names for what is always there.
    *(_Name(name, relation("id"), None, ("cat",)) for name in ("si", "sm")),
    _Name("emptyset", Empty("set"), None, ("cat",)),
    _Name("Exp", _MEMORY, None, ("cat",)),
    _Name("NExp", Empty("set"), None, ("cat",)),
    *(_Name(name, Empty("set"), None, ("cat",)) for name in _NOWHERE_IN_C),
    *(_Name(name, Empty("relation"), None, ("cat",)) for name in ("allocptr", "allocmem")),
    _Name("depend", Union((relation("addr"), relation("data"))), None, ("cat",)),
    _Name("co0", Intersection(relation("loc"), Product(events("IW"), _WRITTEN)), None, ("cat",)),
    _Name("FW", Difference(events("W"), Unary("domain", relation("mo"))), None, ("cat",)),
    _Name("MEM", _MEMORY, None, ("kat",)),
    _Name("LOC", _MEMORY, "LOC", ("kat",)),
    _Name("DEP", events("R"), "DEP", ("kat",)),
    _Name("UR", Intersection(events("R"), events("U")), None, ("kat",)),
    _Name("UW", Intersection(events("W"), events("U")), None, ("kat",)),
    _Name("NEXCL", Difference(events("_"), events("U")), "NEXCL", ("kat",)),
    _Name("any", Universe("relation"), None, ("kat",)),
    _Name(
        "detour",
        Intersection(Sequence((_cut("mo", _EXTERNAL), _cut("rf", _EXTERNAL))), relation("po")),
        "detour",
        ("kat",),
    ),
    *_absent("set", "TC", "TB", "TJ", "TK", "TE", "ALLOC", "FREE", "HPRET", "HPPROT", "NOTHPPROT", "HEAP", "REC", "D"),
    *_absent("relation", "tc", "tj", "alloc", "free", "loc-overlap"),
]
NAMES = {
    dialect: {row.name: row for row in _NAMES if dialect in row.dialects and (dialect, row.name) != ("kat", "_")}
    for dialect in ("cat", "kat")
}
"""By dialect; of rows of the same name the last counts."""

CUTS = {
    (row.meaning.left.name, row.meaning.right.name): row.primitive
    for row in _NAMES
    if row.primitive and isinstance(row.meaning, Intersection)
    if isinstance(row.meaning.left, Base) and isinstance(row.meaning.right, Base) and row.meaning.kind == "relation"
}
"""What a relation becomes when another one cuts it: rf and ext make rfe."""


class Function(Record):
    """A function that needs no definition: the kinds of its arguments, and what it makes of them."""

    arguments: tuple[Kind, ...]
    result: Callable[..., Node]


def _after(fences: Node) -> Node:
    """`_ * S`: all that ends in such a fence."""
    return Product(Universe("set"), fences)


_EVERYWHERE = {
    "domain": Function(("relation",), lambda r: Unary("domain", r)),
    "range": Function(("relation",), lambda r: Unary("range", r)),
    "fencerel": Function(("set",), lambda s: fencerel(s)),
}
FUNCTIONS = {
    "cat": {
        **_EVERYWHERE,
        "toid": Function(("set",), lambda s: Unary("test", s)),
        "ctrlcfence": Function(
            ("set",), lambda s: Sequence((Intersection(relation("ctrl"), _after(s)), relation("po")))
        ),
        "imply": Function(("set", "set"), lambda a, b: Union((Unary("complement", a), b))),
        "nodetour": Function(("relation",) * 3, lambda r, s, t: Difference(r, Sequence((s, t)))),
        # Of page tables, and of values of SRCU: no event here has either.
        "same-oa": Function(("relation",), lambda _: Empty("relation")),
        "oa-changes": Function(("set", "relation"), lambda *_: Empty("set")),
        "at-least-one-writable": Function(("set", "relation"), lambda *_: Empty("set")),
        "different-values": Function(("relation",), lambda _: Empty("relation")),
        "singlestep": Function(("relation",), lambda r: Difference(r, Sequence((r, r)))),
    },
    "kat": _EVERYWHERE,
}

# Files of herd's library that say how executions are enumerated, which no file here does: to include them is nothing.
BUILT_IN_FILES = frozenset(
    {
        "stdlib.cat",
        "cross.cat",
        "cos.cat",
        "cos-opt.cat",
        "cos-ok-opt.cat",
        "cos-no-opt.cat",
        "coscat.cat",
        "c11_cos.cat",
        "aarch64show.cat",
    }
)
# Files whose part in that is built in, and whose other part is bundled.
REPLACED_FILES = frozenset({"lock.cat", "aarch64deps.cat", "c11_los.cat"})


def meaning(name: str, dialect: str, architecture: Architecture | None = None) -> Node | None:
    """What a built-in name means, in cat on an architecture or else among the orders of C; None if there is no such."""
    if architecture is not None and dialect == "cat":
        if (own := _own(architecture).get(name)) is not None:
            return own
        if name in _OF_C:
            return None
    row = NAMES[dialect].get(name)
    if row is None or row.primitive is None:
        return None if row is None else row.meaning
    return Abbreviation(row.primitive, row.meaning)


def known_names(dialect: str, architecture: Architecture | None = None) -> set[str]:
    known = {*NAMES[dialect], *FUNCTIONS[dialect], "each"}
    return known if architecture is None or dialect != "cat" else known - _OF_C | _own(architecture).keys()


_OF_C = {*ORDER_SETS, "A", "X", "RMW", *_NOWHERE_IN_C, "allocptr", "allocmem"}
"""Sets of cat that only programs in C have; an architecture may mean something else by the same name."""


@cache
def _own(architecture: Architecture) -> dict[str, Node]:
    """The sets of one architecture."""
    found: dict[str, Node] = {tag: Tagged(architecture.name, tag) for tag in architecture.tags}
    for name, parts in architecture.sets.items():
        nodes = [found.get(part) or events(part) for part in parts]
        found[name] = nodes[0] if len(nodes) == 1 else Union(tuple(nodes))
    if architecture.name == "lkmm":
        # Its files look for accesses that nothing separates; initial writes, which are before all, are none of them.
        po = Difference(relation("po"), Product(events("IW"), Universe("set")))
        found |= {"po": po, "po-loc": Intersection(po, relation("loc"))}
    if architecture.absent:
        found |= {name: Empty("set") for name in architecture.absent}
        found |= {name: Empty("relation") for name in ("iico_data", "iico_ctrl", "iico_order", "inv-domain")}
        both = relation("amo")
        found["same-instance"] = Union((relation("id"), both, Unary("inverse", both)))
        found["same-low-order-bits"] = relation("loc")
    return found


def elsewhere(name: str) -> list[str]:
    """The architectures that have a set of this name."""
    return [a.title for a in ARCHITECTURES.values() if name in _own(a)]


def fencerel(fences: Node) -> Node:
    """What is separated by one of these fences."""
    po = relation("po")
    return Sequence((po, Sequence((Unary("test", fences), po))))
