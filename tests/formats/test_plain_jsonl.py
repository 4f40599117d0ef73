"""The core's reader of plain JSON Lines and the patient one agree on all that the core dares to read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porf import _core, formats
from porf.errors import FormatError
from porf.execution import Execution
from porf.formats.jsonl import read_patiently
from porf.formats.text import executed
from tests.formats.histories import assert_same, executions

NUMBERS = [0, 1, 2, -1, None, 2**63 - 1, -(2**63) + 1, -(2**63), 2**63, 2**64, 1.0, True]
VALUE = st.sampled_from([*NUMBERS, "1", "on", "0x1F", "a b", "3f", "rel", "_", "->"])
TIMES = [0, 1.5, -2, 10**18, 0.001, None, True, [1, 2], [1.25, None], [2, 1], [1]]
TIME = st.sampled_from([*TIMES, "3..4", "3..", "5", "noon"])
NAME = st.sampled_from(["a", "b", "T0", "x", "init", "", "a,b", "a b", "é", "a=b", "#", "\x7f", '"', None, 1])
IDS = st.one_of(st.lists(st.sampled_from(["a", "b", "", "é"]), max_size=3), st.none(), st.just("a"))
FIELDS = {
    "thread": st.one_of(st.just("T0"), NAME),
    "op": st.sampled_from(["r", "w", "u", "f", "read", "update", "q", None]),
    "loc": st.one_of(st.just("x"), NAME),
    "value": VALUE,
    "read": VALUE,
    "write": VALUE,
    "order": st.sampled_from(["rlx", "sc", "acq_rel", "seq", None]),
    "id": NAME,
    "rf": st.one_of(st.just("init"), NAME),
    "addr": IDS,
    "ctrl": IDS,
    "init": NAME,
    "other": NAME,
    "time": TIME,
    "src": st.sampled_from(["main.c:1", "a b", "", 1, None]),
    "note:a": NAME,
    "note: ": NAME,
}


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Objects that are mostly right, spelled in the ways that JSON allows."""
    out = []
    for _ in range(draw(st.integers(1, 4))):
        fields: dict[str, Any] = {"thread": "T0", "op": draw(st.sampled_from("wwrf"))}
        if fields["op"] != "f":
            fields |= {"loc": "x", "value": draw(st.integers(0, 2))}
        for key in draw(st.lists(st.sampled_from(list(FIELDS)), max_size=3)):
            fields[key] = draw(FIELDS[key])
        spaced = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " :\r")]))
        out.append(json.dumps(fields, separators=spaced, ensure_ascii=draw(st.booleans())))
    return draw(st.sampled_from(["\n", "\r\n", "\n\n", " \n"])).join(out).encode()


def plain(parsed: _core.Parsed) -> bool:
    """Whether the core has read it all; where it has not, nothing may hang on it."""
    return parsed.parse_fault is None and parsed.resolve_fault is None and len(parsed.thread) > 0


def assert_readers_agree(data: bytes) -> None:
    parsed = _core.parse_jsonl(data)
    if plain(parsed):
        assert_same(read_patiently(data, "h"), executed(parsed, "h"))
        return
    errors = []
    for read in (formats.jsonl.read, read_patiently):
        try:
            assert isinstance(read(data, "h"), Execution)
        except FormatError as error:
            errors.append(str(error))
    assert len(errors) in (0, 2) and len(set(errors)) <= 1


@settings(max_examples=1000)
@given(lines())
def test_the_readers_agree(data: bytes) -> None:
    assert_readers_agree(data)


@given(lines(), st.data())
def test_the_readers_agree_on_damage(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data)))
    cut = draw.draw(st.integers(0, 3))
    put = draw.draw(
        st.sampled_from([b"", b",", b"}", b"]", b'"', b"0", b".", b"e1", b" ", b"\n", b"\x0b", b"-", b"\xff"])
    )
    assert_readers_agree(data[:at] + put + data[at + cut :])


@given(executions())
def test_the_core_reads_what_is_written(execution: Execution) -> None:
    data = formats.dumps(execution, "jsonl")
    if b"\\" not in data and execution.tag is None:  # tags are rare
        assert plain(_core.parse_jsonl(data))
    assert_readers_agree(data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"thread":"\\u0041","op":"f"}',
        b'{"thread":"A","op":"f","order":"sc"} 1',
        b'{"thread":"A","op":"f",}',
        b"",
        b"\n",
    ],
)
def test_what_is_not_plain_is_left_to_the_patient_reader(data: bytes) -> None:
    assert not plain(_core.parse_jsonl(data))
