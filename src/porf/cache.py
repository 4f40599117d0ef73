"""What was worked out before, kept in the user's cache folder, each by a word for everything that it depends on.

Nothing here is needed: an entry that is missing, damaged, of another owner or switched off is worked out again. Entries
are pickles, which can run code when they are read; so only folders and files that nobody else can write are read, and
only porf's own classes are made of them.
"""

from __future__ import annotations

import os
import pickle
import stat
from _blake2 import blake2b  # that of hashlib, which also imports OpenSSL
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from porf.files import replacing

VARIABLE = "PORF_CACHE"  # of the environment: "off" switches the cache off
MOST = 64 << 20  # bytes of the entries of one kind; the least recently used go
LOOKS = 16  # one in so many small entries looks whether there are too many: that takes longer than to write one
PACKAGE = Path(__file__).parent
_DIGEST = 16  # bytes

State = tuple[str, int, int]


def word(*parts: object) -> str:
    """A word for bytes, and for values whose `repr` says all about them."""
    found = blake2b(digest_size=_DIGEST)
    for part in parts:
        text = part if isinstance(part, bytes) else repr(part).encode("utf-8", "backslashreplace")
        found.update(b"%d %d " % (isinstance(part, bytes), len(text)))
        found.update(text)
    return found.hexdigest()


def state(path: str | os.PathLike[str]) -> State:
    """The name, size and time of a file: something changes if a program is installed anew."""
    found = Path(path).stat()
    return os.fspath(path), found.st_size, found.st_mtime_ns


@cache
def stamp() -> str:
    """A word for the state of porf itself, by the names, sizes and times of its files."""
    return word(b"".join(sorted(b"%a" % (state,) for state in states([str(PACKAGE)]))))


def states(folders: Iterable[str]) -> Iterator[State]:
    """Of all files in these folders that are there."""
    for folder in filter(os.path.isdir, folders):
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir():
                    found = entry.stat()
                    yield entry.path, found.st_size, found.st_mtime_ns
                elif entry.name != "__pycache__":
                    yield from states([entry.path])


def is_on() -> bool:
    """Whether anything can be kept."""
    return _folder("") is not None


def get(kind: str, key: str) -> Any:
    """What was put there; None if there is nothing to rely on."""
    folder = _folder(kind)
    if folder is None:
        return None
    path = folder / key
    try:
        with path.open("rb") as file:
            data = file.read() if _is_private(os.fstat(file.fileno())) else b""
        if blake2b(data[_DIGEST:], digest_size=_DIGEST).digest() != data[:_DIGEST]:
            return None
        found = _Reader(BytesIO(data[_DIGEST:])).load()
        os.utime(path)  # it was of use
    except (OSError, ValueError, EOFError, AttributeError, ImportError, LookupError, TypeError, pickle.PickleError):
        return None
    return found


def put(kind: str, key: str, value: Any) -> None:
    """Keeps a value. Other processes may do the same right now, so a whole file appears in one step."""
    folder = _folder(kind)
    if folder is None:
        return
    try:
        data = pickle.dumps(value, 5)
    except RecursionError:  # nested too deeply to be kept
        return
    digest = blake2b(data, digest_size=_DIGEST).digest()
    with suppress(OSError):
        with replacing(folder / key, private=True, lasting=False) as file:
            file.write(digest + data)
        if digest[0] % LOOKS == 0 or len(data) * LOOKS > MOST:
            _trim(folder)


def kept(kind: str, key: str, make: Callable[[], Any]) -> Any:
    """What was put there before, or else what is made now."""
    found = get(kind, key)
    if found is None:
        found = make()
        put(kind, key, found)
    return found


class _Reader(pickle.Unpickler):
    """Makes values of porf's own classes, and of those that need no class to be named."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("porf.") and "." not in name else None
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"{module}.{name} is no class of porf")
        return found


def _folder(kind: str) -> Path | None:
    """The folder of a kind of entries; None if there is none that only this user can write."""
    if os.environ.get(VARIABLE) == "off":
        return None
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = base / "porf" / kind
        if not folder.is_dir():
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # `parents` would be open to all
            folder.mkdir(mode=0o700, exist_ok=True)
        return folder if base.is_absolute() and _is_private(folder.stat()) else None
    except (OSError, RuntimeError):
        return None


def _is_private(found: os.stat_result) -> bool:
    """Whether it is this user's, and nobody else can write to it."""
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _trim(folder: Path) -> None:
    """Removes the oldest entries if there are too many."""
    with os.scandir(folder) as entries:
        found = [(entry.stat(), entry.path) for entry in entries]
    left = sum(status.st_size for status, _ in found)
    if left <= MOST:
        return
    for status, path in sorted(found, key=lambda item: item[0].st_mtime_ns):
        if left <= MOST // 2:
            return
        left -= status.st_size
        with suppress(OSError):
            Path(path).unlink()
