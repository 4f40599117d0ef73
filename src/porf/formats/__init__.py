"""Histories in files: text, JSON Lines and npz, and litmus tests, which are only written.

Reading validates everything; writing round-trips.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from io import BufferedReader, BufferedWriter
from pathlib import Path

from porf.errors import FormatError, UsageError, nearest, wrong_type
from porf.execution import Execution

__all__ = [
    "EXTENSIONS",
    "FORMATS",
    "dumps",
    "format_of_name",
    "load",
    "loads",
    "open_lines",
    "refuse_unwritable",
    "save",
    "write_text",
]

FORMATS = ("text", "jsonl", "npz")
TARGETS = (*FORMATS, "litmus")
EXTENSIONS = {
    ".txt": "text",
    ".porf": "text",
    ".history": "text",
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".npz": "npz",
}
_LITMUS = ".litmus"
PROGRAMS = (".c", ".i", ".cc", ".cpp", ".cxx", ".c++", ".C", ".ii", ".bc", ".ll", ".py", _LITMUS)  # not histories


def load(path: str | Path, format: str | None = None) -> Execution:
    """Reads a history; `-` is the standard input. The extension says the format, or else the content does.

    >>> import porf
    >>> len(porf.load("examples/histories/iriw.txt"))
    6
    """
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("load", "a path", path)
    if str(path) == "-":
        return loads(sys.stdin.buffer.read(), format, source="<stdin>")
    source = str(path)
    if format is None and Path(path).suffix in PROGRAMS:
        raise FormatError("this is a program, not a history", source=source, hint="porf explore explores programs")
    with _reading(path) as file:
        kind = _known(format) or format_of_name(path) or sniff(file.peek(4096))
        if kind == "npz" and file.seekable():
            from porf.formats import npz

            return npz.read_file(file, source)
        return _read(kind, file.read(), source)


def loads(data: str | bytes, format: str | None = "text", source: str = "<text>") -> Execution:
    """Reads a history from a string or bytes; `format=None` looks at the content.

    >>> import porf
    >>> execution = porf.loads("T0 w x 1\\nT1 r x 1")
    >>> execution.threads, execution.locations
    (2, 1)
    """
    if not isinstance(data, str | bytes):
        raise wrong_type("loads", "a string or bytes", data)
    raw = data.encode(errors="surrogatepass") if isinstance(data, str) else data
    return _read(_known(format) or sniff(raw[:4096]), raw, source)


def save(execution: Execution, path: str | Path, format: str | None = None) -> None:
    """Writes a history; the extension says the format. `-` is the standard output, and text unless said otherwise.

    >>> import porf
    >>> porf.save(porf.loads('{"thread": "T0", "op": "w", "loc": "x", "value": 1}', "jsonl"), "/tmp/one-write.txt")
    >>> porf.load("/tmp/one-write.txt").describe(0)
    'w x 1'
    """
    if not isinstance(execution, Execution):
        raise wrong_type("save", "an Execution and a path", execution)
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("save", "a path to write to", path)
    kind = _target(path, format)
    if str(path) == "-":
        sys.stdout.buffer.write(_written(kind, execution))
        sys.stdout.buffer.flush()
        return
    # What cannot be written is found out before the file is touched.
    if kind == "npz":
        from porf.formats import npz

        arrays = npz.arrays_of(execution)
        with _writing(path) as file:
            npz.write_arrays(arrays, file)
    else:
        data = _written(kind, execution)
        with _writing(path) as file:
            file.write(data)


def refuse_unwritable(path: str | Path) -> None:
    """Says that a history cannot go there before it is made: standard output is for something else."""
    if str(path) == "-":
        raise UsageError("standard output is for the report", hint="name a file")
    _target(path, None)
    if not Path(path).parent.is_dir():
        raise UsageError("cannot be written: no such directory", source=str(path), hint="make the directory first")


def _target(path: str | Path, format: str | None) -> str:
    kind = _known(format, TARGETS) or format_of_name(path) or ("text" if str(path) == "-" else None)
    if Path(path).suffix == _LITMUS and format is None:
        kind = "litmus"
    if kind is None:
        hint = f"end the name in one of {' '.join((*EXTENSIONS, _LITMUS))}, or say the format (--to)"
        raise UsageError("the name does not say the format", source=str(path), hint=hint)
    return kind


def dumps(execution: Execution, format: str = "text") -> bytes:
    """The bytes of the file that `save` would write."""
    return _written(_known(format, TARGETS) or "text", execution)


def _read(kind: str, data: bytes, source: str) -> Execution:
    """By the format's own module, which is imported when it is needed."""
    execution: Execution = import_module(f"porf.formats.{kind}").read(data, source)
    return execution


def _written(kind: str, execution: Execution) -> bytes:
    module = "c_litmus" if kind == "litmus" else kind
    data: bytes = import_module(f"porf.formats.{module}").write(execution)
    return data


def open_lines(path: str | Path) -> AbstractContextManager[Iterable[bytes]]:
    """The lines of a file as they come, for a stream; `-` is the standard input."""
    if str(path) == "-":
        return nullcontext(sys.stdin.buffer)
    return _reading(path)


def write_text(path: str | Path | None, text: str) -> None:
    """Writes a picture or a report; none or `-` is the standard output."""
    if path is None or str(path) == "-":
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    with _writing(path) as file:
        file.write(text.encode())


def format_of_name(path: str | Path) -> str | None:
    """The format that a file's name says, if it says one."""
    return EXTENSIONS.get(Path(path).suffix.lower())


def sniff(head: bytes) -> str:
    """The format of content whose name says nothing."""
    if head.startswith(b"PK"):
        return "npz"
    return "jsonl" if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else "text"


def _known(format: str | None, formats: tuple[str, ...] = FORMATS) -> str | None:
    if format is not None and format not in formats:
        hint = nearest(format, formats) or "the formats are " + ", ".join(formats)
        raise UsageError(f"unknown format '{format}'", hint=hint)
    return format


def _similar_file(path: Path) -> str | None:
    try:
        return nearest(path.name, (other.name for other in path.parent.iterdir()))
    except (OSError, ValueError):
        return None


@contextmanager
def _reading(path: str | Path) -> Iterator[BufferedReader]:
    source = str(path)
    try:
        with _path(path).open("rb") as file:
            yield file
    except IsADirectoryError:
        raise FormatError("this is a directory", source=source, hint="name the files in it") from None
    except FileNotFoundError:
        hint = _similar_file(Path(path)) or "is it in another directory?"
        raise FormatError("no such file", source=source, hint=hint) from None
    except OSError as error:
        hint = "look at who may read it" if isinstance(error, PermissionError) else "is it a file?"
        raise FormatError(f"cannot be read: {error.strerror or error}", source=source, hint=hint) from None


@contextmanager
def _writing(path: str | Path) -> Iterator[BufferedWriter]:
    try:
        with _path(path).open("wb") as file:
            yield file
    except OSError as error:
        hint = "make the directory first" if isinstance(error, FileNotFoundError) else "choose another place"
        raise UsageError(f"cannot be written: {error.strerror or error}", source=str(path), hint=hint) from None


def _path(path: str | Path) -> Path:
    if "\0" in str(path):
        raise OSError("a name cannot have a zero byte in it")
    return Path(path)
