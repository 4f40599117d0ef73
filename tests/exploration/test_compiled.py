"""Model files that are compiled: changed and random ones against their evaluation, and graphs of any size."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from porf.execution import Order
from porf.exploration import explore
from porf.exploration.classes import classes
from porf.models.registry import FOLDER, MODELS, find_model
from porf.programs.assemble import Assembler
from porf.programs.form import Program
from tests.exploration import known_programs as known
from tests.exploration.random_files import random_file
from tests.exploration.random_programs import KINDS, random_program
from tests.exploration.reference import classes as brute_force

EVALUATED = "~empty [_] as always\n"  # says nothing, but no walk does
AXIOMS_OF_RA = (FOLDER / "ra.cat").read_text()
COMPILED = ("sc", "tso", "x86", "pso", "sra", "ra", "rc20", "relaxed", "rc11", "cpp20")


def is_compiled(path: Path) -> bool:
    file = find_model(path).file
    return file.program.compiled(file.view == "two")


def twins(tmp_path: Path, text: str) -> tuple[Path, Path]:
    """A file, and one that says the same and is evaluated."""
    mine, twin = tmp_path / "mine.cat", tmp_path / "twin.cat"
    mine.write_text(text)
    twin.write_text(text + EVALUATED)
    assert not is_compiled(twin)
    return mine, twin


def agree(program: Program, mine: Path, twin: Path, strategy: str = "trust") -> None:
    found, right = classes(program, mine, strategy=strategy), classes(program, twin, strategy=strategy)
    assert Counter(found[0]) == Counter(right[0]), program.name
    assert Counter(found[1]) == Counter(right[1]), program.name


@pytest.mark.parametrize("name", MODELS)
def test_which_built_in_files_are_compiled(name: str) -> None:
    if name in COMPILED:
        assert is_compiled(FOLDER / f"{name}.cat")


# What is changed in a built-in file, and what is added to it.
CHANGED = {
    "rc11 whose fences alone are sc": ("rc11", "acyclic psc-base | psc-F", "acyclic psc-F", ""),
    "rc11 without psc-F": ("rc11", "acyclic psc-base | psc-F", "acyclic psc-base", ""),
    "rc11 without sc": ("rc11", "acyclic psc-base | psc-F as sc", "", ""),
    "rc11 without atomicity": ("rc11", "empty rmw & (fr; mo) as atomicity", "", ""),
    "rc11 with strong fences": ("rc11", "", "", "acyclic po; [F]; po | rf | mo | fr"),
    "tso by external steps": ("tso", "rfe | mo | fr as tso", "rfe | (mo & ext) | (fr & ext)", ""),
    "tso with weaker fences": ("tso", "po \\ (", "po \\ ((M * F) | ", ""),
    "ra and an order of writes": ("ra", "", "", "acyclic (po & (W * W)) | rf | mo"),
    "ra with fences": ("ra", "", "", "acyclic (po; [F]; po) | rf | mo | fr"),
    "x86 with sc writes before reads": ("x86", "([W & SC]; po)", "([W & SC]; po; [R])", ""),
    "sc of halves": ("sc", "Events: one", "Events: two", "empty rmw & (fr; mo)"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_changed_files(case: str, tmp_path: Path) -> None:
    name, old, new, more = CHANGED[case]
    text = (FOLDER / f"{name}.cat").read_text()
    assert old in text
    mine, twin = twins(tmp_path, f"{text.replace(old, new) if old else text}\n{more}\n")
    assert is_compiled(mine)
    for kind in KINDS:
        for seed in range(60, 66):
            agree(random_program(seed, kind, most=7), mine, twin)
        agree(random_program(66, kind, most=7), mine, twin, "trust" if kind in ("choices", "barriers") else "tracer")


def test_axioms_that_are_too_long_are_walked(tmp_path: Path) -> None:
    """Sets of positions are the bits of a word."""
    for count in (10, 20, 40, 80):
        path = "; ".join(["fr", *["(po | rf)+"] * count])  # each is a position of its own
        mine, twin = twins(tmp_path, f"{AXIOMS_OF_RA}\nirreflexive {path}\n")
        agree(random_program(7, "updates", most=7), mine, twin)


def test_random_files(tmp_path: Path) -> None:
    compiled = 0
    for seed in range(60):
        mine, twin = twins(tmp_path, random_file(seed))
        compiled += is_compiled(mine)
        for at, kind in enumerate(("plain", "updates", "fences", "threads")):
            agree(random_program(1000 + 4 * seed + at, kind, most=6), mine, twin)
    assert compiled > 30


@pytest.mark.parametrize("kind", KINDS)
def test_against_brute_force(kind: str) -> None:
    for seed in range(300, 312):
        program = random_program(seed, kind, most=7)
        for name in ("rc11", "tso", "ra"):
            found, right = classes(program, FOLDER / f"{name}.cat"), brute_force(program, name)
            assert Counter(found[0]) == Counter(right[0]), program.name
            assert Counter(found[1]) == Counter(right[1]), program.name


def long_program(lines: int, order: Order) -> Program:
    """Graphs of so many nodes that no table of a fixed size holds them."""

    def writer(a: Assembler) -> None:
        for n in range(lines):
            known.store(a, n % 2, a.constant(n + 1), order)

    def reader(a: Assembler) -> None:
        for n in range(2):
            known.load(a, n, order)

    return known.assembled("long", {"x": 0, "y": 0}, [writer, reader, reader])


@pytest.mark.parametrize("lines", [20, 50, 90, 300])
@pytest.mark.parametrize("name", ["rc11", "tso", "sc", "ra"])
def test_graphs_of_any_size(name: str, lines: int) -> None:
    """As large as the writes are many: each size of the tables, and what grows from one to the next."""
    program = long_program(lines, Order.SC if name == "rc11" else Order.REL)
    limit = None if lines < 50 else 2000
    found, right = explore(program, FOLDER / f"{name}.cat", limit=limit), explore(program, name, limit=limit)
    assert (found.executions, found.verdict) == (right.executions, right.verdict)
