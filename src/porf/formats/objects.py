"""One JSON object per line: what it says, as names and numbers, and where in the line each key is."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import Any

from porf._core import FaultCode, Initial, NamedEvent, read_time, word_of
from porf.architectures import words
from porf.errors import FormatError, nearest
from porf.execution import DEPENDENCIES, OP_LETTERS, ORDER_NAMES, Op, Order
from porf.formats.faults import Place, error_at, place_in_line
from porf.formats.rules import (
    ID_RULE,
    REST,
    RULE,
    TIME_RANGE,
    TIME_RULE,
    VALUE_RANGE,
    VALUE_RULE,
    is_id,
    is_name,
    is_note,
)

Record = Initial | NamedEvent  # what a line says, by names

_EVENT = 'an event is {"thread":"T0","op":"w","loc":"x","value":1}'
_INIT = 'an initial value is {"init":"x","value":7}'
_OPS = {**{letter: i for i, letter in enumerate(OP_LETTERS)}, **{op.name.lower(): int(op) for op in Op}}
_ORDERS = {name: i for i, name in enumerate(ORDER_NAMES)}
_COMMON = {"thread", "op", "order", "id", "tags", "time", *DEPENDENCIES}
_KEYS = (
    _COMMON | {"loc", "value", "rf"},
    _COMMON | {"loc", "value"},
    _COMMON | {"loc", "read", "write", "rf"},
    _COMMON,
)
_ALL_KEYS = (
    "thread",
    "op",
    "loc",
    "value",
    "read",
    "write",
    "order",
    "tags",
    "id",
    "rf",
    *DEPENDENCIES,
    "init",
    "time",
    "src",
)
_KEY = re.compile(rb'("(?:[^"\\]|\\.)*")(\s*:)?')
_SCALAR = re.compile(rb"[^,}\s]+")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


class WrongFieldError(Exception):
    """Something about one key of an object; the caller knows the line."""

    def __init__(self, message: str, key: str | None, hint: str | None, item: int | None = None) -> None:
        self.message, self.key, self.hint, self.item = message, key, hint, item


def parse_line(raw: bytes, number: int, source: str) -> Record | None:
    """What one line says, or None for a blank one."""
    if raw.isspace():
        return None
    try:
        return _record(_DECODER.decode(raw.decode()))
    except UnicodeDecodeError as error:
        place = place_in_line(raw, number, error.start, 1)
        raise error_at(source, place, "this byte is not UTF-8", "save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        place = place_in_line(raw, number, len(error.doc[: error.pos].encode()), 1)
        raise error_at(source, place, f"not JSON: {error.msg}", "each line holds one JSON object") from None
    except (ValueError, RecursionError):
        message = "not JSON that can be read here: too deep, or a number with thousands of digits"
        hint = "an event is one flat object with short values"
        raise error_at(source, place_in_line(raw, number, 0, 1), message, hint) from None
    except WrongFieldError as wrong:
        raise wrong_at(wrong, raw, number, source) from None


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise WrongFieldError(f'the key "{twice}" is given twice', twice, "keep one of them")
    return fields


class _Decimal(float):
    """A number with a fraction, and how it is written."""

    text: str

    def __new__(cls, text: str) -> _Decimal:
        self = super().__new__(cls, text)
        self.text = text
        return self


_DECODER = json.JSONDecoder(object_pairs_hook=_no_twice, parse_float=_Decimal)


def _record(fields: Any) -> Record:
    if type(fields) is not dict:
        raise WrongFieldError("a line must hold an object", None, _EVENT)
    if "init" in fields:
        return _init_record(fields)
    thread = _name(fields, "thread")
    if thread == "init":
        raise WrongFieldError("no thread may be called 'init'", "thread", None)
    op = _word(fields, "op", _OPS)
    for key in fields:
        if key not in _KEYS[op] and not is_note(key):
            raise _unknown_key(key, op)
    loc = None if op == Op.FENCE else _name(fields, "loc")
    if loc == REST:
        raise WrongFieldError("no location may be called '*'", "loc", "it stands for all that have no other start")
    order = _word(fields, "order", _ORDERS) if "order" in fields else int(Order.RLX)
    tags = _tags(fields, op) if "tags" in fields else []
    value, written = _value(fields, "value"), _value(fields, "write")
    read = (value, None, _value(fields, "read"), None)[op]
    written = (None, value, written, None)[op]
    event_id = fields.get("id")
    if event_id is not None and not (type(event_id) is str and is_id(event_id)):
        raise WrongFieldError("this is not an id", "id", ID_RULE)
    rf = fields.get("rf")
    if rf is not None and type(rf) is not str:
        raise WrongFieldError("rf must be a string", "rf", 'write "rf": "ID" or "rf": "init"')
    mentions = [(kind, name) for kind, key in enumerate(DEPENDENCIES) if key in fields for name in _list(fields, key)]
    time = _time(fields["time"]) if "time" in fields else None
    notes = [(key, _note(key, text)) for key, text in fields.items() if is_note(key)]
    return NamedEvent(thread, op, loc, order, read, written, event_id, rf, mentions, tags, time, notes)


def _init_record(fields: dict[str, Any]) -> Record:
    for key in fields:
        if key not in ("init", "value"):
            raise WrongFieldError(f'"{key}" does not belong here', key, _INIT)
    if "value" not in fields:
        raise WrongFieldError("the initial value is missing", "init", f"{_INIT}; null if nobody knows")
    return Initial(_name(fields, "init"), _value(fields, "value"))


def _name(fields: dict[str, Any], key: str) -> str:
    name = fields.get(key)
    if name is None:
        raise WrongFieldError(f'"{key}" is missing', None, _EVENT)
    if type(name) is not str or not is_name(name):
        raise WrongFieldError(f'"{key}" must be a name', key, RULE)
    return name


def _word(fields: dict[str, Any], key: str, known: dict[str, int]) -> int:
    word = fields.get(key)
    if word is None:
        raise WrongFieldError(f'"{key}" is missing', None, "it is one of " + " ".join(known))
    if type(word) is not str or word not in known:
        raise WrongFieldError(f"unknown {key} {json.dumps(word)[:60]}", key, "it is one of " + " ".join(known))
    return known[word]


def _value(fields: dict[str, Any], key: str) -> str | None:
    """A value, as a word of the text format."""
    value = fields.get(key)
    if value is None:
        return None
    if type(value) is str:
        word = word_of(value) if is_name(value) else None
        if word is None:
            raise WrongFieldError("this is not a value", key, VALUE_RULE)
        return word
    if type(value) is not int:
        raise WrongFieldError(f'"{key}" must be a whole number or a string', key, "leave it out if it was not recorded")
    if not -(2**63) <= value < 2**64:
        raise WrongFieldError("the value is out of range", key, VALUE_RANGE)
    return str(value)


def _time(said: Any) -> str | None:
    """A time, as the text format writes it."""
    if said is None:
        return None
    if type(said) is list:
        ends = ["" if end is None and at else _decimal(end) for at, end in enumerate(said)]
        if len(ends) != 2:
            raise WrongFieldError("this is not a time", "time", TIME_RULE)
        word = "..".join(ends)
    else:
        word = said if type(said) is str and re.fullmatch(r"[0-9.-]+", said) else _decimal(said)
    found = read_time(word)
    if found == FaultCode.BAD_TIME:
        raise WrongFieldError("this is not a time", "time", TIME_RULE)
    if found == FaultCode.LARGE_TIME:
        raise WrongFieldError(*large_time(word))
    return word


def _decimal(number: Any) -> str:
    if type(number) is int:
        return str(number)
    if type(number) is not _Decimal:
        raise WrongFieldError("this is not a time", "time", TIME_RULE)
    return number.text


def large_time(word: str) -> tuple[str, str, str]:
    return f"the time {word[:60]} is out of range", "time", TIME_RANGE


def _note(key: str, text: Any) -> str:
    if not is_name(key):
        raise WrongFieldError(f'"{key[:60]}" is not a key', key, RULE)
    if type(text) is not str or not text:
        raise WrongFieldError(f'"{key}" must be a text', key, "leave it out if there is nothing to say")
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise WrongFieldError("the text has half a character", key, "save the file as UTF-8")
    return text


def _tags(fields: dict[str, Any], op: int) -> list[str]:
    said, known = _list(fields, "tags"), words(op == Op.FENCE)
    for item, word in enumerate(said):
        if word not in known:
            raise WrongFieldError(f"no architecture knows '{word}' here", "tags", nearest(word, known), item)
    if "order" in fields and said:
        raise WrongFieldError("an event has an order or tags, not both", "tags", "leave the order out")
    if op == Op.FENCE and len(said) > 1:
        raise WrongFieldError("a fence has one name", "tags", 'write "tags": ["mfence"]')
    return said


def _list(fields: dict[str, Any], key: str) -> list[str]:
    names = fields[key]
    if type(names) is not list or not all(type(name) is str for name in names):
        raise WrongFieldError(f'"{key}" must be a list of ids', key, f'write "{key}": ["a", "b"]')
    return names


def _unknown_key(key: str, op: int) -> WrongFieldError:
    name = Op(op).name.lower()
    if key in _ALL_KEYS:
        article = "an" if op == Op.UPDATE else "a"
        hint = 'an update has "read" and "write"; a read or a write has "value"; only what reads has "rf"'
        return WrongFieldError(f'{article} {name} has no "{key}"', key, hint)
    return WrongFieldError(
        f'unknown key "{key[:60]}"', key, nearest(key[:60], _ALL_KEYS) or "the keys are " + " ".join(_ALL_KEYS)
    )


def wrong_at(wrong: WrongFieldError, raw: bytes, number: int, source: str) -> FormatError:
    begin, width = key_in_line(raw, wrong.key)
    return error_at(source, place_in_line(raw, number, begin, width), wrong.message, wrong.hint)


def key_in_line(raw: bytes, key: str | None) -> tuple[int, int]:
    """Where a key of the object is, or the object's beginning."""
    start = len(raw) - len(raw.lstrip())
    for match in _KEY.finditer(raw) if key is not None else ():
        if match[2] and json.loads(match[1]) == key:
            return match.start(), len(match[1])
    return start, 1


def value_in_line(raw: bytes, key: str, item: int) -> tuple[int, int]:
    """Where the value of a key is, or the given item of its list."""
    begin, width = key_in_line(raw, key)
    if raw[begin : begin + 1] == b"{":
        return begin, 1  # the key is not there
    rest = raw[begin + width :]
    at = begin + width + len(rest) - len(rest.lstrip(b" \t:"))
    if raw[at : at + 1] == b"[":
        strings = list(_STRING.finditer(raw, at, raw.index(b"]", at)))
        if not strings:  # a time
            return at, raw.index(b"]", at) + 1 - at
        return strings[item].start(), len(strings[item].group())
    scalar = _STRING.match(raw, at) or _SCALAR.match(raw, at)
    return (at, len(scalar.group())) if scalar else (begin, width)


def place_of_field(raw: bytes, number: int, field: str, item: int) -> Place:
    """Where an event says a field of the text format; what an update reads is its value there."""
    key = "read" if field == "value" and key_in_line(raw, "value")[1] == 1 else field
    place = place_in_line(raw, number, *value_in_line(raw, key, item))
    return replace(place, token=place.token.strip('"'))
