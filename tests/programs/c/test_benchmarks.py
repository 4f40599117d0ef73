"""The programs of the papers' tables, benchmarks/programs: each compiles and is as safe as it says, and where the paper
defines its program, the executions are as many as it prints."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from porf.exploration import explore
from porf.programs.c import read_c
from porf.programs.form import Program

ROOT = Path(__file__).parents[3] / "benchmarks"
FILES = sorted((ROOT / "programs").glob("*.c"))
sys.path.insert(0, str(ROOT))

from paper_tables import TABLES, Row  # noqa: E402

ROWS = [(row, table) for table in TABLES for row in table.rows if row.same and row.quick and row.file != "pthread-demo"]
DEFINED = [(row, model, table.reference) for row, table in ROWS for model in table.peers]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_program_is_safe(file: Path) -> None:
    found = explore(read_c(str(file)), "rc11", limit=2000)
    assert not found.bugs
    assert found.executions > 0


@pytest.mark.parametrize("row, model, reference", DEFINED, ids=lambda x: x.name if isinstance(x, Row) else str(x))
def test_executions_are_as_many_as_printed(row: Row, model: str, reference: str) -> None:
    found = explore(_program(row.file, row.defines), model)
    assert found.verdict == "safe"
    more = 3 if row.file == "exponential-bug" else 0  # docs/errata.md
    assert found.executions == (row.counts[reference] or 0) + more


@pytest.mark.parametrize(
    ("name", "defines", "model", "executions"),
    [
        ("pthread-demo", {"N": 5}, "ra", 252),
        ("stack", {"N": 4}, "ra", 70),
        ("queue", {"N": 4}, "ra", 70),
        ("ticket-mutex", {"N": 3}, "rc11", 6),
        ("clh", {"N": 3}, "rc11", 6),
        ("mcs-lock", {"N": 1, "ROUNDS": 3}, "rc11", 1),
        ("lastzero", {"N": 3}, "ra", 12),
    ],
)
def test_executions_are_as_many_as_formulas_say(
    name: str, defines: dict[str, int | None], model: str, executions: int
) -> None:
    assert explore(_program(name, defines), model).executions == executions


@pytest.mark.parametrize("name", ["dekker", "peterson", "szymanski", "lamport", "correia-ramalhete"])
def test_mutual_exclusion_holds_under_sc_and_not_under_ra(name: str) -> None:
    small: dict[str, int | None] = {"CHECK": None} | ({} if name in ("lamport", "correia-ramalhete") else {"N": 1})
    assert explore(_program(name, small), "sc").verdict == "safe"
    assert explore(_program(name, small), "ra").verdict == "unsafe"


def test_a_deque_without_sc_fences_is_broken() -> None:
    sizes: dict[str, int | None] = {"N": 2, "ITEMS": 3, "TAKES": 3}
    assert explore(_program("chase-lev", sizes), "rc11").verdict == "safe"
    assert explore(_program("chase-lev", sizes | {"WEAK": None}), "rc11").verdict == "unsafe"


def test_every_row_has_its_program() -> None:
    assert {row.file for table in TABLES for row in table.rows} <= {file.stem for file in FILES}


def test_every_program_says_what_it_is() -> None:
    for file in FILES:
        assert re.match(rf"// {file.stem}\(\w+\): ", file.read_text(encoding="utf-8")), file.name


def _program(name: str, defines: dict[str, int | None]) -> Program:
    arguments = [f"-D{key}" if value is None else f"-D{key}={value}" for key, value in defines.items()]
    return read_c(str(ROOT / "programs" / f"{name}.c"), arguments)
