"""Wrong files, each through the command line: exit code 2, the place, a caret where there are lines, and a hint."""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from porf.cli import main

TEXT = {
    "unknown op": ("T0 write x 1\n", 1, 4, 5, "unknown operation 'write'", "did you mean 'w'?"),
    "unknown order": ("T0 w x 1 release\n", 1, 10, 7, "unknown order 'release'", "did you mean 'rel'?"),
    "unknown key": ("T0 w x 1 di=a\n", 1, 10, 2, "unknown key 'di'", "did you mean 'id'?"),
    "no op": ("T0\n", 1, 3, 1, "the operation is missing", "T0 w x 1 rel id=a"),
    "no location": ("T0 w\n", 1, 5, 1, "the location is missing", "T0 w x 1 rel id=a"),
    "no value": ("T0 w x\n", 1, 7, 1, "the value is missing", "`_`"),
    "duplicate id": ("T0 w x 1 id=a\nT0 w x 2 id=a\n", 2, 13, 1, "already taken", "line 1 has it"),
    "rf to a read": ("T0 r x 0 id=a\nT1 r x 0 rf=a\n", 2, 13, 1, "'a' (line 1) does not write", "a write or an update"),
    "rf elsewhere": ("T0 w y 1 id=a\nT1 r x 1 rf=a\n", 2, 13, 1, "another location", "its own location"),
    "rf unknown": ("T0 w x 1 id=ab\nT1 r x 1 rf=ac\n", 2, 13, 2, "no event is called 'ac'", "did you mean 'ab'?"),
    "rf unknown, nothing near": ("T1 r x 0 rf=zz\n", 1, 13, 2, "no event is called 'zz'", "id=ID"),
    "unwritten value": ("T0 w x 1\nT1 r x 2\n", 2, 8, 1, "nothing writes 2", "starts with 0 unless"),
    "two starts": ("init x _\nT0 r x 1\nT0 r x 2\n", 3, 8, 1, "cannot have started with 2", "line 2 shows"),
    "update without arrow": ("T0 u x 1\n", 1, 8, 1, "an update needs two values", "0->1"),
    "later dependency": ("T0 w x 2 addr=a\nT0 w x 3 id=a\n", 1, 15, 1, "comes later", "it is on line 2"),
    "foreign dependency": ("T0 r x 0 id=a\nT1 w x 2 addr=a\n", 2, 15, 1, "another thread", "the same thread"),
    "control characters": ("T0 w x\x07 1\n", 1, 7, 1, "control character", "binary"),
}
EVENT = '{"thread":"T0","op":"w","loc":"x","value":1}\n'
JSON = {
    "unknown op": (EVENT + '{"thread":"T0","op":"wrote","loc":"x","value":1}', 2, 'unknown op "wrote"', "w"),
    "unknown order": ('{"thread":"T0","op":"w","loc":"x","value":1,"order":"release"}', 1, "order", "rel"),
    "unknown key": ('{"thread":"T0","op":"w","loc":"x","val":1}', 1, "val", "value"),
    "no thread": ('{"op":"w","loc":"x","value":1}', 1, "thread", ""),
    "no location": ('{"thread":"T0","op":"w","value":1}', 1, "loc", ""),
    "duplicate id": ('{"thread":"T0","op":"f","id":"a"}\n' * 2, 2, "a", "line 1"),
    "rf to a fence": ('{"thread":"T0","op":"f","id":"a"}\n{"thread":"T0","op":"r","loc":"x","rf":"a"}', 2, "write", ""),
    "rf unknown": ('{"thread":"T0","op":"r","loc":"x","rf":"a"}', 1, "no event is called 'a'", ""),
    "unwritten value": (EVENT + '{"thread":"T1","op":"r","loc":"x","value":7}', 2, "nothing writes 7", "init"),
    "no value": (EVENT * 2 + '{"thread":"T1","op":"r","loc":"x"}', 3, "nothing says what is read", '"rf": "?"'),
    "not JSON": ('{"thread":"T0",\n', 1, "not JSON", "one JSON object"),
    "a list": (EVENT + "[1]\n", 2, "object", ""),
    "nested deeply": (EVENT + '{"a":' * 100_000 + "\n", 2, "JSON", ""),
}


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of the one complaint that a refused call prints."""
    assert main(["check", "-m", "ra", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.startswith("error: ")
    assert said.err.count("error: ") == 1
    assert len(said.err) < 2000
    return said.err.removeprefix("error: ").splitlines()


def place_of(lines: list[str]) -> tuple[str, int, int]:
    """File, line and column of a complaint that also shows the line, a caret below it, and a hint."""
    match = re.match(r"(.+?):(\d+):(\d+): .", lines[0])
    assert match, lines
    assert len(lines) == 4
    assert re.fullmatch(r" *\^+", lines[2])
    assert lines[3].startswith("  hint: ")
    return match[1], int(match[2]), int(match[3])


@pytest.mark.parametrize("name", TEXT)
def test_wrong_text(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, line, column, width, message, hint = TEXT[name]
    path = tmp_path / "h.txt"
    path.write_text(text)
    lines = complaint(capsys, str(path))
    assert place_of(lines) == (str(path), line, column)
    assert message in lines[0]
    assert lines[1].replace(" ", "") == "".join(c for c in text.split("\n")[line - 1] if c > " ")
    assert lines[2] == " " * (column + 1) + "^" * width
    assert hint in lines[3]


@pytest.mark.parametrize("name", JSON)
def test_wrong_json(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, line, message, hint = JSON[name]
    path = tmp_path / "h.jsonl"
    path.write_text(text)
    lines = complaint(capsys, str(path))
    assert place_of(lines)[:2] == (str(path), line)
    assert message in lines[0]
    assert hint in lines[3]


def test_an_unknown_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "h.txt"
    path.write_text("T0 w x 1\n")
    assert main(["check", str(path), "-m", "released-acquire"]) == 2
    assert "hint: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "line", "column"), [(b"T0 w x 1\nT0 w \xff 1\n", 2, 6), (b"\xff\xfeT\x000\x00", 1, 1)]
)
def test_text_that_is_not_utf8(
    data: bytes, line: int, column: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "h.txt"
    path.write_bytes(data)
    lines = complaint(capsys, str(path))
    assert place_of(lines) == (str(path), line, column)
    assert "UTF-8" in lines[0]
    assert lines[3] == "  hint: save the file as UTF-8"


# npz: there are no lines; the array and the index are the place

N = 4
FINE: dict[str, Any] = {
    "thread": np.array([0, 0, 1, 1], np.int32),
    "op": np.array([1, 0, 2, 3], np.uint8),
    "loc": np.array([0, 0, 0, -1], np.int32),
    "order": np.array([1, 1, 4, 4], np.uint8),
    "rf": np.array([-1, 0, 0, -1], np.int32),
}


def at(name: str, index: int, value: int, dtype: type | None = None) -> dict[str, Any]:
    column = FINE[name].astype(dtype or FINE[name].dtype)
    column[index] = value
    return {name: column}


NPZ: dict[str, tuple[dict[str, Any], str]] = {
    "rf past the end": (at("rf", 1, 4), "rf[1] = 4 is out of range (4 events)"),
    "rf before the initial value": (at("rf", 1, -3), "rf[1] = -3 is out of range"),
    "rf to a read": (at("rf", 2, 1), "rf[2] = 1 is not a write"),
    "rf elsewhere": ({**at("loc", 0, 1), "init_value": np.zeros(2, np.int64)}, "rf[1] = 0 is a write to another"),
    "thread": (at("thread", 2, -1), "thread[2] = -1 is out of range"),
    "many threads": (at("thread", 2, 2_000_000_000), "thread[2] = 2000000000 is out of range"),
    "op": (at("op", 3, 4), "op[3] = 4 is not an operation"),
    "order": (at("order", 3, 6), "order[3] = 6 is not an order"),
    "loc of a fence": (at("loc", 3, 0), "loc[3] = 0 but the event is a fence"),
    "loc of a read": (at("loc", 1, -1), "loc[1] = -1 but the event is not a fence"),
    "many locations": (at("loc", 1, 2_000_000_000), "loc[1] = 2000000000 is out of range"),
    "too wide": (at("rf", 1, 2**40, np.int64), "rf[1] = 1099511627776 does not fit int32"),
    "negative op": (at("op", 0, -1, np.int64), "op[0] = -1 does not fit uint8"),
    "floats": ({"rf": FINE["rf"].astype(float)}, "rf is of type float64"),
    "strings": ({"thread": np.array(["a"] * N)}, "thread is of type <U1"),
    "objects": ({"thread": np.array([None] * N, object)}, "the array 'thread' cannot be read"),
    "two dimensions": ({"op": FINE["op"].reshape(2, 2)}, "op has 2 dimensions instead of 1"),
    "shorter": ({"order": FINE["order"][:3]}, "order has 3 entries, thread has 4"),
    "longer values": ({"read_value": np.zeros(5, np.int64)}, "read_value has 5 entries, thread has 4"),
    "missing": ({"rf": None, "op": None}, "missing columns: op, rf"),
    "misspelt": ({"rff": FINE["rf"]}, "unknown array 'rff'"),
    "values disagree": (
        {"read_value": np.array([0, 5, 1, 0]), "written_value": np.array([1, 0, 2, 0])},
        "read_value[1] = 5 but the write it reads from writes 1",
    ),
    "no events": ({name: column[:0] for name, column in FINE.items()}, "no events"),
    "names twice": ({"thread_names": np.array(["a", "a"])}, "thread_names has 'a' twice"),
    "names of numbers": ({"thread_names": np.array([1, 2])}, "thread_names is of type int64"),
    "bad name": ({"loc_names": np.array(["a b"])}, "loc_names[0] = 'a b' is not a name"),
    "a name beyond Unicode": ({"loc_names": np.array([0x110000], np.uint32).view("<U1")}, "0x110000 is no character"),
    "half a character": ({"thread_names": np.array(["a", "\ud800"])}, "0xd800 is no character"),
    "threads below 0": ({"thread": np.full(N, -1, np.int32)}, "thread[0] = -1 is out of range (0 threads)"),
    "locations below 0": (at("loc", 0, -7), "loc[0] = -7 is out of range"),
    "too few names": ({"thread_names": np.array(["a"])}, "thread[2] = 1 is out of range (1 threads)"),
    "id rows alone": ({"id_rows": np.array([1], np.int32)}, "id_rows and id_names go together"),
    "id out of range": ({"id_rows": np.array([9]), "id_names": np.array(["a"])}, "id_rows[0] = 9 is out of range"),
    "id twice": ({"id_rows": np.array([1, 1]), "id_names": np.array(["a", "b"])}, "id_rows has 1 twice"),
    "later dependency": ({"addr": np.array([[1], [0]])}, "addr[0,0] = 1 does not come before addr[1,0] = 0"),
    "foreign dependency": ({"data": np.array([[1], [2]])}, "are of different threads"),
    "dependency range": ({"ctrl": np.array([[1], [7]])}, "ctrl[1,0] = 7 is out of range"),
    "dependency shape": ({"ctrl": np.array([[1, 2]])}, "ctrl has shape (1, 2)"),
}


@pytest.mark.parametrize("name", NPZ)
def test_wrong_npz(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed, message = NPZ[name]
    path = tmp_path / "h.npz"
    arrays = {key: column for key, column in {**FINE, **changed}.items() if column is not None}
    np.savez(path, **arrays)
    lines = complaint(capsys, str(path))
    assert lines[0].startswith(f"{path}: ")
    assert message in lines[0]
    assert lines[1].startswith("  hint: ")


def test_the_fine_npz_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "h.npz", **FINE)
    assert main(["check", str(tmp_path / "h.npz"), "-m", "ra"]) == 0
    capsys.readouterr()


def test_a_truncated_npz(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **FINE)
    whole, path = buffer.getvalue(), tmp_path / "h.npz"
    for end in range(0, len(whole), 97):
        path.write_bytes(whole[:end])
        lines = complaint(capsys, str(path))
        assert lines[0].startswith(f"{path}: ")
        assert lines[1].startswith("  hint: ")


def test_an_npz_with_a_flipped_byte_is_wrong_or_another_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **FINE)
    whole, path = buffer.getvalue(), tmp_path / "h.npz"
    for place in range(0, len(whole), 29):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        assert main(["check", str(path), "-m", "ra"]) in (0, 1, 2)
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damaged_compression(kind: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, buffer = tmp_path / "h.npz", io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name, column in FINE.items():
            array = io.BytesIO()
            np.save(array, column)
            archive.writestr(f"{name}.npy", array.getvalue())
    whole, refused = buffer.getvalue(), 0
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        code = main(["check", str(path), "-m", "ra"])
        said = capsys.readouterr().err
        assert code in (0, 1, 2) and "Traceback" not in said and "bug in porf" not in said
        refused += code == 2
    assert refused > 20


def test_a_zip_of_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "h.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "hello")
    assert "unknown array 'letter.txt'" in complaint(capsys, str(path))[0]


def test_an_npz_header_cannot_promise_more_than_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "h.npz"
    np.savez(path, **FINE)
    huge = io.BytesIO()
    np.lib.format.write_array_header_1_0(huge, {"descr": "<i4", "fortran_order": False, "shape": (2**50,)})
    with zipfile.ZipFile(path, "w") as archive:
        for name, column in FINE.items():
            array = io.BytesIO()
            np.save(array, column)
            archive.writestr(f"{name}.npy", huge.getvalue() if name == "rf" else array.getvalue())
    lines = complaint(capsys, str(path))
    assert "the array 'rf' cannot be read" in lines[0]
    assert lines[1].startswith("  hint: ")


# Files that are no histories


@pytest.mark.parametrize("name", ["h.txt", "h.jsonl", "h.npz", "h", "h.porf"])
def test_an_empty_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(b"")
    lines = complaint(capsys, str(tmp_path / name))
    assert lines[0].startswith(f"{tmp_path / name}: ")
    assert lines[1].startswith("  hint: ")


def test_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = complaint(capsys, str(tmp_path))
    assert lines == [f"{tmp_path}: this is a directory", "  hint: name the files in it"]


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "history.txt").write_text("T0 w x 1\n")
    lines = complaint(capsys, str(tmp_path / "histroy.txt"))
    assert lines == [f"{tmp_path / 'histroy.txt'}: no such file", "  hint: did you mean 'history.txt'?"]


@pytest.mark.parametrize("name", ["h.txt", "h.jsonl", "h.npz", "h"])
@pytest.mark.parametrize("kind", ["bytes", "letters", "one line", "newlines", "braces"])
def test_ten_million_bytes_of_garbage(name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = 10**7
    data = {
        "bytes": os.urandom(size),
        "letters": (b"lorem ipsum dolor sit amet\n" * (size // 27))[:size],
        "one line": b"a" * size,
        "newlines": b"\n" * size,
        "braces": b"{" * size,
    }[kind]
    (tmp_path / name).write_bytes(data)
    lines = complaint(capsys, str(tmp_path / name))
    assert lines[0].startswith(f"{tmp_path / name}:")
    assert lines[-1].startswith("  hint: ")
    assert all(len(line) < 400 for line in lines)
