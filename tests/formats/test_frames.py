"""Tables in memory mean what the same log in a file means."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import porf
from porf import formats
from porf.execution import Execution

COLUMNS: dict[str, list[Any]] = {
    "tid": [0, 1, 1, 0, 1, 0, 1],
    "kind": ["ST", "LD", "fence", "CAS", "CAS", "LD", "LD"],
    "addr": ["0x80", "0x80", None, "0x80", "0x80", "0x80", "0x90"],
    "got": [None, 7, None, 7, 9, 9, 0],
    "put": [7, None, None, 9, 10, None, None],
    "mo": ["rel", "acquire", None, "acq_rel", "acq_rel", None, None],
    "done": [None, None, None, True, False, None, None],
    "t0": [1, 2, 3, 4, 5, 6, 7],
    "t1": [2, 3, 4, 5, 6, 7, 8],
    "src": ["a.c:1", None, "b c", None, None, None, None],
}
MAPPING = porf.Mapping(
    columns={
        **{"thread": "tid", "op": "kind", "location": "addr", "read": "got", "write": "put", "order": "mo"},
        **{"success": "done", "start": "t0", "end": "t1", "src": "src"},
    }
)
SAID = """\
0 w 0x80 7 rel time=1..2 src=a.c:1
1 r 0x80 7 acq time=2..3
1 f sc time=3..4 src=b%20c
0 u 0x80 7->9 acq_rel time=4..5
1 r 0x80 9 acq_rel time=5..6
0 r 0x80 9 time=6..7
1 r 0x90 0 time=7..8
"""


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def pandas_types(columns: dict[str, list[Any]]) -> Any:
    """With pandas' own types: nullable integers, booleans, strings, categories."""
    frame = pandas_frame(columns).convert_dtypes()
    words = "kind" if "kind" in columns else "op"
    return frame.assign(**{words: frame[words].astype("category")})


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("polars").DataFrame(columns)


def arrow_table(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").table(columns)


def records(columns: dict[str, list[Any]]) -> Any:
    rows = [tuple(row) for row in zip(*columns.values(), strict=True)]
    return np.array(rows, dtype=[(name, "i8" if name in ("tid", "t0", "t1") else "O") for name in columns])


def dictionary(columns: dict[str, list[Any]]) -> Any:
    return columns


KINDS: list[Callable[[dict[str, list[Any]]], Any]] = [
    pandas_frame,
    pandas_types,
    polars_frame,
    arrow_table,
    records,
    dictionary,
]


def said(execution: Execution) -> str:
    return formats.dumps(execution, "text").decode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_means_what_its_file_means(kind: Callable[[dict[str, list[Any]]], Any]) -> None:
    execution = Execution.from_frame(kind(COLUMNS), MAPPING)
    assert said(execution) == SAID
    lines = [",".join(COLUMNS)]
    lines += [",".join("" if x is None else str(x) for x in row) for row in zip(*COLUMNS.values(), strict=True)]
    assert said(porf.loads("\n".join(lines), mapping=MAPPING)) == SAID


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_say_what_they_are_need_no_mapping(kind: Callable[[dict[str, list[Any]]], Any]) -> None:
    frame = kind({"core": [0, 1, 1], "op": ["w", "w", "r"], "addr": ["x", "y", "y"], "value": [1, 2, 2]})
    assert said(Execution.from_frame(frame)) == "0 w x 1\n1 w y 2\n1 r y 2\n"
    named = {"thread": "addr", "op": "op", "location": "core", "value": "value"}
    assert said(Execution.from_frame(frame, named)) == "x w 0 1\ny w 1 2\ny r 1 2\n"


@pytest.mark.parametrize("history", ["message-passing.txt", "iriw.txt", "store-buffering.txt"])
def test_a_frame_of_an_execution_is_that_execution(history: str) -> None:
    pytest.importorskip("pandas")
    execution = porf.load(f"examples/histories/{history}")
    again = Execution.from_frame(execution.to_dataframe())
    assert list(again) == list(execution)


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (np.array([2**64 - 1, 2**63, 0], np.uint64), ["18446744073709551615", "9223372036854775808", "0"]),
        (np.array([-(2**63), -1, 5], np.int64), ["-9223372036854775808", "-1", "5"]),
        (np.array([1.0, np.nan, 1e16]), ["1", "_", "10000000000000000"]),
        (np.array([True, False, True]), ["true", "false", "true"]),
        (np.array(["0xFF", "word", "a b"]), ["0xFF", "word", "a%20b"]),
        (np.array([b"0xFF", b"7", b"x"]), ["0xFF", "7", "x"]),
        (np.array([3, None, "on"], object), ["3", "_", "on"]),
        (np.array([1, 2, 3], np.int8)[::-1], ["3", "2", "1"]),
    ],
)
def test_values_of_every_type(values: Any, shown: list[str]) -> None:
    frame = {"thread": [0, 0, 0], "op": ["w"] * 3, "loc": ["x", "y", "z"], "value": values}
    assert said(Execution.from_frame(frame)).splitlines()[-3:] == [
        f"0 w {loc} {word}" for loc, word in zip("xyz", shown, strict=True)
    ]


