"""Candidate executions by brute force, for small AArch64 programs: every value of every read, every write that it may
come from, every order of writes; relations are sets of pairs. It shares no code with porf."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

VALUES = (0, 1, 2)
PLACES = ("x", "y")
Pairs = set[tuple[int, int]]


@dataclass
class Event:
    thread: int
    kind: str  # r, w, u
    place: str
    read: int = 0
    written: int = 0
    addr: set[int] = field(default_factory=set)  # numbers of events of its thread
    data: set[int] = field(default_factory=set)
    ctrl: set[int] = field(default_factory=set)


Step = tuple[str, int, str, int]  # what, register, place, number or another register
Thread = list[Step]


def random_threads(chance: random.Random, copies: bool) -> list[Thread]:
    threads = []
    for _ in range(chance.choice((2, 2, 3))):
        steps: Thread = []
        read: list[int] = []
        for number in range(chance.randint(1, 3)):
            what = chance.choice(
                ["read", "write", "swap", *(["data", "address", "branch", "guard", "select"] if read else [])]
            )
            if what == "data" and copies and chance.random() < 0.5:
                what = "copy"
            register = number + 1
            other = chance.choice(read) if read else 0
            steps.append(
                (what, register if what in ("read", "address", "swap") else other, chance.choice(PLACES), other)
            )
            if what == "address":
                steps[-1] = (what, register, steps[-1][2], other)
            if what in ("write", "swap", "data"):
                steps[-1] = (what, steps[-1][1], steps[-1][2], chance.choice((1, 2)))
            if what in ("read", "address", "swap"):
                read.append(register)
        threads.append(steps)
    return threads


def as_text(threads: list[Thread]) -> str:
    columns = []
    for steps in threads:
        lines: list[str] = []
        for what, register, place, other in steps:
            at = "X20" if place == "x" else "X21"
            lines += {
                "read": [f"LDR W{register},[{at}]"],
                "write": [f"MOV W9,#{other}", f"STR W9,[{at}]"],
                "swap": [f"MOV W9,#{other}", f"SWP W9,W{register},[{at}]"],
                "data": [f"EOR W9,W{register},W{register}", f"ADD W9,W9,#{other}", f"STR W9,[{at}]"],
                "copy": [f"STR W{register},[{at}]"],
                "address": [f"EOR W10,W{other},W{other}", f"LDR W{register},[{at},W10,SXTW]"],
                "branch": [f"CBNZ W{register},END"],
                "guard": [f"CBZ W{register},END"],
                "select": [f"CMP W{register},#0", "MOV W9,#1", "MOV W10,#2", "CSEL W9,W9,W10,EQ", f"STR W9,[{at}]"],
            }[what]
        columns.append([*lines, "END:"])
    height = max(map(len, columns))
    rows = [" | ".join(column[n] if n < len(column) else "" for column in columns) + " ;" for n in range(height)]
    head = " | ".join(f"P{n}" for n in range(len(columns))) + " ;"
    start = "".join(f" {n}:X20=x; {n}:X21=y;" for n in range(len(columns)))
    seen = "".join(f"{n}:X{r};" for n in range(len(columns)) for r in (1, 2, 3))
    return "\n".join([f"AArch64 random\n{{{start} }}", head, *rows, f"locations [{seen}x;y;]\nexists (true)"])


def traces(thread: int, steps: Thread) -> Iterator[tuple[list[Event], dict[int, int]]]:
    """What a thread does, for every choice of the values that its reads see."""
    reads = sum(what in ("read", "address", "swap") for what, *_ in steps)
    seen = set()
    for chosen in product(VALUES, repeat=reads):
        values = iter(chosen)
        events: list[Event] = []
        registers = dict.fromkeys((1, 2, 3), 0)
        source: dict[int, set[int]] = {}
        ctrl: set[int] = set()
        for what, register, place, other in steps:
            held = registers.get(register, 0)
            event = Event(thread, "w", place, ctrl=set(ctrl))
            if what in ("branch", "guard"):
                ctrl |= source[register]
                if bool(held) == (what == "branch"):
                    break
                continue
            if what in ("read", "address", "swap"):
                event.kind = "u" if what == "swap" else "r"
                event.read, event.written = next(values), other if what == "swap" else 0
                if what == "address":
                    event.addr = set(source[other])
                registers[register], source[register] = event.read, {len(events)}
            elif what == "select":
                event.written = 1 if held == 0 else 2
                event.ctrl |= source[register]
            else:
                event.written = held if what == "copy" else other
                event.data = set(source[register]) if what in ("data", "copy") else set()
            events.append(event)
        key = repr(events), tuple(registers.values())
        if key not in seen:
            seen.add(key)
            yield events, registers


@dataclass
class Graph:
    """Nodes are events, an update as a read and then a write; the initial writes come last."""

    relations: dict[str, Pairs]

    def acyclic(self, *names: str) -> bool:
        after: dict[int, set[int]] = {}
        for name in names:
            for a, b in self.relations[name]:
                after.setdefault(a, set()).add(b)
        done: set[int] = set()

        def reaches(node: int, path: frozenset[int]) -> bool:
            if node in path:
                return True
            if node in done:
                return False
            found = any(reaches(n, path | {node}) for n in after.get(node, ()))
            done.add(node)
            return found

        return not any(reaches(node, frozenset()) for node in list(after))

    def atomic(self) -> bool:
        mo, fr = self.relations["mo"], self.relations["fr"]
        return not any((r, m) in fr and (m, w) in mo for r, w in self.relations["rmw"] for m in {b for _, b in fr})


def sc(graph: Graph) -> bool:
    return graph.acyclic("po", "rf", "mo", "fr")


def coherent(graph: Graph) -> bool:
    return graph.acyclic("po-loc", "rf", "mo", "fr") and graph.atomic()


def whole(graph: Graph) -> bool:
    return graph.acyclic("po-loc", "inside", "rf", "mo", "fr") and graph.atomic()


def dependent(graph: Graph) -> bool:
    return coherent(graph) and graph.acyclic("addr", "data", "ctrl", "rf", "inside")


def loose(graph: Graph) -> bool:
    """Not even coherent: only writes in the order of their thread, and no value from nowhere."""
    return graph.acyclic("po", "mo") and graph.acyclic("addr", "data", "ctrl", "rf", "inside")


MODELS: dict[Callable[[Graph], bool], str] = {
    sc: "acyclic po | rf | mo | fr",
    coherent: "acyclic po-loc | rf | mo | fr\nempty rmw & (fr;mo)",
    whole: "acyclic po-loc | amo | rf | mo | fr\nempty rmw & (fr;mo)",
    dependent: "acyclic po-loc | rf | mo | fr\nempty rmw & (fr;mo)\nacyclic addr | data | ctrl | rf | rmw",
    loose: "acyclic po | mo\nacyclic addr | data | ctrl | rf | rmw",
}


def states(threads: list[Thread], allowed: Callable[[Graph], bool]) -> Counter[tuple[int, ...]]:
    """Final states of the executions that are allowed, each with their number: registers, then x and y."""
    found: Counter[tuple[int, ...]] = Counter()
    for combination in product(*(list(traces(n, steps)) for n, steps in enumerate(threads))):
        events = [event for part, _ in combination for event in part]
        first = [sum(len(part) for part, _ in combination[:n]) for n in range(len(combination))]
        registers = [registers[r] for _, registers in combination for r in (1, 2, 3)]
        for graph, last in _graphs(events, first):
            if allowed(graph):
                found[(*registers, *last)] += 1
    return found


def _graphs(events: list[Event], first: list[int]) -> Iterator[tuple[Graph, tuple[int, ...]]]:
    n = len(events)
    initial = {place: 2 * n + k for k, place in enumerate(PLACES)}
    reads = [k for k, e in enumerate(events) if e.kind != "w"]
    writes = {p: [k for k, e in enumerate(events) if e.kind != "r" and e.place == p] for p in PLACES}
    sources = [
        [w for w in writes[events[r].place] if w != r and events[w].written == events[r].read]
        + ([-1] if events[r].read == 0 else [])
        for r in reads
    ]
    # Node 2k is the reading half of event k, node 2k + 1 the writing half.
    fixed = _fixed(events, first)
    for chosen in product(*sources):
        rf = {(2 * w + 1 if w >= 0 else initial[events[r].place], 2 * r) for r, w in zip(reads, chosen, strict=True)}
        for orders in product(*(permutations(writes[p]) for p in PLACES)):
            lines = [[initial[p], *(2 * w + 1 for w in order)] for p, order in zip(PLACES, orders, strict=True)]
            mo = {(line[a], line[b]) for line in lines for a in range(len(line)) for b in range(a + 1, len(line))}
            fr = {(r, after) for w, r in rf for before, after in mo if before == w and after != r + 1}
            fr |= {(r, after) for w, r in rf for before, after in mo if before == w}
            last = tuple(events[order[-1]].written if order else 0 for order in orders)
            yield Graph({**fixed, "rf": rf, "mo": mo, "fr": fr}), last


def _fixed(events: list[Event], first: list[int]) -> dict[str, Pairs]:
    """What does not depend on choices."""

    def halves(k: int) -> list[int]:
        return {"r": [2 * k], "w": [2 * k + 1], "u": [2 * k, 2 * k + 1]}[events[k].kind]

    nodes = [node for k in range(len(events)) for node in halves(k)]
    same = {(a, b) for a in nodes for b in nodes if a < b and events[a // 2].thread == events[b // 2].thread}
    po = {(a, b) for a, b in same if a // 2 != b // 2}  # of different instructions
    out: dict[str, Pairs] = {
        "po": po,
        "po-loc": {(a, b) for a, b in po if events[a // 2].place == events[b // 2].place},
    }
    out["rmw"] = out["inside"] = {(2 * k, 2 * k + 1) for k, e in enumerate(events) if e.kind == "u"}
    for name in ("addr", "data", "ctrl"):
        out[name] = {
            (2 * (first[e.thread] + source), half)
            for k, e in enumerate(events)
            for source in getattr(e, name)
            for half in halves(k)
            if name != "data" or half % 2
        }
    return out
