"""What is kept between calls: found again, never when it is damaged or someone else's, never more than the limit."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from porf import cache
from porf.language.model_file import load_model_file
from porf.programs.form import Cell, Object, Place


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    return tmp_path / "porf" / "things"


def test_what_is_put_is_found(folder: Path) -> None:
    value = Object("x", 8, (Cell(0, 8, "x"),), Place(1, 2, "a.c"))
    assert cache.get("things", "key") is None
    cache.put("things", "key", value)
    assert cache.get("things", "key") == value and cache.get("others", "key") is None
    assert [path.name for path in folder.iterdir()] == ["key"]
    assert folder.parent.stat().st_mode & 0o777 == folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "key").stat().st_mode & 0o777 == 0o600


def test_words_tell_values_apart() -> None:
    values = [(), ("a",), ("a", "b"), ("ab",), (b"a",), (["a"],), (1,), ("1",), (b"1", b"2"), (b"12",)]
    assert len({cache.word(*value) for value in values}) == len(values)


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 100])
def test_damaged_entries_are_ignored(folder: Path, damage: bytes) -> None:
    cache.put("things", "key", [1, 2, 3])
    whole = (folder / "key").read_bytes()
    for data in (damage, whole[:-1], whole[:20], whole[:16] + damage, whole[:-1] + b"!", whole + damage + b"!"):
        (folder / "key").write_bytes(data)
        assert cache.get("things", "key") is None
    cache.put("things", "key", [1, 2, 3])
    assert cache.get("things", "key") == [1, 2, 3]


class Foreign:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("echo this must not run",)


@pytest.mark.parametrize("value", [Foreign(), Path("x"), os.system])
def test_only_classes_of_porf_are_made(value: object, capfd: pytest.CaptureFixture[str]) -> None:
    cache.put("things", "key", value)
    assert cache.get("things", "key") is None
    assert capfd.readouterr().out == ""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_what_others_can_write_is_not_read(folder: Path) -> None:
    cache.put("things", "key", 1)
    (folder / "key").chmod(0o622)
    assert cache.get("things", "key") is None
    (folder / "key").chmod(0o600)
    folder.chmod(0o777)
    assert cache.get("things", "key") is None
    folder.chmod(0o700)
    assert cache.get("things", "key") == 1


@pytest.mark.parametrize("base", [os.devnull, "relative"])
def test_without_a_folder_nothing_is_kept(base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    cache.put("things", "key", 1)
    assert cache.get("things", "key") is None and not cache.is_on()


def test_it_can_be_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("things", "key", 1)
    monkeypatch.setenv(cache.VARIABLE, "off")
    cache.put("things", "other", 1)
    assert cache.get("things", "key") is None and not cache.is_on()
    assert [path.name for path in folder.iterdir()] == ["key"]


def test_the_least_recently_used_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 3000)
    for at, key in enumerate("abc"):
        cache.put("things", key, bytes(800))
        os.utime(folder / key, (at, at))
    assert cache.get("things", "a") is not None  # so that b is the oldest
    cache.put("things", "d", bytes(800))
    assert sorted(path.name for path in folder.iterdir()) == ["d"] or cache.get("things", "b") is None
    assert cache.get("things", "d") is not None
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 3000


def test_many_small_entries_are_not_too_many_for_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 20_000)
    for n in range(600):
        cache.put("things", f"{n}", bytes([n % 256, n // 256, *range(98)]))
        os.utime(folder / f"{n}", (n, n))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 2 * 20_000
    assert cache.get("things", "599") is not None and cache.get("things", "0") is None


def _write(number: int) -> bool:
    value = [number] * 10_000
    for _ in range(50):
        cache.put("things", "key", value)
        found = cache.get("things", "key")
        if found is None or len(found) != 10_000 or len(set(found)) != 1:
            return False
    return True


def test_writers_at_the_same_time_leave_whole_entries(folder: Path) -> None:
    with ProcessPoolExecutor(3) as pool:
        assert all(pool.map(_write, range(3)))
    assert [path.name for path in folder.iterdir()] == ["key"]


def test_what_is_nested_too_deeply_is_not_kept(folder: Path) -> None:
    value: tuple[object, ...] = ()
    for _ in range(100_000):
        value = (value,)
    cache.put("things", "key", value)
    assert cache.get("things", "key") is None


def test_a_model_file_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.cat"
    path.write_text('"own"\nlet c = rf | mo | fr\nacyclic po | c as order\n')
    first = load_model_file(path)
    monkeypatch.setattr("porf.language.model_file.parse", None)  # it would be called
    again = load_model_file(path)
    assert (again.axioms, again.compiled.code) == (first.axioms, first.compiled.code)
    assert again.axioms[0].text == "po | c"
    path.write_text('"own"\nacyclic po | rf as order\n')
    with pytest.raises(TypeError):
        load_model_file(path)
