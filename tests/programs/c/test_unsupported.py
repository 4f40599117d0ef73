"""C that is refused: exit code 2, and words that name the construct and the line, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.cli import main
from tests.programs.c.running import header

FILES = sorted((Path(__file__).parent / "unsupported").glob("*.c*"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_construct_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    words = header(file, "refused")
    assert words and words in told.err.replace(str(file), "")
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if "// here" in line:
            assert f"{file}:{number}" in told.err
