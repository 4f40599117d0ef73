"""What CI services read: SARIF by its published schema, JUnit's XML, GitHub's annotations, and the summary line."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from porf.cli import main
from porf.result import Case, Exit, Finding, Spot, case_of
from tests.cli.calling import refused
from tests.schemas import SARIF, wrong

RACE = """#include <pthread.h>
int x;
void *f(void *a) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
"""
SAFE = RACE.replace("  x = 2;\n", "")
ROOT = Path(__file__).parents[2]
LITMUS = ROOT / "examples" / "litmus"


@pytest.fixture
def sources(files: Path) -> Path:
    (files / "race here.c").write_text(RACE)
    (files / "safe.c").write_text(SAFE)
    (files / "s.kat").write_text("assert po <= rf\nassert rf <= rf\n")
    for name in ("SB", "MP+relaxed"):
        (files / f"{name}.litmus").write_text((LITMUS / f"{name}.litmus").read_text())
    (files / "forbidden.litmus").write_text((files / "MP+relaxed.litmus").read_text().replace("exists", "~exists"))
    return files


def sarif(path: Path) -> list[dict[str, Any]]:
    """The results of a file that keeps to the schema, and to what a schema cannot say."""
    document = json.loads(path.read_text())
    assert wrong(document, SARIF) == []
    [run] = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    found: list[dict[str, Any]] = run["results"]
    return found


def junit(path: Path) -> ElementTree.Element:
    """A suite whose counts are those of its cases."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    [suite] = root
    cases = list(suite)
    assert all(case.tag == "testcase" and case.get("name") and case.get("classname") for case in cases)
    assert all(float(case.get("time", "")) >= 0 for case in cases)
    for element in (root, suite):
        assert int(element.get("tests", "")) == len(cases)
        for counted, tag in (("failures", "failure"), ("errors", "error")):
            assert int(element.get(counted, "")) == sum(case.find(tag) is not None for case in cases)
    return suite


def test_the_schema_refuses_what_is_not_sarif() -> None:
    assert wrong({"version": "2.1.0", "runs": [{}]}, SARIF)
    assert wrong({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{}]}]}, SARIF)


