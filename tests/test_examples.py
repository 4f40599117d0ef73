"""Every example runs, and every history is what its comment says it is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import porf
from porf.language.header import OPERATIONS

EXAMPLES = Path(__file__).parents[1] / "examples"
HISTORIES = sorted((EXAMPLES / "histories").glob("*.txt"))


def stated(path: Path, answer: str) -> list[str]:
    """The models on the comment line `# consistent: …` or `# inconsistent: …`."""
    start = f"# {answer}:"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(start)]
    assert len(lines) == 1, f"{path.name} says '{start}' {len(lines)} times"
    return lines[0].removeprefix(start).split()


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_history_is_what_its_comment_says(path: Path) -> None:
    consistent, inconsistent = stated(path, "consistent"), stated(path, "inconsistent")
    execution = porf.load(path)
    operations = {word for word, op in OPERATIONS.items() if op in execution.op}
    models = [name for name, model in porf.MODELS.items() if operations <= set(model.header.interprets)]
    assert sorted(consistent + inconsistent) == sorted(models)
    for model in models:
        verdict = porf.check(execution, model, verify=True)
        assert verdict.answer == ("consistent" if model in consistent else "inconsistent"), model


def test_the_own_models_differ_as_they_say() -> None:
    def answers(history: str) -> list[str]:
        execution = porf.load(EXAMPLES / "histories" / f"{history}.txt")
        files = ("per-location.cat", "no-load-buffering.kat")
        return [porf.check(execution, EXAMPLES / "models" / file, verify=True).answer for file in files]

    assert answers("message-passing") == ["consistent", "consistent"]
    assert answers("load-buffering") == ["consistent", "inconsistent"]
    assert answers("read-read-coherence") == ["inconsistent", "inconsistent"]
    assert answers("lost-update") == ["inconsistent", "inconsistent"]


def run(script: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / script], cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=True
    )
    assert done.stderr == ""
    return done.stdout


def test_the_demo_runs_and_draws(tmp_path: Path) -> None:
    out = run("demo.py", tmp_path)
    for path in HISTORIES:
        assert path.stem in out
    assert "strong-write-coherence" in out
    assert "1,000,000 events: consistent in ra by coherence" in out
    assert "c11_to_tso: holds" in out
    assert "c11_orig_to_power: fails" in out
    assert re.search(r"^tso: (no violation in|violated)", out, re.MULTILINE)  # what it is, is the machine's affair
    assert (tmp_path / "out" / "2+2w.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_monitor_allows_and_forbids(tmp_path: Path) -> None:
    out = run("monitor.py", tmp_path)
    assert "relaxed: after the flag, the data may be read from ['the initial value', 'publish']" in out
    assert "ra: after the flag, the data may be read from ['publish']" in out
    assert "relaxed: reading the initial value is fine" in out
    assert "ra: reading the initial value is a violation" in out
    assert "this cycle breaks the axiom read-coherence of ra" in out


def test_every_script_is_run_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {"demo.py", "monitor.py"}
