"""Files that are replaced whole or not at all: what is written goes to a new file beside the old one, which takes its
name at the end. If the disk is full or the process is killed, the old file is as it was."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EISDIR
from io import BufferedWriter
from pathlib import Path

# Names of files that are open already: there is nothing to put in their place.
_OPEN = ("/dev/std", "/dev/fd/", "/proc/")


@contextmanager
def replacing(path: str | os.PathLike[str], *, private: bool = False, lasting: bool = True) -> Iterator[BufferedWriter]:
    """A file to write to. When the block ends well, it is the file at the path, with the rights of the one that was
    there. `private`: only this user may read it; `lasting`: it also outlives a failure of the machine. An OSError says
    what is wrong."""
    name = os.fspath(path)
    if "\0" in name:
        raise OSError("a name cannot contain a zero byte")
    target = Path(os.path.realpath(name))  # a link goes on leading to it
    known = _status(target)
    if known is not None and stat.S_ISDIR(known.st_mode):
        raise OSError(EISDIR, os.strerror(EISDIR))
    if (known is not None and not stat.S_ISREG(known.st_mode)) or str(Path(name).absolute()).startswith(_OPEN):
        with Path(name).open("wb") as file:  # a pipe or a device
            yield file
        return
    if known is not None and not os.access(target, os.W_OK):
        raise OSError(EACCES, os.strerror(EACCES))
    temporary = target.with_name(f".porf-{os.urandom(8).hex()}.part")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if private else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            if known is not None and not private:
                with suppress(OSError):
                    os.fchown(handle, known.st_uid, known.st_gid)
                os.fchmod(handle, stat.S_IMODE(known.st_mode))
            yield file
            file.flush()
            if lasting:
                os.fsync(handle)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