def test_a_bug_is_at_its_place_with_why_and_how_it_came(sources: Path) -> None:
    assert main(["explore", "race here.c", "safe.c", "--sarif", "out.json", "-o", "o.sarif"]) == 1
    [result] = sarif(sources / "out.json")
    assert (sources / "out.json").read_text() == (sources / "o.sarif").read_text()
    assert result["ruleId"] == "data-race" and result["level"] == "error"
    [location] = result["locations"]
    physical = location["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "race%20here.c", "uriBaseId": "%SRCROOT%"}
    places = [physical["region"], *(r["physicalLocation"]["region"] for r in result["relatedLocations"])]
    assert sorted((place["startLine"], place["startColumn"]) for place in places) == [(3, 22), (7, 5)]
    said = result["message"]["text"]
    assert said.startswith("f writes x and main writes it, and neither happens before the other\n")
    assert "Repair: no order helps" in said and "--replay" in said
    assert result["properties"]["why"] and result["properties"]["of"] == "race here under cpp20"
    flows = result["codeFlows"][0]["threadFlows"]
    assert {flow["id"] for flow in flows} == {"main", "f"}
    orders = [step["executionOrder"] for flow in flows for step in flow["locations"]]
    assert sorted(orders) == list(range(1, len(orders) + 1))


def test_the_fingerprint_stays_when_lines_move(sources: Path) -> None:
    prints = []
    for text in (RACE, f"// a line\n{RACE}", RACE.replace("x", "y")):
        (sources / "p.c").write_text(text)
        assert main(["explore", "p.c", "-o", "o.sarif"]) == 1
        prints.append(sarif(sources / "o.sarif")[0]["partialFingerprints"])
    assert prints[0] == prints[1] != prints[2]


@pytest.mark.parametrize(
    ("call", "code", "rule", "line"),
    [
        (["check", "bad.txt", "-m", "ra"], 1, "inconsistent-in-ra", 2),
        (["check", "good.txt", "-m", "ra"], 0, None, None),
        (["check", "wrong.txt", "-m", "ra"], 2, "wrong-input", 1),
        (["check", "none.txt", "-m", "ra"], 2, "wrong-input", None),
        (["check", "bad.txt", "-m", "raa"], 2, "wrong-input", None),
        (["test", "race here.c"], 1, "data-race", 3),
        (["explore", "forbidden.litmus", "-m", "rc11"], 1, "condition", 6),
        (["explore", "SB.litmus", "--limit", "1"], 3, "undecided", None),
        (["orders", "MP+relaxed.litmus", "-m", "rc11"], 1, "condition", 6),
        (["robust", "SB.litmus", "-m", "rc11"], 1, "not-robust", None),
        (["prove", "s.kat"], 1, "statement-fails", 1),
        (["compare", "ra", "sc"], 1, "not-stronger", None),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else None,
)
def test_every_verb_reports(call: list[str], code: int, rule: str | None, line: int | None, sources: Path) -> None:
    assert main([*call, "--sarif", "o.sarif", "--junit", "o.xml"]) == code
    found = sarif(sources / "o.sarif")
    suite = junit(sources / "o.xml")
    assert {result["ruleId"] for result in found} == ({rule} if rule else set())
    assert len(suite) >= max(1, len(found))
    bad = [child for case in suite for child in case]
    assert [child.tag for child in bad] == (["failure"] if code == 1 else ["error"] if code else [])
    if rule is None:
        return
    regions = [loc["physicalLocation"].get("region", {}) for loc in found[0]["locations"]]
    assert [region.get("startLine") for region in regions] in ([line], [])  # none where no file is at fault
    assert (line is not None) == any("startLine" in region for region in regions)
    assert bad[0].get("type") == rule and (bad[0].text or "").strip()


def test_events_of_histories_have_their_lines(files: Path) -> None:
    (files / "h.txt").write_text("# one\nT0 w x 1 id=a\n\nT0 w x 2 id=b\nT1 r x 2 id=c\nT1 r x 1 id=d\n")
    (files / "h.jsonl").write_text(
        '{"thread": "T0", "op": "w", "loc": "x", "value": 1}\n{"thread": "T0", "op": "w", "loc": "x", "value": 2}\n'
        '{"thread": "T1", "op": "r", "loc": "x", "value": 2}\n{"thread": "T1", "op": "r", "loc": "x", "value": 1}\n'
    )
    for name, lines in (("h.txt", {2, 4}), ("h.jsonl", {1, 2})):
        assert main(["check", name, "-m", "ra", "-o", "o.sarif"]) == 1
        [result] = sarif(files / "o.sarif")
        places = [*result["locations"], *result.get("relatedLocations", [])]
        assert {place["physicalLocation"]["region"]["startLine"] for place in places} == lines


def test_standard_input_is_no_file(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = (files / "bad.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said)))
    assert main(["check", "-", "-m", "ra", "--github", "--sarif", "o.sarif", "--junit", "o.xml"]) == 1
    assert "::error title=porf%3A inconsistent-in-ra in <stdin> under ra::" in capsys.readouterr().out
    assert sarif(files / "o.sarif")[0]["locations"] == []
    [case] = junit(files / "o.xml")
    assert case.get("classname") == "porf" and case.get("file") is None


def test_annotations_are_printed_when_asked(sources: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "race here.c"]) == 1
    assert "::error" not in capsys.readouterr().out
    assert main(["explore", "race here.c", "safe.c", "--github"]) == 1
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    found = re.fullmatch(r"::error file=race here\.c,line=3,col=22,title=(.*?)::(.*)", line)
    assert found is not None
    assert found[1] == "porf%3A data-race in race here under cpp20"
    assert found[2].startswith("f writes x and main writes it, and neither happens before the other%0A")
    assert main(["check", "bad.txt", "wrong.txt", "-m", "ra", "--github", "--json"]) == 2
    said = capsys.readouterr()
    assert all(json.loads(line) for line in said.out.splitlines())
    assert sum(line.startswith("::error ") for line in said.err.splitlines()) == 2


class _Hostile:
    exit_code = Exit.FAILS

    def headline(self) -> str:
        return "no"

    report = draw = headline

    def record(self) -> dict[str, Any]:
        return {}

    def case(self) -> Case:
        finding = Finding("a-rule", "50 %\n::error::x\r\x1b[31m<&\"'>]]>", Spot("a,b:c.c", 3, 4), words=("\ufffe\x00",))
        return Case("<a>&\"'", "a,b:c.c", 0.0, (finding,))


def test_texts_of_programs_cannot_leave_their_place(tmp_path: Path) -> None:
    from porf.output.github import render as annotated
    from porf.output.junit import render as xml
    from porf.output.sarif import render

    [line] = annotated([_Hostile()]).splitlines()
    assert line.startswith("::error file=a%2Cb%3Ac.c,line=3,col=4,title=porf%3A a-rule in <a>&\"'::50 %25%0A%3A"[:60])
    assert "%0A::error::x" in line and "\r" not in line and "\x1b" not in line

    (tmp_path / "o.sarif").write_text(render([_Hostile()]))
    assert len(sarif(tmp_path / "o.sarif")) == 1
    (tmp_path / "o.xml").write_text(xml([_Hostile()]))
    [case] = junit(tmp_path / "o.xml")
    assert case.get("name") == "<a>&\"'"


def test_results_without_a_case_of_their_own_have_one() -> None:
    class Plain:
        def __init__(self, code: Exit) -> None:
            self.exit_code = code

        def headline(self) -> str:
            return "so it is"

        report = draw = headline

        def record(self) -> dict[str, Any]:
            return {}

    assert case_of(Plain(Exit.HOLDS)) == Case("so it is", "")
    for code, rule in ((Exit.FAILS, "fails"), (Exit.UNDECIDED, "undecided"), (Exit.BUG, "bug-in-porf")):
        [finding] = case_of(Plain(code)).findings
        assert (finding.rule, finding.message) == (rule, "so it is")


@pytest.mark.usefixtures("sources")
def test_quiet_prints_what_is_not_well_and_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "good.txt", "bad.txt", "wrong.txt", "-m", "ra", "-q"]) == 2
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].startswith("bad.txt: inconsistent in ra") and "good.txt" not in said.out
    assert lines[-1] == "3 results: 1 ok, 1 failed, 1 wrong input"
    assert said.err.startswith("error: wrong.txt:1:8: ")
    assert main(["check", "good.txt", "-m", "sc,ra", "--quiet"]) == 0
    assert capsys.readouterr().out == "2 results: 2 ok\n"
    assert main(["check", "good.txt", "-m", "ra", "--summary"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 result: 1 ok"
    assert main(["check", "good.txt", "bad.txt", "-m", "ra", "--quiet", "--json"]) == 1
    said = capsys.readouterr()
    assert [json.loads(line)["source"] for line in said.out.splitlines()] == ["bad.txt"]
    assert said.err == "2 results: 1 ok, 1 failed\n"


@pytest.mark.usefixtures("files")
def test_wrong_places_are_refused_before_any_work(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--sarif", "--junit"):
        said = refused(capsys, "check", "good.txt", "-m", "ra", option, "none/o.xml")
        assert "none/o.xml: cannot be written: no such directory" in said
    said = refused(capsys, "check", "good.txt", "-m", "ra", "--sarif", "o", "--junit", "o")
    assert "two results cannot go to one file" in said
