"""Executions as events: views, construction, and the way to networkx and pandas."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import porf
from porf import Event, Execution, FormatError, UsageError
from porf.formats import dumps

HISTORIES = sorted((Path(__file__).parents[1] / "examples" / "histories").glob("*.txt"))
TEXT = """init y 7
T0 w x 1 rel id=a
T0 u x 1->2 acq_rel rf=a id=b
T0 f sc
T1 r y 7 acq id=d
T1 w x _ na ctrl=d data=d
"""


def test_an_execution_is_a_sequence_of_events() -> None:
    execution = porf.loads(TEXT)
    assert len(execution) == len(list(execution)) == 5
    assert [str(event) for event in execution] == [
        "T0 w x 1 rel",
        "T0 u x 1->2 acq_rel rf=a",
        "T0 f sc",
        "T1 r y 7 acq rf=init",
        "T1 w x _ na data=d ctrl=d",
    ]
    update = execution["b"]
    assert (update.read, update.written, update.value, update.rf) == (1, 2, (1, 2), "a")
    assert execution[1] == execution["b"] == execution[np.int64(1)] == execution[-4]
    assert execution[2].location is None and execution[2].name == "e2"
    assert execution["e2"] == execution[2]
    assert execution[3:] == list(execution)[3:]
    assert repr(execution) == "<Execution <text>: 5 events, 2 threads, 2 locations>"
    assert repr(execution[0]) == "<Event a: T0 w x 1 rel>"
    for wrong in (5, -6):
        with pytest.raises(IndexError):
            execution[wrong]
    with pytest.raises(KeyError):
        execution["nobody"]


def test_a_part_does_not_know_the_writers_that_it_left_out() -> None:
    part = porf.loads("T0 w x 1\nT1 r x 1").restrict([1]).execution
    assert part[0].rf is None


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_events_make_the_execution_that_they_are_of(path: Path) -> None:
    execution = porf.load(path)
    assert dumps(Execution.from_events(execution)) == dumps(execution)
    assert dumps(Execution.from_events(list(execution))) == dumps(execution)


def test_initial_values_and_dependencies_are_kept() -> None:
    execution = porf.loads(TEXT)
    for made in (Execution.from_events(execution), Execution.from_events(list(execution), init={"y": 7})):
        assert list(made) == list(execution)
        assert dict(zip(made.loc_names, made.init_value, strict=True)) == {"x": 0, "y": 7}
    with pytest.raises(FormatError, match="starts with another value"):
        Execution.from_events(list(execution))


def test_tuples_are_events() -> None:
    execution = Execution.from_events(
        [
            ("T0", "w", "x", 1, "rel"),
            ("T0", "f", "sc"),
            ("T1", "u", "x", (1, 2), "acq_rel", "e0"),
            Event("T1", "r", "x", rf="e2", name="last"),
            ("T1", porf.Op.READ, "x", np.int64(0), porf.Order.ACQ),
        ],
        source="built",
    )
    assert [str(event) for event in execution] == [
        "T0 w x 1 rel",
        "T0 f sc",
        "T1 u x 1->2 acq_rel rf=e0",
        "T1 r x _ rf=e2",
        "T1 r x 0 acq rf=init",
    ]
    assert [event.name for event in execution] == ["e0", "e1", "e2", "last", "e4"]
    assert list(execution.id_names) == ["last"]
    assert porf.check(execution, "ra").answer == "inconsistent"


def test_a_name_that_looks_like_a_default_stays() -> None:
    execution = Execution.from_events([("T0", "w", "x", 1), Event("T0", "w", "x", 2, name="e0")])
    assert [event.name for event in execution] == ["_e0", "e0"]


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ([5], TypeError, "from_events takes events and tuples, not an int"),
        (["T0 w x 1"], TypeError, "from_events takes events and tuples, not a str"),
        ([("T0",)], UsageError, "is not an event"),
        ([(0, "w", "x", 1)], TypeError, "an event takes the name of a thread, an operation and an order, not an int"),
        ([("T0", "w", "x", 1.5)], FormatError, "must be a whole number"),
        ([("T0", "w", "x", object())], TypeError, "an event takes names and whole numbers, not an object"),
        ([("T0", "x", "x", 1)], FormatError, "unknown op"),
        ([("T0", "w", "x", 1, "release")], FormatError, "unknown order"),
        ([("T0", "w", "x", (0, 1))], FormatError, 'a write has no "read"'),
        ([("T0", "u", "x", 1)], FormatError, 'an update has no "value"'),
        ([("T0", "w", "x", 1), ("T1", "r", "x", 2)], FormatError, "<events>:2:.*nothing writes 2"),
        ([], FormatError, "no events"),
    ],
)
def test_what_makes_no_execution_is_refused(given: list[Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        Execution.from_events(given)


def test_the_graph_of_networkx() -> None:
    graph = porf.loads(TEXT).to_networkx()
    assert set(graph.nodes) == {"a", "b", "e2", "d", "e4", "init(x)", "init(y)"}
    assert set(graph.edges(keys=True)) == {
        ("a", "b", "po"),
        ("b", "e2", "po"),
        ("d", "e4", "po"),
        ("a", "b", "rf"),
        ("init(y)", "d", "rf"),
        ("d", "e4", "data"),
        ("d", "e4", "ctrl"),
    }
    assert graph.nodes["b"] == {
        "thread": "T0",
        "op": "u",
        "location": "x",
        "read": 1,
        "written": 2,
        "order": "acq_rel",
    }
    assert graph.nodes["init(y)"]["written"] == 7


def test_the_table_of_pandas() -> None:
    table = porf.loads(TEXT).to_dataframe()
    assert list(table.columns) == ["thread", "op", "location", "read", "written", "order", "rf"]
    assert list(table.index) == ["a", "b", "e2", "d", "e4"]
    assert list(table[table.op == "w"].written.isna()) == [False, True]
    assert table.loc["b"].to_dict() | {"read": 1} == {
        "thread": "T0",
        "op": "u",
        "location": "x",
        "read": 1,
        "written": 2,
        "order": "acq_rel",
        "rf": "a",
    }
    assert table.rf["d"] == "init"
    assert table.location.isna()["e2"]
    unrecorded = porf.loads("T0 w x _\nT0 f sc").to_dataframe()
    assert unrecorded.read.isna().all() and unrecorded.written.isna().all()


@pytest.mark.parametrize(("package", "method"), [("networkx", "to_networkx"), ("pandas", "to_dataframe")])
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, package: str, method: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError) as caught:
        getattr(porf.loads("T0 w x 1"), method)()
    assert caught.value.hint == f"pip install 'porf[{package}]'"
