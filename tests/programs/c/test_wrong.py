"""Wrong programs in C: each has one bug, and its report names the kind and the lines that its `.expected` says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.programs.c.running import explored, line_of

FOLDER = Path(__file__).parent / "wrong"
FILES = sorted(FOLDER.glob("*.c*"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_wrong_program_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = json.loads(file.with_suffix(".expected").read_text(encoding="utf-8"))
    found = explored(capsys, file, expected["model"], expected["arguments"])
    assert found["verdict"] == expected["verdict"]
    assert [error["kind"] for error in found["errors"]] == [expected["kind"]]
    places = [where["place"] for where in found["errors"][0]["where"]]
    assert all(place.startswith(str(file)) for place in places)
    assert sorted(map(line_of, places)) == expected["lines"]


def test_every_program_says_what_is_expected() -> None:
    assert {file.stem for file in FILES} == {file.stem for file in FOLDER.glob("*.expected")}
