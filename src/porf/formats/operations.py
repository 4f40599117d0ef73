"""From operations on registers to an execution: which of them count, which write each read took.

An operation of which nobody saw the end has no end in time. One that failed did nothing; a compare-and-swap that failed
since it found another value is a read of any value but one, written `!3`. An append is an update whose values are the
texts before and after; one that nobody has seen is as good as a write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np

from porf import _core
from porf.errors import FormatError
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Op
from porf.formats.names import unpack
from porf.said import UNLIKE, Spelling, Times

EMPTY = '""'  # how a text without letters is written
_NIL = "nil"
_BLANK, _PLAIN = "·", "_.:+-/!?*'()[]{},;@$&~^|<"

Fail = Callable[[str, int, str | None, int], FormatError]


@dataclass(slots=True)
class Call:
    """An operation as the log has it; its place is for errors."""

    process: str
    key: str
    f: str  # read, write, cas, append
    start: int
    at: int
    width: int
    end: int | None = None
    done: bool | None = None  # None: nobody knows
    value: str | None = None  # what is read, written or appended
    compared: str | None = None  # what a compare-and-swap expects
    compared_in_vain: bool = False

    @property
    def writes(self) -> bool:
        return self.f != "read" and not self.compared_in_vain


def executed(calls: list[Call], source: str, fail: Fail) -> Execution:
    """The execution of these operations, in the order in which they began."""
    by_key: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_key[call.key].append(call)
    for same in by_key.values():
        if any(call.f == "append" for call in same):
            _resolve_appends(same, fail)
    kept = [call for call in calls if _counts(call)]
    if not kept:
        raise FormatError("no operation of this log has an outcome", source=source, hint="was it cut off?")
    texts = any(EMPTY in (call.value, call.compared) for call in kept)
    return _Columns(kept, EMPTY if texts else _NIL).execution(source)


def _counts(call: Call) -> bool:
    """What failed has done nothing, and a read that did not end says nothing."""
    if call.done is False:
        return call.compared_in_vain
    return call.done is True or call.f != "read"


def _resolve_appends(calls: list[Call], fail: Fail) -> None:
    """Makes updates of the appends of one key: the texts that were read say what each was appended to."""
    appends: dict[str, Call] = {}
    for call in calls:
        if call.f == "append" and call.done is not False:
            word = _text(call.value)
            if word in appends:
                hint = "appends to one key must differ, so that a text says which of them made it"
                raise fail(f"'{word}' is appended twice", call.at, hint, call.width)
            appends[word] = call
    names = {"": EMPTY}  # of the texts that the register can hold
    for call in calls:
        if call.f == "write":
            names[_text(call.value)] = _word(_text(call.value))
            call.value = _word(_text(call.value))
    before: dict[str, str] = {}  # an append -> the text that it was appended to
    lengths = sorted({len(word) for word in appends}, reverse=True)
    for call in calls:
        if call.f == "read" and call.done:
            call.value = _observe(_text(call.value), appends, names, before, lengths)
    for word, call in appends.items():
        if word in before:
            call.f, call.compared, call.value = "cas", names[before[word]], names[before[word] + word]
        else:
            call.f, call.value = "write", _word(word)


def _observe(
    text: str, appends: dict[str, Call], names: dict[str, str], before: dict[str, str], lengths: list[int]
) -> str:
    """The name of a text that was read; on the way, what its appends were appended to."""
    steps = []
    rest = text
    while rest not in names:
        last = next((rest[-n:] for n in lengths if n <= len(rest) and rest[-n:] in appends), None)
        if last is None or before.get(last, rest[: -len(last)]) != rest[: -len(last)]:
            return _word(text)  # nothing makes this text
        steps.append((last, rest[: -len(last)]))
        rest = rest[: -len(last)]
    for last, old in reversed(steps):
        before[last] = old
        names[old + last] = _word(last)
    return names[text]


def _text(value: str | None) -> str:
    return "" if value is None or value == EMPTY else value


def _word(text: str) -> str:
    """A text as a value of the text format, in which there are no blanks: a dot stands for each."""
    return (
        "".join(_BLANK if c == " " else c if c.isalnum() or c in _PLAIN else quote(c, safe="") for c in text) or EMPTY
    )


class _Columns:
    """Rows of an execution, and who reads whom."""

    def __init__(self, calls: list[Call], initial: str) -> None:
        self._said = _core.Said()
        self._keys: dict[str, int] = {}
        self._initial = self._code(initial)
        # A compare-and-swap in doubt whose value nobody has seen may as well have had no effect.
        for call in calls:
            self._keys.setdefault(call.key, len(self._keys))
        seen = {(call.key, value) for call in calls for value in self._finds(call)}
        failed: dict[str, set[str | None]] = defaultdict(set)
        for call in calls:
            if call.compared_in_vain:
                failed[call.key].add(call.compared)

        def unseen(call: Call) -> bool:
            doubtful = call.done is None and call.f == "cas"
            return doubtful and (call.key, call.value) not in seen and failed[call.key] <= {call.value}

        self._calls = [call for call in calls if not unseen(call)]

    @staticmethod
    def _finds(call: Call) -> tuple[str | None, ...]:
        if call.compared_in_vain:
            return ()
        return (call.value,) if call.f == "read" else (call.compared,) if call.f == "cas" else ()

    def _code(self, word: str | None) -> int:
        if word is None:
            return NO_VALUE
        word = _word(word) if word != EMPTY else word
        try:
            if word != "_" and word[:1] != UNLIKE:
                return self._said.value(word)
        except ValueError:
            pass  # it looks like something else: a number that is none, or an order
        return self._said.value(f'"{word}"')

    def execution(self, source: str) -> Execution:
        calls = self._calls
        n = len(calls)
        loc = np.array([self._keys[call.key] for call in calls], np.int32)
        op = np.array([Op.UPDATE if c.f == "cas" and c.writes else Op.WRITE if c.writes else Op.READ for c in calls])
        read, written = np.full(n, NO_VALUE, np.int64), np.full(n, NO_VALUE, np.int64)
        for row, call in enumerate(calls):
            if call.compared_in_vain:
                read[row] = self._said.value(UNLIKE + _word(call.compared or _NIL))
            elif call.f == "read":
                read[row] = self._code(call.value)
            else:
                written[row] = self._code(call.value)
                if call.f == "cas":
                    read[row] = self._code(call.compared)
        processes: dict[str, int] = {}
        thread = [processes.setdefault(call.process, len(processes)) for call in calls]
        return Execution(
            thread=np.array(thread, np.int32),
            op=op.astype(np.uint8),
            loc=loc,
            order=np.ones(n, np.uint8),
            rf=self._readers(loc, op.astype(np.uint8), read, written),
            thread_names=list(processes),
            loc_names=[_word(key) for key in self._keys],
            init_value=np.full(len(self._keys), self._initial, np.int64),
            read_value=read,
            written_value=written,
            source=source,
            spelling=Spelling(unpack(self._said.names())),
            times=Times(
                np.array([call.start for call in calls], np.int64),
                np.array([NO_VALUE if call.end is None else call.end for call in calls], np.int64),
            ),
        )

    def _readers(self, loc: np.ndarray, op: np.ndarray, read: np.ndarray, written: np.ndarray) -> np.ndarray:
        """The writer of each read whose value says it; otherwise UNKNOWN."""
        writers: dict[tuple[int, int], list[int]] = defaultdict(list)
        for row, (place, value) in enumerate(zip(loc.tolist(), written.tolist(), strict=True)):
            if value != NO_VALUE:
                writers[place, value].append(row)
        rf = np.full(len(loc), INITIAL, np.int32)
        for row in np.flatnonzero(op != Op.WRITE).tolist():
            found = [w for w in writers.get((int(loc[row]), int(read[row])), ()) if w != row]
            found += [INITIAL] * int(read[row] == self._initial)
            rf[row] = found[0] if len(found) == 1 else UNKNOWN
        # A compare-and-swap in doubt reads somebody only if it took effect: somebody who did has read it.
        doubtful = {row for row, call in enumerate(self._calls) if call.done is None and op[row] == Op.UPDATE}
        met = [row for row in np.flatnonzero(op != Op.WRITE).tolist() if row not in doubtful]
        for row in met:
            if (writer := int(rf[row])) in doubtful:
                doubtful.remove(writer)
                met.append(writer)
        rf[list(doubtful)] = UNKNOWN
        return rf
