"""What crosses the border of exploration: values that pickle, and tables of the core in which every row is whole."""

from __future__ import annotations

import pickle
from string import Formatter

import pytest

from porf import _core
from porf._core import Blame, BugKind, Engine, ExploreSettings, Findings, Task
from porf.exploration.adapt import has_sc
from porf.exploration.engines import engine_of
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.exploration.words import Words
from porf.models.registry import MODELS, find_model
from tests.exploration import buggy_programs as buggy
from tests.exploration.random_programs import random_program


@pytest.mark.parametrize("kind", BugKind)
def test_every_word_of_the_table_of_bugs_is_known(kind: BugKind) -> None:
    facts = _core.bug_facts(kind)
    assert facts.name and facts.message and isinstance(facts.blame, Blame)
    for pattern in (facts.message, facts.end):
        words = {word for _, word, _, _ in Formatter().parse(pattern) if word is not None}
        assert words <= {name for name, value in vars(Words).items() if isinstance(value, property)}


def test_names_of_bugs_are_distinct() -> None:
    names = [_core.bug_facts(kind).name for kind in BugKind]
    assert len(set(names)) == len(names)


def test_every_engine_explores_some_model() -> None:
    programs = (buggy.several().build(), random_program(2, "plain"))
    assert [has_sc(program) for program in programs] == [False, True]
    used = {engine_of(model, program) for model in MODELS.values() for program in programs}
    assert used == set(Engine)
    assert all(_core.engine_facts(engine).family for engine in Engine)


def test_findings_and_settings_pickle() -> None:
    """Every field comes back: processes hand them to each other."""
    request = request_of(buggy.several().build(), find_model("ra"), keep_going=True, self_check=True, collect=True)
    found = run(request, Plan(keep_going=True)).findings
    again = pickle.loads(pickle.dumps(found))
    assert len(found.bugs) == 3 and found.executions
    assert [plain(bug) for bug in again.bugs] == [plain(bug) for bug in found.bugs]
    assert plain(again.executions) == plain(found.executions)
    assert (again.complete, again.blocked, again.explored) == (found.complete, found.blocked, found.explored)
    assert again.fingerprints == found.fingerprints != []
    settings: ExploreSettings = pickle.loads(pickle.dumps(request.settings))
    assert settings.__getstate__() == request.settings.__getstate__()


def plain(value: object) -> object:
    """A bound value as lists of numbers and enums."""
    if isinstance(value, list):
        return [plain(part) for part in value]
    state = getattr(value, "__getstate__", None)
    found = state() if state is not None and type(value).__module__ == "porf._core" else value
    return [plain(part) for part in found] if isinstance(found, tuple) else found


def test_findings_add_up() -> None:
    """Of the same bug, the report with the first path is kept; and bugs are in the order of paths."""
    request = request_of(buggy.several().build(), find_model("ra"), keep_going=True)
    found = run(request, Plan(keep_going=True)).findings
    first, last = Findings(), Findings()
    first.bugs, last.bugs = found.bugs[:1], found.bugs[1:]
    both = Findings()
    both.add(last)
    both.add(first)
    both.add(found)
    assert [bug.path for bug in both.bugs] == [bug.path for bug in found.bugs]
    assert both.complete == found.complete


def test_tasks_are_in_the_order_of_paths() -> None:
    tasks = [Task([1], 0), Task([0, 2], 1), Task([], 0), Task([0, 1], 2)]
    assert [task.path for task in sorted(tasks)] == [[], [0, 1], [0, 2], [1]]


def test_a_path_that_the_program_does_not_have_is_an_error_of_its_own() -> None:
    request = request_of(buggy.several().build(), find_model("ra"))
    with pytest.raises(_core.NoSuchPath):
        run(request, Plan(), [Task([99], 1)])
