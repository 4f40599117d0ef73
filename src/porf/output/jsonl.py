"""Results as JSON Lines: one object per line, as `--json` prints them."""

from collections.abc import Sequence

from porf.output.json import line
from porf.result import Result

SUFFIXES = (".jsonl",)


def render(results: Sequence[Result]) -> str:
    return "".join(f"{line(result)}\n" for result in results)
