"""User's files that say what a built-in model says: which are recognised, and that nothing else changes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from porf import cache
from porf._core import Engine, HappensBefore
from porf.exploration import explore, requirements
from porf.exploration.classes import classes
from porf.exploration.engines import engine_of
from porf.exploration.recognise import recognise
from porf.exploration.requirements import unmet_requirements
from porf.formats import dumps
from porf.models.registry import FOLDER, MODELS, find_model
from tests.exploration.random_programs import KINDS, random_program

NATIVE = [name for name, model in MODELS.items() if model.engine is not Engine.AXIOMS and model.orders_writes]


def copy(tmp_path: Path, name: str, *changes: tuple[str, str], more: str = "") -> Path:
    text = (FOLDER / f"{name}.cat").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "mine.cat"
    path.write_text(f"{text}\n{more}")
    return path


@pytest.mark.parametrize("name", NATIVE)
def test_a_copy_is_recognised(name: str, tmp_path: Path) -> None:
    path = copy(tmp_path, name)
    assert recognise(find_model(path)).model == name
    assert recognise(find_model(FOLDER / f"{name}.cat")).model is None
    program = random_program(1, "updates", sc=name != "rc20")
    for first in (False, True):
        assert engine_of(find_model(path), program, first) is engine_of(find_model(name), program, first) or (
            first and recognise(find_model(path)).hb is None
        )
    assert explore(program, path).algorithm.endswith(f", equivalent to {name}: proved")


SAME = {
    "other names and another order": (
        "sc",
        '"mine"\nlet com = fr | mo | rf\nlet all = com | po\nacyclic all\nirreflexive po; rf',
    ),
    "closures": ("sc", '"mine"\nirreflexive (po | rf | mo | fr)+'),
    "ra by its cases": (
        "ra",
        '"mine"\nacyclic rf | po\nirreflexive mo; rf?; ((po | rf)+)?\nirreflexive fr; rf?; (rf | po)+\n'
        "irreflexive fr; mo",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_what_is_said_otherwise_is_recognised(case: str, tmp_path: Path) -> None:
    name, text = SAME[case]
    path = tmp_path / "mine.cat"
    path.write_text(text)
    assert recognise(find_model(path)).model == name
    for kind in KINDS:
        for seed in range(20, 24):
            program = random_program(seed, kind, most=7)
            assert Counter(classes(program, path)[0]) == Counter(classes(program, name)[0])


# Each is weaker or stronger than the model that it is made of, or is about other events.
OTHERS = {
    "an axiom less": ("rc11", (("acyclic psc-base | psc-F as sc", ""),), ""),
    "only fences": ("rc11", (("acyclic psc-base | psc-F", "acyclic psc-F"),), ""),
    "a weaker fence": ("tso", (("po \\ (", "(po & int) \\ ("),), ""),
    "an axiom more": ("ra", (), "acyclic po | rf | ([W]; mo; [W]) as more"),
    "one event": ("rc11", (("Events: two", "Events: one"),), ""),
    "fewer operations": ("sc", (("Events: one", "Events: one\n   Interprets: reads, writes"),), ""),
}


@pytest.mark.parametrize("case", OTHERS)
def test_what_says_something_else_is_not(case: str, tmp_path: Path) -> None:
    name, changes, more = OTHERS[case]
    path = copy(tmp_path, name, *changes, more=more)
    assert recognise(find_model(path)).model is None
    assert engine_of(find_model(path), random_program(1, "plain")) is Engine.AXIOMS


def test_how_happens_before_arises(tmp_path: Path) -> None:
    """The axioms do not matter for that, and neither does the built-in model's own record: `ra` has other races."""
    for name, hb in (("rc11", HappensBefore.OWN_WRITES), ("cpp20", HappensBefore.ATOMIC_ORDERS)):
        path = copy(tmp_path, name, ("acyclic psc-base | psc-F as sc", ""))
        assert (recognise(find_model(path)).model, recognise(find_model(path)).hb) == (None, hb)
    assert recognise(find_model(copy(tmp_path, "ra"))).hb is HappensBefore.ALL
    changed = recognise(find_model(copy(tmp_path, "ra", more="let hb = po | hb")))
    assert (changed.model, changed.defines_hb, changed.hb) == ("ra", True, None)
    assert not recognise(find_model(copy(tmp_path, "sc"))).defines_hb


def test_with_another_hb_sc_accesses_alone_are_not_sc(tmp_path: Path) -> None:
    """Data-race freedom is a theorem about the races of the model; a file may have others."""
    p = random_program(3, "plain", most=6)
    own, other = copy(tmp_path, "rc11"), tmp_path / "other.cat"
    other.write_text(own.read_text() + "\nlet hb = po\n")
    assert recognise(find_model(other)).model == "rc11"
    assert recognise(find_model(other)).hb is None
    assert engine_of(find_model(other), p, to_the_first_bug=True) in (Engine.RC11, Engine.RC11_WITHOUT_SC)


def test_included_files_are_looked_at_each_time(tmp_path: Path) -> None:
    part, path = tmp_path / "part.cat", tmp_path / "mine.cat"
    path.write_text('"mine"\ninclude "part.cat"\n')
    part.write_text("acyclic po | rf | mo | fr")
    assert recognise(find_model(path)).model == "sc"
    recognise.__globals__["_recognise"].cache_clear()
    part.write_text("acyclic po | rf | mo")
    assert recognise(find_model(path)).model is None


def test_requirements_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the file says: found once, and then read, with the execution that shows a failure."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    path = copy(tmp_path, "tso", ("acyclic ppo", "acyclic (ppo & (po \\ (R * M)))"))
    requirements._unmet.cache_clear()
    found = unmet_requirements(path)
    assert [u.fails for u in found] and found[0].execution is not None
    requirements._unmet.cache_clear()
    monkeypatch.setattr(requirements, "_analysed", lambda _: pytest.fail("it was analysed again"))
    again = unmet_requirements(path)
    assert [(u.name, u.fails, u.text) for u in again] == [(u.name, u.fails, u.text) for u in found]
    assert again[0].execution is not None and dumps(again[0].execution) == dumps(found[0].execution)
