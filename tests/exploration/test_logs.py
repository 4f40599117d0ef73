"""What `porf explore` prints of litmus tests is a log that herd's tools read, by the rules of their lexer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porf.cli import main
from porf.generate import litmus_tests, save_tests

ROOT = Path(__file__).parents[2]
_NAME = r"[A-Za-z][\w.]*"
_PLACE = rf"(?:\d+:{_NAME}|\[{_NAME}\]|{_NAME}\[\d+\])"
_STATE = re.compile(rf"(?: ?{_PLACE}=(?:-?\d+|-?0x[0-9a-fA-F]+|{_NAME});)*")
_TEST = re.compile(r"Test ([\w/.\-+\[\]]+) (Allowed|Required|Forbidden)")
_WITNESSES = re.compile(r"Positive: \d+ Negative: \d+")


def read_log(text: str) -> dict[str, tuple[str, int, str]]:
    """Of each test its kind, its number of states, and Ok or No. Lines that are no part of a test are passed over."""
    out: dict[str, tuple[str, int, str]] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("Test "):
            continue
        test = _TEST.fullmatch(line)
        assert test, line
        head = next(lines)
        assert re.fullmatch(r"States \d+", head), head
        states = 0
        while (line := next(lines)) not in ("Ok", "No"):
            assert _STATE.fullmatch(line), line
            states += 1
        assert states == int(head.removeprefix("States "))
        verdict = line
        assert next(lines) == "Witnesses"
        assert _WITNESSES.fullmatch(next(lines))
        while (line := next(lines)).startswith("Flag "):
            pass
        assert line.startswith("Condition ")
        assert re.fullmatch(rf"Observation {re.escape(test[1])} (Always|Sometimes|Never) \d+ \d+", next(lines))
        assert re.fullmatch(rf"Time {re.escape(test[1])} \d+\.\d+", next(lines))
        assert test[1] not in out
        out[test[1]] = (test[2], states, verdict)
    return out


def test_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explore", str(ROOT / "examples" / "litmus"), "--model", "cpp20"])
    found = read_log(capsys.readouterr().out)
    in_c = sorted(path.stem for path in (ROOT / "examples" / "litmus").glob("*.litmus"))
    assert set(in_c) <= found.keys()
    assert found["SB"] == ("Allowed", 4, "Ok")


def test_a_folder_that_was_generated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count = save_tests(litmus_tests("ppc", edges="Rfe Fre Coe Pod** Syncd**", size=4), tmp_path)
    assert main(["explore", f"@{tmp_path / '@all'}", "--model", "ppc"]) == 0
    assert len(read_log(capsys.readouterr().out)) == count


@pytest.mark.parametrize(
    "text",
    [
        "C arrays\n{ int t[2] = {1, -2}; }\nP0 (int* t) { t[1] = 3; }\nlocations [t[0]; t[1];]\n",
        "C pointer\n{ int* p = &x; x = 1; }\nP0 (int** p, int* x) { int* r0 = *p; }\nexists (0:r0=x)\n",
        "C race\n{ }\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r0 = *x; }\n~exists (1:r0=1)\n",
        "C kernel\n{ }\nP0 (int* x) { smp_mb__before_atomic(); *x = 2; }\nP1 (int* x) { *x = 3; }\nforall (x=3)\n",
    ],
)
def test_whatever_is_printed_of_a_test(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.litmus"
    path.write_text(text)
    main(["explore", str(path), "--model", "lkmm" if "kernel" in text else "cpp20"])
    assert len(read_log(capsys.readouterr().out)) == 1
