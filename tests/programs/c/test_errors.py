"""Errors of the front end for C show the place."""

from __future__ import annotations

from pathlib import Path

from porf.programs.c.errors import unsupported
from porf.programs.form import Place


def test_the_line_is_shown_with_a_caret(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) {\n  setjmp(here);\n}\n")
    error = unsupported("'setjmp'", Place(2, 3, str(file)), hint="leave it out")
    assert str(error) == "\n".join(
        [f"{file}:2:3: unsupported: 'setjmp'", "    setjmp(here);", "    ^^^^^^", "  hint: leave it out"]
    )


def test_without_a_file_or_a_place() -> None:
    gone = unsupported("'x'", Place(7, 2, "gone.c"))
    assert str(gone).startswith("gone.c:7:2: unsupported: 'x'\n  hint: ")
    assert str(unsupported("'x'", None)).startswith("unsupported: 'x'\n  hint: ")
