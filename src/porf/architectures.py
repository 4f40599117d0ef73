"""What processors and the Linux kernel say of events beyond their order: one record an architecture.

An event has *tags*: a fence the one that names it, an access any that apply. The core sees them as bits, histories as
words, and models as sets, which mean something on the architecture that has them and nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

from porf.errors import UsageError, nearest
from porf.record import Record

Half = Literal["read", "write", "both"]


class Architecture(Record, eq=False):
    """One machine. `accesses`: the tags of accesses, with the half of an update that keeps each."""

    name: str
    title: str
    headings: tuple[str, ...]  # the first words of its litmus tests, and of model files that are for it alone
    accesses: dict[str, Half]
    fences: tuple[str, ...]
    sets: dict[str, tuple[str, ...]]  # what models have besides: unions of tags, of U (updates) and of one another
    words: dict[str, tuple[str, ...]]  # what histories may say besides the tags themselves, in any case
    updates: tuple[str, ...] = ()  # tags of every update of a history: what such an instruction is, said or not
    absent: tuple[str, ...] = ()  # sets that its model files have, and no event of a user's program is in

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags; the place of each is its bit."""
        return (*self.accesses, *self.fences)

    def mask(self, tags: Iterable[str]) -> int:
        """The bits of tags."""
        known = _bits(self.name)
        return sum(1 << known[tag] for tag in dict.fromkeys(tags))

    def kept(self, half: Half) -> int:
        """The bits that one half of an update keeps."""
        return self.mask(tag for tag, on in self.accesses.items() if on in ("both", half))

    def meant(self, word: str, fence: bool) -> tuple[str, ...] | None:
        """The tags that a word of a history stands for; None if an event of this kind has no such word."""
        return _words(self.name, fence).get(word) or _words(self.name, fence).get(word.lower())


def _barriers(*names: str) -> tuple[str, ...]:
    """Of ARMv8: DMB and DSB for each domain, in the form for all accesses, for loads and for stores."""
    options = [("SY", "LD", "ST"), *((d, f"{d}LD", f"{d}ST") for d in ("ISH", "OSH", "NSH"))]
    return tuple(f"{name}.{option}" for name in names for three in options for option in three)


_ACCESSES = ("r", "w", "rw")

