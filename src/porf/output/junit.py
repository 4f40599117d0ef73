"""Results as JUnit's XML, which CI services show as test runs: a case a result. Bugs are failures, and what is
undecided or could not be read is an error."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from porf.errors import shown
from porf.result import UNDECIDED, WRONG_INPUT, Case, Finding, Result, case_of, inside_here

SUFFIXES = (".xml",)
ERRORS_TOO = True  # inputs that are wrong are cases here
BROKEN = (UNDECIDED, WRONG_INPUT, "bug-in-porf")  # the case did not come to an answer


def render(results: Sequence[Result]) -> str:
    cases = [case_of(result) for result in results]
    broken = sum(_is_broken(case) for case in cases)
    failed = sum(bool(case.findings) for case in cases) - broken
    counts = {"tests": len(cases), "failures": failed, "errors": broken, "time": _time(sum(c.seconds for c in cases))}
    body = "".join(_case(case, result) for case, result in zip(cases, results, strict=True))
    suite = f"  <testsuite{_attributes({'name': 'porf', **counts, 'skipped': 0})}>\n{body}  </testsuite>\n"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f"{head}<testsuites{_attributes({'name': 'porf', **counts})}>\n{suite}</testsuites>\n"


def _case(case: Case, result: Result) -> str:
    file = inside_here(case.file)
    known: dict[str, object] = {"classname": file or "porf", "name": case.name, "time": _time(case.seconds)}
    if file:
        known["file"] = file
    if not case.findings:
        return f"    <testcase{_attributes(known)}/>\n"
    first = case.findings[0]
    if first.where.line:
        known["line"] = first.where.line
    tag = "error" if _is_broken(case) else "failure"
    said = "\n".join([*map(_placed, case.findings), "", result.report()])
    about = _attributes({"type": first.rule, "message": _one_line(first.message)})
    return f"    <testcase{_attributes(known)}>\n      <{tag}{about}>{escape(shown(said))}</{tag}>\n    </testcase>\n"


def _is_broken(case: Case) -> bool:
    return bool(case.findings) and case.findings[0].rule in BROKEN


def _placed(finding: Finding) -> str:
    spot = finding.where
    place = ":".join(str(part) for part in (spot.shown_file, spot.line, spot.column) if part)
    return f"{place}: {finding.message}" if place else finding.message


def _attributes(known: dict[str, object]) -> str:
    return "".join(f" {name}={quoteattr(shown(str(value)))}" for name, value in known.items())


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"
