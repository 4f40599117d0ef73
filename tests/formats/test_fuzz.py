"""Whatever bytes come, a reader gives an execution or a FormatError, and what it gives can be written."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from porf import formats
from porf.errors import FormatError
from porf.execution import Execution
from porf.formats.stream import Stream
from tests.formats.histories import executions

TOKENS = [
    "T0",
    "T1",
    "init",
    "r",
    "w",
    "u",
    "f",
    "x",
    "y",
    "0",
    "1",
    "-1",
    "0x1",
    "0->1",
    "1->1",
    "_",
    "_->_",
    "rlx",
    "acq",
    "sc",
    "id=a",
    "id=b",
    "rf=a",
    "rf=b",
    "rf=init",
    "data=a",
    "ctrl=b,a",
    "#",
    "=",
    "\n",
]
PIECES = st.lists(st.sampled_from([*TOKENS, "\n", "\n", "é", "\r"]), max_size=60).map(lambda p: " ".join(p).encode())
JSON = st.lists(
    st.sampled_from(
        [
            *["{", "}", "[", "]", ",", ":", '"', "\n"],
            *[
                '"thread"',
                '"op"',
                '"loc"',
                '"T0"',
                '"w"',
                '"x"',
                '"value"',
                "1",
                "null",
                '"init"',
                '"rf"',
                '"id"',
            ],
        ]
    ),
    max_size=40,
).map(lambda pieces: "".join(pieces).encode())


def read(data: bytes, kind: str) -> None:
    try:
        execution = formats.loads(data, kind)
    except FormatError as error:
        assert str(error)
        return
    for other in formats.BOTH:
        formats.loads(formats.dumps(execution, other), other)


@pytest.mark.parametrize("kind", formats.BOTH)
@given(data=st.one_of(st.binary(max_size=200), PIECES, JSON))
def test_any_bytes(kind: str, data: bytes) -> None:
    read(data, kind)


@settings(max_examples=400)
@given(PIECES)
@example(b"T0 w x 1 id=a\nT0 u x 1->1 rf=a data=a\n")
def test_pieces_of_text(data: bytes) -> None:
    read(data, "text")
    with contextlib.suppress(FormatError):
        list(Stream(data.splitlines(keepends=True)))


@st.composite
def damaged(draw: st.DrawFn, kind: str) -> bytes:
    """A file with some bytes changed, taken out or put in."""
    data = bytearray(formats.dumps(draw(executions(max_events=5)), kind))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        data[at : at + draw(st.integers(0, 4))] = draw(st.binary(max_size=3))
    return bytes(data)


@pytest.mark.parametrize("kind", formats.BOTH)
@given(st.data())
def test_damaged_files(kind: str, data: st.DataObject) -> None:
    raw = data.draw(damaged(kind))
    read(raw, kind)
    if kind != "npz":
        with contextlib.suppress(FormatError):
            list(Stream(raw.splitlines(keepends=True)))


@given(executions(max_events=6), st.data())
def test_npz_with_wrong_numbers(execution: Execution, data: st.DataObject) -> None:
    """Columns whose headers are whole but whose numbers are anything: no index may be followed unchecked."""
    import io

    import numpy as np

    arrays = dict(np.load(io.BytesIO(formats.dumps(execution, "npz"))))
    name = data.draw(st.sampled_from([key for key, array in arrays.items() if array.dtype.kind in "iu" and array.size]))
    flat = arrays[name].reshape(-1)
    limits = np.iinfo(flat.dtype)
    flat[data.draw(st.integers(0, flat.size - 1))] = data.draw(st.integers(int(limits.min), int(limits.max)))
    out = io.BytesIO()
    np.savez(out, **arrays)
    read(out.getvalue(), "npz")
