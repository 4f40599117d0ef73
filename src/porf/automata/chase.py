"""From a counterexample word to a graph: its events and steps, and everything that the theory makes of them.

The graph satisfies every fact of the theory, so that evaluating the two sides of a statement on it shows, without any
automaton, that the statement does not follow.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, product

from porf.automata import expression as x
from porf.automata.graph import Graph, extensions, pairs
from porf.automata.inclusion import Word
from porf.automata.theory import Insertion, Theory
from porf.language import formula as f

_MOST_EVENTS = 60


class ContradictionError(Exception):
    """No graph that satisfies the theory has such a path, or none was found; the text says why."""


def graph_of(word: Word, theory: Theory, choice: int = 0) -> Graph:
    """Where the theory says that a step is one of several, `choice` says which: 0 the first, -1 the last."""
    graph = Graph()
    count = len(word.events) - (1 if word.loop and word.steps else 0)
    for held in word.events[:count]:
        graph.event(held)
    for at, step in enumerate(word.steps):
        target = (at + 1) % count if word.loop else at + 1
        names = step.name.split("&")  # a step along several relations at once
        if "loc" in names and theory.below(names[0], "po"):
            names.append("po-loc")
        for name in names:
            graph.add(x.Step(name, step.back), at, target)
    _saturate(graph, theory, choice)
    return graph


def _saturate(graph: Graph, theory: Theory, choice: int) -> None:
    """Adds what follows until nothing is new; ContradictionError where something cannot be."""
    size = None
    while size != (size := _size(graph)):
        for lower, upper in theory.included:
            _join(graph, upper, lower)
        for step, paths in theory.stands_for.items():
            for path in paths:
                _join(graph, step, path)
        for name, choices in theory.splits.items():
            for parts in choices:
                _choose(graph, name, parts, choice)
        if "po-loc" in theory.relations:
            both = [po & loc for po, loc in zip(graph.rows("po"), graph.rows("loc"), strict=True)]
            for source, target in pairs(both):
                graph.add(x.Step("po-loc"), source, target)
        for path in theory.nowhere:
            for one, other in pairs(graph.evaluate(path)):
                if one != other:
                    _merge(graph, one, other)
                    break
        for scheme in theory.insertions:
            _insert(graph, scheme, theory)
    for path in theory.impossible:
        if any(graph.evaluate(path)):
            raise ContradictionError("no graph confirms the word that was found")
    for path in theory.irreflexive:
        if any(row >> at & 1 for at, row in enumerate(graph.evaluate(path))):
            raise ContradictionError("no graph confirms the word that was found")
    for name, relation in theory.relations.items():
        for source, target in pairs(graph.rows(name)):
            ends = f.satisfied(relation.domain, graph.events[source]), f.satisfied(relation.range, graph.events[target])
            if not all(ends):
                raise ContradictionError("no graph confirms the word that was found")


def completions(graph: Graph, theory: Theory, choice: int) -> Iterator[Graph]:
    """The graph with its total orders completed, in a few of the possible ways."""
    lines = []
    for name in sorted(theory.total):
        domain, range_ = theory.ends(x.Step(name))
        both = f.conjunction(domain, range_)
        members = [at for at, held in enumerate(graph.events) if f.satisfied(both, held)]
        if theory.below(name, "loc"):
            same = graph.rows("loc")
            groups = {same[at] | 1 << at: [other for other in members if same[at] >> other & 1] for at in members}
        else:
            groups = {0: members}
        lines += [(name, list(islice(extensions(line, graph.rows(name)), 6))) for line in groups.values()]
    for orders in islice(product(*(found for _, found in lines)), 12):
        out = Graph(list(graph.events), {name: list(rows) for name, rows in graph.relations.items()})
        for (name, _), order in zip(lines, orders, strict=True):
            for at, source in enumerate(order):
                for target in order[at + 1 :]:
                    out.add(x.Step(name), source, target)
        with suppress(ContradictionError):
            _saturate(out, theory, choice)
            yield out


def satisfied(graph: Graph, theory: Theory) -> bool:
    """Whether a graph satisfies every fact of the theory."""

    def within(smaller: x.Regular, larger: x.Regular) -> bool:
        both = zip(graph.evaluate(smaller), graph.evaluate(larger), strict=True)
        return not any(one & ~other for one, other in both)

    return (
        all(within(lower, upper) for lower, upper in theory.included)
        and all(within(path, step) for step, paths in theory.stands_for.items() for path in paths)
        and all(
            within(x.Step(name), x.union(map(x.Step, parts)))
            for name, choices in theory.splits.items()
            for parts in choices
        )
        and all(within(path, x.IDENTITY) for path in theory.nowhere)
        and not any(any(graph.evaluate(path)) for path in theory.impossible)
        and not any(any(graph.evaluate(x.Loops(path))) for path in theory.irreflexive)
        and all(within(*_scheme(scheme)) for scheme in theory.insertions)
        and all(
            within(x.Step(name), x.sequence((x.Check(relation.domain), x.Step(name), x.Check(relation.range))))
            for name, relation in theory.relations.items()
        )
        and all(some & held or none - held for some, none in theory.clauses for held in graph.events)
    )


def _size(graph: Graph) -> tuple[int, int]:
    return len(graph.events), sum(row.bit_count() for rows in graph.relations.values() for row in rows)


def _join(graph: Graph, step: x.Step, path: x.Regular) -> None:
    for source, target in pairs(graph.evaluate(path)):
        graph.add(step, source, target)


def _choose(graph: Graph, name: str, parts: tuple[str, ...], choice: int) -> None:
    """A pair that is in none of the parts goes into one of them."""
    known = [0] * len(graph.events)
    for part in parts:
        known = [one | more for one, more in zip(known, graph.rows(part), strict=True)]
    for source, target in pairs(graph.rows(name)):
        if not known[source] >> target & 1:
            graph.add(x.Step(parts[choice]), source, target)


def _merge(graph: Graph, one: int, other: int) -> None:
    if graph.events[one] != graph.events[other]:
        raise ContradictionError("no graph confirms the word that was found")
    kept, gone = sorted((one, other))
    for rows in graph.relations.values():
        rows[kept] |= rows[gone]
        del rows[gone]
        low = (1 << gone) - 1
        for at, row in enumerate(rows):
            rows[at] = (row & low) | (row >> gone + 1 << gone) | ((row >> gone & 1) << kept)
    del graph.events[gone]
    graph.changes += 1


def _insert(graph: Graph, scheme: Insertion, theory: Theory) -> None:
    wanted, path = _scheme(scheme)
    there = graph.evaluate(path)
    for source, target in pairs(graph.evaluate(wanted)):
        if there[source] >> target & 1:
            continue
        at = source
        for place, formula in enumerate(scheme.between):
            held = _plainest(formula, scheme.path[place], scheme.path[place + 1], graph, theory)
            new = graph.event(held)
            graph.add(scheme.path[place], at, new)
            at = new
            if len(graph.events) > _MOST_EVENTS:
                raise ContradictionError("the compilation schemes insert events without end")
        graph.add(scheme.path[-1], at, target)


def _scheme(scheme: Insertion) -> tuple[x.Regular, x.Regular]:
    """The two sides of the inclusion that a scheme says."""
    path: list[x.Regular] = [scheme.path[0]]
    for formula, step in zip(scheme.between, scheme.path[1:], strict=True):
        path += [x.Check(formula), step]
    return x.sequence((x.Check(scheme.source), scheme.step, x.Check(scheme.target))), x.sequence(path)


def _plainest(formula: f.Formula, before: x.Step, after: x.Step, graph: Graph, theory: Theory) -> frozenset[str]:
    """An event with as few predicates as the scheme allows."""
    _, range_ = theory.ends(before)
    domain, _ = theory.ends(after)
    whole = f.conjunction(formula, f.conjunction(range_, domain))
    names = set().union(*graph.events) | f.predicates_of(whole)
    for held in theory.atoms(names).members:
        if f.satisfied(whole, held):
            return held
    raise ContradictionError("no graph confirms the word that was found")
