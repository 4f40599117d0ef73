"""What docs/programs.md says of `porf explore` is so: its commands print what is shown, and each option is named."""

from __future__ import annotations

import re
from pathlib import Path

from porf._core import BugKind, bug_facts
from porf.cli.command import parser_of
from tests.readme_blocks import BLOCK, ROOT, rerun, without_times, workplace

SECTION = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8").split("\n## Exploring\n")[1]


def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    assert BLOCK.search(SECTION)
    assert without_times(rerun(SECTION, workplace(tmp_path))) == without_times(SECTION)


def test_every_option_is_explained() -> None:
    [verbs] = (action for action in parser_of()._actions if action.choices and "explore" in action.choices)
    assert isinstance(verbs.choices, dict)
    options = {o for action in verbs.choices["explore"]._actions for o in action.option_strings if o.startswith("--")}
    assert options - {"--help"} <= set(re.findall(r"--[a-z-]+", SECTION))


def test_every_kind_of_bug_is_named() -> None:
    assert {bug_facts(kind).name for kind in BugKind} <= set(re.findall(r"`([a-z -]+)`", SECTION))
