"""Loading and saving files: which format, which errors, and how large a piece of garbage may be."""

from __future__ import annotations

import io
import os
import resource
import sys
import time
from pathlib import Path

import pytest

from porf import formats
from porf.errors import FormatError, UsageError
from porf.generate import weak
from tests.formats.histories import assert_same

EXECUTION = weak(50, seed=3)


EXTENSIONS = {extension: name for name in formats.BOTH for extension in formats.FORMATS[name].extensions}


@pytest.mark.parametrize("extension", [*EXTENSIONS, ".TXT", ".NPZ"])
def test_the_extension_says_the_format(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"history{extension}"
    formats.save(EXECUTION, path)
    assert path.read_bytes() == formats.dumps(EXECUTION, EXTENSIONS[extension.lower()])
    loaded = formats.load(path)
    assert_same(EXECUTION, loaded)
    assert loaded.source == str(path)


@pytest.mark.parametrize("kind", formats.BOTH)
def test_without_an_extension_the_content_says_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "history"
    formats.save(EXECUTION, path, kind)
    assert_same(EXECUTION, formats.load(str(path)))
    wrong = tmp_path / "history.txt"
    formats.save(EXECUTION, wrong, kind)
    assert_same(EXECUTION, formats.load(wrong, kind))


@pytest.mark.parametrize("kind", formats.BOTH)
def test_standard_input_and_output(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
    formats.save(EXECUTION, "-", kind)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.getvalue())))
    loaded = formats.load("-")
    assert_same(EXECUTION, loaded)
    assert loaded.source == "<stdin>"


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "history.txt").write_text("T0 w x 1\n")
    with pytest.raises(FormatError, match="this is a directory"):
        formats.load(tmp_path)
    with pytest.raises(FormatError, match="no such file") as caught:
        formats.load(tmp_path / "histroy.txt")
    assert caught.value.hint == "did you mean 'history.txt'?"
    for path in (tmp_path / "a" / "b.txt", tmp_path / "history.txt" / "x", "\0"):
        with pytest.raises(FormatError):
            formats.load(path)
        with pytest.raises(UsageError, match="cannot be written"):
            formats.save(EXECUTION, path, "text")
    with pytest.raises(UsageError, match="unknown format 'jsno'"):
        formats.load(tmp_path / "history.txt", "jsno")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "history.txt"
    path.write_text("T0 w x 1\n")
    path.chmod(0)
    with pytest.raises(FormatError, match="cannot be read"):
        formats.load(path)


@pytest.mark.parametrize("kind", ["text", "jsonl", "npz"])
@pytest.mark.parametrize(
    "piece",
    [b"\x00\xff", b"a", b"a b c\n", b"{", b"\n", b'"', b" ", b"T0 w x 1 data="],
    ids=lambda piece: repr(piece)[1:],
)
def test_large_garbage_fails_fast(kind: str, piece: bytes) -> None:
    data = piece * (20_000_000 // len(piece))
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    with pytest.raises(FormatError) as caught:
        formats.loads(data, kind)
    assert len(str(caught.value)) < 1000
    assert time.perf_counter() - start < 3
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 250_000  # in kB
