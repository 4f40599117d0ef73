"""Results as JSON: one object, or a list of them if there are several."""

import json
from collections.abc import Sequence
from typing import Any

from porf.errors import shown
from porf.result import Result

SUFFIXES = (".json",)


def render(results: Sequence[Result]) -> str:
    records = [result.record() for result in results]
    return f"{spread(records[0] if len(records) == 1 else records)}\n"


def compact(value: Any) -> str:
    """On one line, in letters that every terminal and every encoding of Unicode can take; the rest is escaped."""
    return shown(json.dumps(value, ensure_ascii=False), json.dumps)


def line(result: Result) -> str:
    """One object on one line."""
    return compact(result.record())


def spread(value: Any, depth: int = 2) -> str:
    """JSON with one item per line in the outer lists and objects, and the inner ones compact."""
    if depth and value and isinstance(value, dict):
        return "{\n" + ",\n".join(f"{compact(key)}: {spread(item, depth - 1)}" for key, item in value.items()) + "\n}"
    if depth and value and isinstance(value, list):
        return "[\n" + ",\n".join(spread(item, depth - 1) for item in value) + "\n]"
    return compact(value)
