"""Programs of several sources: linked, compiled as build systems say, and refused in words that name both places."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from porf.cli import main
from porf.programs.c import sources
from porf.programs.c.compile import compile_source
from porf.programs.c.database import flags_of
from porf.programs.c.sources import split

HEADER = "void put(int); int get(void);\n#ifndef N\n#define N 2\n#endif\n"
QUEUE = """#include <stdatomic.h>
#include "queue.h"
static atomic_int slot;
extern int used;
static int helper(int x) { return x * N; }
void put(int x) { used++; atomic_store(&slot, helper(x)); }
int get(void) { return atomic_load(&slot); }
"""
QUEUE_CPP = """#include <atomic>
extern "C" { extern int used; void put(int x); int get(void); }
static std::atomic<int> slot;
void put(int x) { used++; slot.store(x * 2); }
int get(void) { return slot.load(); }
"""
CLIENT = """#include <assert.h>
#include <pthread.h>
#include "queue.h"
int used;
static int helper(void) { return 1; }
static void *client(void *unused) { put(helper()); return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, client, 0);
  int found = get();
  pthread_join(thread, 0);
  assert(found == 0 || found == EXPECTED);
  return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "queue.h").write_text(HEADER)
    (tmp_path / "queue.c").write_text(QUEUE)
    (tmp_path / "queue.cpp").write_text(QUEUE_CPP)
    (tmp_path / "client.c").write_text(CLIENT.replace("EXPECTED", "N"))
    (tmp_path / "wrong.c").write_text(CLIENT.replace("EXPECTED", "N + 1"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explored(capsys: pytest.CaptureFixture[str], call: str) -> tuple[int, str, str]:
    code = main(["explore", *shlex.split(call)])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize(
    "call",
    [
        "client.c queue.c -- -Iinclude",
        "queue.c client.c -- -I include",
        "client.c -- queue.c -Iinclude",
        "client.c queue.c -D N=3 -- -Iinclude",
        "client.c queue.cpp -- -Iinclude -std=c11",
    ],
)
def test_sources_without_a_main_are_parts_of_the_program(
    call: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = explored(capsys, call)
    assert (code, err) == (0, "") and out.startswith("client: safe under cpp20\n  2 complete executions")


def test_several_mains_are_several_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = explored(capsys, "client.c wrong.c queue.c -- -Iinclude")
    assert code == 1 and "client: safe" in out and "wrong: unsafe under cpp20: assertion" in out
    again = next(line for line in out.splitlines() if "Again: porf explore " in line).partition("porf explore ")[2]
    code, out, err = explored(capsys, again)
    assert (code, err) == (1, "") and "assertion failed" in out


def test_each_file_of_a_call_is_compiled_once(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    compiled: list[str] = []

    def counted(path: str, *given: Any) -> bytes:
        compiled.append(path)
        return compile_source(path, *given)

    monkeypatch.setattr(sources, "compile_source", counted)
    call = "client.c wrong.c queue.c -- -Iinclude"
    assert explored(capsys, call)[0] == 1 and sorted(compiled) == ["client.c", "queue.c", "wrong.c"]
    (folder / "one.c").write_text("int main(void) { return 0; }")
    (folder / "two.c").write_text("int main(void) { return 1; }")
    compiled.clear()
    time.sleep(0.05)
    assert explored(capsys, "one.c two.c")[0] == 0 and compiled == ["one.c", "two.c"]
    assert explored(capsys, "one.c two.c")[0] == 0 and compiled == ["one.c", "two.c"]
    (folder / "two.c").write_text("int main(int c, char **v) { return 1 / (c - 1); }")
    assert explored(capsys, "one.c two.c")[0] == 1 and compiled == ["one.c", "two.c", "two.c"]
    (folder / "two.c").write_text("int main(void) { return 1; }")
    assert explored(capsys, "two.c")[0] == 0


def test_folders_are_meant_relative_to_the_source_too(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    code, _, err = explored(capsys, f"{folder}/client.c {folder}/queue.c -- -Iinclude")
    assert (code, err) == (0, "")


def test_what_two_sources_define_is_named_with_both_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "more.c").write_text("\n\nint used = 3;\n")
    code, _, err = explored(capsys, "client.c queue.c more.c -- -Iinclude")
    assert code == 2 and "'used' is defined twice: client.c:4 and more.c:3" in err
    (folder / "more.c").write_text("\nvoid put(int x) {}\n")
    code, _, err = explored(capsys, "client.c queue.c more.c -- -Iinclude")
    assert code == 2 and "'put' is defined twice: queue.c:6 and more.c:2" in err


MAIN = """#include <assert.h>
#include "twice.h"
int tentative;
__attribute__((weak)) int hook(void) { return 1; }
static int counter = 1;
static struct s { int a; } one = {3};
int other(void);
int main(void) { assert(hook() == 2 && twice(3) == 6 && counter == 1 && one.a == 3 && other() == 12); return 0; }
"""
OTHER = """#include "twice.h"
extern int tentative;
extern inline int twice(int x);
int hook(void) { return 2; }
static int counter = 5;
static struct s { char text[3]; long a; } one = {"ab", 7};
int other(void) { return counter + (int)one.a + tentative; }
"""


def test_names_of_two_sources(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Static names of both are different things; weak, tentative and inline ones are the same."""
    (folder / "twice.h").write_text("inline int twice(int x) { return 2 * x; }\n")
    (folder / "main.c").write_text(MAIN)
    (folder / "other.c").write_text(OTHER)
    assert explored(capsys, "main.c other.c")[0] == 0
    (folder / "other.c").write_text(OTHER.replace("extern int tentative;", "int tentative;"))
    code, _, err = explored(capsys, "main.c other.c")
    assert code == 2 and "'tentative' is defined twice: main.c:3 and other.c:2" in err and "-fcommon" in err
    assert explored(capsys, "main.c other.c -- -fcommon")[0] == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("client.c missing.c", "missing.c: no such file"),
        ("client.c -- missing.c", "missing.c: no such file"),
        ("queue.c queue.cpp -- -Iinclude", "there is no function main"),
        ("client.c -- -Iinclude", "unsupported: a call to 'get', which is not defined"),
    ],
)
def test_what_is_missing(call: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = explored(capsys, call)
    assert code == 2 and said in err


def test_values_of_options_are_no_sources(folder: Path) -> None:
    assert split(["-D", "FILE=queue.c", "queue.c", "-include", "x.c"]) == (
        ["-D", "FILE=queue.c", "-include", "x.c"],
        ["queue.c"],
    )


def database(folder: Path, where: str, text: str | None = None) -> None:
    command = "gcc -O2 -Wall -mtune=weird -DN=5 -DNDEBUG -Iinclude -I ../other -std=gnu17 -c -o x.o queue.c"
    entries = [
        {"directory": str(folder), "file": "queue.c", "command": command},
        {"directory": str(folder), "file": str(folder / "client.c"), "arguments": ["cc", "-D", "N=5", "-Iinclude"]},
    ]
    (folder / where).mkdir(exist_ok=True)
    (folder / where / "compile_commands.json").write_text(json.dumps(entries) if text is None else text)


@pytest.mark.parametrize("where", [".", "build"])
def test_flags_are_those_of_the_build_system(where: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database(folder, where)
    code, out, err = explored(capsys, "client.c queue.c")
    assert (code, err) == (0, "")
    file = "compile_commands.json" if where == "." else "build/compile_commands.json"
    assert f"note: client.c is compiled as {file} says: -DN=5 -I" in out
    flags, [note] = flags_of("queue.c")
    other = str(folder.parent / "other")
    assert flags == ["-DN=5", "-I", str(folder / "include"), "-I", other, "-std=gnu17"]
    assert note.endswith(", without -DNDEBUG, so that assertions count")


@pytest.mark.parametrize("text", ["{", "[1, {}]", '{"a": 1}', '[{"file": 3, "directory": 4, "command": "\'"}]'])
def test_a_broken_database_does_no_harm(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database(folder, ".", text)
    code, _, err = explored(capsys, "client.c queue.c -- -Iinclude")
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("file", "header", "said"),
    [
        ("a.c", '"far/list.h"', "name its folder: porf explore a.c -- -I FOLDER"),
        ("a.cpp", "<regex>", "porf's C++ library does not have <regex>; it has algorithm, "),
        ("a.cpp", "<boost/any.hpp>", "where __PORF__ is defined"),
    ],
)
def test_a_header_that_is_missing_gets_a_hint(
    file: str, header: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / file).write_text(f"#include {header}\nint main(void) {{ return 0; }}\n")
    code, _, err = explored(capsys, file)
    assert code == 2 and f"{file}:1:10: fatal error:" in err and said in err
