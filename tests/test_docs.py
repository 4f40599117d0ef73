"""The map in docs/architecture.md names every file, and its links lead to headings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([\w.*+-]+)`", PAGE))

MODULES = sorted(path for path in (ROOT / "src" / "porf").rglob("*.py") if path.name != "__init__.py")
CORE = sorted({path.with_suffix("") for kind in ("*.hpp", "*.cpp") for path in (ROOT / "core").rglob(kind)})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_every_module_is_on_the_map(path: Path) -> None:
    assert path.name in NAMED, f"say in docs/architecture.md, Layout, what {path.relative_to(ROOT)} is for"


def test_every_file_of_the_core_is_on_the_map() -> None:
    shared = {"bindings", "common", "module", "program", "record"}
    families = {path.name for path in CORE if path.parent.name == "bindings"} - shared
    missing = {path.name for path in CORE if path.parent.name != "bindings"} - NAMED
    assert not missing, f"say in docs/architecture.md, Layout, what {sorted(missing)} are for"
    assert families <= {path.name for path in (ROOT / "core").iterdir() if path.is_dir()}


def test_the_map_names_no_module_that_is_gone() -> None:
    tests = {path.name for path in (ROOT / "tests").rglob("*.py")}
    known = {path.name for path in (ROOT / "src" / "porf").rglob("*.py")} | tests
    assert {name for name in NAMED if name.endswith(".py")} <= known


def test_links_within_a_page_lead_to_headings() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", text):
            other = (page.parent / target).read_text(encoding="utf-8") if target else text
            headings = {
                re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
                for line in other.splitlines()
                if line.startswith("#")
            }
            assert anchor in headings, f"{page.name} links to #{anchor}"
