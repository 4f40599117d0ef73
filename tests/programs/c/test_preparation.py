"""What LLVM does before porf reads a program changes nothing that people can see: the same executions without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.exploration import explore
from porf.programs.c import bitcode, read_c

PROGRAMS = Path(__file__).parents[3] / "benchmarks" / "programs"


def counts(path: Path) -> tuple[str, int, int]:
    found = explore(read_c(str(path)), "rc11")
    return found.verdict, found.executions, found.blocked


@pytest.mark.parametrize(
    "name", ["ainc", "barrier", "chase-lev", "concurrent-hashmap", "ms-queue", "mutex", "peterson", "ticket-mutex"]
)
def test_executions_are_the_same_when_nothing_is_inlined(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inlined = counts(PROGRAMS / f"{name}.c")
    monkeypatch.setattr(bitcode, "inlinable", lambda *given: [])
    assert counts(PROGRAMS / f"{name}.c") == inlined and inlined[1] > 0
