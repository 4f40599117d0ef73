"""What was worked out to see which files of a call are programs, for when these are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porf.record import Record, field

if TYPE_CHECKING:
    from porf.programs.c.sources import Used
    from porf.programs.form import Program


class Beforehand(Record, eq=False):
    """It is of one call: files may have changed before the next."""

    code: dict[tuple[str, ...], tuple[bytes, Used]] = field(default_factory=dict)  # path and flags -> what is compiled
    programs: dict[str, Program] = field(default_factory=dict)  # word for a call -> what was kept
