"""An instruction of an assembly test as it is written: a mnemonic and operands, whose meaning is not known yet."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Operand(NamedTuple):
    """A part of an instruction between commas. `at` counts characters from the beginning of the cell."""

    text: str
    at: int


class Line(NamedTuple):
    """What a cell holds: labels, and an instruction (its mnemonic is empty if there is none)."""

    labels: tuple[Operand, ...]
    mnemonic: str  # in lower case
    at: int
    operands: tuple[Operand, ...]


@lru_cache(maxsize=1 << 14)
def read_line(cell: str) -> Line:
    """The parts of a cell. Nothing is wrong with any text: what the parts are is asked later."""
    labels, at = [], 0
    while True:
        label, colon, _ = cell[at:].partition(":")
        if not colon or not label.strip().replace("_", "").replace(".", "").isalnum():
            break
        labels.append(_part(label, at))
        at += len(label) + 1
    rest = cell[at:]
    at += len(rest) - len(rest.lstrip())
    mnemonic, _, after = rest.strip().replace("\t", " ").partition(" ")
    return Line(tuple(labels), mnemonic.lower(), at, tuple(_operands(after, at + len(mnemonic) + 1)))


def _operands(text: str, at: int) -> list[Operand]:
    """The parts between commas that are not in brackets."""
    if not text.strip():
        return []
    found, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            found.append(_part(text[start:place], at + start))
            start = place + 1
    found.append(_part(text[start:], at + start))
    return found


def _part(text: str, at: int) -> Operand:
    return Operand(text.strip(), at + len(text) - len(text.lstrip()))


def number(text: str) -> int | None:
    """The number that is written here, with the signs that the dialects put before it."""
    try:
        return int(text.lstrip("#$").replace("_", "x"), 0)
    except ValueError:
        return None
