"""The page on programs, and the tests that porf itself writes, against the reader of litmus tests."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from porf import load
from porf.formats.litmus import litmus_test
from porf.programs.form import Opcode
from porf.programs.litmus import observe, read_litmus
from porf.programs.litmus.c.operations import OPERATIONS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
SECTION = re.split(r"^## ", PAGE.split("## Litmus tests in C")[1], flags=re.MULTILINE)[0]
BLOCKS = re.findall(r"```\n(.*?)```", SECTION, re.DOTALL)
HISTORIES = sorted((ROOT / "examples" / "histories").glob("*.txt"))


def test_the_example_of_the_page_and_its_output() -> None:
    test = read_litmus(BLOCKS[0])
    assert observe(test, dict.fromkeys(product((0, 1), repeat=2), 1)).text() + "\n" == BLOCKS[1]


def test_the_page_names_every_operation() -> None:
    words = set(re.findall(r"\w+", SECTION))
    for name in OPERATIONS:
        base = name.removesuffix("_explicit")
        parts = [f"_{base.rpartition('_')[2]}", base, base.rpartition("_")[2]]
        assert words.intersection(parts), name


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_tests_that_porf_writes_are_read(path: Path) -> None:
    execution = load(path)
    program = read_litmus(litmus_test(execution)).program
    code = [i for start in program.starts for i in program.templates[start.template].code]
    assert sum(i.opcode >= Opcode.LOAD for i in code) == len(execution)
    assert len(program.watched) == sum(execution.reads(row) for row in range(len(execution)))
