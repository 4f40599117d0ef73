"""What a history says beside its graph, as people recorded it: how values are written, when operations ran, and notes.

A value is a number of 64 bits, signed or unsigned, or a word. The columns of values hold numbers of int64 as they are;
others are named: `NAMED + k` stands for the k-th of a table of names. Plain histories have none of this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from porf._core import MOST_NAMED, NAMED
from porf.record import Record

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]

NO_VALUE = -(2**63)  # in a column of values or times: there is none, or it was not recorded
UNLIKE = "!"  # begins the value of a read that found anything but what follows: a failed compare-and-swap
_DIGITS, _LARGE_X, _LARGE_DIGITS = 0x1F, 0x40, 0x80  # a style that is not 0: hex, with so many digits
_NUMBER = re.compile(r"-?[0-9]+")


class Hex(int):
    """A whole number that is written in hex, with so many digits."""

    style: int

    def __new__(cls, value: int, style: int) -> Hex:
        self = super().__new__(cls, value)
        self.style = style
        return self

    def __str__(self) -> str:
        digits = f"{abs(self):0{self.style & _DIGITS}x}"
        sign, x = "-" if self < 0 else "", "0X" if self.style & _LARGE_X else "0x"
        return sign + x + (digits.upper() if self.style & _LARGE_DIGITS else digits)

    __repr__ = __str__

    def __reduce__(self) -> tuple[type[Hex], tuple[int, int]]:
        return Hex, (int(self), self.style)


def is_number(name: str) -> bool:
    """Whether the name of a value is a number, rather than a word."""
    return _NUMBER.fullmatch(name) is not None


Written = int | str  # a value for people: a number, perhaps in hex, or a word


class Spelling(Record, eq=False):
    """The names of values that are no numbers of int64, and which numbers are written in hex."""

    names: Sequence[str] = ()  # words; and numbers in decimal
    read_style: UInt8 | None = None  # one a row, 0 for decimal
    written_style: UInt8 | None = None
    init_style: UInt8 | None = None  # one a location

    def value(self, code: int, style: int = 0) -> Written:
        """What an entry of a column of values stands for."""
        value: Written = int(code)
        if NAMED <= code < NAMED + len(self.names):
            name = self.names[int(code) - NAMED]
            value = int(name) if is_number(name) else name
        return Hex(value, style) if style and isinstance(value, int) else value

    def are_names(self, values: Int64) -> npt.NDArray[np.bool_]:
        """Which entries of a column are names."""
        return np.asarray((values >= NAMED) & (values < NAMED + min(len(self.names), MOST_NAMED)))

    def restrict(self, rows: Int32, locs: Int32) -> Spelling:
        return Spelling(
            self.names, _at(self.read_style, rows), _at(self.written_style, rows), _at(self.init_style, locs)
        )


class Times(Record, eq=False):
    """When each operation began and ended, by one clock, in units of 10^-decimals."""

    start: Int64  # NO_VALUE where no time was recorded
    end: Int64  # NO_VALUE also where the operation's end was not recorded
    decimals: int = 0

    @property
    def begins(self) -> npt.NDArray[np.bool_]:
        """Which operations say when they began."""
        known: npt.NDArray[np.bool_] = self.start != NO_VALUE
        return known

    @property
    def ends(self) -> npt.NDArray[np.bool_]:
        """Which operations say when they ended."""
        known: npt.NDArray[np.bool_] = self.begins & (self.end != NO_VALUE)
        return known

    @property
    def columns(self) -> tuple[Int64, Int64]:
        """As the core takes them."""
        return self.start, self.end

    def before(self, one: int, other: int) -> bool:
        """Whether one operation had ended when the other began."""
        end, start = int(self.end[one]), int(self.start[other])
        return NO_VALUE not in (int(self.start[one]), end, start) and end < start

    def ended(self, row: int) -> str:
        """The time of an end, as it is written."""
        return self._text(int(self.end[row]))

    def began(self, row: int) -> str:
        return self._text(int(self.start[row]))

    def word(self, row: int) -> str | None:
        """As the text format writes it: `5..7`, `5..` without an end, `5` where both are the same."""
        start, end = int(self.start[row]), int(self.end[row])
        if start == NO_VALUE:
            return None
        if start == end:
            return self._text(start)
        return f"{self._text(start)}..{'' if end == NO_VALUE else self._text(end)}"

    def _text(self, time: int) -> str:
        digits = f"{abs(time):0{self.decimals + 1}}"
        point = len(digits) - self.decimals
        text = digits[:point] + ("." + digits[point:] if self.decimals else "")
        return "-" + text if time < 0 else text

    def restrict(self, rows: Int32) -> Times:
        return Times(self.start[rows], self.end[rows], self.decimals)


class Notes(Record, eq=False):
    """Texts that events carry under a key, `src` or `note:NAME`; one entry a note, by row."""

    keys: Sequence[str]
    texts: Sequence[str]
    row: Int32  # ascending
    key: Int32  # a place in `keys`
    text: Int32  # a place in `texts`

    def of(self, row: int) -> dict[str, str]:
        first, last = np.searchsorted(self.row, [row, row + 1]).tolist()
        return {self.keys[int(self.key[at])]: self.texts[int(self.text[at])] for at in range(first, last)}

    def restrict(self, rows: Int32) -> Notes | None:
        """The notes of these rows, which ascend."""
        if len(rows) == 0:
            return None
        at = np.minimum(np.searchsorted(rows, self.row), len(rows) - 1)
        kept = rows[at] == self.row
        if not kept.any():
            return None
        return Notes(self.keys, self.texts, at[kept].astype(np.int32), self.key[kept], self.text[kept])


def _at(column: UInt8 | None, places: Int32) -> UInt8 | None:
    return None if column is None else column[places]


def natural_order(names: Sequence[str], places: Iterable[int] | None = None) -> list[int]:
    """The places of names as people count: x2 before x10. Names that differ in more than their numbers stay in the
    order in which they first appear, those of a kind together."""
    kinds: dict[tuple[str, ...], int] = {}
    keys: dict[int, tuple[int, list[int], int]] = {}
    for place in range(len(names)) if places is None else places:
        parts = re.split(r"([0-9]+)", names[place])
        kind = kinds.setdefault(tuple(parts[::2]), len(kinds))
        keys[place] = (kind, [int(number[:40]) for number in parts[1::2]], place)
    return sorted(keys, key=keys.__getitem__)
