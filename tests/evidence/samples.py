"""Small executions with hand-written evidence, one a shape, for the tests of words, records and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from porf.evidence import Edge, Proof, Step, Witness
from porf.execution import INITIAL, NO_VALUE, ORDER_NAMES, Execution, initial_write

OPS = {"r": 0, "w": 1, "u": 2, "f": 3}


def history(text: str) -> Execution:
    """A tiny reader of the text format, with `rf=` always given; ids may hold any character but a space."""
    columns: dict[str, list[int]] = {key: [] for key in ("thread", "op", "loc", "order", "rf", "rv", "wv")}
    threads: list[str] = []
    locs: list[str] = []
    ids: dict[str, int] = {}
    pending: list[tuple[int, str]] = []
    deps: dict[str, list[tuple[int, str]]] = {}
    for row, line in enumerate(filter(None, (line.strip() for line in text.splitlines()))):
        words = [word for word in line.split() if "=" not in word]
        keys = dict(word.split("=", 1) for word in line.split() if "=" in word)
        thread, op, loc, value = words[0], words[1], words[2], words[3]
        for names, name in ((threads, thread), (locs, loc)):
            if name not in names:
                names.append(name)
        read, _, written = value.partition("->")
        columns["thread"].append(threads.index(thread))
        columns["op"].append(OPS[op])
        columns["loc"].append(locs.index(loc))
        columns["order"].append(ORDER_NAMES.index(words[4] if len(words) > 4 else "rlx"))
        columns["rf"].append(INITIAL)
        columns["rv"].append(int(read) if op in "ru" else NO_VALUE)
        columns["wv"].append(int(written or read) if op in "wu" else NO_VALUE)
        if "id" in keys:
            ids[keys["id"]] = row
        if keys.get("rf", "init") != "init":
            pending.append((row, keys["rf"]))
        for kind in ("addr", "data", "ctrl"):
            deps.setdefault(kind, []).extend((row, name) for name in keys.get(kind, "").split(",") if name)
    for row, name in pending:
        columns["rf"][row] = ids[name]
    named = sorted((row, name) for name, row in ids.items())
    return Execution(
        thread=np.array(columns["thread"], np.int32),
        op=np.array(columns["op"], np.uint8),
        loc=np.array(columns["loc"], np.int32),
        order=np.array(columns["order"], np.uint8),
        rf=np.array(columns["rf"], np.int32),
        thread_names=threads,
        loc_names=locs,
        init_value=np.zeros(len(locs), np.int64),
        read_value=np.array(columns["rv"], np.int64),
        written_value=np.array(columns["wv"], np.int64),
        id_rows=np.array([row for row, _ in named], np.int32),
        id_names=[name for _, name in named],
        dependencies={
            kind: (
                np.array([ids[name] for _, name in pairs], np.int32),
                np.array([row for row, _ in pairs], np.int32),
            )
            for kind, pairs in deps.items()
            if pairs
        },
    )


def row_of(execution: Execution, name: str) -> int:
    if name.startswith("init("):
        return initial_write(execution.loc_names.index(name[5:-1]))
    if name in execution.id_names:
        return int(execution.id_rows[list(execution.id_names).index(name)])
    return int(name.lstrip("_e"))


def path(execution: Execution, text: str) -> tuple[Edge, ...]:
    """`a po b rf c` as edges."""
    words = text.split()
    refs = [row_of(execution, name) for name in words[::2]]
    return tuple(
        Edge(source, relation, target) for source, relation, target in zip(refs, words[1::2], refs[1:], strict=False)
    )


def step(execution: Execution, before: str, after: str, axiom: str, cycle: str, steps: Sequence[Step] = ()) -> Step:
    refutation = Proof(axiom, path(execution, cycle), tuple(steps))
    return Step(row_of(execution, before), row_of(execution, after), refutation)


def proof(execution: Execution, axiom: str, cycle: str, *steps: Step) -> Proof:
    return Proof(axiom, path(execution, cycle), steps)


def witness(execution: Execution, **orders: str) -> Witness:
    lists = [[row_of(execution, name) for name in orders.get(loc, "").split()] for loc in execution.loc_names]
    start = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return Witness(np.array([row for rows in lists for row in rows], np.int32), start)


def store_buffering() -> tuple[Execution, Proof]:
    g = history("""
        T0 w x 1 id=a
        T0 r y 0 id=b rf=init
        T1 w y 1 id=c
        T1 r x 0 id=d rf=init
    """)
    return g, proof(g, "sc", "a po b fr c po d fr a")


def message_passing() -> tuple[Execution, Proof]:
    g = history("""
        T0 w x 1 id=a
        T0 w y 1 rel id=b
        T1 r y 1 acq id=c rf=b
        T1 r x 0 id=d rf=init
    """)
    return g, proof(g, "coherence", "d fr a po b rf c po d")


def iriw() -> tuple[Execution, Proof]:
    g = history("""
        T0 w x 1 id=a
        T1 w y 1 id=b
        T2 r x 1 id=c rf=a
        T2 r y 0 id=d rf=init
        T3 r y 1 id=e rf=b
        T3 r x 0 id=f rf=init
    """)
    return g, proof(g, "sc", "a rf c po d fr b rf e po f fr a")


def coherence() -> tuple[Execution, Proof]:
    """Two readers see two writes in opposite orders: both mo edges are inferred."""
    g = history("""
        T0 w x 1 id=a
        T1 w x 2 id=b
        T2 r x 1 id=c rf=a
        T2 r x 2 id=d rf=b
        T3 r x 2 id=e rf=b
        T3 r x 1 id=f rf=a
    """)
    return g, proof(
        g,
        "coherence",
        "a mo b mo a",
        step(g, "a", "b", "coherence", "d fr a rf c po d"),
        step(g, "b", "a", "coherence", "b rf e po f fr b"),
    )


def update_chain() -> tuple[Execution, Proof]:
    """v follows w, and precedes an update of an update of w: atomicity pushes it before w."""
    g = history("""
        T0 w x 1 id=w
        T1 u x 1->2 id=u1 rf=w
        T2 u x 2->3 id=u2 rf=u1
        T3 r x 1 id=r rf=w
        T3 w x 9 id=v
        T4 r x 9 id=s rf=v
        T4 r x 3 id=t rf=u2
    """)
    return g, proof(
        g,
        "coherence",
        "v mo w rf r po v",
        step(g, "w", "u1", "coherence", "u1 mo w rf u1"),  # not used
        step(g, "v", "u2", "coherence", "t fr v rf s po t"),
        step(g, "v", "u1", "atomicity", "u2 fr v mo u2"),
        step(g, "v", "w", "atomicity", "v mo u1 fr v"),
    )


def case_split() -> tuple[Execution, Proof]:
    """A proof by cases among twelve events: b before a fails by a step of its own, a before b at once."""
    g = history("""
        T0 w x 1 id=a
        T0 w y 1 id=c
        T0 w z 1 id=f
        T1 w y 2 id=d
        T1 w x 2 id=b
        T1 r z 1 id=h rf=f
        T1 r y 2 id=e rf=d
        T1 r x 1 id=n rf=a
        T2 r z 1 id=i rf=f
        T2 r x 2 id=j rf=b addr=i
        T2 w z 2 id=k data=j
        T2 r y 1 id=l rf=c ctrl=j
    """)
    inner = step(g, "d", "c", "sc", "c mo d po b mo a po c")
    return g, proof(g, "sc", "n fr b po n", step(g, "a", "b", "sc", "c po f rf h po e fr c", [inner]))


@cache
def long_chain(steps: int) -> tuple[Execution, Proof]:
    """Every step stands on the one before it, and the closing cycle on the last."""
    size = 2 * steps
    g = Execution(
        thread=(np.arange(size, dtype=np.int32) % 3).astype(np.int32),
        op=np.full(size, 1, np.uint8),
        loc=np.zeros(size, np.int32),
        order=np.full(size, 1, np.uint8),
        rf=np.full(size, INITIAL, np.int32),
        thread_names=["T0", "T1", "T2"],
        loc_names=["x"],
        init_value=np.zeros(1, np.int64),
    )
    made = [Step(0, 1, Proof("coherence", (Edge(1, "mo", 0), Edge(0, "po", 1))))]
    for before in range(2, size, 2):
        edges = ((before + 1, "mo", before), (before, "po", before - 2), (before - 2, "mo", before - 1))
        cycle = (*(Edge(*edge) for edge in edges), Edge(before - 1, "po", before + 1))
        made.append(Step(before, before + 1, Proof("coherence", cycle)))
    closing = (Edge(size - 2, "mo", size - 1), Edge(size - 1, "po", size - 2))
    return g, Proof("coherence", closing, tuple(made))


def large(events: int = 5000) -> tuple[Execution, Proof]:
    """Six busy threads, and in the middle of them a stale read."""
    lines = [f"T{i % 6} w v{i % 6} {i}" for i in range(events)]
    half = events // 2 - (events // 2) % 6
    lines[half] = "T0 w data 1 id=store"
    lines[half + 60] = "T0 w flag 1 rel id=publish"
    lines[half + 61] = "T1 r flag 1 acq id=see rf=publish"
    lines[half + 121] = "T1 r data 0 id=stale rf=init"
    g = history("\n".join(lines))
    return g, proof(g, "coherence", "stale fr store po publish rf see po stale")
