"""The opening comment of a model file: title, publication, view of updates, what it interprets. Needs no parser."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from porf._core import Op, Order
from porf.architectures import by_heading, find_architecture
from porf.errors import ModelError, nearest
from porf.record import Record

_TITLE = re.compile(r'\s*(?:[A-Za-z]\w*[ \t]+)?"(?P<title>[^"\n]*)"')
_HEADING = re.compile(r"\s*(?P<word>[A-Za-z]\w*)")  # as in herd: an architecture, then perhaps a title
_OPENING = re.compile(r"\s*(?P<block>\(\*.*?\*\))|(?P<lines>\s*(?:(?://|\#)[^\n]*(?:\n\s*|$))+)", re.DOTALL)
_COMMENTS = re.compile(r"(?:\s+|\(\*.*?\*\)|(?://|\#)[^\n]*)*", re.DOTALL)  # all before the first statement
_KERNEL = re.compile(r"linux[- ]kernel", re.IGNORECASE)  # in the title of the kernel's own files
_FIELD = re.compile(
    r"^[ \t*/#(]*(?P<key>Title|Source|Architecture|Events|Interprets|Orders):[ \t]*(?P<value>.*)$", re.MULTILINE
)


OPERATIONS = {"reads": Op.READ, "writes": Op.WRITE, "updates": Op.UPDATE, "fences": Op.FENCE}
ORDERS = {order.name.lower(): order for order in Order}


class Header(Record):
    title: str | None = None
    source: str | None = None
    view: Literal["one", "two"] = "one"
    architecture: str | None = None  # the only one that the model is of
    says_view: bool = False
    # Of other operations and orders the model says nothing.
    interprets: tuple[str, ...] = tuple(OPERATIONS)
    orders: tuple[str, ...] = tuple(ORDERS)


def read_text(path: Path) -> str:
    """A model file's text; raises ModelError if there is none."""
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        hint = "porf models lists the built-in models"
        raise ModelError("there is no such model file", source=str(path), hint=hint) from None
    except IsADirectoryError:
        raise ModelError("this is a directory, not a model file", source=str(path), hint="name a file in it") from None
    except UnicodeDecodeError as error:
        raise ModelError(
            f"this file is not UTF-8 text (byte {error.start})", source=str(path), hint="save it as UTF-8"
        ) from None
    except OSError as error:
        raise ModelError(f"cannot read this file: {error.strerror}", source=str(path)) from None


def read_header(path: str | Path) -> Header:
    """The header of a model file, without parsing the rest."""
    return header_of(read_text(Path(path)), str(path))


def _end_of_comments(text: str) -> int:
    found = _COMMENTS.match(text)
    return 0 if found is None else found.end()


def header_of(text: str, source: str) -> Header:
    """Fields of the opening comment; the title may also be a string before or after it, as herd has it."""
    title, at = _TITLE.match(text), 0
    if title:
        at = title.end()
    opening = _OPENING.match(text, at)
    fields: dict[str, str] = {}
    if opening:
        fields = {match["key"]: match["value"].rstrip(" \t\r*)") for match in _FIELD.finditer(opening.group())}
        title = title or _TITLE.match(text, opening.end()) or _TITLE.match(text, _end_of_comments(text))
    architecture = find_architecture(fields["Architecture"].strip()).name if "Architecture" in fields else None
    heading = _HEADING.match(text, opening.end() if opening else at)
    if architecture is None and heading:
        architecture = by_heading(heading["word"])
    if architecture is None and title and _KERNEL.search(title["title"]):
        architecture = "lkmm"
    events = fields.get("Events", "one" if architecture is None else "two").strip().lower()
    if events not in ("one", "two"):
        message = f"the header says 'Events: {events}'"
        raise ModelError(message, source=source, hint="an update is `one` event or `two`")
    name = fields.get("Title") or (title["title"] if title else None)
    interprets = _some_of(OPERATIONS, "Interprets", fields, source)
    orders = _some_of(ORDERS, "Orders", fields, source)
    view: Literal["one", "two"] = "two" if events == "two" else "one"
    return Header(name, fields.get("Source"), view, architecture, "Events" in fields, interprets, orders)


def _some_of(known: Mapping[str, object], key: str, fields: dict[str, str], source: str) -> tuple[str, ...]:
    """The words of a field that lists what a model has a meaning for; all, if there is no such field."""
    if key not in fields:
        return tuple(known)
    words = fields[key].strip().lower().replace(",", " ").split()
    for word in words:
        if word not in known:
            hint = nearest(word, known) or f"name some of {', '.join(known)}"
            raise ModelError(f"the header says '{key}: {word}'", source=source, hint=hint)
    return tuple(word for word in known if word in words)
