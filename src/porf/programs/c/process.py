"""Runs a compiler: one process at a time, in a folder of its own that is gone afterwards.

The standard library's modules for processes and temporary files take longer to import than a small program takes to
explore, so these few lines stand for them.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path


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
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, str(said), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    process = os.posix_spawnp(command[0], list(command), environment, file_actions=actions)
    try:
        _, status = os.waitpid(process, 0)
    except BaseException:  # Ctrl-C: nobody else would wait for it
        os.kill(process, 9)
        os.waitpid(process, 0)
        raise
    return os.waitstatus_to_exitcode(status), said.read_bytes()
