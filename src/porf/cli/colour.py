"""Colours for reports on a terminal: verdicts, errors and hints, and the edges of cycles as pictures have them."""

import os
import re
from typing import TextIO

_GOOD, _BAD, _OPEN, _BOLD, _FAINT = "32", "31", "33", "1;31", "2"
_WORDS = {
    **dict.fromkeys(("consistent", "safe", "holds", "equal", "stronger", "proved"), _GOOD),
    **dict.fromkeys(("inconsistent", "unsafe", "fails", "violated"), _BAD),
    **dict.fromkeys(("undecided", "unknown", "weaker", "incomparable"), _OPEN),
    "error:": _BOLD,
    "hint:": "36",
    "note:": _FAINT,
}
_EDGES = {"po": _FAINT, "rf": "32", "mo": "34", "fr": "31"}
_HEAD = r"(?<![\w-])(?:" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")(?![\w-])"
_EDGE = r"-(po|rf|mo|fr)->"


def coloured(text: str, stream: TextIO) -> str:
    """The text, with colours if the stream is a terminal that may have them."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    lines = text.split("\n")
    lines[0] = re.sub(_HEAD, lambda match: _in(_WORDS[match[0]], match[0]), lines[0], count=1)
    for at, line in enumerate(lines[1:], 1):
        start = line.lstrip().partition(" ")[0]
        if start in ("hint:", "note:"):
            line = line.replace(start, _in(_WORDS[start], start), 1)
        lines[at] = re.sub(_EDGE, lambda match: _in(_EDGES[match[1]], match[0]), line)
    return "\n".join(lines)


def _in(colour: str, text: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"
