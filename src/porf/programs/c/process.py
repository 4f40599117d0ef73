"""Runs a compiler: one process at a time, in a folder of its own that is gone afterwards. It does not outlive this one.

The standard library's modules for processes and temporary files take longer to import than a small program takes to
explore, so these few lines stand for them.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from porf import _core


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder, which only this user can read."""
    places = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
    base = next((place for place in places if place and Path(place).is_dir()), "/tmp")
    folder = Path(base, f"porf-{os.getpid()}-{time.time_ns():x}")
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        with suppress(OSError):
            _remove(folder)


def _remove(folder: Path) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _remove(Path(entry.path))
            else:
                Path(entry.path).unlink()
    folder.rmdir()


def run(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> tuple[int, bytes]:
    """The exit code of a command, or minus the signal that ended it, and what it said on the stream for errors."""
    said = folder / "said"
    hears, says = os.pipe()  # why it cannot be started; closed where it is
    parent = os.getpid()
    process = os.fork()
    if process == 0:
        _become(command, environment, said, says, parent)
    try:
        os.close(says)
        with os.fdopen(hears, "rb") as file:
            wrong = file.read()
        _, status = os.waitpid(process, 0)
    except BaseException:  # Ctrl-C: nobody else would wait for it
        os.kill(process, 9)
        os.waitpid(process, 0)
        raise
    if wrong:
        raise OSError(int(wrong), os.strerror(int(wrong)))
    return os.waitstatus_to_exitcode(status), said.read_bytes()


def _become(command: Sequence[str], environment: Mapping[str, str], said: Path, says: int, parent: int) -> NoReturn:
    """In a new process: it goes on as that command."""
    try:
        _core.end_with_parent()
        if os.getppid() == parent:  # it has not ended before
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(0, 1)
            os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
            os.execvpe(command[0], list(command), environment)
    except OSError as error:
        os.write(says, b"%d" % (error.errno or 0))
    except BaseException:  # Ctrl-C
        pass
    os._exit(127)
