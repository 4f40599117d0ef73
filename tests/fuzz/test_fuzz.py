"""A short run of the fuzzer with every change, and the fuzzer itself: whatever goes wrong, it notices."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.fuzz import limits
from tests.fuzz.__main__ import check
from tests.fuzz.judge import complaint, wrong
from tests.fuzz.targets import TARGETS, call_of


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_breaks_porf(target: str) -> None:
    failures = list(limits.run(range(TARGETS[target].first), lambda number: check(target, 0, number)))
    assert not failures, f"python -m tests.fuzz --only {target} --seed 0 --number {failures[0].number}"


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_number_makes_the_same_input(target: str, tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        call = call_of(target, 1, 1, tmp_path)
        made.append((call, {path.name: path.read_bytes() for path in tmp_path.iterdir()}))
        for path in tmp_path.iterdir():
            path.unlink()
    assert made[0] == made[1]


def test_every_kind_of_failure_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROCESSOR_SECONDS", 0)
    # The process of an input begins with what this one has.
    monkeypatch.setattr(limits, "BYTES", limits.resident(os.getpid()) + (300 << 20))

    def one(number: int) -> str | None:
        match number:
            case 1:
                return "it is wrong"
            case 2:
                os.abort()
            case 3:
                while True:
                    pass
            case 4:
                bytearray(b"x") * (800 << 20)
            case 5:
                signal.pause()
            case 6:
                raise ValueError("the fuzzer itself is wrong")
        return None

    found = {failure.number: failure.what for failure in limits.run((0, 1, 2, 3, 6, 7), one)}
    monkeypatch.setattr(limits, "PROCESSOR_SECONDS", 60)  # taking so much memory takes some
    found |= {failure.number: failure.what for failure in limits.run((7, 4, 7), one)}
    monkeypatch.setattr(limits, "WALL_SECONDS", 1)
    found |= {failure.number: failure.what for failure in limits.run((7, 5, 7), one)}
    assert sorted(found) == [1, 2, 3, 4, 5, 6]
    assert found[1] == "it is wrong"
    assert found[2].endswith(f"its process ended with {-signal.SIGABRT}") and "test_fuzz.py" in found[2]
    assert "of the processor" in found[3]
    assert "MiB of memory" in found[4] or "without end" in found[4]
    assert "hangs" in found[5]
    assert found[6] == "its process ended with 99"


@pytest.mark.parametrize(
    ("code", "out", "err", "is_json"),
    [
        (70, "", "error: this is a bug in porf", False),
        (1, "", "", False),
        (2, "", "", False),
        (-1, "", "", False),
        (0, "fine", "Traceback (most recent call last):", False),
        (3, "", "error: out of memory", False),
        (0, '{"a": NaN}', "", True),
        (0, "{", "", True),
        (0, "\udcff", "", False),
    ],
)
def test_what_is_wrong(code: int, out: str, err: str, is_json: bool) -> None:
    assert wrong(code, out.encode("utf-8", "surrogateescape"), err.encode(), is_json=is_json)


def test_what_is_not_wrong(tmp_path: Path) -> None:
    path = tmp_path / "h.txt"
    path.write_text("T0 w x 1\nT1 r x 1\n")
    assert complaint(["check", str(path), "-m", "ra", "--json"]) is None
    assert complaint(["check", "-", "-m", "ra"], b"T0 w x 1\nT0 w x 2\nT1 r x 2\nT1 r x 1\n") is None
    assert complaint(["check", "-m"]) is None
    assert complaint(["check", str(tmp_path / "no"), "-m", "ra"]) is None
