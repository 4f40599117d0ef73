"""Results as people read them on the terminal."""

from collections.abc import Sequence

from porf.errors import shown
from porf.result import Result

SUFFIXES = (".txt",)


def render(results: Sequence[Result]) -> str:
    return "".join(f"{shown(result.report())}\n" for result in results)
