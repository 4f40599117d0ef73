"""Random small programs full of SC accesses and SC fences, among accesses of every other order, from a seed.

Many of their coherent executions, and many modification orders, only the axiom about SC events forbids. A program of
the shape "cycle" has, like a litmus test, threads of which each ends where the next one begins, so that program order
and communication can form a cycle; in "split" one thread of such a cycle goes on in another one, by start or join; in
"tree" its threads start and join each other; "chaos" has accesses at random.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import Cell, Object, Opcode, Program, Start, Template, pointer
from tests.exploration.random_programs import FENCES, LOADS, STORES, Maker, Mix

SHAPES = ("cycle", "split", "tree", "chaos")


@dataclass(frozen=True)
class Style:
    """How likely an access, or a fence, is SC; how likely a fence stands between two accesses."""

    access: float
    fence: float
    fences: float
    links: tuple[str, ...] = ("any",)  # what may order the two ends of a thread of a cycle
    plain: float = 0.0  # loads and stores that are not atomic


STYLES = {
    "accesses": Style(0.7, 0.0, 0.1, ("ends", "ends", "ends", "any")),
    "fences": Style(0.0, 0.8, 0.5, ("fence", "fence", "fence", "any")),
    "both": Style(0.5, 0.7, 0.3, ("ends", "fence", "ends", "fence", "any")),
    "few": Style(0.2, 0.3, 0.3, ("ends", "fence", "any")),
    "all": Style(1.0, 1.0, 0.15),
    "racy": Style(0.6, 0.6, 0.2, ("ends", "fence"), plain=0.2),
}
# An edge of a cycle: what the earlier thread does last, and the later one first.
EDGES = (
    ("load", "store"),
    ("load", "store"),
    ("load", "update"),
    ("store", "store"),
    ("store", "store"),
    ("store", "load"),
    ("update", "load"),
    ("store", "update"),
    ("update", "store"),
    ("compare", "store"),
)
MIX = Mix(load=5, store=5, update=1, compare=1, flow=0.1, branches=0.1, turns=0.9)


def random_program(seed: int, shape: str, style: str, most: int = 9) -> Program:
    """`most` bounds the accesses; fences, starts and joins come on top."""
    rng = random.Random(f"{shape} {style} {seed} {most}")
    return DenseMaker(rng, shape, STYLES[style], most).program(f"{shape}-{style}-{seed}")


class DenseMaker(Maker):
    def __init__(self, rng: random.Random, shape: str, style: Style, most: int) -> None:
        super().__init__(rng, shape, True, most, MIX)
        self.style, self.plain = style, style.plain
        self.left = max(rng.randint(4, most) for _ in range(4))
        self.places = rng.choice((1, 2, 2, 2, 2, 2, 3))
        self.weak = rng.choice(("relaxed", "strong", "any", "any"))
        self.fixed: int | None = None  # the place of the next access, if that is not left to chance
        self.strong = False  # whether the next access is SC, and that is not left to chance

    def program(self, name: str) -> Program:
        if self.kind == "chaos":
            threads = self.rng.choice((2, 2, 2, 3, 3, 4))
            templates = [self.thread(t, max(1, self.left // threads), 0) for t in range(threads)]
            starts = list(range(threads))
        else:
            templates, starts = self.cycle()
        objects = [Object(n, self.width, (Cell(0, self.width, n),)) for n in "xyzv"[: self.places]]
        return Program(name, tuple(objects), tuple(templates), tuple(Start(t) for t in starts))

    def cycle(self) -> tuple[list[Template], list[int]]:
        threads = self.rng.choice((2, 2, 2, 3, 3, 4) if self.kind != "tree" else (2, 3, 3))
        self.places = threads if threads < 4 and self.rng.random() < 0.6 else 2
        self.left -= 2 * threads
        edges = [self.rng.choice(EDGES) for _ in range(threads)]
        chain = self.rng.random() < 0.4  # each thread of a tree starts the next one
        split = self.rng.randrange(threads) if self.kind == "split" else -1
        templates, starts = list[Template](), list[int]()
        for t in reversed(range(threads)):
            link = self.rng.choice(self.style.links)
            first, last = (t % self.places, edges[t - 1][1]), ((t + 1) % self.places, edges[t][0])
            if t == split:
                templates += self.split_link(first, last, link, len(templates))
            elif self.kind == "tree" and (chain or t == 0):
                children = range(len(templates))[-1:] if chain else range(len(templates))
                templates.append(self.parent(first, last, link, [*children]))
            else:
                templates.append(self.link(first, last, link))
            starts.append(len(templates) - 1)
        return templates, starts[-1:] if self.kind == "tree" else starts

    def link(self, first: tuple[int, str], last: tuple[int, str], link: str) -> Template:
        """A thread of a cycle, with noise before, between and after."""
        a, read = Assembler("t"), list[int]()
        self.noise(a, read, 0.1)
        self.at(a, read, *first, link)
        self.between(a, read, link)
        self.at(a, read, *last, link)
        self.noise(a, read, 0.3)
        return a.template(tuple(read))

    def parent(self, first: tuple[int, str], last: tuple[int, str], link: str, children: list[int]) -> Template:
        """One that starts others before its part in the cycle, and joins some after it or within."""
        a, read = Assembler("parent"), list[int]()
        self.noise(a, read, 0.4)
        self.maybe_fence(a)
        running = [self.start(a, child) for child in children]
        self.at(a, read, *first, link)
        if running and self.rng.random() < 0.15:
            self.join(a, running)
        self.between(a, read, link)
        self.at(a, read, *last, link)
        while running and self.rng.random() < 0.7:
            self.maybe_fence(a)
            self.join(a, running)
            self.noise(a, read, 0.4)
        return a.template(tuple(read))

    def split_link(self, first: tuple[int, str], last: tuple[int, str], link: str, offset: int) -> list[Template]:
        """One that starts a thread for what comes last, or joins one that did what comes first, or both."""
        how = self.rng.choice(("start", "join", "both"))
        children, a, read = list[Template](), Assembler("parent"), list[int]()
        if how == "start":
            self.at(a, read, *first, link)
        else:
            running = [self.start(a, offset + len(children))]
            children.append(self.child(first, link))
            self.noise(a, read, 0.2)
            self.join(a, running)
        self.between(a, read, link)
        if how == "join":
            self.at(a, read, *last, link)
        else:
            self.start(a, offset + len(children))
            children.append(self.child(last, link))
        self.noise(a, read, 0.4)
        return [*children, a.template(tuple(read))]

    def start(self, a: Assembler, template: int) -> int:
        handle = a.register()
        a.emit(Opcode.SPAWN, a=handle, c=template, d=a.arguments(()))
        return handle

    def join(self, a: Assembler, running: list[int]) -> None:
        a.emit(Opcode.JOIN, a=a.register(), b=running.pop(self.rng.randrange(len(running))))

    def child(self, access: tuple[int, str], link: str) -> Template:
        a, read = Assembler("child"), list[int]()
        self.noise(a, read, 0.2)
        self.at(a, read, *access, link)
        self.noise(a, read, 0.2)
        return a.template(tuple(read))

    def between(self, a: Assembler, read: list[int], link: str) -> None:
        self.noise(a, read, 0.2)
        if link == "fence":
            a.emit(Opcode.FENCE, order=Order.SC)
        else:
            self.maybe_fence(a)
        self.noise(a, read, 0.1)

    def noise(self, a: Assembler, read: list[int], often: float) -> None:
        while self.left > 0 and self.rng.random() < often:
            if read and self.left >= 2 and self.rng.random() < 0.3:
                self.left -= self.branch(a, read, self.left)
            else:
                self.left -= self.access(a, read)

    def at(self, a: Assembler, read: list[int], place: int, what: str, link: str) -> None:
        self.fixed, self.strong = place, link == "ends"
        self.access(a, read, what)
        self.fixed, self.strong = None, False

    def maybe_fence(self, a: Assembler) -> None:
        if self.rng.random() < self.style.fences:
            a.emit(Opcode.FENCE, order=self.order(FENCES))

    def body(self, a: Assembler, read: list[int], budget: int, mutexes: int) -> None:
        while budget > 0:
            if read and budget >= 2 and self.rng.random() < self.mix.branches:
                budget -= self.branch(a, read, budget)
            else:
                budget -= self.access(a, read)
            if budget > 0:
                self.maybe_fence(a)

    def where(self, a: Assembler, read: list[int]) -> int:
        return super().where(a, read) if self.fixed is None else a.constant(pointer(self.fixed))

    def compare(self, a: Assembler, read: list[int], flag: int) -> None:
        self.plain, plain = 0.0, self.plain
        super().compare(a, read, flag)
        self.plain = plain

    def order(self, choices: tuple[Order, ...]) -> Order:
        rng = self.rng
        if choices is FENCES:
            return Order.SC if rng.random() < self.style.fence else rng.choice(choices[:-1])
        if choices in (LOADS, STORES) and rng.random() < self.plain:
            return Order.NA
        if self.strong or rng.random() < self.style.access:
            return Order.SC
        weaker = choices[:-1]
        return {"relaxed": weaker[0], "strong": weaker[-1], "any": rng.choice(weaker)}[self.weak]
