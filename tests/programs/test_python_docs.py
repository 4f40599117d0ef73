"""The page on programs, held to the front end in Python: its examples compile, and it names all there is."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from porf.programs import python
from porf.programs.python import load_programs
from porf.programs.python.shared import TYPES, Mutex, SharedInt

PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
SECTION = re.split(r"^## ", PAGE.split("## Programs in Python")[1], flags=re.MULTILINE)[0]
BLOCKS = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)


@pytest.mark.parametrize(("number", "threads"), [(0, 2), (1, 2)])
def test_the_examples_compile(tmp_path: Path, number: int, threads: int) -> None:
    path = tmp_path / "example.py"
    path.write_text(BLOCKS[number], encoding="utf-8")
    [program] = load_programs(str(path))
    assert len(program.starts) == threads


def test_the_page_names_every_word_and_operation() -> None:
    names = set(re.findall(r"\w+", SECTION))
    operations = {name for kind in (SharedInt, Mutex) for name, _ in inspect.getmembers(kind, inspect.isfunction)}
    decorators = {name for name in vars(python.ProgramBuilder) if not name.startswith("_")}
    words = {name for name in python.__all__ if name[0].islower()}
    for name in {*operations, *decorators, *words} - {"__init__", "__repr__", "__enter__", "__exit__"}:
        assert names.intersection({name, "_" + name.removeprefix("fetch_")}), name
    short = {name for name in TYPES if re.fullmatch(r"[iu]\d+", name)}
    assert short <= names
