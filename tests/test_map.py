"""The map in docs/architecture.md: short, complete room by room, and true. Every path that a page names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = ROOT / "docs" / "architecture.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONGEST_MAP = 200  # lines

# A path from the root of the repository; in braces, or with a *, it is a pattern, and a NAME is yours to choose.
PATH = re.compile(r"`((?:src|core|tests|docs|examples|benchmarks)/[\w./+-]*)`")
LINK = re.compile(r"\]\(([\w./-]+?)(?:#[\w-]+)?\)")


def sources() -> list[Path]:
    kinds = {".py", ".cpp", ".hpp", ".def", ".c", ".h", ".kat"}
    found = [path for top in ("src/porf", "core") for path in (ROOT / top).rglob("*") if path.suffix in kinds]
    return sorted(path.relative_to(ROOT) for path in found)


def rooms_on_the_map() -> set[str]:
    rows = re.findall(r"^\| `((?:src/porf|core)[\w/+]*/)` \|", MAP.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == len(set(rows)), "each room has one row"
    return set(rows)


def test_the_map_is_short() -> None:
    assert len(MAP.read_text(encoding="utf-8").splitlines()) <= LONGEST_MAP


def test_every_room_is_on_the_map_and_no_other() -> None:
    rooms = {f"{path.parent}/" for path in sources()}
    assert rooms_on_the_map() == rooms


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = [path for path in PATH.findall(text) if not path.isupper() and not (ROOT / path).exists()]
    missing = [path for path in missing if "NAME" not in path]
    missing += [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    assert not missing, f"{page.name} names what is not there"


@pytest.mark.parametrize("path", sources(), ids=str)
def test_every_file_says_what_it_is_for(path: Path) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix == ".py":
        assert ast.get_docstring(ast.parse(text)), f"{path} opens with no docstring"
    elif not (path.suffix == ".cpp" and (ROOT / path.with_suffix(".hpp")).exists()):
        assert text.startswith(("//", "/*")), f"{path} opens with no comment"


def test_links_lead_to_headings() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", text):
            other = (page.parent / target).read_text(encoding="utf-8") if target else text
            headings = {
                re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
                for line in other.splitlines()
                if line.startswith("#")
            }
            assert anchor in headings, f"{page.name} links to #{anchor}"
