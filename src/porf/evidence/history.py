"""A history as `porf show` draws it: by itself, or with the evidence of one verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porf.evidence.svg import draw
from porf.execution import Execution
from porf.record import Record
from porf.result import Exit

if TYPE_CHECKING:
    from porf.checking.verdict import Verdict


class Drawing(Record, eq=False):
    """The picture has at most about `limit` events."""

    execution: Execution
    verdict: Verdict | None = None
    limit: int = 60

    @property
    def exit_code(self) -> int:
        return Exit.HOLDS if self.verdict is None else self.verdict.exit_code

    def headline(self) -> str:
        e = self.execution
        said = f"{len(e)} events, {e.threads} threads, {e.locations} locations"
        return f"{e.source}: {said if self.verdict is None else self.verdict.headline()}"

    def report(self) -> str:
        from porf.formats import dumps

        if self.verdict is not None:
            return self.verdict.report()
        return f"{self.headline()}\n\n{dumps(self.execution).decode().rstrip()}"

    def record(self) -> dict[str, Any]:
        e = self.execution
        if self.verdict is not None:
            return self.verdict.record()
        return {"source": e.source, "events": len(e), "threads": e.threads, "locations": e.locations}

    def draw(self) -> str:
        if self.verdict is not None:
            return self.verdict.draw(limit=self.limit)
        return draw(self.execution, title=self.execution.source, limit=self.limit)
