"""Output that gets lost: a full disk, a closed stream, a pipe that nobody reads. No old file is damaged, no traceback
is shown, and no exit code reads as a verdict that nobody has seen."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

import porf
from porf.generate import interleaving
from tests.cli.calling import PORF


def call(*arguments: str, shell: str = "", most: int | None = None) -> subprocess.CompletedProcess[str]:
    """porf with redirections of the shell; `most`: bytes that it may write to a file."""

    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    command = ["bash", "-c", f'"$0" "$@" {shell}', PORF, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=limit, check=False)


@pytest.mark.parametrize("suffix", ["txt", "jsonl", "npz"])
def test_a_full_disk_leaves_the_history_that_was_there(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"history.{suffix}"
    porf.save(interleaving(200), path)
    before = path.read_bytes()
    done = call("generate", "interleaving", "-n", "20000", "-o", str(path), most=20_000)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"error: {path}: cannot be written: File too large",
        "  hint: choose another place",
    ]
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir()] == [path.name]


VERBS = [
    (["check", "good.txt", "-m", "ra"], 0),
    (["check", "bad.txt", "-m", "ra", "--json"], 1),
    (["convert", "good.txt", "-"], 0),
    (["generate", "weak"], 0),
    (["show", "good.txt"], 0),
    (["models"], 0),
    (["models", "ra"], 0),
    (["--help"], 0),
    (["check", "--help"], 0),
    (["--version"], 0),
    (["compare", "sc", "tso"], 0),
]


@pytest.mark.parametrize(("arguments", "code"), VERBS)
@pytest.mark.usefixtures("files")
def test_standard_output_that_cannot_be_written(arguments: list[str], code: int) -> None:
    full = call(*arguments, shell=">/dev/full")
    assert (full.returncode, full.stderr) == (2, "error: cannot write: No space left on device\n")
    gone = call(*arguments, shell="| true; exit ${PIPESTATUS[0]}")
    assert gone.returncode in (141, code) and gone.stderr == ""
    closed = call(*arguments, shell=">&-")
    assert (closed.returncode, closed.stderr) == (code, "")


@pytest.mark.usefixtures("files")
def test_errors_that_nobody_hears_are_errors() -> None:
    for arguments in (["check", "wrong.txt", "-m", "ra"], ["check", "good.txt"], ["check", "nosuch.txt", "-m", "ra"]):
        for shell in ("2>/dev/full", "2>&-", "2>&1 >/dev/null | true; exit ${PIPESTATUS[0]}", ">/dev/full 2>/dev/full"):
            assert call(*arguments, shell=shell).returncode == 2, (arguments, shell)
    assert call("check", "-", "-m", "ra", shell="<&-").returncode == 2


def test_the_file_of_results_does_not_depend_on_who_reads_the_terminal(files: Path) -> None:
    for shell, code in ((">/dev/full", 2), ("| true; exit ${PIPESTATUS[0]}", 141)):
        done = call("check", "bad.txt", "good.txt", "-m", "ra", "-o", "found.json", shell=shell)
        assert done.returncode == code or (code == 141 and done.returncode == 1)  # true may end late
        assert "inconsistent" in (files / "found.json").read_text()
        (files / "found.json").unlink()


def test_a_result_that_cannot_be_saved_is_still_printed(files: Path) -> None:
    (files / "found.txt").write_text("old\n")
    done = call("models", "--hierarchy", "-o", "found.txt", most=99)
    assert done.returncode == 2 and "found.txt: cannot be written: File too large" in done.stderr
    assert (files / "found.txt").read_text() == "old\n"
    assert "sc" in done.stdout
    assert sorted(path.name for path in files.iterdir()) == [
        "bad.txt",
        "found.txt",
        "good.txt",
        "weak.txt",
        "wrong.txt",
    ]
