"""The names that every execution offers to a model, and the numbers by which the core knows them."""

from __future__ import annotations

# As in core/relations/base.hpp.
RELATIONS = ("id", "po", "rf", "mo", "fr", "loc", "int", "ext", "rmw", "addr", "data", "ctrl")
SETS = (
    *("_", "R", "W", "F", "U", "IW"),
    *("NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC"),
    *("geNA", "geRLX", "geACQ", "geREL", "geACQ_REL", "geSC"),
)

# Relations that only select pairs: in `po & loc` the step is po, and loc says which.
SELECTORS = frozenset({"id", "loc", "int", "ext"})

ALIASES_CAT = {"co": "mo", "RMW": "U", "X": "U", "A": "geRLX", "same-thread": "int"}
# In kat an order class means "at least", as in Kater.
ALIASES_KAT = {
    "ACQ": "geACQ",
    "REL": "geREL",
    "SC": "geSC",
    "ACQ_REL": "geACQ_REL",
    "RLX": "RLX",
    "NA": "NA",
    "EXCL": "U",
    "co": "mo",
    "RMW": "U",
    "same-thread": "int",
}

# Names made of others: an operator and its operands.
DERIVED: dict[str, tuple[str, ...]] = {
    "po-loc": ("intersection", "po", "loc"),
    "rfe": ("intersection", "rf", "ext"),
    "rfi": ("intersection", "rf", "int"),
    "moe": ("intersection", "mo", "ext"),
    "moi": ("intersection", "mo", "int"),
    "coe": ("intersection", "mo", "ext"),
    "coi": ("intersection", "mo", "int"),
    "fre": ("intersection", "fr", "ext"),
    "fri": ("intersection", "fr", "int"),
    "M": ("union", "R", "W"),
}
DERIVED_KAT: dict[str, tuple[str, ...]] = {
    "MEM": ("union", "R", "W"),
    "LOC": ("union", "R", "W"),
    "DEP": ("union", "R", "R"),
    "UR": ("intersection", "R", "U"),
    "UW": ("intersection", "W", "U"),
    "NEXCL": ("difference", "_", "U"),
}
# Kater's names for what no execution here has: thread events, allocation, recovery.
EMPTY_KAT = frozenset(
    [
        "TC",
        "TB",
        "TJ",
        "TK",
        "TE",
        "ALLOC",
        "FREE",
        "HPRET",
        "HPPROT",
        "NOTHPPROT",
        "HEAP",
        "REC",
        "D",
        "tc",
        "tj",
        "alloc",
        "free",
        "loc-overlap",
    ]
)
FUNCTIONS = ("domain", "range", "fencerel")
EACH = "each"  # cat only: a function of a set and a function

# Files of herd's library whose contents are built in here: including them changes nothing.
BUILT_IN_FILES = frozenset({"stdlib.cat", "cos.cat", "cos-opt.cat", "cos-no-opt.cat", "cross.cat"})


def names(dialect: str) -> set[str]:
    """Every built-in name of a dialect."""
    known = {*RELATIONS, *SETS, *DERIVED, *FUNCTIONS}
    if dialect == "kat":
        return (known | {*ALIASES_KAT, *DERIVED_KAT, *EMPTY_KAT, "any"}) - {"_"}
    return known | {*ALIASES_CAT, EACH}
