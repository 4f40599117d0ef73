"""What a verdict covers: the bugs that are looked for, the functions and headers that are known, and what is taken for
granted. Facts come from the tables that the exploration itself uses; what stands here is what no table knows."""

from collections.abc import Iterable
from textwrap import fill
from typing import Any

from porf._core import Blame, BugKind, bug_facts
from porf.programs.c.known import functions, headers
from porf.result import Exit, nothing_to_draw, text_width

# What C11 or C++20 leave undefined, and no bug above stands for.
GAPS = (
    ("effective types", "an object that is read through a pointer to another type has the bytes that it has"),
    (
        "order of evaluation",
        "a program is evaluated as clang does it; other orders that the standards allow are not tried",
    ),
    ("restrict", "pointers that overlap are reported for memcpy and its like, not for functions of the program"),
    ("unrelated pointers", "pointers to two objects may be compared and subtracted"),
    ("pointers to what has ended", "may be copied and compared; only accesses are reported"),
    ("variable arguments", "their types, and those of a format, are not compared"),
    (
        "arguments of library functions",
        "only their memory is checked, not that they are in range, or that a comparison is an order",
    ),
    (
        "lifetime in C++",
        "ends with the memory: an object that was destroyed is its bytes as long as its memory is there",
    ),
    ("loops that wait forever", "are reported with --liveness; without it, such executions are blocked"),
    ("the stack", "never overflows"),
)

ASSUMPTIONS = (
    "Memory is never exhausted, threads can always be created, and initialisations succeed.",
    "The machine has 64 bits and is little-endian; what implementations define is as clang defines it for x86-64.",
    "Clocks stand still and sleeping takes no time; a wait with a timeout may time out or not, and both are explored.",
    "A signal to a condition variable wakes every thread that waits for it.",
    "Whatever the program prints succeeds; there is no input, and there are no signals, files or other processes.",
    "memory_order_consume means acquire, as in compilers.",
    "Unknown values (__VERIFIER_nondet_int) are those of the range that --nondet gives; the report says so.",
    "The model is the one that the verdict names; what it means for accesses to race is part of it.",
)  # fmt: skip


class Coverage:
    """The answer to `porf explore --what`."""

    exit_code = Exit.HOLDS

    def headline(self) -> str:
        return f"a verdict covers {len(bugs())} kinds of bugs and {sum(map(len, functions().values()))} functions"

    def record(self) -> dict[str, Any]:
        return {
            "bugs": [{"kind": kind, "what": what} for kind, what in bugs()],
            "unsupported": [{"kind": kind, "what": what} for kind, what in unsupported()],
            "gaps": [{"kind": kind, "what": what} for kind, what in GAPS],
            "assumptions": list(ASSUMPTIONS),
            "functions": [{"theme": theme, "names": names} for theme, names in functions().items()],
            "headers": headers(),
        }

    def report(self) -> str:
        parts = [
            ("These bugs are found if any execution has them:", _rows(bugs())),
            (
                "Executions with these end the exploration with an error, because nothing here explains them:",
                _rows(unsupported()),
            ),
            ("These are undefined in C or C++, and are not looked for:", _rows(GAPS)),
            ("This is taken for granted:", [_item(sentence) for sentence in ASSUMPTIONS]),
            (
                "These functions are known in C and C++:",
                [_item(f"{theme}: {' '.join(names)}") for theme, names in functions().items()],
            ),
            ("These headers are porf's own; others are the compiler's:", [_item(" ".join(headers()))]),
        ]
        return "\n\n".join("\n".join((title, *lines)) for title, lines in parts)

    def draw(self) -> str:
        raise nothing_to_draw("this is a list")


def bugs() -> list[tuple[str, str]]:
    """Every kind of bug, and what it is."""
    return [(facts.name, facts.about) for facts in map(bug_facts, BugKind) if facts.blame is not Blame.UNSUPPORTED]


def unsupported() -> list[tuple[str, str]]:
    """What ends an exploration without being a bug."""
    return [(facts.name, facts.about) for facts in map(bug_facts, BugKind) if facts.blame is Blame.UNSUPPORTED]


def _rows(pairs: Iterable[tuple[str, str]]) -> list[str]:
    pairs = list(pairs)
    width = max(len(name) for name, _ in pairs)
    return [_item(f"{name:{width}}  {what}", width + 4) for name, what in pairs]


def _item(text: str, indent: int = 4) -> str:
    return fill(
        text, max(text_width(), 60), initial_indent="  ", subsequent_indent=" " * indent, break_on_hyphens=False
    )
