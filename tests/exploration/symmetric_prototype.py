"""The stateless exploration up to permutations of threads, in plain Python: the prototype with three rules more.

Of threads with the same code, the *i*-th event of a later one depends on that of an earlier one for as long as both
made the same choices before. So a read is not revisited by what comes after the matching event of a later thread;
and where the two choose differently, the later one does not read from what its location's own order puts before the
source of the earlier one. `docs/design/exploration.md` has the argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from porf.programs.form import Program, Template
from tests.exploration.prototype import INIT, Built, Explorer, Key, Plan
from tests.exploration.run import Class

Group = tuple[int, ...]


def groups_of(program: Program) -> list[Group]:
    """Threads that nothing tells apart, two or more each."""
    known: list[tuple[Template, tuple[int, ...], list[int]]] = []
    for thread, start in enumerate(program.starts):
        code = replace(program.templates[start.template], name="", names={})
        like = next((threads for c, a, threads in known if (c, a) == (code, start.arguments)), None)
        if like is None:
            known.append((code, start.arguments, [thread]))
        else:
            like.append(thread)
    return [tuple(threads) for _, _, threads in known if len(threads) > 1]


def same_choice(mine: Key, source: Key | None, other: Key, others: Key | None) -> bool:
    """Two events, each of its thread and with its source: both read the same, or each what its thread wrote then."""
    if source is None or others is None:
        return source is others
    own, others_own = source[0] == mine[0], others[0] == other[0]
    return source[1] == others[1] if own and others_own else source == others and not own and not others_own


class SymmetricExplorer(Explorer):
    def __init__(self, program: Program, model: str) -> None:
        super().__init__(program, model)
        self.groups = groups_of(program)

    def _prefix(self, built: Built, a: Key) -> set[Key]:
        pre, new = set[Key](), built.prefix(a) | {a}
        while new:
            pre |= new
            found = set[Key]()
            for key in new:
                for earlier in self._matching(built.plan, key):
                    found |= built.prefix(earlier) | {earlier}
            new = found - pre
        return pre - {a}

    def _matching(self, g: Plan, key: Key) -> Iterator[Key]:
        """The events of earlier threads at the same place, while all choices before were the same."""
        group = next((group for group in self.groups if key[0] in group), ())
        for thread in group:
            if thread >= key[0]:
                break
            if (thread, key[1]) in g.order and all(
                same_choice((thread, n), g.source((thread, n)), (key[0], n), g.source((key[0], n)))
                for n in range(key[1])
            ):
                yield thread, key[1]

    def _admits(self, built: Built, g: Plan, key: Key) -> bool:
        """Does the choice of an event stand in the order that those of earlier threads ask for?"""
        source = g.source(key)
        if source is None:
            return True
        return not any(earlier_at_its_place(built, source, g.source(e)) for e in self._matching(g, key))

    def _read(self, g: Plan, key: Key) -> None:
        if self._admits(self._build(g, plain=key), g, key):
            super()._read(g, key)

    def _good(self, g: Plan, d: Key, a: Key, w: Key) -> bool:
        h = g.plus(d, w)
        return super()._good(g, d, a, w) and self._admits(self._build(h, plain=a), h, d)


def earlier_at_its_place(built: Built, w: Key, v: Key | None) -> bool:
    """Does a write come before another one of its place by program order and reads-from at this place alone?"""
    if v is None or w == v or v == INIT:
        return False
    if w == INIT:
        return True
    place = built.event(v).pointer
    seen, todo = set[Key](), [v]
    while todo:
        key = todo.pop()
        near = [(key[0], n) for n in range(key[1]) if built.event((key[0], n)).pointer == place]
        near = [k for k in near if built.event(k).op in "rwu"]
        source = built.plan.source(key)
        if source not in (None, INIT):
            near.append(source)
        if w in near:
            return True
        todo += [k for k in near if k not in seen]
        seen.update(near)
    return False


def permuted(c: Class, to: dict[int, int]) -> Class:
    """The execution in which thread to[t] does what thread t did."""
    out = list(c)
    for t, line in enumerate(c):
        out[to.get(t, t)] = tuple(
            (op, p, o, None if s is None else (to.get(s[0], s[0]), s[1]), r, w) for op, p, o, s, r, w in line
        )
    return tuple(out)
