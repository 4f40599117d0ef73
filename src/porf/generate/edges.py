"""The edges of cycles, in the vocabulary of diy: communications, program order, fences, dependencies, updates.

    Rfe Rfi Fre Fri Coe Coi          communications to another thread (e) or within one (i); Wse and Wsi are Coe and Coi
    PodRW PosWW Pod**                program order to a different location (d) or the same (s), from and to R, W or both
    DMB.SYdWW SyncdWR MFencedWR      the same with a fence between the two
    DpAddrdR DpDatadW DpCtrlIsbdR    a dependency of an address, of data or of control, the last perhaps with a fence
    Amo.Swp LxSx Exch Rmw            from the read to the write of an atomic update, or of a pair of exclusives

Two orders may follow, of the event that the edge leaves and of the one it reaches: PodWWPL, RfeLA, PodRRAcqRlx. An
order alone says it of the event where it stands: `PodWW L Rfe A PodRR Fre`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from porf.architectures import ARCHITECTURES
from porf.errors import UsageError, nearest
from porf.formats.litmus import find_language
from porf.record import Record, replace

BOTH = "*"


class Edge(Record):
    """From one event of a cycle to the next. Directions are R, W, or * for either; orders are empty if not said."""

    kind: str  # rf, fr, co, po, addr, data, ctrl or rmw
    external: bool = False
    same: bool = True  # whether the two events access one location
    source: str = BOTH
    target: str = BOTH
    orders: tuple[str, str] = ("", "")
    fence: str = ""  # the tag, or the order in C, of a fence between the two
    spelled: str = ""  # of program order, a fence, a dependency or an update: its name
    exclusive: bool = False  # an update by a pair of exclusives

    def __str__(self) -> str:
        if self.kind in ("rf", "fr", "co"):
            name = self.kind.capitalize() + "ie"[self.external]
        elif self.kind == "rmw":
            name = self.spelled
        else:
            ends = self.target if self.is_dependency else self.source + self.target
            name = f"{self.spelled}{'s' if self.same else 'd'}{ends}"
        return name + self.shown_orders

    @property
    def shown_orders(self) -> str:
        return "".join(self.orders)

    @property
    def is_dependency(self) -> bool:
        return self.kind in ("addr", "data", "ctrl")

    @property
    def short(self) -> str:
        """As it stands in the names of tests: dmb.sy, po, addr, rfi."""
        if self.kind in ("rf", "fr", "co"):
            return self.kind + "ie"[self.external]
        if self.kind == "rmw":
            return self.spelled.lower() if self.spelled.startswith("Amo") else "rmw"
        name = self.spelled.removeprefix("Dp").lower()
        return name + ("s" if self.same else "")


class Vocabulary(Record, eq=False):
    """What edges are called on one machine, or in C."""

    language: str
    orders: dict[str, tuple[str, ...]]  # by name: the words that events say
    plain: str  # the one of these that an event has if it says none
    shown: str  # how names of tests write the plain one
    fences: dict[str, str]  # by name: the word that a fence says
    barriers: dict[str, str]  # fences that a dependency of control may have: CtrlIsb
    updates: dict[str, bool]  # by name, and whether it is a pair of exclusives
    reads: tuple[str, ...]  # orders that only reads have
    writes: tuple[str, ...]
    usual: str  # the edges that cycles are made of if nothing is said, besides communications

    @cached_property
    def words(self) -> list[str]:
        """Every edge without orders, for hints."""
        return [str(edge) for edge in self.edges()]

    def edges(self) -> Iterator[Edge]:
        for kind, (source, target) in _COMMUNICATIONS.items():
            for external in (True, False):
                yield Edge(kind, external, True, source, target)
        for same in (False, True):
            for name, fence in {"Po": "", **self.fences}.items():
                for source in "RW*":
                    for target in "RW*":
                        yield Edge("po", False, same, source, target, fence=fence, spelled=name)
            for name, (kind, fence) in self.dependencies.items():
                for target in {"addr": "RW*", "data": "W", "ctrl": "RW*"}[kind]:
                    yield Edge(kind, False, same, "R", target, fence=fence, spelled=name)
        for name, exclusive in self.updates.items():
            yield Edge("rmw", False, True, "R", "W", spelled=name, exclusive=exclusive)

    @cached_property
    def dependencies(self) -> dict[str, tuple[str, str]]:
        found = {f"Dp{kind.capitalize()}": (kind, "") for kind in ("addr", "data", "ctrl")}
        return found | {f"DpCtrl{name}": ("ctrl", fence) for name, fence in self.barriers.items()}

    @cached_property
    def _by_name(self) -> dict[str, Edge]:
        found = {str(edge).lower(): edge for edge in self.edges()}
        return found | {f"ws{end}": found[f"co{end}"] for end in "ei"}

    def read(self, text: str) -> Edge | str:
        """An edge, or an order that stands alone."""
        if text in self.orders:
            return text
        for length in range(len(text), 0, -1):
            edge = self._by_name.get(text[:length].lower())
            orders = self._pair(text[length:]) if edge is not None else None
            if edge is not None and orders is not None:
                return replace(edge, orders=orders)
        title = "in C" if self.language == "c" else f"on {ARCHITECTURES[self.language].title}"
        known = f"edges are Rfe, Fre, Coe, PodWW, {next(iter(self.fences))}dWR, DpAddrdR"
        raise UsageError(f"'{text}' is no edge of a cycle {title}", hint=nearest(text, self.words) or known)

    def _pair(self, text: str) -> tuple[str, str] | None:
        if not text:
            return ("", "")
        for one in self.orders:
            if text.startswith(one) and text[len(one) :] in self.orders:
                return (one, text[len(one) :])
        return None


_COMMUNICATIONS = {"rf": ("W", "R"), "fr": ("R", "W"), "co": ("W", "W")}
_C_SOURCES = (("R", "Rlx"), ("R", "Acq"), ("R", "Sc"), ("W", "Rlx"), ("W", "Rel"), ("W", "Sc"))
_RISCV_FENCES = {tag: tag for tag in ARCHITECTURES["riscv"].fences}
_VOCABULARIES = (
    Vocabulary(
        "c",
        {"Rlx": ("rlx",), "Acq": ("acq",), "Rel": ("rel",), "Sc": ("sc",), "Na": ("na",)},
        "Rlx",
        "Rlx",
        {"FenceSc": "sc", "FenceAR": "acq_rel", "FenceAcq": "acq", "FenceRel": "rel"},
        {},
        {"Exch": False, "Rmw": False},
        ("Acq",),
        ("Rel",),
        " ".join(
            [
                *(f"Pod{r}R{a}{b}" for r, a in _C_SOURCES for b in ("Rlx", "Acq", "Sc")),
                *(f"Pod{r}W{a}{b}" for r, a in _C_SOURCES for b in ("Rlx", "Rel", "Sc")),
                "FenceScd**RlxRlx",
            ]
        ),
    ),
    Vocabulary(
        "x86",
        {"Na": (), "A": ("X",)},
        "Na",
        "Na",
        {"MFence": "MFENCE", "SFence": "SFENCE", "LFence": "LFENCE"},
        {},
        {"Exch": False, "Rmw": False},
        (),
        ("A",),
        "Pod** MFencedWR PodWWAA PodWRANa",
    ),
    Vocabulary(
        "aarch64",
        {"P": (), "A": ("A",), "L": ("L",), "Q": ("Q",)},
        "P",
        "Na",
        {tag: tag for tag in ARCHITECTURES["aarch64"].fences},
        {"Isb": "ISB"},
        {"Amo.Swp": False, "LxSx": True, "Rmw": False},
        ("A", "Q"),
        ("L",),
        "Pod** DMB.SYd** DMB.LDdR* DMB.STdWW DpAddrdR DpAddrdW DpDatadW DpCtrldW DpCtrlIsbdR"
        " PodRRAP PodRRQP PodRWAP PodRWPL PodWWPL PodWRLA PodWRLQ",
    ),
    Vocabulary(
        "ppc",
        {"P": ()},
        "P",
        "Na",
        {"Sync": "SYNC", "LwSync": "LWSYNC", "Eieio": "EIEIO", "ISync": "ISYNC"},
        {"Isync": "ISYNC"},
        {"LxSx": True, "Rmw": True},
        (),
        (),
        "Pod** Syncd** LwSyncd** EieiodWW DpAddrdR DpAddrdW DpDatadW DpCtrldW DpCtrlIsyncdR",
    ),
    Vocabulary(
        "riscv",
        {"P": (), "Aq": ("Acq",), "Rl": ("Rel",), "AqRl": ("AcqRel",)},
        "P",
        "Na",
        _RISCV_FENCES,
        {"Fence.i": "Fence.i", "Fencei": "Fence.i"},
        {"Amo.Swap": False, "LxSx": True, "Rmw": False},
        (),
        (),
        "Pod** Fence.rw.rwd** Fence.tsodWW Fence.tsodR* Fence.r.rwdR* Fence.w.wdWW Fence.rw.wdWW DpAddrdR DpAddrdW"
        " DpDatadW DpCtrldW PodRRAqP PodRWAqP PodRWPRl PodWWPRl PodWRRlAq",
    ),
)
_BY_LANGUAGE = {vocabulary.language: vocabulary for vocabulary in _VOCABULARIES}


@cache
def vocabulary(language: str) -> Vocabulary:
    """The words of a language of tests: c, x86, aarch64, ppc, riscv."""
    return _BY_LANGUAGE[find_language(language)]


def read_edges(text: str, words: Vocabulary) -> list[Edge | str]:
    """Edges and orders, with white space or commas between."""
    return [words.read(word) for word in re.split(r"[\s,]+", text.strip()) if word]


def expanded(edge: Edge) -> Iterator[Edge]:
    """The edges that one with * stands for."""
    for source in "RW" if edge.source == BOTH else edge.source:
        for target in "RW" if edge.target == BOTH else edge.target:
            yield replace(edge, source=source, target=target)
