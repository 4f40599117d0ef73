"""All critical cycles of some edges, up to a size: the tests that matter (Shasha and Snir 1988; Alglave et al. 2014).

In a critical cycle a thread has at most two accesses, or as many more as it has atomic updates, and no communication
can be left out: of two in a row, the second reads what the first has written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from porf.errors import UsageError
from porf.generate.cycles import Cycle, cycle_of
from porf.generate.edges import Edge, Vocabulary, expanded, read_edges

COMMUNICATIONS = "Rfe Fre Coe"
_IN_A_ROW = {("fr", "rf"), ("co", "rf")}


def edges_of(text: str | None, words: Vocabulary) -> list[Edge]:
    """The edges to make cycles of, those with * written out; by default the usual ones of the machine."""
    found = read_edges(text if text is not None else f"{COMMUNICATIONS} {words.usual}", words)
    for item in found:
        if isinstance(item, str):
            raise UsageError(f"'{item}' is no edge", hint=f"say orders with their edges: PodWW{item}{item}")
    return list(dict.fromkeys(edge for item in found if isinstance(item, Edge) for edge in expanded(item)))


def critical(edges: Iterable[Edge], size: int, words: Vocabulary) -> Iterator[Cycle]:
    """Every critical cycle of at most so many edges, small ones first and each once."""
    known = sorted(set(edges), key=str)
    after = [[at for at, edge in enumerate(known) if _follows(one, edge)] for one in known]
    for length in range(2, size + 1):
        for first in range(len(known)):
            for word in _words([first], length, after):
                if _is_least(word) and _is_cycle([known[at] for at in word]):
                    yield cycle_of([known[at] for at in word], words)


def _follows(one: Edge, other: Edge) -> bool:
    """Whether the other may come next: it begins as the one ends, and the two are not one edge in disguise."""
    meet = one.target == other.source and (one.orders[1] == other.orders[0] or "" in (one.orders[1], other.orders[0]))
    if not meet:
        return False
    if one.external and other.external:
        return (one.kind, other.kind) in _IN_A_ROW
    return one.external or other.external or (one.kind == "rmw") != (other.kind == "rmw")


def _words(word: list[int], length: int, after: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """The words that begin like this one. Their least letter is the first, for of all rotations one is enough."""
    if len(word) == length:
        if word[0] in after[word[-1]]:
            yield tuple(word)
        return
    for at in after[word[-1]]:
        if at >= word[0]:
            yield from _words([*word, at], length, after)


def _is_least(word: tuple[int, ...]) -> bool:
    return all(word <= word[at:] + word[:at] for at in range(1, len(word)))


def _is_cycle(edges: list[Edge]) -> bool:
    return (
        sum(edge.external for edge in edges) >= 2
        and sum(not edge.same for edge in edges) != 1
        and any(edge.kind not in ("rf", "fr", "co", "rmw") for edge in edges)
    )
