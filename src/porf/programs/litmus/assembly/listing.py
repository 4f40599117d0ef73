"""The instructions of a thread of an assembly test as they were read, for whoever runs them on a machine."""

from __future__ import annotations

from porf.programs.form import Place
from porf.programs.litmus.assembly.operands import Line
from porf.record import Record


class Listing(Record):
    """`lines` are in order, each with its place; `first` is what registers hold at first, by their numbers."""

    dialect: str
    lines: tuple[tuple[Line, Place], ...]
    first: dict[int, int]
