"""What LLVM does before porf reads a program changes nothing that people can see: the same executions without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.exploration import explore
from porf.programs.c import bitcode, inlining, read_c
from porf.programs.c.inlining import LARGE, Definition, inlinable

PROGRAMS = Path(__file__).parents[3] / "benchmarks" / "programs"


def counts(path: Path) -> tuple[str, int, int]:
    found = explore(read_c(str(path)), "rc11")
    return found.verdict, found.executions, found.blocked


@pytest.mark.parametrize(
    "name", ["ainc", "barrier", "chase-lev", "concurrent-hashmap", "ms-queue", "mutex", "peterson", "ticket-mutex"]
)
def test_executions_are_the_same_when_nothing_is_inlined(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inlined = counts(PROGRAMS / f"{name}.c")
    monkeypatch.setattr(inlining, "LARGE", 0)
    assert counts(PROGRAMS / f"{name}.c") == inlined and inlined[1] > 0
    monkeypatch.setattr(bitcode, "inlinable", lambda *given: [])
    assert counts(PROGRAMS / f"{name}.c") == inlined


def test_a_large_function_is_copied_to_one_caller_and_not_to_several() -> None:
    known = {
        "main": Definition(size=9, calls=["small", "small", "once", "twice", "twice", "thin", "thin"]),
        "small": Definition(size=LARGE),
        "once": Definition(size=LARGE + 1),
        "twice": Definition(size=LARGE + 1),
        "thin": Definition(size=1, calls=["inner"]),  # large with what it calls
        "inner": Definition(size=LARGE),
    }
    assert set(inlinable(known, ("main",))) == {"small", "once", "inner"}
