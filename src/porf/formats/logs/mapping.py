"""Mappings: how a log is to be read, as options or as a file in TOML; what does not fit is said where it stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping as Table
from pathlib import Path
from typing import Any

from porf.errors import FormatError, UsageError, nearest
from porf.formats.logs.words import LIKE, ROLES, op_word, order_word
from porf.formats.rules import is_name, is_note
from porf.record import Record, field, replace

SHAPES = ("csv", "blanks", "json", "lines")
NUMBERS = ("auto", "hex", "words")
MISSING = ("", "_")
_SEPARATORS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "blank": " ", "blanks": " "}
_KEYS = {
    "shape": str,
    "separator": str,
    "header": bool,
    "skip": int,
    "comment": str,
    "values": str,
    "missing": list,
    "others": bool,
    "unless": str,
    "sort": bool,
    "columns": dict,
    "ops": dict,
    "orders": dict,
    "init": dict,
    "lines": list,
}
HOLE = re.compile(r"\{([^{}]*)\}")


class Mapping(Record):
    """How a log is to be read. What is None is found out from the log.

    >>> import porf
    >>> mapping = porf.Mapping(columns={"thread": 1, "op": 2, "location": 3, "value": 4}, ops={"G": "r", "P": "w"})
    >>> porf.loads("0 P 0x80 1\\n1 G 0x80 1", mapping=mapping)
    <Execution <text>: 2 events, 2 threads, 1 location>
    """

    columns: Table[str, str | int] = field(default_factory=dict)  # what: a column's name, or its number from 1
    ops: Table[str, str] = field(
        default_factory=dict
    )  # a word of the log: r w u f, `w:rel`, `f:mfence`, - for no event
    orders: Table[str, str] = field(default_factory=dict)
    init: Table[str, str] = field(default_factory=dict)  # what locations start with
    lines: tuple[str, ...] = ()  # templates: `r: core {thread}: {*} {value} mem {location}`
    shape: str | None = None  # csv, blanks, json, lines
    separator: str | None = None  # of csv
    header: bool | None = None  # whether the first line names the columns
    skip: int = 0  # so many lines at the beginning say nothing
    comment: str | None = None  # what lines that say nothing begin with
    values: str = "auto"  # auto, hex (also without 0x), words
    missing: tuple[str, ...] = MISSING  # texts for what was not recorded
    others: bool = False  # lines that no template fits are left out,
    unless: str = ""  # but not if they have this text
    sort: bool = False  # events are put in the order of their times
    source: str | None = None  # the file that says so

    def __post_init__(self) -> None:
        for name in self.columns:
            _ = role(name)
        for word, said in self.ops.items():
            op_word(word, str(said))
        for word, said in self.orders.items():
            order_word(word, str(said))
        for what, given, known in (("shape", self.shape, SHAPES), ("values", self.values, NUMBERS)):
            if given is not None and given not in known:
                raise UsageError(
                    f"unknown {what} '{given}'", hint=nearest(given, known) or "one of " + ", ".join(known)
                )
        if self.separator is not None and len(separator_of(self.separator).encode()) != 1:
            raise UsageError(f"'{self.separator}' is no separator", hint="one character, or tab, or blanks")
        for template in self.lines:
            check_template(template)


def role(name: str) -> str:
    """What a word of a mapping calls: a role, or the key of a note."""
    name = LIKE.get(name, name)
    if name in ROLES or (is_note(name) and is_name(name)):
        return name
    known = (*ROLES, *LIKE, "src", "note:NAME")
    raise UsageError(f"unknown role '{name}'", hint=nearest(name, known) or "a column is one of " + " ".join(known))


def separator_of(text: str) -> str:
    return _SEPARATORS.get(text, text)


def template_parts(template: str) -> tuple[str | None, str]:
    """The operation that a template says by itself, and the line."""
    op, colon, line = template.partition("=")
    if colon and re.fullmatch(r"(?:[rwuf](?::[\w.]+)?|-|init)", op.strip()):
        return op.strip(), line
    return None, template


def check_template(template: str) -> None:
    op, line = template_parts(template)
    if op is not None:
        op_word(op, op)
    seen = set()
    for hole in HOLE.findall(line):
        if hole in ("_", "*"):
            continue
        name = role(hole)
        if name in seen:
            raise UsageError(f"'{{{hole}}}' is twice in the template '{template}'", hint="{_} stands for any word")
        seen.add(name)
    if not seen:
        hint = "write {thread}, {op}, {location}, {value} where they stand; {_} for any word, {*} for any text"
        raise UsageError(f"nothing is named in the template '{template}'", hint=hint)


def pairs(text: str, option: str) -> dict[str, str]:
    """`thread=core,op=kind` as a table."""
    out: dict[str, str] = {}
    for item in text.split(","):
        name, equals, said = item.partition("=")
        if not (equals and name.strip() and said.strip()):
            raise UsageError(f"{option}: '{item}' is not of the form NAME=WORD", hint=f"{option} {_EXAMPLES[option]}")
        if name.strip() in out:
            raise UsageError(f"{option}: '{name.strip()}' is given twice", hint="keep one of them")
        out[name.strip()] = said.strip()
    return out


_EXAMPLES = {
    "--columns": "thread=core,op=kind,location=addr,value=val",
    "--ops": "LD=r,ST=w,CAS=u,MFENCE=f:mfence",
    "--orders": "strong=sc,weak=rlx",
    "--init": "x=7",
}


def with_words(mapping: Mapping, **given: object) -> Mapping:
    """A mapping with what a call says besides."""
    said = {name: value for name, value in given.items() if value is not None}
    for table in ("columns", "ops", "orders", "init"):
        if table in said:
            said[table] = {**getattr(mapping, table), **said[table]}  # type: ignore[dict-item]
    return replace(mapping, **said)


_TOO_LARGE = "a number has more than 64 bits"


def _bits(said: object) -> int:
    """Of the largest number in it. Python does not even print one with thousands of digits."""
    if isinstance(said, dict | list):
        return max(map(_bits, said.values() if isinstance(said, dict) else said), default=0)
    return said.bit_length() if isinstance(said, int) else 0


def read_mapping(path: str | Path) -> Mapping:
    """A mapping from a file in TOML."""
    source = str(path)
    try:
        text = Path(path).read_bytes().decode()
    except FileNotFoundError:
        raise FormatError("no such file", source=source, hint="porf convert LOG --guess writes one") from None
    except (OSError, ValueError) as error:
        raise FormatError("this mapping cannot be read", source=source, hint=str(error)[:200]) from None
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(found[1]), int(found[2])) if found else (text.count("\n") + 1, 1)
        said = re.sub(r" \(at .*\)$", "", str(error)) or "too deep"
        raise _error(f"this is not TOML: {said}", text, source, line, column, 1, "see docs/formats.md") from None
    except ValueError:  # of Python, about numbers with thousands of digits
        raise FormatError(_TOO_LARGE, source=source) from None
    if _bits(table) > 64:
        raise FormatError(_TOO_LARGE, source=source)
    try:
        return _made(table, source)
    except _WrongKeyError as wrong:
        line, column, width = _place(text, wrong.section, wrong.key)
        raise _error(wrong.message, text, source, line, column, width, wrong.hint) from None


class _WrongKeyError(Exception):
    """What is wrong with a key of a section."""

    def __init__(self, message: str, section: str | None, key: str | None, hint: str | None) -> None:
        super().__init__(message)
        self.message, self.section, self.key, self.hint = message, section, key, hint


def _made(table: dict[str, Any], source: str) -> Mapping:
    for key, said in table.items():
        if key not in _KEYS:
            hint = nearest(key, _KEYS) or "the keys are " + " ".join(_KEYS)
            raise _WrongKeyError(f"unknown key '{key[:60]}'", None, key, hint)
        if type(said) is not _KEYS[key]:
            kind = {str: "a text", bool: "true or false", int: "a whole number", list: "a list", dict: "a table"}
            raise _WrongKeyError(f"'{key}' must be {kind[_KEYS[key]]}", None, key, None)
    given = dict(table)
    columns = given.pop("columns", {})
    for name, column in columns.items():
        _checked("columns", name, lambda name=name: role(name))
        if type(column) not in (str, int):
            raise _WrongKeyError("a column is its name, or its number from 1", "columns", name, None)
    tables: dict[str, Any] = {}
    for section, check in (("ops", op_word), ("orders", order_word), ("init", None)):
        tables[section] = {word: str(said) for word, said in given.pop(section, {}).items()}
        for word, said in tables[section].items():
            if check is not None:
                _checked(section, word, lambda word=word, said=said, check=check: check(word, said))
    if "missing" in given:
        given["missing"] = tuple(map(str, given["missing"]))
    if not 0 <= given.get("skip", 0) < 2**31:
        raise _WrongKeyError("'skip' must be a number of lines", None, "skip", None)
    lines = given.pop("lines", [])
    if not all(type(line) is str for line in lines):
        hint = 'lines = ["{thread} {op} {location}"]'
        raise _WrongKeyError("'lines' must be a list of templates", None, "lines", hint)
    for key in ("shape", "separator", "values", "lines"):
        part = {key: tuple(lines) if key == "lines" else given[key]} if key in given or key == "lines" else {}
        _checked(None, key, lambda part=part: Mapping(**part))
    return Mapping(columns=columns, lines=tuple(lines), source=source, **tables, **given)


def _checked(section: str | None, key: str, check: Any) -> None:
    try:
        check()
    except UsageError as error:
        raise _WrongKeyError(error.message, section, key, error.hint) from None


def _place(text: str, section: str | None, key: str | None) -> tuple[int, int, int]:
    """The line, column and width of a key in its section."""
    inside = None
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\[?\s*([\w-]+)", line):
            inside = heading[1]
            if section is None and inside == key:
                return number, heading.start(1) + 1, len(inside)
        found = re.match(r"""\s*("[^"]*"|'[^']*'|[^\s=]+)\s*=""", line)
        if inside == section and found and found[1].strip("\"'") == key:
            return number, found.start(1) + 1, len(found[1])
    return 1, 1, 1


def _error(message: str, text: str, source: str, line: int, column: int, width: int, hint: str | None) -> FormatError:
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    return FormatError(message, source=source, line=line, column=column, text=shown, width=width, hint=hint)
