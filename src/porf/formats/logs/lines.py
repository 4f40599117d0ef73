"""What the lines of a log look like: its shape and separator, its header, and which cell of a line is what."""

from __future__ import annotations

import re
from collections.abc import Callable

from porf import _core
from porf.architectures import words
from porf.errors import FormatError, UsageError, nearest
from porf.formats.faults import error_at, place_in_line
from porf.formats.logs.mapping import HOLE, Mapping, role, separator_of, template_parts
from porf.formats.logs.words import OPS, ORDERS, ROLES, op_word, order_word
from porf.record import Record, replace

HEAD = 1 << 16  # bytes from which the shape is told
_SEPARATORS = "\t,;|"
_MOST_COMMENTS = 200


class Shape(Record):
    """A log's lines: how they are written, and the header, if there is one."""

    kind: str  # of mapping.SHAPES
    separator: str = ","
    header: tuple[str, ...] | None = None  # the names of the columns
    header_line: int = 0  # the number of the line that has them; events come after it
    header_text: bytes = b""
    width: int = 0  # how many columns every line has, 0 if that varies
    comment: str = ""


def shape_of(head: bytes, mapping: Mapping) -> Shape:
    """The shape of a log that begins like this."""
    lines = head.split(b"\n")
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()
    first = next((line.strip() for line in lines[mapping.skip :] if line.strip()), b"")
    kind = mapping.shape or ("lines" if mapping.lines else "json" if first[:1] in (b"{", b"[") else None)
    if kind == "json":
        return Shape("json", comment=mapping.comment or "", header_line=mapping.skip)
    comment = "#" if mapping.comment is None else mapping.comment
    if kind == "lines":
        return Shape("lines", comment=comment, header_line=mapping.skip)
    numbered = list(enumerate(lines, 1))[mapping.skip :]
    told = [(number, line) for number, line in numbered if line.strip()]
    plain = [pair for pair in told if not (comment and pair[1].startswith(comment.encode()))]
    said = separator_of(mapping.separator) if mapping.separator is not None else None
    separator = " " if kind == "blanks" else said or _separator([line for _, line in plain[:50]])
    shapes = []
    for one in (separator, *(() if said or separator == " " else " ")):
        shape = Shape("blanks" if one == " " else "csv", one, comment=comment, header_line=mapping.skip)
        shapes.append(_with_header(shape, mapping, told[:_MOST_COMMENTS], plain))
    names = {column for column in mapping.columns.values() if isinstance(column, str)}
    # A header may have blanks between its names where the lines have tabs.
    return next((shape for shape in shapes if names <= set(shape.header or ())), shapes[0])


def _separator(lines: list[bytes]) -> str:
    """The separator that every line has as often as the first, or nearly every; else blanks."""
    best, score = " ", 0.0
    for separator in _SEPARATORS:
        counts = [len(_core.log_fields(separator, line)) for line in lines]
        if not counts or counts[0] < 2:
            continue
        alike = sum(count == counts[0] for count in counts) / len(counts)
        if alike > max(score, 0.5):
            best, score = separator, alike
    return best


def _with_header(
    shape: Shape, mapping: Mapping, told: list[tuple[int, bytes]], plain: list[tuple[int, bytes]]
) -> Shape:
    """The same with its header: the first line, or a comment before it that has the names."""
    names = [column for column in mapping.columns.values() if isinstance(column, str) and not column.isdigit()]
    first = plain[0] if plain else (told[0] if told else None)
    wanted = bool(names) if mapping.header is None else mapping.header
    if first is None:
        return shape
    if not wanted:
        return replace(shape, width=len(fields(shape.separator, first[1])) if shape.kind == "csv" else 0)
    before = [pair for pair in told if pair[0] < first[0]]
    header = first
    if names and not set(names) & set(fields(shape.separator, first[1])):
        header = next((p for p in before if set(names) <= set(fields(shape.separator, p[1]))), first)
    found = fields(shape.separator, header[1])
    return replace(shape, header=tuple(found), header_line=header[0], header_text=header[1], width=len(found))


def fields(separator: str, line: bytes) -> list[str]:
    """The names in a header, also in one that begins like a comment."""
    line = line.strip(b"\r\n").removeprefix(b"\xef\xbb\xbf")
    if line.startswith(b"#"):
        line = line[1:].lstrip()
    return [text.decode(errors="replace").strip() for _, text in _core.log_fields(separator, line)]


class Plan(Record):
    """Which cells of a line are wanted, and what each is."""

    shape: Shape
    mapping: Mapping
    cells: tuple[str | int, ...]  # a column's number from 0, a key of JSON, or a role in a template
    roles: dict[str, int]  # which cell is what

    def log(self, may_be_bad: int) -> _core.Log:
        meaning = meaning_of(self.mapping, self.roles, self.shape, may_be_bad)
        count = len(self.cells)
        if self.shape.kind == "json":
            return _core.Log.objects([str(key) for key in self.cells], meaning)
        if self.shape.kind == "lines":
            templates = [self._template(line) for line in self.mapping.lines]
            return _core.Log.templates(templates, self.mapping.others, self.mapping.unless, count, meaning)
        cell_of = [-1] * (max((int(column) for column in self.cells), default=-1) + 1)
        for cell, column in enumerate(self.cells):
            cell_of[int(column)] = cell
        return _core.Log.separated(self.shape.separator, cell_of, self.shape.width, count, meaning)

    def _template(self, template: str) -> _core.LogTemplate:
        op, line = template_parts(template)
        pieces = []
        # Between two holes stand the texts.
        for at, part in enumerate(HOLE.split(line.strip())):
            if at % 2 == 0:
                if part:
                    pieces.append(_core.LogPiece(_core.LogPieceKind.TEXT, re.sub(r"[ \t]+", " ", part), -1))
            elif part == "*":
                pieces.append(_core.LogPiece(_core.LogPieceKind.GAP, "", -1))
            else:
                cell = -1 if part == "_" else self.roles[role(part)]
                pieces.append(_core.LogPiece(_core.LogPieceKind.HOLE, "", cell))
        return _core.LogTemplate(pieces, [] if op is None else [(self.roles["op"], op)])


