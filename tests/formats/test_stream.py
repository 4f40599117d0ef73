"""A stream gives the same events as the whole file, one at a time, and says what must come first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porf import formats
from porf.errors import FormatError
from porf.execution import DEPENDENCIES, NO_VALUE, Execution
from porf.formats.stream import Event, Stream
from porf.generate import weak


def assert_streams_as(execution: Execution, stream: Stream) -> None:
    pairs = {
        (kind, int(a), int(b))
        for kind, name in enumerate(DEPENDENCIES)
        for a, b in zip(*execution.dependencies.get(name, ((), ())), strict=True)
    }
    names = dict(zip(execution.id_rows.tolist(), execution.id_names, strict=True))
    for row, event in enumerate(stream):
        assert event.row == row
        for column in ("thread", "op", "loc", "order", "rf"):
            assert getattr(event, column) == getattr(execution, column)[row], column
        for column in ("read_value", "written_value"):
            values = getattr(execution, column)
            assert getattr(event, column) == (NO_VALUE if values is None else values[row])
        assert event.id == names.get(row)
        assert {(kind, source, row) for kind, source in event.dependencies} == {p for p in pairs if p[2] == row}
    assert stream.rows == len(execution)
    assert stream.thread_names == list(execution.thread_names)
    assert stream.loc_names == list(execution.loc_names)
    assert stream.init_value == execution.init_value.tolist()


@pytest.mark.parametrize("kind", ["text", "jsonl"])
@given(seed=st.integers(0, 10**6), events=st.integers(1, 40))
def test_a_stream_gives_the_events_of_the_file(kind: str, seed: int, events: int) -> None:
    data = formats.dumps(weak(events, 3, 2, fences=0.1, orders="mixed", seed=seed), kind)
    assert_streams_as(formats.loads(data, kind), Stream(data.splitlines(keepends=True)))


@pytest.mark.parametrize("kind", ["text", "jsonl"])
def test_ids_and_dependencies(kind: str) -> None:
    text = (
        "init y 7\nT0 r y 7 id=a\nT0 w x 1 id=b data=a addr=a\nT1 w x 1 id=c\nT1 r x 1 rf=b id=d\n"
        "T1 u x 1->2 rf=c ctrl=d,c\nT1 u z 4->4\nT1 u z 9->9 rf=f id=f\nT1 r x _ rf=c\nT2 f sc\n"
    )
    data = formats.dumps(formats.loads(text), kind)
    assert_streams_as(formats.loads(data, kind), Stream(data.decode().splitlines()))


def test_events_come_as_soon_as_their_lines() -> None:
    def endless() -> Iterator[bytes]:
        yield b"\xef\xbb\xbf# a comment\n"
        yield b"\n"
        for i in itertools.count():
            yield f"T{i % 2} w x {i + 1}\n".encode()

    first = next(iter(Stream(endless())))
    assert first == Event(0, 0, 1, 0, 1, -1, NO_VALUE, 1, None, (), 3)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("T1 r x 1\nT0 w x 1\n", 1, 8, "nothing has written 1 to this location yet"),
        ("T1 r x 1 rf=a\nT0 w x 1 id=a\n", 1, 13, "no event so far is called 'a'"),
        ("T0 w x 1\nT0 w x 1\nT1 r x 1\n", 3, 8, "which of 2 writes"),
        ("T0 w x 0\nT1 r x 0\n", 2, 8, "which of 2 writes"),
        ("T0 w x 1 id=a\nT1 r x 2 rf=a\n", 2, 8, "line 1 writes another value"),
        ("T1 r x 2 rf=init\n", 1, 8, "starts with another value"),
        ("T0 r x 0 id=a\nT1 r x 0 rf=a\n", 2, 13, "'a' (line 1) does not write"),
        ("T0 w y 1 id=a\nT1 r x 1 rf=a\n", 2, 13, "'a' (line 1) writes another location"),
        ("T0 r x _\n", 1, 8, "nothing says what is read here"),
        ("T0 w x 1\ninit x 1\n", 2, 6, "'x' was already used"),
        ("init x 1\ninit x 1\n", 2, 6, "'x' already has an initial value"),
        ("T0 w x 1 id=a\nT1 w x 2 id=a\n", 2, 13, "the id 'a' is already taken"),
        ("T0 w x 1 data=b\nT0 w x 2 id=b\n", 1, 15, "no event is called 'b'"),
        ("T0 w x 1 id=b data=b\n", 1, 20, "cannot depend on itself"),
        ("T0 w x 1 id=b\nT1 w x 1 data=b\n", 2, 15, "'b' belongs to another thread"),
    ],
)
def test_what_must_come_first(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(Stream(text.splitlines(), source="s"))
    assert message in caught.value.message
    assert (caught.value.source, caught.value.line, caught.value.column) == ("s", line, column)


def test_json_streams_place_their_errors() -> None:
    lines = [
        '{"thread":"T0","op":"w","loc":"x","value":1}',
        '{"thread":"T1","op":"u","loc":"x","read":2,"write":3}',
    ]
    with pytest.raises(FormatError, match="nothing has written 2") as caught:
        list(Stream(lines))
    assert (caught.value.line, caught.value.column) == (2, 42)
    with pytest.raises(FormatError, match="not UTF-8"):
        list(Stream([b"T0 w x\xff 1\n"]))
