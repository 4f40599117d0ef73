"""Imports and includes go one way: every room knows only rooms below it, and the core knows no Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "porf"
CORE = ROOT / "core"

# The rooms of src/porf, lowest first. A module may import from its own room and from the lines above its own; rooms of
# one line do not know each other. docs/architecture.md says why.
LAYERS = (
    ("files", "recorder"),
    ("_core", "cache", "errors", "record"),
    ("allowance",),
    ("architectures", "processes", "said"),
    ("execution", "result"),
    ("evidence.data", "formats"),
    ("language",),
    ("models",),
    ("evidence", "events"),
    ("checking", "programs"),
    ("automata", "generate"),
    ("comparison",),
    ("exploration",),
    ("annotated", "stress", "synthesis", "testing"),
    ("porf", "output"),
    ("cli",),
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
# Methods of an execution that only hand over to the module that reads events, which knows executions.
HANDED_OVER = {("execution", "events")}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "porf"


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def room(module: str) -> str:
    """The longest prefix that is a room; of a module without one, its first part."""
    parts = module.split(".")
    prefixes = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in LEVEL), parts[0])


def imported(module: str, *, late: bool = True) -> Iterator[str]:
    """The modules of porf that a module imports, but for its types alone; `late`: also when a function is called."""
    waiting: list[ast.AST] = [ast.parse(MODULES[module].read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting += node.orelse
            continue
        if isinstance(node, ast.FunctionDef) and not late:
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name == "porf":
                yield "porf"
            elif name.startswith("porf."):
                inner = name.removeprefix("porf.")
                inside = inner if inner in MODULES or inner == "_core" else inner.rpartition(".")[0]
                yield inside or "porf"


def test_every_room_has_its_place() -> None:
    rooms = {room(module) for module in MODULES} | {"_core"}
    assert rooms == set(LEVEL), "each room stands in LAYERS, and nothing else does"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    here = room(module)
    for other in imported(module):
        there = room(other)
        if there != here and (here, there) not in HANDED_OVER:
            assert LEVEL[there] < LEVEL[here], f"{module} imports {other}: {there} does not stand below {here}"


def test_what_is_handed_over_still_is() -> None:
    found = {(room(module), room(other)) for module in MODULES for other in imported(module)}
    assert found >= HANDED_OVER


def test_no_module_needs_itself() -> None:
    TopologicalSorter({module: set(imported(module, late=False)) for module in MODULES}).prepare()  # or CycleError


SOURCES = sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])


def folder(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else "core"


def included(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', path.read_text(encoding="utf-8"), re.MULTILINE)


def test_folders_of_the_core_form_no_cycle() -> None:
    needs: dict[str, set[str]] = {}
    for path in SOURCES:
        here = folder(path.relative_to(CORE))
        for name in included(path):
            if (CORE / name).is_file() and folder(Path(name)) != here:
                needs.setdefault(here, set()).add(folder(Path(name)))
    order = list(TopologicalSorter(needs).static_order())  # raises CycleError
    assert order[0] == "core" and order[-1] == "bindings"


def test_only_the_border_knows_python() -> None:
    for path in SOURCES:
        if folder(path.relative_to(CORE)) == "bindings":
            continue
        for name in included(path):
            assert not name.startswith(("Python.h", "nanobind", "bindings/")), f"{path.relative_to(ROOT)}: {name}"
