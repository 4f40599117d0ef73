"""Undefined behaviour, in pairs: a program with one mistake, and its nearest neighbour without it, which is safe.

`undefined/KIND/NAME.bad.c` says in a comment which bug is expected, and marks the lines that may be blamed for it.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.programs.c.running import explored, header, line_of

FOLDER = Path(__file__).parent / "undefined"
BAD = sorted(FOLDER.glob("*/*.bad.c*"))
GOOD = sorted(FOLDER.glob("*/*.good.c*"))
MARK = "// here"


def name_of(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def arguments_of(file: Path) -> list[str]:
    return shlex.split(header(file, "arguments") or "")


@pytest.mark.parametrize("file", BAD, ids=name_of)
def test_undefined_behaviour_is_a_bug(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, 1) if line.endswith(MARK)}
    found = explored(capsys, file, None, arguments_of(file))
    assert (found["verdict"], found["errors"][0]["kind"]) == ("unsafe", header(file, "expect"))
    places = [where["place"] for where in found["errors"][0]["where"]]
    assert marked & {line_of(place) for place in places if place.startswith(str(file))}, places


@pytest.mark.parametrize("file", GOOD, ids=name_of)
def test_its_neighbour_is_safe(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = explored(capsys, file, None, arguments_of(file))
    assert (found["verdict"], found["errors"]) == ("safe", [])
