"""Files that are written are whole, or what was there before stays: whatever ends the writing."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from porf.files import replacing


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("end", [OSError, KeyboardInterrupt, MemoryError])
def test_what_is_not_finished_changes_nothing(end: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(end), replacing(path) as file:
        file.write(b"new" * 100_000)
        raise end
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    for content in (b"first", b"second"):
        with replacing(path) as file:
            file.write(content)
        assert path.read_bytes() == content
    path.chmod(0o640)
    link.symlink_to("file")
    with replacing(link) as file:
        file.write(b"third")
    assert link.is_symlink() and path.read_bytes() == b"third"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with replacing(tmp_path / "own", private=True):
        pass
    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o600
    assert names(tmp_path) == ["file", "link", "own"]


def test_what_is_no_plain_file_is_written_as_it_is(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    with replacing(pipe) as file:
        file.write(b"through")
    reader.join()
    assert got == [b"through"]
    with replacing(os.devnull) as file:
        file.write(b"gone")
    with pytest.raises(OSError, match="No space"), replacing("/dev/full") as file:
        file.write(b"too much")


def test_what_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "file", tmp_path / "\0", tmp_path / ("a" * 300)):
        with pytest.raises(OSError), replacing(path):
            pytest.fail("it cannot be opened")
    assert names(tmp_path) == []
