"""What `porf explore --what` says: everything that the tables have. The page on undefined behaviour says the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from porf._core import BugKind, bug_facts
from porf.cli import main
from porf.programs.c import library

PAGE = Path(__file__).parents[2] / "docs" / "undefined.md"
TOOLS = 8  # beside porf


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explore", "--what", *arguments]) == 0
    return capsys.readouterr().out


def test_every_kind_of_bug_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(printed(capsys, "--json"))
    named = {row["kind"]: row["what"] for row in (*record["bugs"], *record["unsupported"])}
    assert list(named) and set(named) == {bug_facts(kind).name for kind in BugKind}
    assert all(named.values())


def test_every_function_that_programs_call_is_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(printed(capsys, "--json"))
    names = [name for theme in record["functions"] for name in theme["names"]]
    assert len(names) == len(set(names))
    assert {"malloc", "pthread_mutex_lock", "strcpy", "qsort", "printf", "thrd_create"} <= set(names)
    assert all(library.find(name) or name in library.runtime_functions() for name in names)
    known = {*library.recorded_functions(), *library.runtime_functions(static=False)}
    assert not {name for name in known if name[0].isalpha() and "." not in name} - set(names)
    assert {"thread", "atomic", "genmc.h"} <= set(record["headers"])


def test_people_read_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    record, text = json.loads(printed(capsys, "--json")), " ".join(printed(capsys).split())
    for row in (*record["bugs"], *record["unsupported"], *record["gaps"]):
        assert f"{row['kind']} {row['what']}" in text
    for sentence in record["assumptions"]:
        assert sentence in text
    for theme in record["functions"]:
        assert f"{theme['theme']}: {' '.join(theme['names'])}" in text


def test_the_page_says_the_same_and_what_other_tools_do(capsys: pytest.CaptureFixture[str]) -> None:
    record, text = json.loads(printed(capsys, "--json")), PAGE.read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[0:1] == "|"]
    kinds = [row for row in rows if len(row) == 2 + TOOLS and row[0].startswith("`")]
    said = [(row["kind"], row["what"]) for row in (*record["bugs"], *record["unsupported"])]
    assert [(row[0].strip("`"), row[1]) for row in kinds] == said
    gaps = [row for row in rows if len(row) == 2 and row[0] and "-" not in row[0]]
    assert [tuple(row) for row in gaps] == [(row["kind"], row["what"]) for row in record["gaps"]]
    assert re.findall(r"^- (.*)$", text.partition("**Taken for granted**")[2], re.MULTILINE) == record["assumptions"]


@pytest.mark.parametrize("arguments", [["--what", "x.c"], []])
def test_it_is_about_no_program(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", *arguments]) == 2
    assert "hint: porf explore" in capsys.readouterr().err
