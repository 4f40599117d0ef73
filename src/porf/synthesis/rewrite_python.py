"""Other orders in the text of programs in Python: in calls of cells' methods, and of fences."""

from __future__ import annotations

import ast
import re

from porf._core import Order
from porf.programs.form import Opcode
from porf.programs.sites import WORDS, Site, Strength

Span = tuple[int, int, str]
# How many arguments come before the order.
_VALUES = {Opcode.LOAD: 0, Opcode.STORE: 1, Opcode.RMW: 1, Opcode.CAS: 2, Opcode.FENCE: 0}
_KEYWORDS = ("order", "failure_order")
_MODULE = "porf.programs.python"


class Rewriter:
    """Of one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = text.splitlines(keepends=True)
        try:
            self._tree: ast.Module | None = ast.parse(text)
        except (SyntaxError, ValueError):
            self._tree = None
        self._used: set[str] = set()

    def edits(self, at: int, site: Site, strength: Strength) -> list[Span] | None:
        """What changes the access, or the fence, that stands there; nothing if it cannot be found."""
        if self._tree is None:
            return None
        calls = [n for n in ast.walk(self._tree) if isinstance(n, ast.Call) and self._start(n) == at]
        found = [call for call in calls if self._is(call, site.opcode)]
        if len(found) != 1:
            return None
        call = found[0]
        if strength.order is Order.NA:
            return self._without(call)
        wanted = [strength.order] + ([strength.failure] if site.opcode is Opcode.CAS else [])
        given = dict(zip(_KEYWORDS, call.args[_VALUES[site.opcode] :], strict=False))
        given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg in _KEYWORDS}
        edits: list[Span] = []
        missing = []
        by_name = any(keyword.arg in _KEYWORDS or keyword.arg == "value" for keyword in call.keywords)
        for keyword, order in zip(_KEYWORDS, wanted, strict=False):
            node = given.get(keyword)
            if node is None:
                missing.append(f"{keyword}={self._name(order)}" if by_name else self._name(order))
            elif isinstance(node, ast.Attribute):
                end = self._end(node)
                edits.append((end - len(node.attr), end, WORDS[order]))
            else:
                edits.append((self._start(node), self._end(node), self._name(order)))
        if missing:
            last = self._end(call) - 1
            comma = ", " if call.args or call.keywords else ""
            edits.append((last, last, comma + ", ".join(missing)))
        return [edit for edit in edits if self._text[edit[0] : edit[1]] != edit[2]]

    def finish(self) -> list[Span]:
        """Names of orders that the file does not import yet."""
        if self._tree is None:
            return []
        imports = [n for n in ast.walk(self._tree) if isinstance(n, ast.ImportFrom) and n.module == _MODULE]
        known = {alias.asname or alias.name for node in imports for alias in node.names}
        fresh = sorted(self._used - known)
        if not fresh:
            return []
        if imports:
            names = sorted([*(a.name + (f" as {a.asname}" if a.asname else "") for a in imports[0].names), *fresh])
            return [(self._start(imports[0]), self._end(imports[0]), f"from {_MODULE} import {', '.join(names)}")]
        first = next((n for n in self._tree.body if isinstance(n, ast.Import | ast.ImportFrom)), None)
        at = self._starts[first.end_lineno] if first is not None and first.end_lineno is not None else 0
        return [(at, at, f"from {_MODULE} import {', '.join(fresh)}\n")]

    def _name(self, order: Order) -> str:
        self._used.add(WORDS[order])
        return WORDS[order]

    @staticmethod
    def _is(call: ast.Call, opcode: Opcode) -> bool:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        match opcode:
            case Opcode.LOAD | Opcode.STORE | Opcode.FENCE:
                return name == {Opcode.LOAD: "load", Opcode.STORE: "store", Opcode.FENCE: "fence"}[opcode]
            case Opcode.CAS:
                return name.startswith("compare_exchange")
        return name == "exchange" or name.startswith("fetch_")

    def _without(self, call: ast.Call) -> list[Span] | None:
        """Takes a fence away that is a statement of its own."""
        assert self._tree is not None
        for node in ast.walk(self._tree):
            for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
                if not isinstance(body, list):
                    continue
                for statement in body:
                    if isinstance(statement, ast.Expr) and statement.value is call:
                        return self._gone(statement, alone=len(body) == 1)
        return None

    def _gone(self, statement: ast.stmt, alone: bool) -> list[Span]:
        start, end = self._start(statement), self._end(statement)
        if alone:
            return [(start, end, "pass")]
        first, last = self._starts[statement.lineno - 1], self._starts[statement.end_lineno or statement.lineno]
        if re.fullmatch(r"\s*", self._text[first:start]) and re.fullmatch(r"\s*", self._text[end:last]):
            return [(first, last, "")]
        return [(start, end, "pass")]

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._at(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._at(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode(errors="ignore"))