def meaning_of(mapping: Mapping, roles: dict[str, int], shape: Shape, may_be_bad: int) -> _core.LogMeaning:
    cell_of = [-1] * len(ROLES)
    for name, cell in roles.items():
        if name in ROLES:
            cell_of[int(ROLES[name])] = cell
    ops = {word.lower(): said for word, said in (OPS | {w: w for w in _own_words(mapping)}).items()}
    ops |= {word.lower(): said for word, said in mapping.ops.items()}
    orders = ORDERS | {word.lower(): said for word, said in mapping.orders.items()}
    return _core.LogMeaning(
        cell_of,
        [(name, cell) for name, cell in roles.items() if name not in ROLES],
        [op_word(word, said) for word, said in ops.items()],
        [order_word(word, said) for word, said in orders.items()],
        _core.LogTags(words(False), words(True)),
        list(mapping.missing),
        getattr(_core.LogNumbers, mapping.values.upper()),
        shape.comment,
        shape.header_line,
        may_be_bad,
        mapping.sort,
    )


def _own_words(mapping: Mapping) -> list[str]:
    """The operations that templates say by themselves."""
    return [op for op, _ in map(template_parts, mapping.lines) if op is not None]


def plan_of(shape: Shape, mapping: Mapping, source: str) -> Plan:
    """Finds the columns; an error says which is not there, or what is missing in the mapping."""
    if shape.kind == "lines":
        return _plan_of_templates(shape, mapping)
    column_of: Callable[[str, str | int], str | int]
    if shape.kind == "json":
        column_of = lambda name, column: str(column)  # noqa: E731
    else:
        column_of = lambda name, column: _column(shape, name, column, mapping, source)  # noqa: E731
    cells: list[str | int] = []
    roles: dict[str, int] = {}
    for name, column in mapping.columns.items():
        found = column_of(name, column)
        if found not in cells:
            cells.append(found)
        roles[role(name)] = cells.index(found)
    check_roles(roles)
    return Plan(shape, mapping, tuple(cells), roles)


def check_roles(roles: dict[str, int]) -> None:
    wanted = ["thread", "op", "location"]
    if not {"value", "read", "write", "rf"} & set(roles):
        wanted.append("value")
    for name in wanted:
        if name not in roles:
            hint = "--columns thread=…,op=…,location=…,value=… names columns, or numbers them from 1; --guess proposes"
            raise UsageError(f"the mapping does not say which column is the {name}", hint=hint)
    if "time" in roles and ("start" in roles or "end" in roles):
        raise UsageError("the mapping has time, and start or end", hint="time=…, or start=…,end=…")
    if "end" in roles and "start" not in roles:
        raise UsageError("the mapping has end without start", hint="start=…,end=…, or time=…")


def _plan_of_templates(shape: Shape, mapping: Mapping) -> Plan:
    if not mapping.lines:
        raise UsageError("the mapping has no templates", hint="--line 'T{thread} {op} {location} {value}'")
    if mapping.columns:
        raise UsageError("the mapping has templates and columns", hint="the holes of templates are the columns")
    cells: list[str] = []
    for template in mapping.lines:
        op, line = template_parts(template)
        own = {role(hole) for hole in HOLE.findall(line) if hole not in ("_", "*")} | ({"op"} if op else set())
        for name in ("thread", "op", "location"):
            fence = op is not None and op[0] in "f-"
            if name not in own and not (name == "location" and fence) and op != "-":
                hint = f"write {{{name}}} where it stands" + (", or r= before the template" if name == "op" else "")
                raise UsageError(f"the template '{template}' does not say the {name}", hint=hint)
        cells += [name for name in sorted(own) if name not in cells]
    return Plan(shape, mapping, tuple(cells), {name: at for at, name in enumerate(cells)})


def _column(shape: Shape, name: str, column: str | int, mapping: Mapping, source: str) -> int:
    header = shape.header or ()
    if isinstance(column, str):
        if header.count(column) == 1:
            return header.index(column)
        if header.count(column) > 1:
            raise _at_header(shape, source, f"two columns are called '{column}'", f"number them: {name}=1", column)
        if not column.isdigit():
            near = nearest(column, header)
            listed = "the columns are " + " ".join(header)[:200] if header else "the file has no header"
            hint = f"{near} {listed}" if near else listed
            raise _at_header(shape, source, f"no column is called '{column}'", hint, near and near.split("'")[1])
    number = int(column)
    if number < 1 or (shape.width and number > shape.width):
        message = f"there is no column {number}"
        raise _at_header(shape, source, message, f"there are {shape.width}; they count from 1", None)
    if number > 100_000:
        raise UsageError(f"there is no column {number}", hint="columns count from 1")
    return number - 1


def _at_header(shape: Shape, source: str, message: str, hint: str, near: str | None) -> FormatError:
    """An error about the header, at the column that was meant, perhaps."""
    raw = shape.header_text
    if not raw:
        return FormatError(message, source=source, hint=hint)
    at = raw.find(near.encode()) if near else -1
    place = place_in_line(raw, shape.header_line, max(at, 0), len(near.encode()) if near and at >= 0 else 1)
    return error_at(source, place, message, hint)
