"""The statement files beside this module, and each assertion of a file by itself."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
FALSE = sorted((HERE / "false_statements").glob("*.kat"))
TRUE = sorted((HERE / "true_statements").glob("*.kat"))
_ASSERT = re.compile(r"^assert .*$", re.MULTILINE)


def assertions(path: Path) -> list[str]:
    """For each assertion the text of the file with all others blanked out: an error in one hides no other."""
    text = path.read_text(encoding="utf-8")
    found = [match.span() for match in _ASSERT.finditer(text)]
    return [
        "".join(
            text[end:start] + (text[start:stop] if number == at else "")
            for number, ((_, end), (start, stop)) in enumerate(zip([(0, 0), *found], found, strict=False))
        )
        + text[found[-1][1] :]
        for at in range(len(found))
    ]
