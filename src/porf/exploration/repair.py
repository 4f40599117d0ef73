"""What to change so that a bug goes away: stronger orders or a fence, which were checked, or that no order helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porf.record import Record

if TYPE_CHECKING:
    from porf.exploration.bugs import Bug


class Change(Record):
    """One line of a repair: what is written there, and what would have to be; before that access, if nothing is."""

    file: str
    line: int
    column: int
    before: str
    after: str

    def __str__(self) -> str:
        what = f"{self.before} -> {self.after}" if self.before else f"{self.after} before this access"
        return f"{self.file}:{self.line}: {what}"


class Repair(Record):
    """Changes that were explored together and make the program safe; or why there are none."""

    changes: tuple[Change, ...] = ()
    executions: int = 0
    why: str = ""
    under_sc: Bug | None = None  # the bug, if it is also there under SC

    def lines(self) -> list[str]:
        """For people."""
        if not self.changes:
            return [f"  Repair: {self.why}"]
        checked = f"safe, {self.executions} execution{'' if self.executions == 1 else 's'}"
        if len(self.changes) == 1:
            return ["  Repair:", f"    {self.changes[0]} (checked: {checked})"]
        return ["  Repair:", *(f"    {change}" for change in self.changes), f"    (checked together: {checked})"]

    def record(self, file: str) -> dict[str, Any]:
        """For JSON."""
        out: dict[str, Any] = {
            "changes": [
                {"file": c.file, "line": c.line, "column": c.column, "before": c.before, "after": c.after}
                for c in self.changes
            ]
        }
        if self.changes:
            out |= {"checked": "safe", "executions": self.executions}
        else:
            out["why"] = self.why
        if self.under_sc is not None:
            out["under_sc"] = self.under_sc.record(file)
        return out
