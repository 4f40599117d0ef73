"""Results as people read them on the terminal."""

from collections.abc import Sequence

from porf.result import Result

SUFFIXES = (".txt",)


def render(results: Sequence[Result]) -> str:
    return "".join(f"{result.report()}\n" for result in results)
