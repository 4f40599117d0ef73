"""A file larger than one block of the parser: lines, ids and errors keep their places across the borders."""

from __future__ import annotations

import pytest

from porf import formats
from porf.errors import FormatError


def test_places_across_blocks() -> None:
    lines = [f"T{i % 3} w some_rather_long_location_name_{i % 7} {i} rel id=the_event_{i}" for i in range(300_000)]
    text = "\n".join(lines)
    assert len(text) > 2 << 23
    execution = formats.loads(text)
    assert len(execution) == 300_000
    assert execution.id_names[299_999] == "the_event_299999"
    for line, what, message in (
        (150_000, "T0 q", "unknown operation"),
        (290_000, "T0 r x 5", "nothing writes 5"),
    ):
        with pytest.raises(FormatError, match=message) as caught:
            formats.loads("\n".join([*lines[: line - 1], what, *lines[line:]]))
        assert (caught.value.line, caught.value.text) == (line, what)
