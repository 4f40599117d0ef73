"""The library of C and C++ programs: each header compiles alone, and programs that use it are explored right."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from porf.programs.c.compile import INCLUDE, compile_source
from tests.programs.c.running import explored, header

FOLDER = Path(__file__).parent / "library"
FILES = sorted(file for file in FOLDER.iterdir() if file.suffix in (".c", ".cc", ".cpp"))
C_HEADERS = sorted(file.name for file in INCLUDE.glob("*.h"))
CPP_HEADERS = sorted(file.name for file in (INCLUDE / "c++").iterdir())
PAGE = (Path(__file__).parents[3] / "docs" / "programs.md").read_text(encoding="utf-8")
OF_C = {f"c{name}" for name in ("assert", "ctype", "errno", "inttypes", "limits", "stdarg", "stddef", "stdint")}
OF_C |= {f"c{name}" for name in ("stdio", "stdlib", "string", "time")}
ALONE = ("lkmm.h",)  # has macros with the names of <atomic>'s functions, as the kernel does


def source(folder: Path, name: str, headers: list[str]) -> str:
    file = folder / name
    file.write_text("".join(f"#include <{header}>\n" for header in headers) + "int main() { return 0; }\n")
    return str(file)


@pytest.mark.parametrize("name", C_HEADERS)
@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
def test_a_header_of_c_compiles(name: str, file: str, tmp_path: Path) -> None:
    assert compile_source(source(tmp_path, file, [name, name]))


@pytest.mark.parametrize("name", CPP_HEADERS)
def test_a_header_of_cpp_compiles(name: str, tmp_path: Path) -> None:
    assert compile_source(source(tmp_path, "a.cpp", [name, name]))


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "gnu++20", "c++23"])
def test_all_headers_of_cpp_compile_together(standard: str, tmp_path: Path) -> None:
    c = [name for name in C_HEADERS if name not in ALONE]
    assert compile_source(source(tmp_path, "a.cpp", CPP_HEADERS + c), [f"-std={standard}"])
    assert compile_source(source(tmp_path, "b.cpp", c + CPP_HEADERS[::-1]), [f"-std={standard}"])


def test_all_headers_of_c_compile_together(tmp_path: Path) -> None:
    c = [name for name in C_HEADERS if name not in ALONE]
    usual = ["assert.h", "pthread.h", "stdatomic.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"]
    assert compile_source(source(tmp_path, "a.c", usual + c))
    assert compile_source(source(tmp_path, "b.c", c + usual))


@pytest.mark.parametrize("file", [f for f in FILES if header(f, "executions")], ids=lambda file: file.name)
def test_a_right_use_is_safe(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = header(file, "executions")
    assert counts
    model, count = counts.split()
    arguments = shlex.split(header(file, "arguments") or "")
    found = explored(capsys, file, model, ["--self-check", "--lock-orders", *arguments])
    assert (found["verdict"], found["errors"]) == ("safe", [])
    assert (found["executions"], found["duplicates"]) == (int(count), 0)


@pytest.mark.parametrize("file", [f for f in FILES if header(f, "finds")], ids=lambda file: file.name)
def test_a_wrong_use_is_found(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finds = header(file, "finds")
    assert finds
    found = explored(capsys, file, "rc11", [])
    assert found["verdict"] == "unsafe"
    [error] = found["errors"]
    assert finds in error["kind"] or finds in error["message"]
    assert "/library/" in error["where"][0]["place"]  # a line of the program, not of the runtime or a header of porf


def test_every_program_says_what_is_expected() -> None:
    assert all(bool(header(file, "executions")) != bool(header(file, "finds")) for file in FILES)


def test_the_page_names_every_header() -> None:
    old = {"cstdatomic", "memoryorder.h", "impatomic.h"}
    names = {name for name in [*C_HEADERS, *CPP_HEADERS] if not name.startswith("porf")} - old - OF_C
    assert {name for name in names if f"<{name}>" not in PAGE} == set()
