"""The first result that has a picture, as SVG."""

from collections.abc import Sequence

from porf.errors import UsageError
from porf.result import Result, nothing_to_draw

SUFFIXES = (".svg",)


def render(results: Sequence[Result]) -> str:
    refused = nothing_to_draw("there is no result")
    for result in results:
        try:
            return result.draw()
        except UsageError as error:
            refused = error
    raise refused
