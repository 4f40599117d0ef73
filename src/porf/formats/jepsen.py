"""Logs of operations on registers as Jepsen and Porcupine have them: an operation is invoked, and later it is ok,
fails, or nobody knows (`info`).

They come as EDN or JSON, a map an event, or as the lines that Jepsen prints. Registers are read, written, and compared
and set; with independent keys a value is `[key value]`. A store of texts has get, put and append.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from porf.allowance import look
from porf.errors import FormatError, nearest
from porf.execution import Execution
from porf.formats.edn import EdnError, Value, values
from porf.formats.edn import one as edn
from porf.formats.faults import error_at, place_in_data
from porf.formats.operations import EMPTY, Call, executed
from porf.record import Record

_LINE = re.compile(rb"(?P<process>\S+)\s+:(?P<type>invoke|ok|fail|info)\s+:(?P<f>[\w-]+)(?P<rest>[^\n]*)")
LOOKS = re.compile(
    rb"\s*(?:\[\s*)?(?:#\S+\s*)?\{\s*:(?:process|type|f|value|time|index)\b|[^{]*?\s:invoke\s+:\w"
    rb'|\s*(?:\[\s*)?\{(?=[^}]*"process"\s*:)(?=[^}]*"type"\s*:)[^}]*"f"\s*:'
)
"""How such a log begins."""
_TYPES = ("invoke", "ok", "fail", "info")
_WORDS = {
    **dict.fromkeys(("read", "r", "get"), "read"),
    **dict.fromkeys(("write", "w", "put", "set"), "write"),
    **dict.fromkeys(("cas", "compare-and-set", "compare-and-swap"), "cas"),
    "append": "append",
}
_NIL = Value(0, 1, "nil")
_LOOK_EVERY = 4096


class Entry(Record):
    """One event of the log."""

    at: int
    width: int
    process: str
    type: str
    f: str
    value: Value
    key: str | None = None
    time: int | None = None
    error: bool = False  # it says why it failed


def read(data: bytes, source: str) -> Execution:
    log = _Log(data, source)
    return executed(log.calls(), source, log.error)


class _Log:
    def __init__(self, data: bytes, source: str) -> None:
        self._data = data
        self._source = source

    def error(self, message: str, at: int, hint: str | None = None, width: int = 1) -> FormatError:
        return error_at(self._source, place_in_data(self._data, at, width), message, hint)

    def calls(self) -> list[Call]:
        """The operations, in the order in which they were invoked."""
        try:
            entries = list(self._entries())
        except EdnError as error:
            raise self.error(error.message, error.at, error.hint, error.width) from None
        times = [entry.time for entry in entries]
        clock = [time for time in times if time is not None]
        # The order of the log counts, as it does for Jepsen. Its times are kept where they say the same.
        exact = len(clock) == len(times) and all(a < b for a, b in pairwise(clock))
        self._refuse_backwards(entries)
        keyed = any(_is_keyed(entry) for entry in entries)
        running: dict[str, Call] = {}
        calls = []
        for place, entry in enumerate(entries):
            moment = clock[place] if exact else place
            if entry.type == "invoke":
                if entry.process in running:
                    hint = "a process does one operation at a time; one that is in doubt goes on under another number"
                    raise self.error(f"process {entry.process} already runs an operation", entry.at, hint, entry.width)
                call = self._begin(entry, keyed, moment)
                running[entry.process] = call
                calls.append(call)
            else:
                begun = running.pop(entry.process, None)
                if begun is None:
                    hint = "before it, the operation is invoked"
                    raise self.error(f"process {entry.process} runs no operation", entry.at, hint, entry.width)
                self._end(begun, entry, keyed, moment)
        return calls

    def _refuse_backwards(self, entries: list[Entry]) -> None:
        last: int | None = None
        for entry in entries:
            if entry.time is None:
                continue
            if last is not None and entry.time < last:
                hint = "a log stands in the order in which things happened"
                raise self.error(f"time runs backwards: {entry.time} after {last}", entry.at, hint, entry.width)
            last = entry.time

    def _begin(self, entry: Entry, keyed: bool, moment: int) -> Call:
        key, value = self._key_and_value(entry, keyed)
        call = Call(entry.process, key, entry.f, moment, entry.at, entry.width)
        if entry.f == "cas":
            call.compared, call.value = self._pair(value, entry)
        elif entry.f != "read":
            call.value = self._word(value, entry)
        return call

    def _end(self, call: Call, entry: Entry, keyed: bool, moment: int) -> None:
        key, value = self._key_and_value(entry, keyed)
        if entry.f != call.f or (key != call.key and entry.type == "ok"):
            hint = f"it runs the {call.f} of {call.key}" if key != call.key else f"it runs a {call.f}"
            raise self.error(f"process {entry.process} does not run this operation", entry.at, hint, entry.width)
        if entry.type == "info":
            return
        call.end = moment
        call.done = entry.type == "ok"
        if call.done and call.f == "read":
            call.value = self._word(value, entry)
            return
        if not call.done:
            # A comparison that failed found another value, unless something else went wrong.
            call.compared_in_vain = call.f == "cas" and not entry.error
            return
        said = self._pair(value, entry) if call.f == "cas" else (None, self._word(value, entry))
        if not value.is_nil and said != (call.compared, call.value):
            hint = "an operation ends with the value that it was invoked with"
            raise self.error("this is another value than that of the invocation", value.at, hint, value.width)

    def _key_and_value(self, entry: Entry, keyed: bool) -> tuple[str, Value]:
        if entry.key is not None:
            return entry.key, entry.value
        if not keyed or entry.type in ("info", "fail"):
            if keyed and entry.value.kind == "vector" and len(entry.value.items) == 2:
                return self._word(entry.value.items[0], entry) or "nil", entry.value.items[1]
            return "register", entry.value
        if entry.value.kind != "vector" or len(entry.value.items) != 2:
            raise self.error("this has no key", entry.at, "with independent keys a value is [KEY VALUE]", entry.width)
        key, value = entry.value.items
        return self._word(key, entry) or "nil", value

    def _pair(self, value: Value, entry: Entry) -> tuple[str | None, str | None]:
        if value.kind != "vector" or len(value.items) != 2:
            raise self.error(
                "this is no pair", value.at or entry.at, "cas has the value [OLD NEW]", max(1, value.width)
            )
        return self._word(value.items[0], entry), self._word(value.items[1], entry)

    def _word(self, value: Value, entry: Entry) -> str:
        if value.word is None:
            hint = "a value is a number, a word, a string or nil"
            raise self.error("this is no value of a register", value.at or entry.at, hint, max(1, value.width))
        return EMPTY if value.kind == "string" and not value.word else value.word

    def _entries(self) -> Iterator[Entry]:
        head = self._data.lstrip(b"\xef\xbb\xbf \t\r\n,[")[:2]
        if head[:1] not in (b"{", b"#"):
            yield from self._lines()
            return
        found = _json_values(self._data) if re.match(rb'\s*(?:\[\s*)?\{\s*"', self._data) else values(self._data)
        for number, value in enumerate(found):
            if number % _LOOK_EVERY == 0:
                look()
            entry = self._entry(value)
            if entry is not None:
                yield entry

    def _entry(self, value: Value) -> Entry | None:
        if value.kind != "map":
            raise EdnError(
                "this is no event", value.at, "an event is {:process 0, :type :invoke, :f :read, :value nil}"
            )
        said = {str(key.word).lstrip(":"): item for key, item in zip(value.items[::2], value.items[1::2], strict=True)}
        for name in ("process", "type", "f"):
            if name not in said:
                raise EdnError(f"this event has no :{name}", value.at, None, value.width)
        process, kind, f = (str(said[name].word).lstrip(":") for name in ("process", "type", "f"))
        if not process.lstrip("-").isdigit() and said["process"].kind == "atom" and said["process"].word != process:
            return None  # :nemesis, which makes faults
        time = said.get("time")
        if time is not None and not time.is_nil and not re.fullmatch(r"-?\d{1,18}", str(time.word)):
            raise EdnError("this is no time", time.at, "times are whole numbers, of nanoseconds or anything else")
        moment = None if time is None or time.is_nil else int(str(time.word))
        key = said.get("key")
        where = None if key is None else str(key.word)
        error = "error" in said and not said["error"].is_nil
        self._check_words(kind, f, said)
        value_of = said.get("value", _NIL)
        return Entry(value.at, value.width, process, kind, _WORDS[f], value_of, where, moment, error)

    def _check_words(self, kind: str, f: str, said: dict[str, Value]) -> None:
        if kind not in _TYPES:
            hint = nearest(kind, _TYPES) or f"it is one of {', '.join(_TYPES)}"
            raise EdnError(f"unknown type '{kind}'", said["type"].at, hint, said["type"].width)
        if f not in _WORDS:
            hint = nearest(f, _WORDS) or "registers have read, write and cas; stores get, put and append"
            raise EdnError(f"unknown operation '{f}'", said["f"].at, hint, said["f"].width)

    def _lines(self) -> Iterator[Entry]:
        """`INFO  jepsen.util - 0 :invoke :write 3`; other lines of such a log are about other things."""
        met = False
        for match in _LINE.finditer(self._data):
            process, kind, f = (match[name].decode(errors="replace") for name in ("process", "type", "f"))
            if process.startswith(":"):
                continue
            if f not in _WORDS:
                hint = nearest(f, _WORDS) or "registers have read, write and cas"
                raise EdnError(f"unknown operation '{f}'", match.start("f"), hint, len(f))
            start = match.start("rest")
            rest = edn(match["rest"])
            value = _NIL if rest is None else _moved(rest, start)
            met = True
            # An operation in doubt says why, where others have a value.
            doubt = kind in ("info", "fail") and value.kind == "atom" and str(value.word).startswith(":")
            at = match.start("process")
            yield Entry(at, match.end() - at, process, kind, _WORDS[f], _NIL if doubt else value, None, None, doubt)
        if not met:
            raise FormatError("the log has no operations", source=self._source, hint="a line is `0 :invoke :read nil`")


def _is_keyed(entry: Entry) -> bool:
    if entry.key is not None or entry.value.kind != "vector" or entry.type not in ("invoke", "ok"):
        return False
    return entry.f != "cas" or any(item.kind == "vector" for item in entry.value.items)


def _moved(value: Value, by: int) -> Value:
    items = tuple(_moved(item, by) for item in value.items)
    return Value(value.at + by, value.width, value.word, items, value.kind)


def _json_values(data: bytes) -> Iterator[Value]:
    """The objects of JSON, a line each or in one list."""
    if data.lstrip().startswith(b"["):
        try:
            objects = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise EdnError(f"this is no JSON: {error}", getattr(error, "pos", 0)) from None
        for item in objects:
            yield _from_json(item, 0, 1)
        return
    at = 0
    for line in data.splitlines(keepends=True):
        if line.strip():
            try:
                item = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise EdnError("this is no JSON", at + getattr(error, "pos", 0)) from None
            yield _from_json(item, at, len(line.rstrip()))
        at += len(line)


def _from_json(item: Any, at: int, width: int) -> Value:
    match item:
        case dict():
            pairs = [part for key, value in item.items() for part in (key, value)]
            return Value(at, width, None, tuple(_from_json(part, at, width) for part in pairs), "map")
        case list():
            return Value(at, width, None, tuple(_from_json(part, at, width) for part in item), "vector")
        case None:
            return Value(at, width, "nil")
        case str():
            return Value(at, width, item, (), "string")
    return Value(at, width, str(item).lower() if isinstance(item, bool) else str(item))
