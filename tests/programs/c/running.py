"""How the tests of C programs run porf: as people do, by its command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from porf.cli import main
from tests.again import run_again


def explored(capsys: pytest.CaptureFixture[str], file: Path, model: str | None, arguments: list[str]) -> dict[str, Any]:
    """What `porf explore --json` says of a program under a model, or the default one. Its bugs can be replayed."""
    main(["explore", str(file), *(["--model", model] if model else []), "--json", *arguments])
    told = capsys.readouterr()
    assert not told.err, told.err
    record: dict[str, Any] = json.loads(told.out)
    run_again(capsys, record)
    return record


def line_of(place: str) -> int:
    """The line in FILE:LINE or FILE:LINE:COLUMN."""
    found = re.search(r":(\d+)(?::\d+)?$", place)
    assert found, place
    return int(found[1])


def header(file: Path, key: str) -> str | None:
    """What a comment `// KEY: ...` at the beginning of a file says."""
    found = re.search(rf"^// {key}: (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else None
