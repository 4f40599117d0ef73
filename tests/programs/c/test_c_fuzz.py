"""Random sequential programs in C mean what a native build of them computes: its checksum, and no other number."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from porf.exploration import explore
from porf.exploration.found import Exploration
from porf.programs.c import read_c
from tests.programs.c.fuzz_c import program
from tests.seeds import seeds

COMPILER = shutil.which("gcc") or shutil.which("cc")
NEEDS_COMPILER = pytest.mark.skipif(COMPILER is None, reason="no C compiler to build the programs natively")
SANITIZED = ("-fsanitize=undefined,address", "-fno-sanitize-recover=all")


def native(source: Path, *options: str) -> int:
    """What the program computes when it runs on this machine."""
    assert COMPILER is not None
    binary = source.with_suffix(".native")
    subprocess.run([COMPILER, "-w", "-DNATIVE", *options, str(source), "-o", str(binary)], check=True)
    return int(subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout)


def explored(source: Path, expected: int) -> Exploration:
    return explore(read_c(str(source), [f"-DEXPECTED={expected % 2**32}u"]), "rc11")


def judge(seed: int, folder: Path) -> None:
    source = folder / f"seed{seed}.c"
    source.write_text(program(seed))
    checksum = native(source)
    right = explored(source, checksum)
    assert (seed, right.verdict, right.executions, right.bugs) == (seed, "safe", 1, ())
    wrong = explored(source, checksum + 1)
    assert (seed, [bug.kind for bug in wrong.bugs]) == (seed, ["assertion"])


@NEEDS_COMPILER
@pytest.mark.parametrize("group", seeds(4, 8))
def test_checksums(group: int, tmp_path: Path) -> None:
    for seed in range(5 * group, 5 * group + 5):
        judge(seed, tmp_path)


@NEEDS_COMPILER
@pytest.mark.full
@pytest.mark.parametrize("first", range(1000, 3000, 50))
def test_many_checksums(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 50):
        judge(seed, tmp_path)


@NEEDS_COMPILER
def test_the_programs_have_no_undefined_behaviour(tmp_path: Path) -> None:
    probe = tmp_path / "probe.c"
    probe.write_text('#include <stdio.h>\nint main(void) { printf("1\\n"); return 0; }\n')
    try:
        native(probe, *SANITIZED)
    except subprocess.CalledProcessError:
        pytest.skip("the compiler has no sanitizers")
    for seed in range(5):
        source = tmp_path / f"seed{seed}.c"
        source.write_text(program(seed))
        assert native(source, *SANITIZED) == native(source)
