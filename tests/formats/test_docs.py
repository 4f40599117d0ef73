"""The examples of docs/formats.md are histories, and its error is the error that is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porf import formats
from porf.errors import FormatError

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
FENCED = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
BLOCKS = [block for language, block in FENCED if language == ""]


def test_the_examples_can_be_read() -> None:
    text, jsonl = BLOCKS[0], BLOCKS[1]
    assert len(formats.loads(text)) == 11
    assert len(formats.loads(jsonl, "jsonl")) == 2


def test_the_error_is_the_one_shown() -> None:
    with pytest.raises(FormatError) as caught:
        formats.loads("T0 w x 1\nT0 w x 1\nT1 r x 2\n", source="history.txt")
    assert str(caught.value) + "\n" == BLOCKS[2]