ARCHITECTURES: dict[str, Architecture] = {
    a.name: a
    for a in (
        Architecture(
            "x86",
            "x86",
            ("X86", "X86_64"),
            {"X": "both"},  # locked
            ("MFENCE", "SFENCE", "LFENCE"),
            {"A": ("X",)},
            {"lock": ("X",), "a": ("X",)},
            updates=("X",),
        ),
        Architecture(
            "arm",
            "ARMv7",
            ("ARM",),
            {"A": "read", "L": "write", "EX": "both"},
            ("DMB", "DMB.ISH", "DMB.ST", "DMB.ISHST", "DSB", "DSB.ISH", "DSB.ST", "DSB.ISHST", "ISB"),
            {"X": ("EX",)},
            {"x": ("EX",), "dmb.sy": ("DMB",), "dsb.sy": ("DSB",)},
        ),
        Architecture(
            "aarch64",
            "AArch64",
            ("AArch64",),
            {"A": "read", "Q": "read", "L": "write", "EX": "both", "NoRet": "read"},
            (*_barriers("DMB", "DSB"), "ISB"),
            {"AMO": ("U",), "X": ("EX", "U"), "Exp": ("R", "W")},
            {"x": ("EX",), "dmb": ("DMB.SY",), "dsb": ("DSB.SY",)},
            absent=(
                *("NExp", "NT", "T", "TagCheck", "FAULT", "MMU", "Translation", "AccessFlag", "SPURIOUS", "SVC"),
                *("PTE", "PTEV", "PTEINV", "AF", "DB", "TLBI", "TLBIIS", "TLBInXS", "EXC-ENTRY", "EXC-RET"),
                *("Instr", "Restricted-CMODX", "IC", "IC.IALLU", "IC.IALLUIS", "IC.IVAU", "DC.CVAU"),
                *("B", "BCC", "Rreg", "Wreg"),
            ),
        ),
        Architecture(
            "ppc",
            "Power",
            ("PPC",),
            {"EX": "both"},
            ("SYNC", "LWSYNC", "EIEIO", "ISYNC"),
            {"X": ("EX",)},
            {"x": ("EX",), "hwsync": ("SYNC",)},
        ),
        Architecture(
            "riscv",
            "RISC-V",
            ("RISCV",),
            {"Acq": "read", "Rel": "write", "AcqRel": "both", "Sc": "both", "EX": "both"},
            (*(f"Fence.{a}.{b}" for a in _ACCESSES for b in _ACCESSES), "Fence.tso", "Fence.i"),
            {"AMO": ("U",), "X": ("EX", "U")},
            {"aq": ("Acq",), "rl": ("Rel",), "aqrl": ("AcqRel",), "x": ("EX",), "fence": ("Fence.rw.rw",)},
        ),
        Architecture(
            "lkmm",
            "the Linux kernel",
            ("LKMM", "Linux"),
            {
                "Once": "both",
                "Acquire": "read",
                "Release": "write",
                "Noreturn": "read",
                "Full": "both",  # of a read-modify-write that is a full barrier, between two fences Mb
                "RMW": "both",
                "LKR": "read",
                "LKW": "write",
                "UL": "write",
                "LF": "read",
                "RL": "read",
                "RU": "read",
                "Srcu-lock": "read",
                "Srcu-unlock": "write",
            },
            (
                "Mb",
                "Rmb",
                "Wmb",
                "Barrier",
                "Before-atomic",
                "After-atomic",
                "After-spinlock",
                "After-unlock-lock",
                "After-srcu-read-unlock",
                "Rcu-lock",
                "Rcu-unlock",
                "Sync-rcu",
                "Sync-srcu",
            ),
            {
                "MB": ("Mb", "Full"),
                "ONCE": ("Once",),
                "ACQUIRE": ("Acquire",),
                "RELEASE": ("Release",),
                "NORETURN": ("Noreturn",),
            },
            {"spin-lock": ("LKR", "LKW"), "spin-unlock": ("UL",)},
        ),
    )
}


@cache
def _bits(name: str) -> dict[str, int]:
    return {tag: bit for bit, tag in enumerate(ARCHITECTURES[name].tags)}


_OF_C = ("acq", "rel", "sc", "acquire", "release")  # what people write for orders of C is no word of an architecture


@cache
def _words(name: str, fence: bool) -> dict[str, tuple[str, ...]]:
    """The words of histories for accesses, or for fences: as they are, and in lower case."""
    architecture = ARCHITECTURES[name]
    tags = architecture.fences if fence else tuple(architecture.accesses)
    fences = set(architecture.fences)
    own = {word: found for word, found in architecture.words.items() if (found[0] in fences) == fence}
    small = {tag.lower(): (tag,) for tag in tags if tag.lower() not in _OF_C}
    return {**small, **{tag: (tag,) for tag in tags}, **own}


@cache
def words(fence: bool) -> list[str]:
    """Every word of every architecture for fences, or for accesses, sorted."""
    return sorted({word for name in ARCHITECTURES for word in _words(name, fence)})


def fitting(said: Iterable[tuple[bool, str]]) -> list[str]:
    """The architectures that know all of these words, each of a fence or of an access."""
    said = list(said)
    return [name for name, a in ARCHITECTURES.items() if all(a.meant(word, fence) for fence, word in said)]


def by_heading(word: str) -> str | None:
    """The architecture that a litmus test or a model file names in its first line."""
    return next((name for name, a in ARCHITECTURES.items() if word in a.headings), None)


def find_architecture(name: str) -> Architecture:
    """The record of a name, or of a heading such as X86_64."""
    found = ARCHITECTURES.get(name.lower()) or ARCHITECTURES.get(by_heading(name) or "")
    if found is None:
        raise UsageError(f"unknown architecture '{name}'", hint=nearest(name.lower(), ARCHITECTURES) or _KNOWN)
    return found


_KNOWN = f"the architectures are {', '.join(ARCHITECTURES)}"
