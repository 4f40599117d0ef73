"""What a log says of itself: its columns by their names in the header, or, if people ask for it, by what is in them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise

from porf.errors import FormatError
from porf.formats.faults import error_at, place_in_line
from porf.formats.logs.known import KNOWN
from porf.formats.logs.lines import HEAD, Shape, fields, shape_of
from porf.formats.logs.mapping import Mapping
from porf.formats.logs.words import COLUMN_NAMES, OPS, ORDERS
from porf.record import Record

_SAMPLE = 1000  # lines that are looked at
_ROLE_OF = {name: role for role, names in COLUMN_NAMES.items() for name in names}
_NOTHING = Mapping()
_MUST = ("thread", "op", "location")
_BARE_HEX = re.compile(r"[0-9a-fA-F]*[a-fA-F][0-9a-fA-F]*")
_NUMBER = re.compile(r"-?(0[xX][0-9a-fA-F]+|[0-9]+(\.0*)?)")
_TIME = re.compile(r"[0-9]+(\.[0-9]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}[ T].*")
_OP_GUESSES = (  # of words that nobody knows, in this order
    (r"cas|cmpx|xchg|amo|swap|rmw|fetch|atomic_add", "u"),
    (r"fence|barrier|[md]mb|dsb|sync", "f"),
    (r"l|r|get", "r"),
    (r"s|w|put", "w"),
)


class Guess(Record):
    """A mapping, and what people should know of it: for each role why, and what stands in its column."""

    mapping: Mapping
    remarks: dict[str, str]
    kind: str = ""


def columns_by_name(names: tuple[str, ...]) -> dict[str, str]:
    """The columns whose names say what they are."""
    return {role: name for name, role in _by_name(names).items()}


def looks_like_a_log(head: bytes) -> bool:
    """Whether a file that begins like this is rather a log than a history in the text format."""
    try:
        guessed(head, "", certain=True)
    except FormatError:
        return False
    return True


class _Table(Record):
    """The first lines of a log, as columns."""

    shape: Shape
    names: tuple[str, ...]  # of the columns; empty without a header
    columns: dict[str | int, list[str]]  # what stands in each: by name, or by number from 1
    first: tuple[int, bytes]  # the line that an error shows


def guessed(head: bytes, source: str, certain: bool, said: Mapping = _NOTHING) -> Guess:
    """The mapping of a log that begins like this. `certain`: only if its header says all that is needed.
    `said`: what somebody knows of it already."""
    for kind, (begins, known) in KNOWN.items():
        if re.search(begins, head[:4096].decode(errors="replace"), re.MULTILINE):
            return Guess(known, {}, kind)
    table = _table(head, said)
    found: dict[str, str | int] = {role: column for column, role in _by_name(table.names).items()}
    remarks = dict.fromkeys(found, "")
    if not certain:
        for role, column in _by_content(table, found).items():
            found[role] = column
            remarks[role] = "guessed from what is in it"
    missing = [role for role in _MUST if role not in found]
    if not missing and not {"value", "read", "write", "rf"} & set(found):
        missing = ["value"]
    if missing:
        raise _unclear(table, missing[0], source, certain)
    ops, orders = _words(table, found, "op", OPS), _words(table, found, "order", ORDERS)
    columns = {role: found[role] for role in (*COLUMN_NAMES, "pc") if role in found}
    named = {f"note:{name}": name for name in table.names if name not in columns.values() and _is_key(name)}
    mapping = Mapping(
        columns=columns if certain else {**columns, **named},
        ops={} if certain else ops,
        orders={} if certain else dict.fromkeys(orders, "rlx"),
        shape=table.shape.kind,
        separator=table.shape.separator if table.shape.kind == "csv" else None,
        header=bool(table.names) if table.shape.kind != "json" else None,
        values=_values(table, found),
    )
    for role, column in found.items():
        seen = list(dict.fromkeys(table.columns[column]))[:4]
        remarks[role] = "; ".join(filter(None, [remarks[role], "such as " + " ".join(map(repr, seen))]))
    return Guess(mapping, remarks)


def _table(head: bytes, said: Mapping) -> _Table:
    shape = shape_of(head, said)
    lines = head.split(b"\n")
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()
    told = [(n, line) for n, line in enumerate(lines, 1) if line.strip()][: _SAMPLE + 1]
    if not told:
        return _Table(shape, (), {}, (1, b""))
    if shape.kind == "json":
        return _of_objects(shape, told)
    plain = [pair for pair in told if not pair[1].startswith(b"#")] or told
    first = fields(shape.separator, plain[0][1])
    if not _is_header(first, [fields(shape.separator, line) for _, line in plain[1:20]]):
        commented = [p for p in told if p[0] < plain[0][0] and _is_header(fields(shape.separator, p[1]), [])]
        if not commented:
            return _Table(shape, (), dict(enumerate(_columns(shape, plain, len(first)), 1)), plain[0])
        first, plain = fields(shape.separator, commented[-1][1]), [commented[-1], *plain]
    names = tuple(first)
    return _Table(shape, names, dict(zip(names, _columns(shape, plain[1:], len(names)), strict=True)), plain[0])


def _columns(shape: Shape, lines: Sequence[tuple[int, bytes]], count: int) -> list[list[str]]:
    """What stands in each of the first columns; a line may have fewer."""
    columns: list[list[str]] = [[] for _ in range(count)]
    for _, line in lines:
        for column, text in zip(columns, fields(shape.separator, line), strict=False):
            column.append(text)
    return columns


def _of_objects(shape: Shape, told: list[tuple[int, bytes]]) -> _Table:
    columns: dict[str | int, list[str]] = {}

    def add(said: dict[str, object], outer: str) -> None:
        for key, inner in said.items():
            if isinstance(inner, dict):
                add(inner, f"{outer}{key}.")
            elif inner is not None:
                columns.setdefault(outer + key, []).append(inner if isinstance(inner, str) else json.dumps(inner))

    for _, line in told:
        try:
            said = json.loads(line.strip().strip(b"[],"))
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict):
            add(said, "")
    return _Table(shape, tuple(map(str, columns)), columns, told[0])


def _is_header(first: list[str], more: list[list[str]]) -> bool:
    """Whether a line names columns: by its words, or since it has words where the others have numbers."""
    if len(_by_name(tuple(first))) >= 2 and not any(_NUMBER.fullmatch(word) for word in first):
        return True
    numbers = [at for at in range(len(first)) if all(at < len(row) and _NUMBER.fullmatch(row[at]) for row in more)]
    return bool(more) and bool(numbers) and not any(_NUMBER.fullmatch(word) for word in first)


def _by_name(names: tuple[str, ...]) -> dict[str, str]:
    """The roles of the columns whose names say them; the first of a role has it."""
    out: dict[str, str] = {}
    for name in names:
        last = re.sub(r"[^a-z0-9]", "", name.rsplit(".", 1)[-1].lower())
        role = _ROLE_OF.get(re.sub(r"[^a-z0-9]", "", name.lower())) or _ROLE_OF.get(last)
        if role is not None and role not in out.values() and names.count(name) == 1:
            out[name] = role
    roles = {role: name for name, role in out.items()}
    if "start" in roles and "time" in roles:
        del out[roles["time"]]
    elif "end" in roles and "start" not in roles:
        del out[roles["end"]]
    return out


def _by_content(table: _Table, found: dict[str, str | int]) -> dict[str, str | int]:
    """The most fitting of the columns that have no role, for each that no column has."""
    out: dict[str, str | int] = {}

    def left() -> list[tuple[str | int, list[str]]]:
        taken = {*found.values(), *out.values()}
        return [(name, texts) for name, texts in table.columns.items() if name not in taken and texts]

    def take(role: str, fits: dict[str | int, float]) -> None:
        if role not in found and fits and max(fits.values()) > 0:
            out[role] = max(fits, key=fits.__getitem__)

    take("op", {name: _share(texts, lambda t: t.lower() in OPS) - 0.5 for name, texts in left()})
    if "op" not in {**found, **out}:  # a column of few words
        few = {name: 1 / len(set(t)) for name, t in left() if all(_is_word(w) for w in t) and 1 < len(set(t)) <= 12}
        take("op", few)
    take("order", {name: _share(texts, lambda t: t.lower() in ORDERS) - 0.9 for name, texts in left()})
    take(
        "location",
        {
            name: _share(texts, lambda t: t[:2] in ("0x", "0X") and len(t) > 4) * _repeats(texts)
            for name, texts in left()
        },
    )
    if not {"start", "end", "time"} & set(found):
        take("time", {name: float(_ascends(texts)) for name, texts in left()})
    threads = {
        name: _repeats(t) - 0.5
        for name, t in left()
        if len(set(t)) <= 256 and len({re.sub("[0-9]+", "", w) for w in t}) == 1
    }
    take("thread", threads)
    take("location", {name: _repeats(texts) * _share(texts, _is_word) for name, texts in left()})
    take("location", {name: _repeats(texts) for name, texts in left()})
    if not {"value", "read", "write"} & set(found):
        take("value", {name: 0.1 + _share(texts, lambda t: bool(_NUMBER.fullmatch(t))) for name, texts in left()})
    return out


def _is_word(text: str) -> bool:
    return text[:1].isalpha()


def _share(texts: list[str], fits: object) -> float:
    assert callable(fits)
    return sum(bool(fits(text)) for text in texts) / len(texts)


def _repeats(texts: list[str]) -> float:
    """How often a text has been there before."""
    return 1 - len(set(texts)) / len(texts)


def _ascends(texts: list[str]) -> bool:
    if len(texts) < 3 or len(set(texts)) < len(texts) / 2 or not all(map(_TIME.fullmatch, texts)):
        return False
    keys = [float(text) if text[4:5] != "-" else text for text in texts]
    if len({type(key) for key in keys}) > 1:
        return False
    backwards = sum(a > b for a, b in pairwise(keys))  # type: ignore[operator]
    return backwards * 20 <= len(keys)


def _words(table: _Table, found: dict[str, str | int], role: str, known: dict[str, str]) -> dict[str, str]:
    """The words of a column that nobody knows, and what they may stand for."""
    if role not in found:
        return {}
    strange = [w for w in dict.fromkeys(table.columns[found[role]]) if w and w != "_" and w.lower() not in known]
    return {w: next((op for like, op in _OP_GUESSES if re.match(like, w.lower())), "-") for w in strange[:50]}


def _values(table: _Table, found: dict[str, str | int]) -> str:
    texts = [t for role in ("value", "read", "write") if role in found for t in table.columns[found[role]] if t]
    parts = [part for text in texts for part in text.split("->") if part != "_"]
    if any(_BARE_HEX.fullmatch(part) and any(map(str.isdigit, part)) for part in parts):
        return "hex" if all(re.fullmatch("(0[xX])?[0-9a-fA-F]+", part) for part in parts) else "words"
    like_numbers = (part for part in parts if part[:1].isdigit() or part[:1] in ("-", "+", "."))
    return "auto" if all(map(_NUMBER.fullmatch, like_numbers)) else "words"


def _is_key(name: str) -> bool:
    return re.fullmatch(r"[\w.-]+", name) is not None


def _unclear(table: _Table, what: str, source: str, certain: bool) -> FormatError:
    number, line = table.first
    place = place_in_line(line, number, 0, 1)
    message = f"it is not clear which column is the {what}"
    hint = "say it: --columns thread=…,op=…,location=…,value=… (names, or numbers from 1)"
    hint += "; porf convert LOG --guess proposes a mapping" if certain else ", or templates: --line"
    return error_at(source, place, message, hint)
