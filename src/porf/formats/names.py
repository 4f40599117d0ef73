"""Names in bulk: sequences that make a string only when asked for one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np

from porf.errors import UsageError
from porf.execution import Int64
from porf.formats.rules import ID_RULE, RULE, is_id, is_location, is_name

Packed = tuple[bytes, Int64]  # names laid end to end in UTF-8, and the offsets of their borders

_SMALL = 4096  # up to here a plain list is the better sequence


class _Names(Sequence[str]):
    """What the lazy sequences share: slices, and equality with any sequence of the same strings."""

    def _at(self, index: int) -> str:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(len(self)))]
        at = int(index) + len(self) if index < 0 else int(index)
        if not 0 <= at < len(self):
            raise IndexError(index)
        return self._at(at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return NotImplemented if not isinstance(other, Sequence) else False
        return all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(self._at(i)) for i in range(min(3, len(self))))
        return f"<{len(self)} names: {shown}{', …' if len(self) > 3 else ''}>"


class PackedNames(_Names):
    """Names kept as one block of UTF-8; a million of them cost no Python object."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed

    def __len__(self) -> int:
        return len(self.packed[1]) - 1

    def _at(self, index: int) -> str:
        block, offsets = self.packed
        return block[offsets[index] : offsets[index + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        block, offsets = self.packed
        borders = offsets.tolist()
        if block.isascii():
            text = block.decode()
            return (text[a:b] for a, b in pairwise(borders))
        return (block[a:b].decode() for a, b in pairwise(borders))


class NumberedNames(_Names):
    """`T0`, `T1`, …: the names of what has none."""

    def __init__(self, prefix: str, count: int) -> None:
        self.prefix = prefix
        self._size = count

    def __len__(self) -> int:
        return self._size

    def _at(self, index: int) -> str:
        return f"{self.prefix}{index}"

    def __iter__(self) -> Iterator[str]:
        return (f"{self.prefix}{i}" for i in range(self._size))


def unpack(packed: Packed) -> Sequence[str]:
    names = PackedNames(packed)
    return names if len(names) > _SMALL else list(names)


def pack(names: Iterable[str]) -> Packed:
    if isinstance(names, PackedNames):
        return names.packed
    encoded = [name.encode() for name in names]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
    return b"".join(encoded), offsets


def check_names(threads: Sequence[str], locations: Sequence[str], ids: Sequence[str]) -> None:
    """Refuses to write names that could not be read back."""
    for what, names, good, rule in (
        ("thread", threads, lambda name: is_name(name) and name != "init", f"{RULE}; no thread is called 'init'"),
        ("location", locations, is_location, f"{RULE}; no location is called '*'"),
        ("id", ids, is_id, ID_RULE),
    ):
        if isinstance(names, PackedNames | NumberedNames):
            continue  # they come from a reader, or are numbered
        seen: set[str] = set()
        for name in names:
            if not good(name):
                raise UsageError(f"the {what} name {name!r} cannot be written", hint=rule)
            if name in seen:
                raise UsageError(f"two of the {what}s are called {name!r}", hint=f"give each {what} its own name")
            seen.add(name)
