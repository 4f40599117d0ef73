"""Checkpoints as files: used by one exploration at a time, believed only as far as they can be true, and never dearer
than what was found."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from porf import files
from porf.cli import main
from porf.errors import UsageError
from porf.exploration import checkpoint, explore
from porf.exploration.checkpoint import KIND, VERSION, locked
from tests.cli.calling import PORF, refused

EXAMPLES = Path(__file__).parents[2] / "examples"
FIB = [str(EXAMPLES / "programs" / "fib_bench.py"), "-m", "ra", "-D", "n=4"]
RACY = f"{EXAMPLES / 'programs' / 'message_passing.py'}:message_passing_relaxed"
INC = str(EXAMPLES / "litmus" / "INC.litmus")


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A disk that is full once a first file was written."""
    written: list[int] = []
    proper = files.replacing

    @contextmanager
    def replacing(path: Path) -> Iterator[Any]:
        if written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(1)
        with proper(path) as file:
            yield file

    monkeypatch.setattr(checkpoint, "replacing", replacing)
    return written


@pytest.mark.parametrize(
    ("call", "code"), [([RACY, "-m", "rc11"], 1), ([*FIB, "--limit", "5"], 3), ([INC, "-m", "sc"], 0)]
)
def test_a_checkpoint_that_cannot_be_saved_does_not_swallow_the_verdict(
    call: list[str], code: int, full: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "half"
    assert main(["explore", *call, "--checkpoint", str(path)]) == code
    said = capsys.readouterr()
    assert said.err == f"error: cannot write the checkpoint '{path}': No space left on device\n"
    assert {0: "Observation INC Always", 1: "data race", 3: ": undecided"}[code] in said.out
    assert full and json.loads(path.read_text())["data"]["counts"]["complete"] == 0  # as it was begun


def test_one_that_cannot_be_begun_is_refused_before_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "no" / "half", tmp_path / "\0", tmp_path / ("a" * 300)):
        assert "cannot write the checkpoint" in refused(capsys, "explore", *FIB, "--checkpoint", str(path))
    for path in (tmp_path, Path("/dev/zero"), Path("/dev/null")):
        assert "cannot " in refused(capsys, "explore", *FIB, "--checkpoint", str(path))


def test_only_one_exploration_uses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, link = tmp_path / "half", tmp_path / "link"
    link.symlink_to(path)
    with locked(path):
        said = subprocess.run(
            [PORF, "explore", *FIB, "--checkpoint", path], capture_output=True, text=True, check=False
        )
        assert (said.returncode, said.stdout) == (2, "")
        assert f"the checkpoint '{path}' is in use by another exploration" in said.stderr
        with pytest.raises(UsageError, match="in use"):
            explore(FIB[0], "ra", checkpoint=link)
    assert main(["explore", *FIB, "--checkpoint", str(path)]) == 0
    capsys.readouterr()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["half", "link"]


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "half"
    child = os.fork()
    if child == 0:
        with locked(path):
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (tmp_path / "half.lock").exists()
    with locked(path):
        pass
    assert not (tmp_path / "half.lock").exists()


def first_state(data: dict[str, Any]) -> list[Any]:
    state: list[Any] = data["states"][0]
    return state


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "no counts": lambda d: d.pop("counts"),
    "another field": lambda d: d.update(more=1),
    "a count below 0": lambda d: d["counts"].update(complete=-1),
    "a count of 65 bits": lambda d: d["counts"].update(complete=2**64),
    "a count that is none": lambda d: d["counts"].update(complete=True),
    "no share": lambda d: d["counts"].update(explored=float("nan")),
    "an instruction that is not there": lambda d: d["spin_loops"].append(10**6),
    "an instruction before all": lambda d: d["cut_loops"].append(-1),
    "no instruction": lambda d: d["assumptions"].append("0"),
    "an unknown guess": lambda d: d["guesses"].__setitem__(1, 9),
    "too few guesses": lambda d: d["guesses"].pop(),
    "an option below 0": lambda d: d["remaining"].append([[-1], 1]),
    "an option of 32 bits": lambda d: d["remaining"].append([[2**31], 1]),
    "a path that the program does not have": lambda d: d["remaining"].insert(0, [[77], 1]),
    "a path that is too long": lambda d: d["remaining"].insert(0, [[0] * 500, 500]),
    "a floor below 0": lambda d: d["remaining"].append([[0], -1]),
    "a floor above the path": lambda d: d["remaining"].append([[0], 2]),
    "a task that is none": lambda d: d["remaining"].append(3),
    "a bug that is none": lambda d: d["bugs"].append("x"),
    "a bug of nobody": lambda d: d["bugs"].append(f"{d['of'][:6]}-AAAA"),
    "a state of too few values": lambda d: first_state(d)[0].pop(),
    "a value of 65 bits": lambda d: first_state(d)[0].__setitem__(0, 2**63),
    "a state of no executions": lambda d: first_state(d).__setitem__(1, 0),
    "a state of a wrong path": lambda d: first_state(d).__setitem__(2, [-1]),
}


@pytest.mark.parametrize("name", FORGED)
def test_contents_that_cannot_be_true_are_damage(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The digest is right."""
    path = tmp_path / "half"
    call = ["explore", INC, "-m", "ra", "--checkpoint", str(path)]
    assert main([*call, "--limit", "1"]) == 3
    capsys.readouterr()
    data = json.loads(path.read_text())["data"]
    assert data["states"] and data["remaining"]
    FORGED[name](data)
    path.write_text(json.dumps({KIND: VERSION, "digest": checkpoint._digest(data), "data": data}))
    assert "is not a checkpoint, or it is damaged" in refused(capsys, *call)


def test_the_file_says_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half"
    call = ["explore", INC, "-m", "ra", "--checkpoint", str(path)]
    assert main(call) == 0
    capsys.readouterr()
    whole = json.loads(path.read_text())
    assert list(whole) == [KIND, "digest", "data"]
    path.write_text(json.dumps({**whole, KIND: VERSION + 1}))
    assert "a checkpoint of another version of porf" in refused(capsys, *call)
    path.write_text(json.dumps({**whole, KIND: True}))
    assert "is damaged" in refused(capsys, *call)
