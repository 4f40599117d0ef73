"""The npz form: types that fit are taken, all else is refused by array, index and value; damage too."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import pytest

from porf import formats
from porf.errors import FormatError
from porf.execution import NO_VALUE

BASE: dict[str, Any] = {
    "thread": [0, 0, 1, 1],
    "op": [1, 3, 0, 2],
    "loc": [0, -1, 0, 0],
    "order": [1, 5, 1, 1],
    "rf": [7, 9, 0, -1],
    "written_value": [5, 0, 0, 6],
    "read_value": [3, 3, 5, 0],
}
DTYPES = {"op": np.uint8, "order": np.uint8, "read_value": np.int64, "written_value": np.int64}


def npz(**changes: Any) -> bytes:
    arrays = {
        name: value if isinstance(value, np.ndarray) else np.array(value, DTYPES.get(name, np.int32))
        for name, value in {**BASE, **changes}.items()
        if value is not None
    }
    out = io.BytesIO()
    np.savez(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def test_columns_are_normalised() -> None:
    execution = formats.loads(npz(), "npz")
    assert execution.rf.tolist() == [-1, -1, 0, -1]
    assert execution.read_value is not None and execution.written_value is not None
    assert execution.read_value.tolist() == [NO_VALUE, NO_VALUE, 5, 0]
    assert execution.written_value.tolist() == [5, NO_VALUE, NO_VALUE, 6]
    assert execution.thread_names == ["T0", "T1"] and execution.loc_names == ["x0"]
    assert execution.init_value.tolist() == [0]


def test_other_integers_that_fit_are_taken() -> None:
    wide = {name: np.array(BASE[name], np.int64) for name in ("thread", "op", "loc", "order", "rf")}
    execution = formats.loads(npz(**wide, read_value=np.array([0, 0, 5, 0], np.uint16)), "npz")
    assert execution.thread.dtype == execution.rf.dtype == np.int32
    assert execution.op.dtype == execution.order.dtype == np.uint8
    assert execution.read_value is not None and execution.read_value.dtype == np.int64
    big_endian = formats.loads(npz(rf=np.array(BASE["rf"], ">i4")), "npz")
    assert big_endian.rf.tolist() == execution.rf.tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"order": None}, "missing column: order"),
        ({"order": None, "rf": None}, "missing columns: order, rf"),
        ({"read_valeu": [1]}, "unknown array 'read_valeu'"),
        ({"rf": [0, 0, 0]}, "rf has 3 entries, thread has 4"),
        ({"thread": []}, "no events"),
        ({"thread": [[0], [0]]}, "thread has 2 dimensions instead of 1"),
        ({"thread": [0, 0, -1, 1]}, "thread[2] = -1 is out of range"),
        ({"thread": [0, 0, 9, 1]}, "thread[2] = 9 is out of range (4 events)"),
        ({"thread_names": np.array(["a"])}, "thread[2] = 1 is out of range (1 threads)"),
        ({"op": [1, 3, 4, 2]}, "op[2] = 4 is not an operation"),
        ({"order": [1, 6, 1, 1]}, "order[1] = 6 is not an order"),
        ({"loc": [0, 0, 0, 0]}, "loc[1] = 0 but the event is a fence"),
        ({"loc": [0, -1, -1, 0]}, "loc[2] = -1 but the event is not a fence"),
        ({"loc": [0, -1, -2, 0]}, "loc[2] = -2 is out of range"),
        ({"loc": [0, -1, 0, 2_000_000_000]}, "loc[3] = 2000000000 is out of range (4 events)"),
        ({"loc": [0, -1, 0, 1], "init_value": np.array([0])}, "loc[3] = 1 is out of range (1 locations)"),
        ({"rf": [0, 0, 99, -1]}, "rf[2] = 99 is out of range (4 events)"),
        ({"rf": [0, 0, -3, -1]}, "rf[2] = -3 is out of range (4 events)"),
        ({"rf": [0, 0, 1, -1]}, "rf[2] = 1 is not a write"),
        ({"tag": [-1, 0, -1, -1], "tag_names": np.array(["mfence"])}, "order[1] = 5, but tag[1] says what"),
        ({"rf": [0, 0, 0, 0], "loc": [0, -1, 0, 1]}, "rf[3] = 0 is a write to another location"),
        ({"read_value": [0, 0, 4, 0]}, "read_value[2] = 4 but the write it reads from writes 5"),
        ({"read_value": [0, 0, 5, 1]}, "read_value[3] = 1 but the write it reads from writes 0"),
        ({"rf": np.array([0.0, 0, 0, -1])}, "rf is of type float64"),
        ({"rf": np.array([0, 0, 0, 2**31])}, "rf[3] = 2147483648 does not fit int32"),
        ({"op": np.array([1, 3, -1, 2])}, "op[2] = -1 does not fit uint8"),
        ({"rf": np.array([None] * 4)}, "the array 'rf' cannot be read"),
        ({"thread_names": [1, 2]}, "thread_names is of type int32"),
        ({"thread_names": np.array(["a", "a"])}, "thread_names has 'a' twice"),
        ({"thread_names": np.array(["a", "init"])}, "thread_names[1] = 'init' is not a name"),
        ({"loc_names": np.array(["a b"])}, "loc_names[0] = 'a b' is not a name"),
        (
            {"loc_names": np.array(["a", "b"]), "init_value": np.array([0])},
            "loc_names has 2 entries, init_value has 1",
        ),
        ({"id_rows": [0]}, "id_rows and id_names go together"),
        ({"id_rows": [0], "id_names": np.array(["a", "b"])}, "id_rows has 1 entries, id_names has 2"),
        ({"id_rows": [4], "id_names": np.array(["a"])}, "id_rows[0] = 4 is out of range (4 events)"),
        ({"id_rows": [1, 1], "id_names": np.array(["a", "b"])}, "id_rows has 1 twice"),
        ({"id_rows": [1], "id_names": np.array(["a,b"])}, "id_names[0] = 'a,b' is not an id"),
        ({"data": [0, 1]}, "data has 1 dimensions instead of 2"),
        ({"data": [[0, 1]]}, "data has shape (1, 2)"),
        ({"data": [[0], [9]]}, "data[1,0] = 9 is out of range (4 events)"),
        ({"addr": [[0], [2]]}, "addr[0,0] = 0 and addr[1,0] = 2 are of different threads"),
        ({"ctrl": [[0, 3], [1, 2]]}, "ctrl[0,1] = 3 does not come before ctrl[1,1] = 2"),
        ({"ctrl": [[3], [3]]}, "ctrl[0,0] = 3 does not come before ctrl[1,0] = 3"),
    ],
)
def test_wrong_columns(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.loads(npz(**changes), "npz", source="h.npz")
    assert message in str(caught.value)
    assert str(caught.value).startswith("h.npz: ")


def test_ids_may_come_in_any_order() -> None:
    execution = formats.loads(npz(id_rows=[3, 0], id_names=np.array(["c", "a"])), "npz")
    assert execution.id_rows.tolist() == [0, 3] and list(execution.id_names) == ["a", "c"]


def test_damage() -> None:
    whole = npz(thread_names=np.array(["a", "b"]))
    for cut in range(0, len(whole), 37):
        with pytest.raises(FormatError):
            formats.loads(whole[:cut], "npz")
    for data in (b"", b"PK\x03\x04", b"T0 w x 1\n", b"\x93NUMPY", bytes(1000)):
        with pytest.raises(FormatError, match="not an npz file"):
            formats.loads(data, "npz")


def test_a_header_that_promises_too_much() -> None:
    """Neither a huge shape nor a strange header may take memory or raise anything else."""
    shapes = ("10000000000000,", "2**40", "-1,", "True,", "3, 3")
    headers = [f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({shape}), }}" for shape in shapes]
    empty = "{'descr': '<U0', 'fortran_order': False, 'shape': (10000000000000,), }"
    for header in (*headers, empty, "{'descr': __import__", "(", "1"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, values in BASE.items():
                body = io.BytesIO()
                np.save(body, np.array(values, np.int32))
                archive.writestr(f"{name}.npy", body.getvalue())
            text = header.ljust(117) + "\n"
            archive.writestr("init_value.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode())
        with pytest.raises(FormatError, match="init_value"):
            formats.loads(out.getvalue(), "npz")
