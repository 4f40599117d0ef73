"""Text that snprintf makes is what Python's own formats make of the same numbers."""

from __future__ import annotations

import random
from pathlib import Path

from porf.exploration import explore
from porf.programs.c import read_c


def directive(draw: random.Random) -> tuple[str, str, str]:
    """A directive, its argument in C, and the text that is expected."""
    kind = draw.choice("ddiuxXocs")
    flags = "".join(flag for flag in "-+ 0#" if draw.random() < 0.25)
    width = draw.choice(["", "", "1", "4", "9"])
    precision = draw.choice(["", "", ".0", ".3", ".7"])
    if kind == "s":
        text = draw.choice(["", "a", "hello"])
        flags = "-" if "-" in flags else ""
        return f"%{flags}{width}{precision}s", f'"{text}"', f"%{flags}{width}{precision}s" % text
    if kind == "c":
        flags = "-" if "-" in flags else ""
        return f"%{flags}{width}c", "'z'", f"%{flags}{width}c" % "z"
    value = draw.choice([0, 1, 7, 42, 255, 65536, 2**31 - 1, 2**40 + 3])
    value = -value if kind in "di" and draw.random() < 0.4 else value
    if value == 0:  # Python prints digits of 0 where C prints none, and prefixes where C has none
        precision, flags = "", flags.replace("#", "")
    if kind == "o":
        flags = flags.replace("#", "")
    if kind in "uxXo":
        flags = flags.replace("+", "").replace(" ", "")
    if kind in "diu":
        flags = flags.replace("#", "")
    if precision:  # then zeros do not fill the width in C
        flags = flags.replace("0", "")
    expected = f"%{flags}{width}{precision}{'d' if kind in 'diu' else kind}" % value
    return f"%{flags}{width}{precision}l{kind}", f"{value}L", expected


def test_formats(tmp_path: Path) -> None:
    draw = random.Random(8)
    lines = []
    for _ in range(40):
        parts = [directive(draw) for _ in range(draw.randrange(1, 4))]
        text, expected = "|".join(p[0] for p in parts), "|".join(p[2] for p in parts)
        arguments = ", ".join(p[1] for p in parts)
        lines.append(f'  assert(snprintf(b, sizeof b, "{text}", {arguments}) == {len(expected)});')
        lines.append(f'  assert(!strcmp(b, "{expected}"));')
    path = tmp_path / "formats.c"
    head = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\nint main(void) {\n  char b[99];\n"
    path.write_text(head + "\n".join(lines) + "\n  return 0;\n}\n")
    found = explore(read_c(str(path)), "sc")
    assert found.verdict == "safe", found.report()
