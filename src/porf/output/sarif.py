"""Results as SARIF 2.1.0, which code scanning of GitHub, GitLab, Azure and editors read: what is wrong, at its place,
why, and the execution that shows it as a flow through the threads."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from porf.errors import shown
from porf.output.json import spread
from porf.result import UNDECIDED, WRONG_INPUT, Finding, Result, Spot, case_of

SUFFIXES = (".sarif",)
ERRORS_TOO = True  # inputs that are wrong are results here
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/porf-mc/porf"


def render(results: Sequence[Result]) -> str:
    from importlib.metadata import version

    found = [(case.name, finding) for case in map(case_of, results) for finding in case.findings]
    rules = {finding.rule: finding.about or finding.rule for _, finding in found}
    numbers = {rule: number for number, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "porf",
                "semanticVersion": version("porf"),
                "informationUri": HOME,
                "rules": [_rule(rule, about) for rule, about in rules.items()],
            }
        },
        "invocations": [{"executionSuccessful": all(finding.rule != WRONG_INPUT for _, finding in found)}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(name, finding, numbers[finding.rule]) for name, finding in found],
    }
    return f"{spread({'$schema': SCHEMA, 'version': '2.1.0', 'runs': [run]}, 6)}\n"


def _rule(rule: str, about: str) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": shown(about)},
        "defaultConfiguration": {"level": "warning" if rule == UNDECIDED else "error"},
        "helpUri": f"{HOME}/tree/main/docs",
    }


def _result(name: str, finding: Finding, number: int) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": "warning" if finding.rule == UNDECIDED else "error",
        "message": {"text": shown(finding.text())},
        "locations": [_location(finding.where)] if finding.where.shown_file else [],
        "partialFingerprints": {"porf/v1": _fingerprint(name, finding)},
        "properties": {"of": shown(name)},
    }
    if finding.related:
        out["relatedLocations"] = [_location(spot, n) for n, spot in enumerate(finding.related)]
    if finding.steps:
        out["codeFlows"] = [{"threadFlows": _flows(finding.steps)}]
    for key, lines in (("why", finding.words), ("repairs", finding.repairs)):
        if lines:
            out["properties"][key] = [shown(line) for line in lines]
    return out


def _location(spot: Spot, number: int | None = None) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": _address(spot.shown_file)}
    if spot.line:
        where["region"] = {"startLine": spot.line} | ({"startColumn": spot.column} if spot.column else {})
    out: dict[str, Any] = {} if number is None else {"id": number}
    out["physicalLocation"] = where
    if spot.message:
        out["message"] = {"text": shown(spot.message)}
    return out


def _address(file: str) -> dict[str, str]:
    """A file of the repository is named from its root; others by their whole path."""
    if Path(file).is_absolute():
        return {"uri": Path(file).as_uri()}
    return {"uri": quote(file), "uriBaseId": "%SRCROOT%"}


def _flows(steps: Sequence[tuple[str, Spot]]) -> list[dict[str, Any]]:
    """One flow a thread; the numbers of the steps are their order in the execution."""
    flows: dict[str, list[dict[str, Any]]] = {}
    for number, (thread, spot) in enumerate(steps, 1):
        flows.setdefault(thread, []).append({"location": _location(spot), "executionOrder": number})
    return [{"id": shown(thread), "locations": locations} for thread, locations in flows.items()]


def _fingerprint(name: str, finding: Finding) -> str:
    """The same for the same bug, when lines above it move."""
    return sha256("\0".join((name, finding.rule, finding.message)).encode(errors="replace")).hexdigest()[:32]
