"""What a program in C or C++ may call and include: the names that the library has, by theme."""

import ast
from collections.abc import Iterable
from functools import cache
from inspect import getfile
from pathlib import Path

from porf.programs.c.compile import INCLUDE
from porf.programs.c.library import recorded_functions, runtime_functions

# Names that begin with these are called by compilers and by porf's headers, but for those that begin with the others.
HIDDEN, SHOWN = ("__", "_Z"), ("__VERIFIER_", "__atomic_", "__sync_")


def functions() -> dict[str, list[str]]:
    """Theme -> the names of its functions; * stands for any characters. A theme is what a file says of itself."""
    homes = {name: Path(getfile(record.emit)) for name, record in recorded_functions().items() if record.emit}
    found: dict[str, list[str]] = {}
    for name, file in sorted({**homes, **runtime_functions(static=False)}.items()):
        if "." not in name and (not name.startswith(HIDDEN) or name.startswith(SHOWN)):
            found.setdefault(_theme(file), []).append(name)
    return dict(sorted(found.items()))


def headers() -> list[str]:
    """The headers that are porf's own."""
    files = [path for folder in (INCLUDE, INCLUDE / "c++") for path in folder.iterdir() if path.is_file()]
    return sorted({path.name for path in files if not path.name.startswith("porf")})


@cache
def _theme(file: Path) -> str:
    """The first sentence of a module in Python or C."""
    text = file.read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(text)) if file.suffix == ".py" else " ".join(_comment(text.splitlines()))
    return " ".join((said or file.stem).split()).partition(". ")[0].partition(": ")[0].rstrip(".")


def _comment(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        if not line.startswith("//"):
            return
        yield line.removeprefix("//")
