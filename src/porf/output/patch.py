"""Sources with other orders as a unified diff, for `patch -p1`."""

from collections.abc import Sequence

from porf.errors import UsageError
from porf.result import Result
from porf.synthesis.needed import Orders

SUFFIXES = (".diff", ".patch")


def render(results: Sequence[Result]) -> str:
    """Of the first choice of each search."""
    searches = [result for result in results if isinstance(result, Orders)]
    if not searches:
        raise UsageError("only porf orders makes patches")
    return "".join(found.patch().diff() for found in searches if found.choices)
