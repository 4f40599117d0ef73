"""What became of an annotation under one of its models, against what it expects."""

from __future__ import annotations

from typing import Any, NoReturn

from porf.annotated.annotation import OBSERVATIONS, Annotation
from porf.exploration.found import Exploration
from porf.record import Record
from porf.result import UNDECIDED, Case, Exit, Finding, Spot, case_of, nothing_to_draw


class Checked(Record):
    """Plain data, which other processes can hand over."""

    annotation: Annotation
    program: str
    model: str
    found: str  # in the words of an expectation
    exit_code: int
    seconds: float
    findings: tuple[Finding, ...]  # of what is not as expected

    @property
    def place(self) -> str:
        return f"{self.annotation.file}:{self.annotation.line}"

    @property
    def expected(self) -> str:
        executions = self.annotation.executions
        return self.annotation.expect + ("" if executions is None else f", {executions} executions")

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        return self.place, self.program, self.model, self.expected, self.found

    def headline(self) -> str:
        said = "as expected" if self.exit_code == Exit.HOLDS else f"expected {self.expected}, found {self.found}"
        return f"{self.place}: {self.program} under {self.model}: {said}"

    def report(self) -> str:
        return "\n".join([self.headline(), *(f"  {line}" for one in self.findings for line in one.text().splitlines())])

    def case(self) -> Case:
        return Case(f"{self.program} under {self.model}", self.annotation.file, self.seconds, self.findings)

    def record(self) -> dict[str, Any]:
        return {
            "file": self.annotation.file,
            "line": self.annotation.line,
            "program": self.program,
            "model": self.model,
            "expected": self.expected,
            "found": self.found,
            "as_expected": self.exit_code == Exit.HOLDS,
            "seconds": round(self.seconds, 6),
        }

    def draw(self) -> NoReturn:
        raise nothing_to_draw("porf explore draws the execution of a bug")


def checked(annotation: Annotation, found: Exploration) -> Checked:
    """A verdict that is undecided is never as expected, unless that is what is expected."""
    name, said = annotation.expect, _said(annotation, found)
    good = said == name or (name == "unsafe" and found.verdict == "unsafe") or _has(found, name)
    counted = annotation.executions
    if counted is not None and found.executions != counted:
        good, said = False, f"{said}, {found.executions} executions"
    open_ = found.verdict == "undecided" and name != "undecided"
    code = Exit.UNDECIDED if open_ else Exit.HOLDS if good else Exit.FAILS
    findings: tuple[Finding, ...] = ()
    if code != Exit.HOLDS:
        rule = UNDECIDED if open_ else "not-as-expected"
        about = "an exploration that ends otherwise than the annotation of its source says"
        where = Spot(annotation.file, annotation.line, 1)
        own = Finding(rule, f"expected {name}, found {said} under {found.model}", where, about)
        bugs = case_of(found).findings if found.verdict == "unsafe" and name == "safe" else ()
        findings = bugs or (own,)
    return Checked(annotation, found.program.name, found.model, said, code, found.seconds, findings)


def _said(annotation: Annotation, found: Exploration) -> str:
    if annotation.expect in OBSERVATIONS:
        observation = found.observation
        return "no litmus test" if observation is None else observation.observation.lower()
    if found.verdict == "unsafe" and found.bugs:
        from porf.exploration.findings import rule_of

        return f"unsafe:{rule_of(found.bugs[0].kind)}"
    return found.verdict


def _has(found: Exploration, expected: str) -> bool:
    from porf.exploration.findings import rule_of

    return any(expected == f"unsafe:{rule_of(bug.kind)}" for bug in found.bugs)
