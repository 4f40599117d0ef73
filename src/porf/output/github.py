"""Results as annotations of GitHub: lines that its runner takes from a step's output, and shows beside the code."""

from __future__ import annotations

from collections.abc import Sequence

from porf.errors import shown
from porf.result import UNDECIDED, Finding, Result, case_of

SUFFIXES = ()  # printed, not written


def render(results: Sequence[Result]) -> str:
    found = [(case.name, finding) for case in map(case_of, results) for finding in case.findings]
    return "".join(f"{_line(name, finding)}\n" for name, finding in found)


def _line(name: str, finding: Finding) -> str:
    spot = finding.where
    parts = {"file": spot.shown_file, "line": spot.line, "col": spot.column if spot.line else 0}
    parts |= {"title": f"porf: {finding.rule} in {name}"}
    known = ",".join(f"{key}={_property(str(value))}" for key, value in parts.items() if value)
    level = "warning" if finding.rule == UNDECIDED else "error"
    return f"::{level} {known}::{_data(finding.text())}"


def _data(text: str) -> str:
    """A line ends a command, so the ends of lines are escaped."""
    return shown(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