def test_moments_of_numpy_are_times() -> None:
    moments = np.array(["2024-05-01T00:00:00", "NaT", "2024-05-01T00:00:02"], "datetime64[s]")
    frame = {"thread": [0, 0, 0], "op": ["w"] * 3, "loc": ["x"] * 3, "value": [1, 2, 3], "time": moments}
    assert [event.time for event in Execution.from_frame(frame)] == ["1714521600", None, "1714521602"]


@pytest.mark.parametrize(
    ("change", "message", "hint"),
    [
        ({"op": ["w", "??"]}, "row 1, column 'op': unknown operation '??'", "ops: ??=r"),
        ({"value": [1, 3]}, ":2:4: nothing writes 3", "init says so"),
        ({"thread": [0, None]}, "row 1, column 'thread'|row 1: the thread is missing", ""),
        ({"value": [1]}, "different lengths", ""),
        ({"loc": np.zeros((2, 2))}, "more than one dimension", "a row"),
        ({"time": [2, 1], "thread": [0, 0]}, "time runs backwards", "program order"),
    ],
)
def test_frames_that_are_wrong(change: dict[str, Any], message: str, hint: str) -> None:
    frame = {"thread": [0, 1], "op": ["w", "r"], "loc": ["x", "x"], "value": [1, 1]} | change
    with pytest.raises(porf.PorfError) as caught:
        Execution.from_frame(frame)
    assert any(part in str(caught.value) for part in message.split("|"))
    assert hint in (caught.value.hint or "")


def test_what_is_no_frame() -> None:
    with pytest.raises(TypeError):
        Execution.from_frame([1, 2])
    with pytest.raises(TypeError):
        Execution.from_frame({"a": [1]}, 7)  # type: ignore[arg-type]
    with pytest.raises(porf.UsageError, match="which column is the op"):
        Execution.from_frame({"thread": [1]})
    with pytest.raises(porf.UsageError, match="no column is called 'b'"):
        Execution.from_frame({"a": [1]}, {"thread": "b"})
    with pytest.raises(porf.FormatError, match="no events"):
        Execution.from_frame({"thread": [], "op": [], "loc": [], "value": []})


def test_a_large_frame_makes_no_object_an_event() -> None:
    import tracemalloc

    n = 200_000
    frame = {
        "thread": np.arange(n, dtype=np.int32) % 4,
        "op": np.full(n, "w"),
        "loc": np.arange(n, dtype=np.int64) % 1000,
        "value": np.arange(n, dtype=np.uint64),
    }
    tracemalloc.start()
    execution = Execution.from_frame(frame)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(execution) == n
    assert most < 60 * n  # arrays only: an object an event would take more


def test_arrays_of_a_file_are_a_frame() -> None:
    out = io.BytesIO()
    np.savez(out, thread=np.array([0, 1]), op=np.array(["w", "r"]), loc=np.array(["x", "x"]), value=np.array([1, 1]))
    out.seek(0)
    assert said(Execution.from_frame(dict(np.load(out)))) == "0 w x 1\n1 r x 1\n"
