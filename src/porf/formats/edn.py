"""EDN, the notation of Clojure, as far as logs of operations use it: every value knows where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porf.record import Record

_TOKEN = re.compile(
    rb"""(?P<skip>[\s,]+|;[^\n]*)
    |(?P<open>\#?[{\[(])|(?P<close>[}\])])
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<discard>\#_)|(?P<tag>\#[A-Za-z][^\s,{}\[\]()"]*)
    |(?P<character>\\[^\s,{}\[\]()"]+)
    |(?P<atom>[^\s,{}\[\]()";\\]+)""",
    re.VERBOSE,
)
_CLOSES = {b"{": b"}", b"[": b"]", b"(": b")"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_DEEPEST = 100


class EdnError(Exception):
    """What is wrong, and where in the data."""

    def __init__(self, message: str, at: int, hint: str | None = None, width: int = 1) -> None:
        self.message, self.at, self.hint, self.width = message, at, hint, width


class Value(Record):
    """A value and its place. A `word` is what it is called: a number, nil, a keyword with its colon, or a string's
    text; of a vector or a map there are `items` instead, the keys and values of a map in turn."""

    at: int
    width: int
    word: str | None = None
    items: tuple[Value, ...] = ()
    kind: str = "atom"  # or string, vector, map

    @property
    def is_nil(self) -> bool:
        return self.kind == "atom" and self.word in ("nil", "null")

    def __getitem__(self, key: str) -> Value | None:
        """The value of a key of a map."""
        for name, value in zip(self.items[::2], self.items[1::2], strict=False):
            if name.word == key:
                return value
        return None


def values(data: bytes) -> Iterator[Value]:
    """The values that stand one after the other; those of a vector or a list around all of them."""
    at = 0
    while True:
        value, at = _value(data, at, 0)
        if value is None:
            return
        if value.kind == "vector":
            yield from value.items
        else:
            yield value


def one(data: bytes) -> Value | None:
    """The first value, if there is one."""
    return _value(data, 0, 0)[0]


def _value(data: bytes, at: int, depth: int) -> tuple[Value | None, int]:
    """The next value and where it ends; None before a closing bracket, or at the end."""
    if depth > _DEEPEST:
        raise EdnError("this is nested too deeply", at)
    while at < len(data):
        match = _TOKEN.match(data, at)
        if match is None:
            string = data[at : at + 1] == b'"'
            raise EdnError("this string has no end" if string else "this is no EDN", at)
        kind, token = str(match.lastgroup), match.group()
        if kind == "close":
            return None, at
        at = match.end()
        if kind in ("skip", "tag"):  # a tag says of which class its value is
            continue
        if kind == "discard":
            _, at = _value(data, at, depth + 1)
            continue
        if kind == "open":
            return _collection(data, match.start(), at, depth)
        text = token.decode(errors="replace")
        if kind == "string":
            text = re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text[1:-1], flags=re.DOTALL)
        return Value(match.start(), len(token), text, (), "string" if kind == "string" else "atom"), at
    if depth:
        raise EdnError("this bracket is never closed", at, "the file may have been cut off")
    return None, at


def _collection(data: bytes, start: int, at: int, depth: int) -> tuple[Value, int]:
    bracket = data[at - 1 : at]
    items: list[Value] = []
    while True:
        try:
            item, at = _value(data, at, depth + 1)
        except EdnError as error:
            if error.at == len(data):
                error.at = start
            raise
        if item is None:
            break
        items.append(item)
    if data[at : at + 1] != _CLOSES[bracket]:
        raise EdnError(f"'{data[at : at + 1].decode()}' does not close '{bracket.decode()}'", at)
    is_map = data[start : start + 1] == b"{"
    if is_map and len(items) % 2:
        raise EdnError("this map has a key without a value", start)
    return Value(start, at + 1 - start, None, tuple(items), "map" if is_map else "vector"), at + 1
