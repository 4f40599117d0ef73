"""Everything that the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import porf
from porf.checking.choose import ALGORITHMS
from porf.cli import main
from porf.models import ALL_MODELS
from tests.readme_blocks import BLOCK, PICTURES, README, ROOT, rerun, without_times, workplace

TEXT = README.read_text(encoding="utf-8")


def test_the_commands_and_snippets_print_what_is_shown(tmp_path: Path) -> None:
    assert len(BLOCK.findall(TEXT)) >= 8
    shown = without_times(TEXT)
    assert without_times(rerun(TEXT, workplace(tmp_path))) == shown


def test_a_run_on_real_cores_has_the_form_that_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"^```text\n\$ porf stress\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    main(["stress", "--rounds", "2"])
    opening, *_, ending = (re.sub(r"[\d.,]*\d", "N", line) for line in capsys.readouterr().out.splitlines())
    shown, *_, shown_ending = (re.sub(r"[\d.,]*\d", "N", line) for line in block.splitlines())
    assert opening.replace("core,", "cores,") == shown
    assert ending == shown_ending


@pytest.mark.parametrize(("history", "model", "picture"), PICTURES)
def test_the_pictures_are_what_porf_show_draws(history: str, model: str, picture: str) -> None:
    execution = porf.load(ROOT / "examples" / "histories" / f"{history}.txt")
    drawn = porf.check(execution, model).draw()
    assert (ROOT / "docs" / "images" / f"{picture}.svg").read_text(encoding="utf-8") == drawn
    assert f"docs/images/{picture}.svg" in TEXT


def test_the_list_of_algorithms_names_each_algorithm() -> None:
    assert set(re.findall(r"^- `([\w-]+)`: ", TEXT, re.MULTILINE)) == set(ALGORITHMS) - {"auto"}


def test_the_table_of_models_names_each_model() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)) == set(ALL_MODELS)


def test_links_lead_somewhere() -> None:
    pages = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
