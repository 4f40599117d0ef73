"""The hierarchy of models for people: lines from each model to the next weaker ones, and a picture."""

from __future__ import annotations

from itertools import groupby, permutations
from typing import TYPE_CHECKING

from porf.evidence.hasse import Link, Node, draw_order
from porf.execution import Execution

if TYPE_CHECKING:
    from porf.comparison.hierarchy import Entry, Hierarchy

_Class = tuple[str, ...]


def hierarchy_table(hierarchy: Hierarchy) -> str:
    """Each class of models, the next weaker ones, how that is known, and an execution that separates them."""
    rows = [("stronger", "weaker", "inclusion", "only the weaker one allows, for example")]
    for strong, weak in hierarchy.covers():
        rows.append(
            (_label(strong), _label(weak), _inclusion(hierarchy, strong, weak), _example(hierarchy, strong, weak))
        )
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]]).rstrip() for row in rows]
    return "\n".join([*lines, "", f"{hierarchy.headline()}.", *_remarks(hierarchy)])


def draw_hierarchy(hierarchy: Hierarchy) -> str:
    """The picture: strongest on top; solid arrows are proved, dashed ones rest on a search."""
    classes = hierarchy.equals()
    nodes = [Node(_label(names), "\n".join(names)) for names in classes]
    links = []
    for strong, weak in hierarchy.covers():
        words = f"{_label(strong)} is stronger than {_label(weak)}: {_inclusion(hierarchy, strong, weak)}"
        words += f"\nonly {weak[0]} allows: {_example(hierarchy, strong, weak)}"
        links.append(Link(classes.index(strong), classes.index(weak), not hierarchy.proved(strong, weak), words))
    caption = ["an arrow leads from a model to one that allows more; where there is no path, an execution refutes it"]
    if any(link.dashed for link in links):
        caption.append(f"dashed: not proved, but {_searched(hierarchy)}")
    return draw_order(nodes, links, "Which model is stronger than which", caption + _remarks(hierarchy))


def _label(names: _Class) -> str:
    return " = ".join(names)


def _inclusion(hierarchy: Hierarchy, strong: _Class, weak: _Class) -> str:
    if hierarchy.proved(strong, weak):
        return "proved"
    entries = _between(hierarchy, strong, weak)
    some = [f"{e.strong} ⊆ {e.weak}" for e in entries if e.proof is not None]
    known = f"proved for {', '.join(some)}; otherwise " if some else ""
    return f"{known}no counterexample up to {min(e.events for e in entries if e.proof is None)} events"


def _between(hierarchy: Hierarchy, strong: _Class, weak: _Class) -> list[Entry]:
    return [hierarchy.entries[a, b] for a in strong for b in weak]


def _searched(hierarchy: Hierarchy) -> str:
    least = min(e.events for e in hierarchy.entries.values() if e.verdict == "not separated")
    return f"no execution of up to {least} events says otherwise"


def _remarks(hierarchy: Hierarchy) -> list[str]:
    """What equality and comparison do not say."""
    out = []
    for names in hierarchy.equals():
        if len(names) > 1:
            entries = [hierarchy.entries[pair] for pair in permutations(names, 2)]
            kept = {word for e in entries for word in e.left_out}
            where = f" apart from {' and '.join(sorted(kept))}" if kept else ""
            how = "proved" if all(e.proof for e in entries) else "no execution is known to tell them apart"
            out.append(f"{_label(names)}{where}: {how}")
    if any(entry.left_out for entry in hierarchy.entries.values()):
        words = sorted({word for entry in hierarchy.entries.values() for word in entry.left_out})
        some = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
        out.append(f"two models are compared on what both interpret; some say nothing about {some}")
    return out


def _example(hierarchy: Hierarchy, strong: _Class, weak: _Class) -> str:
    found = [e.execution for e in _between(hierarchy, weak, strong) if e.execution is not None]
    return min(map(one_line, found), key=len) if found else ""


def one_line(g: Execution) -> str:
    """`w x 1; r y 0 | w y 1; r x 0`: threads between `|`, orders and dependencies left to the text format."""
    rows = sorted(range(len(g)), key=lambda row: (int(g.thread[row]), row))
    threads = groupby(rows, lambda row: int(g.thread[row]))
    return " | ".join("; ".join(g.describe(row) for row in group) for _, group in threads)
