"""Histories in which nobody knows the writer of a read, or how a location starts: read, written, and shown."""

from dataclasses import replace

import numpy as np
import pytest

import porf
from porf import formats
from porf.errors import FormatError, UsageError
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution
from porf.formats.jsonl import read_patiently
from porf.formats.stream import Stream

TEXT = """init x _
init y 3
init z 0x10
T0 w x 1
T0 w y 2
T1 w y 2 id=b
T1 r y 2
T1 r x 1
T2 r x 0x7
T2 r x 1
T2 r z _ rf=?
T2 w z 5
T3 r y _ rf=?
T3 r y 3
T3 u y 2->4
"""


def open_writers(execution: Execution) -> dict[str, list[int]]:
    found = execution.open_reads
    return {execution.name(int(row)): found.of(at).tolist() for at, row in enumerate(found.rows)}


def test_a_value_that_several_writes_have_leaves_the_writer_open() -> None:
    execution = porf.loads("T0 w x 0 id=a\nT1 w x 1 id=b\nT1 w x 1 id=c\nT2 r x 0 id=r\nT2 r x 1 id=s\nT2 r x 1 rf=b")
    assert open_writers(execution) == {"r": [INITIAL, 0], "s": [1, 2]}
    assert execution.rf.tolist() == [-1, -1, -1, UNKNOWN, UNKNOWN, 1]
    assert str(execution["s"]) == "T2 r x 1 rf=?"


def test_a_value_that_was_not_recorded_may_be_of_any_write_of_the_location() -> None:
    execution = porf.loads("T0 w x _ id=a\nT0 w y 1\nT1 w x 1 id=b\nT2 r x _ rf=? id=r\nT2 r z _ rf=?")
    assert open_writers(execution) == {"r": [INITIAL, 0, 2]}
    assert int(execution.rf[4]) == INITIAL


def test_what_is_open_with_one_candidate_is_known() -> None:
    assert porf.loads("T0 w x 1\nT1 r x 1 rf=?").rf.tolist() == [-1, 0]
    assert porf.loads("T1 u x 1->1\nT0 w x 1 id=w").rf.tolist() == [1, -1]  # an update does not read itself
    assert porf.loads("T1 u x 1->1").rf.tolist() == [0]  # unless nothing else offers the value


def test_a_start_that_nobody_knows_is_one_value() -> None:
    shown = porf.loads("init x _\nT0 w x 1 id=a\nT1 r x 7\nT1 r x 1")
    assert shown.rf.tolist() == [-1, INITIAL, 0]  # x started with 7, so that 1 was written
    assert shown.init_value.tolist() == [NO_VALUE]
    assert shown.initial_value(0) is None
    assert shown.describe(-1) == "init x _"
    free = porf.loads("init * _\nT0 w x 1 id=a\nT1 r x 1 id=r")
    assert open_writers(free) == {"r": [INITIAL, 0]}
    rest = porf.loads("init * 4\ninit x _\nT0 w x 1 id=a\nT1 r x 1 id=r\nT1 r y 4")
    assert open_writers(rest) == {"r": [INITIAL, 0]}


@pytest.mark.parametrize("format", ["text", "jsonl", "npz"])
def test_they_survive_a_round_trip(format: str) -> None:
    execution = porf.loads(TEXT)
    again = formats.loads(formats.dumps(execution, format), format)
    assert again.rf.tolist() == execution.rf.tolist()
    assert again.init_value.tolist() == execution.init_value.tolist()
    assert open_writers(again) == open_writers(execution)
    assert formats.dumps(again).decode() == TEXT
    assert formats.dumps(Execution.from_events(again)).decode() == TEXT


def test_the_patient_reader_reads_the_same() -> None:
    lines = formats.dumps(porf.loads(TEXT), "jsonl") + b'{"init":"*","value":9}\n'
    patient = read_patiently(lines, "<text>")
    assert formats.dumps(patient).decode() == formats.dumps(formats.loads(lines, "jsonl")).decode()


def test_columns_say_it_by_numbers() -> None:
    execution = porf.loads("T0 w x 1\nT1 w x 1\nT2 r x 1 rf=?")
    assert execution.rf.tolist() == [-1, -1, UNKNOWN]
    data = formats.dumps(execution, "npz")
    assert formats.loads(data, "npz").rf.tolist() == [-1, -1, UNKNOWN]


def npz(**columns: object) -> bytes:
    import io

    out = io.BytesIO()
    np.savez(out, **columns)  # type: ignore[arg-type]
    return out.getvalue()


def test_columns_without_a_candidate_are_wrong() -> None:
    base = {"thread": [0, 1], "op": [1, 0], "loc": [0, 0], "order": [1, 1], "written_value": [1, NO_VALUE]}
    with pytest.raises(FormatError, match=r"rf\[1\] = -2 but nothing writes"):
        formats.loads(npz(**base, rf=[-1, -2], read_value=[NO_VALUE, 2]), "npz")
    base = {"thread": [0, 1], "op": [0, 0], "loc": [0, 0], "order": [1, 1], "init_value": [NO_VALUE]}
    with pytest.raises(FormatError, match=r"read_value\[1\] was never written, nor what row 0 reads"):
        formats.loads(npz(**base, rf=[-1, -1], read_value=[1, 2]), "npz")


@pytest.mark.parametrize("format", ["text", "jsonl"])
def test_an_update_that_reads_itself_says_so_where_it_would_show_a_start(format: str) -> None:
    execution = porf.loads("init x _\nT0 r x 0\nT0 u x 1->1 id=u rf=u")
    again = formats.loads(formats.dumps(execution, format), format)
    assert again.rf.tolist() == execution.rf.tolist() == [INITIAL, 1]


def test_columns_of_two_starts_are_told_wherever_they_are_met() -> None:
    known = porf.loads("init x _\nT0 w x _ id=a\nT1 r x 1 rf=init\nT1 r x 2 rf=a")
    wrong = replace(known, rf=np.array([-1, -1, UNKNOWN], np.int32))
    meetings = (lambda: wrong.open_reads, lambda: porf.check(wrong, "ra"), lambda: formats.dumps(wrong))
    for meet in meetings:
        with pytest.raises(UsageError, match="x cannot have started with both 1 and 2") as caught:
            meet()
        assert caught.value.hint == "e1 and e2 read them, and nobody wrote them"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T0 w x 1\nT0 w x 1\nT1 r x 1", "does not say which of 2 writes is read"),
        ("T0 w x 1\nT1 r x 1 rf=?", "in a stream each read says whom from"),
        ("init x _\nT0 w x 1", "in a stream the start of each location is known"),
        ("init * 1\nT0 w x 1", "in a stream the start of each location is known"),
    ],
)
def test_a_stream_refuses_them(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(Stream(text.splitlines()))


def test_a_litmus_test_cannot_say_it() -> None:
    with pytest.raises(UsageError, match="a litmus test says which write e2 reads"):
        formats.dumps(porf.loads("T0 w x 1\nT0 w x 1\nT1 r x 1"), "litmus")
    assert b"exists" in formats.dumps(porf.loads("init x _\nT0 w y 1\nT1 r x 5"), "litmus")


def test_a_part_without_the_candidates_is_not_written() -> None:
    part = porf.loads("T0 w x 1\nT1 w x 1\nT2 r x 1").restrict([2]).execution
    assert part[0].rf is None
    with pytest.raises(UsageError, match="not part of the execution"):
        formats.dumps(part)
