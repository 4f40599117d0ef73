"""Safe programs in C: as many executions as their headers say, and none of them twice."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.programs.c.running import explored, header

FOLDER = Path(__file__).parent / "safe"
FILES = sorted(FOLDER.glob("*.c*"))


def cases() -> list[tuple[Path, str, int]]:
    found = []
    for file in FILES:
        counts = header(file, "executions")
        assert counts, f"{file.name} does not say how many executions it has"
        for part in counts.split(", "):
            model, count = part.split()
            found.append((file, model, int(count)))
    return found


@pytest.mark.parametrize(("file", "model", "count"), cases(), ids=lambda x: x.stem if isinstance(x, Path) else str(x))
def test_executions(file: Path, model: str, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = shlex.split(header(file, "arguments") or "")
    found = explored(capsys, file, model, ["--self-check", *arguments])
    assert (found["verdict"], found["errors"]) == ("safe", [])
    assert found["executions"] == count
    assert found["duplicates"] == 0
