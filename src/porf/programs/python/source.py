"""From a Python function to its syntax tree, with the file's own lines and columns, and errors that point there."""

import ast
import builtins
import linecache
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType

from porf.errors import ProgramError, UsageError, nearest
from porf.programs.form import Place

PACKAGE = str(Path(__file__).parents[2])


class Source:
    """One function: its tree, its lines, and what the names mean that it does not set itself."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.name = function.__name__
        self.file = function.__code__.co_filename
        linecache.checkcache(self.file)
        self.lines = linecache.getlines(self.file)
        tree = find(self.file, "".join(self.lines), self.name, function.__code__.co_firstlineno)
        if tree is None:
            raise UsageError(
                f"{self.file}: the source text of '{self.name}' cannot be found",
                hint="functions of threads are compiled from their source: write them with 'def' in a file",
            )
        self.tree = tree
        augmented = (n.target for n in ast.walk(tree) if isinstance(n, ast.AugAssign))
        loaded = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        self.reads = frozenset(n.id for n in (*augmented, *loaded) if isinstance(n, ast.Name))
        self.locals = frozenset(function.__code__.co_varnames + function.__code__.co_cellvars)

    def place(self, node: ast.AST) -> Place:
        line, column = getattr(node, "lineno", self.tree.lineno), getattr(node, "col_offset", 0)
        return Place(line, self.characters(line, column) + 1, self.file)

    def characters(self, line: int, column: int) -> int:
        """A column in characters; the syntax tree counts bytes."""
        return len(self.text(line).encode()[:column].decode(errors="replace"))

    def text(self, line: int) -> str:
        return self.lines[line - 1].rstrip("\n") if 0 < line <= len(self.lines) else ""

    def error(self, node: ast.AST, message: str, hint: str | None = None) -> ProgramError:
        place = self.place(node)
        text, end = self.text(place.line), getattr(node, "end_col_offset", None)
        if getattr(node, "end_lineno", None) != place.line or end is None:
            width = len(text) - place.column + 1
        else:
            width = self.characters(place.line, end) - place.column + 1
        return ProgramError(
            message, source=self.file, line=place.line, column=place.column, text=text, width=width, hint=hint
        )

    def outer(self, name: str) -> object:
        """What a name means outside of the function: in the enclosing functions, in the module, in Python."""
        cells = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        if name in cells:
            return cells[name].cell_contents  # ValueError: it is not set yet
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        return getattr(builtins, name)  # AttributeError: nobody knows it

    def known_name(self, node: ast.Name) -> object:
        try:
            return self.outer(node.id)
        except ValueError:
            raise self.error(node, f"'{node.id}' is not set yet when the program is compiled") from None
        except AttributeError:
            names = {*self.locals, *self.function.__code__.co_freevars, *self.function.__globals__}
            raise self.error(node, f"unknown name '{node.id}'", nearest(node.id, sorted(names))) from None


@lru_cache(maxsize=16)
def module_tree(file: str, text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def find(file: str, text: str, name: str, line: int) -> ast.FunctionDef | None:
    """The definition that begins on this line, counted from its first decorator."""
    tree = module_tree(file, text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == line:
                return node
    return None


def caller() -> Place | None:
    """Where the code stands that called porf."""
    for file, line in callers():
        if not file.startswith(PACKAGE):
            return Place(line, 1, file)
    return None


def callers() -> Iterator[tuple[str, int]]:
    frame = sys._getframe(1)
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno
        if frame.f_back is None:
            return
        frame = frame.f_back


def wrong_call(message: str, hint: str | None = None, place: Place | None = None) -> ProgramError:
    """An error at the line that called porf, or at another line."""
    place = place or caller()
    if place is None:
        return ProgramError(message, hint=hint)
    text = linecache.getline(place.file, place.line).rstrip("\n")
    start = len(text) - len(text.lstrip())
    return ProgramError(
        message,
        source=place.file,
        line=place.line,
        column=start + 1,
        text=text or None,
        width=max(1, len(text) - start),
        hint=hint,
    )
