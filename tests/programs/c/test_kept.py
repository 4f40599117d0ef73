"""Programs that were read before: the same report, and a new reading whenever something has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from porf import cache
from porf.cli import main
from porf.programs.c import kept, read_c
from porf.programs.c import module as reading

PROGRAM = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "value.h"
atomic_int x;
void *run(void *unused) { atomic_store(&x, VALUE); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  assert(atomic_load(&x) != 3);
  pthread_join(t, 0);
}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setattr(kept, "_TICK", 0)
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "value.h").write_text("#define VALUE 2\n")
    (folder / "program.c").write_text(PROGRAM)
    time.sleep(0.02)
    return folder / "program.c"


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many programs were read since the last question."""
    count = 0
    original = reading.module_of

    def counted(*arguments: object) -> object:
        nonlocal count
        count += 1
        return original(*arguments)  # type: ignore[arg-type]

    def asked() -> int:
        nonlocal count
        found, count = count, 0
        return found

    monkeypatch.setattr(reading, "module_of", counted)
    return asked


def report(file: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    code = main(["explore", str(file), "--model", "sc", *options])
    lines = capsys.readouterr().out.splitlines()
    return code, [line.rpartition(", ")[0] if "(trust/" in line else line for line in lines]  # without the time


@pytest.mark.parametrize("value", [2, 3])
def test_a_program_is_read_once(
    file: Path, value: int, readings: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "value.h").write_text(f"#define VALUE {value}\n")
    time.sleep(0.02)
    first = report(file, capsys)
    assert first[0] == (value == 3) and readings() == 1
    assert report(file, capsys) == first and readings() == 0
    read = read_c(str(file))
    assert readings() == 0 and read.source == str(file) and read.templates[0].code[0].place is not None


def test_a_changed_header_counts(file: Path, readings: Callable[[], int], capsys: pytest.CaptureFixture[str]) -> None:
    header = file.parent / "value.h"
    status = header.stat()
    assert report(file, capsys)[0] == 0 and readings() == 1
    header.write_text("#define VALUE 3\n")  # of the same size, and made to look as old
    os.utime(header, ns=(status.st_atime_ns, status.st_mtime_ns))
    time.sleep(0.02)
    assert report(file, capsys)[0] == 1 and readings() == 1
    header.write_text("#define VALUE 2\n")
    time.sleep(0.02)
    assert report(file, capsys)[0] == 0 and readings() == 1
    assert report(file, capsys)[0] == 0 and readings() == 0
    header.unlink()
    assert report(file, capsys)[0] == 2


def test_a_header_that_comes_to_stand_before_another_counts(
    file: Path, readings: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("before", "after"):
        (file.parent / name).mkdir()
    (file.parent / "value.h").rename(file.parent / "after" / "value.h")
    time.sleep(0.02)
    include = ["--", "-I", str(file.parent / "before"), f"-I{file.parent / 'after'}"]
    assert report(file, capsys, *include)[0] == 0 and readings() == 1
    assert report(file, capsys, *include)[0] == 0 and readings() == 0
    (file.parent / "before" / "value.h").write_text("#define VALUE 3\n")
    time.sleep(0.02)
    assert report(file, capsys, *include)[0] == 1 and readings() == 1


def test_arguments_options_and_sources_count(
    file: Path, readings: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "value.h").write_text("#ifndef VALUE\n#define VALUE 2\n#endif\n")
    time.sleep(0.02)
    calls = [(), ("--", "-DVALUE=3"), ("-D", "VALUE=4"), ("--volatile", "relaxed"), ("--allow", "shift")]
    for _ in range(2):
        for call in calls:
            assert report(file, capsys, *call)[0] == (call == calls[1])
    assert readings() == len(calls)
    file.write_text(PROGRAM.replace("!= 3", "!= 2"))
    time.sleep(0.02)
    assert report(file, capsys)[0] == 1 and readings() == 1


@pytest.mark.parametrize(
    "line",
    [
        'const char *date = __DATE__ " " __TIME__;',
        "#if __has_include(<other.h>)\n#endif",
    ],
)
def test_what_depends_on_more_than_files_is_not_kept(
    file: Path, line: str, readings: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(f"{PROGRAM}{line}\n")
    time.sleep(0.02)
    for _ in range(2):
        assert report(file, capsys)[0] == 0 and readings() == 1


def test_arguments_that_may_read_other_files_are_not_seen_through() -> None:
    plain = ["-DN=1", "-D", "N", "-I", "a", "-Ib", "-isystem", "c", "-std=c11", "-Wall", "-fshort-enums", "-O2", "x.c"]
    assert kept.folders_of(plain) == ["a", "b", "c"]
    for argument in ("@file", "-fplugin=x.so", "-Xclang", "-include-pch", "--config=x", "-fprofile-use=x"):
        assert kept.folders_of([argument]) is None


def test_a_damaged_entry_is_read_anew(
    file: Path, tmp_path: Path, readings: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    first = report(file, capsys)
    (entry,) = (tmp_path / "cache" / "porf" / kept.KIND).iterdir()
    entry.write_bytes(entry.read_bytes()[:-100])
    assert report(file, capsys) == first and readings() == 2
    assert report(file, capsys) == first and readings() == 0


def test_it_can_be_switched_off(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, readings: Callable[[], int],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    first = report(file, capsys)
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert report(file, capsys) == first and readings() == 2


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    file: Path, readings: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = reading.module_of

    def touched(*arguments: object) -> object:
        found = original(*arguments)  # type: ignore[arg-type]
        (file.parent / "value.h").write_text("#define VALUE 3\n")
        return found

    monkeypatch.setattr(reading, "module_of", touched)
    read_c(str(file))
    time.sleep(0.02)
    monkeypatch.setattr(reading, "module_of", original)
    program = read_c(str(file))
    pools = [constant for template in program.templates for constant in template.pool]
    assert 3 in pools


def test_errors_are_the_same_each_time(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(PROGRAM.replace("VALUE", "UNKNOWN"))
    said = []
    for _ in range(2):
        assert main(["explore", str(file)]) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1] and f"{file}:6:" in said[0]
