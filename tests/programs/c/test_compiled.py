"""Files of LLVM that were compiled elsewhere: for other machines, or damaged. Nothing of that ends porf."""

from __future__ import annotations

import gc
import os
import random
import re
import signal
from pathlib import Path

import pytest

from porf.cli import main
from porf.errors import ProgramError, UsageError
from porf.programs.c import compiled
from porf.programs.c.bitcode import parse
from porf.programs.c.compile import compile_source
from porf.programs.c.compiled import guarded, neutral
from porf.programs.c.llvm import Context, Module

PROGRAM = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void *writer(void *unused) { data = 1; atomic_store(&flag, 1); return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load(&flag)) assert(data == 1);
  pthread_join(thread, 0);
  return 0;
}
"""


@pytest.fixture(scope="module")
def bitcode(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("compiled") / "program.c"
    path.write_text(PROGRAM)
    return compile_source(str(path))


@pytest.fixture(scope="module")
def text(bitcode: bytes) -> str:
    return str(parse(bitcode, "program.bc", Context()))


FOREIGN = [
    ('"target-cpu"="x86-64"', '"target-cpu"="apple-m1"'),
    ('"target-cpu"="x86-64"', '"target-cpu"="i386" "target-features"="-64bit,+nonsense" "tune-cpu"="generic"'),
    ("target triple", 'target triple = "arm64-apple-macosx14.0.0"\n; target triple'),
    ("@pthread_create", '@"\\01_pthread_create$NEW"'),
    ("declare i32 @pthread_create", "declare !dbg !999 i32 @pthread_create"),
]


@pytest.mark.parametrize(("old", "new"), FOREIGN)
def test_a_file_for_another_machine_means_the_same(
    old: str, new: str, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    changed = text.replace(old, new)
    if "$NEW" in new:
        changed = changed.replace('target datalayout = "e-m:e-', 'target datalayout = "e-m:o-')
    assert changed != text
    file = re.search(r"^(!\d+) = !DIFile", text, re.MULTILINE)
    assert file
    changed += (
        f'\n!999 = !DISubprogram(name: "pthread_create", scope: {file[1]}, file: {file[1]}, line: 2, spFlags: 0)\n'
    )
    path = tmp_path / "foreign.ll"
    path.write_text(changed)
    assert main(["explore", str(path)]) == 0
    told = capfd.readouterr()
    assert told.err == "" and "foreign: safe under cpp20\n  2 complete executions" in told.out


def test_the_end_of_the_process_that_reads_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "SECONDS", 0)

    def dies() -> bytes:
        os.write(2, b"something\nLLVM ERROR: no such thing\n")
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    def refuses() -> bytes:
        raise UsageError("no compiler")

    with pytest.raises(ProgramError, match=r"program\.bc: LLVM cannot use this: no such thing"):
        guarded("program.bc", dies, 0)
    with pytest.raises(ProgramError, match="it crashes"):
        guarded("program.bc", lambda: os._exit(3), 0)
    with pytest.raises(ProgramError, match="it takes too long"):
        guarded("program.bc", lambda: b"".join(iter(bytes, None)), 0)
    with pytest.raises(ProgramError, match="LLVM cannot use this"):
        guarded("program.bc", lambda: bytes(4 << 30), 0)
    with pytest.raises(UsageError, match="no compiler"):
        guarded("program.bc", refuses, 0)
    with pytest.raises(ProgramError, match="cannot read this"):
        guarded("program.bc", lambda: neutral(b"BC\xc0\xde nothing", "program.bc"), 0)


@pytest.mark.parametrize("suffix", [".bc", ".ll"])
def test_damaged_files_are_refused_or_read(
    suffix: str, bitcode: bytes, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the damage leaves a program that LLVM accepts, it may have a bug; but then the report says so."""
    whole, draw, refused = bitcode if suffix == ".bc" else text.encode(), random.Random(3), 0
    path = tmp_path / f"damaged{suffix}"
    for turn in range(25):
        data = bytearray(whole)
        if turn % 5 == 0:
            del data[draw.randrange(len(data)) :]
        for _ in range(draw.choice([1, 2, 8, 20]) if turn % 5 else 0):
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path.write_bytes(data)
        code = main(["explore", str(path), "--seconds", "5"])
        told = capsys.readouterr()
        assert code in (0, 2, 3) or (code == 1 and ": unsafe under cpp20" in told.out), told
        assert "bug in porf" not in told.err, told.err
        refused += code == 2
    assert refused > 5


def test_a_zero_byte_does_not_end_the_text(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.ll"
    path.write_text(text + "\0 this is no code")
    assert main(["explore", str(path)]) == 2
    assert "there is a zero byte in the text" in capsys.readouterr().err


def test_what_the_passes_do_to_the_process_is_an_error(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dies(*_: object) -> str:
        os.kill(os.getpid(), signal.SIGSEGV)
        return ""

    path = tmp_path / "program.ll"
    path.write_text(text)
    monkeypatch.setattr("porf.programs.c.module.prepared_text", dies)
    monkeypatch.setenv("PORF_CACHE", "off")
    assert main(["explore", str(path)]) == 2
    assert "LLVM cannot use this: it crashes" in capsys.readouterr().err


def test_a_module_that_is_garbage_together_with_its_context_is_disposed_of_once() -> None:
    """Python may end the context first, and LLVM disposes of its modules then; porf did once more, and crashed."""
    for _ in range(20):
        context = Context()
        modules = [Module(b"define void @f() { ret void }", context) for _ in range(20)]
        cycle: list[object] = [context, modules]
        cycle.append(cycle)
        del context, modules, cycle
        gc.collect()


def test_a_module_that_was_linked_into_another_is_no_more() -> None:
    context = Context()
    one, other = Module(b"define void @f() { ret void }", context), Module(b"define void @g() { ret void }", context)
    one.link(other)
    other.close()
    assert [function.name for function in one.functions] == ["f", "g"]


def test_no_line_is_shown_of_a_file_that_llvm_names_elsewhere(
    text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_text("secret_word\n" * 20)
    (tmp_path / "below").mkdir()
    path = tmp_path / "below" / "program.ll"
    racy = text.replace("release", "monotonic").replace("acquire", "monotonic").replace("seq_cst", "monotonic")
    for file in (tmp_path / "secret", Path("/dev/zero")):
        path.write_text(re.sub(r'(!\d+ = !DIFile\(filename: )"[^"]*program.c"', rf'\1"{file}"', racy))
        assert main(["explore", str(path)]) == 1
        told = capfd.readouterr()
        assert file.name in told.out and "secret_word" not in told.out + told.err
    (tmp_path / "below" / "source.c").write_text(PROGRAM)
    path.write_text(re.sub(r'(!\d+ = !DIFile\(filename: )"[^"]*program.c"', rf'\1"{tmp_path}/below/source.c"', racy))
    assert main(["explore", str(path)]) == 1
    assert "data = 1" in capfd.readouterr().out
