"""Histories in files: text, JSON Lines and npz; logs, which are only read, and litmus tests, which are only written.

Reading validates everything; writing round-trips.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from io import BufferedReader, BufferedWriter, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from porf.errors import FormatError, UsageError, nearest, wrong_type
from porf.files import replacing
from porf.formats.compressed import opened, whole, without_suffix
from porf.record import Record

if TYPE_CHECKING:
    from porf.execution import Execution
    from porf.formats.logs.mapping import Mapping
    from porf.formats.logs.read import Imported

__all__ = [
    "BOTH",
    "FORMATS",
    "READ",
    "WRITTEN",
    "Format",
    "dumps",
    "format_of_name",
    "guess_mapping",
    "import_log",
    "load",
    "loads",
    "open_lines",
    "refuse_unwritable",
    "save",
    "write_text",
]


class Format(Record):
    """A format of histories: a module of this package, imported when it is needed.

    The module has `read(data, source)` and `write(execution)`, as far as the format is read and written. For files
    that are not held in memory as a whole it may have `read_file(file, source)`, and `prepare(execution)`, which
    returns a function that writes to a file.
    """

    module: str
    extensions: tuple[str, ...]
    reads: bool = True
    writes: bool = True
    begins: bytes | None = None  # how its files begin, white space of lines aside; text begins with anything else
    binary: bool = False  # it has no lines that can be followed
    looks: bool = False  # its module knows by the pattern LOOKS how its files look, whatever they are called

    def load(self) -> Any:
        return import_module(f"porf.formats.{self.module}")


FORMATS = {
    "text": Format("text", (".txt", ".porf", ".history")),
    "jsonl": Format("jsonl", (".jsonl", ".json"), begins=b"{"),
    "npz": Format("npz", (".npz",), begins=b"PK", binary=True),
    "log": Format("logs.read", (".csv", ".tsv"), writes=False, binary=True),
    "jepsen": Format("jepsen", (".edn",), looks=True, writes=False, binary=True),
    "litmus": Format("litmus", (".litmus",), reads=False),
}
READ = tuple(name for name, format in FORMATS.items() if format.reads)
WRITTEN = tuple(name for name, format in FORMATS.items() if format.writes)
BOTH = tuple(name for name in READ if name in WRITTEN)
PROGRAMS = (".c", ".i", ".cc", ".cpp", ".cxx", ".c++", ".C", ".ii", ".bc", ".ll", ".py", ".litmus")  # not histories
_BLOCK = 1 << 23  # bytes read at a time
_BOM = b"\xef\xbb\xbf"
_EVENT = re.compile(rb"\S+[ \t]+[rwuf](?:[ \t]|$)|init[ \t]")  # how the text format begins


def load(path: str | Path, format: str | None = None, *, mapping: Mapping | str | Path | None = None) -> Execution:
    """Reads a history; `-` is standard input. The extension determines the format, otherwise the content does. A
    mapping, or its file, says how a log is to be read.

    >>> import porf
    >>> len(porf.load("examples/histories/iriw.txt"))
    6
    """
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("load", "a path", path)
    if mapping is not None:
        return import_log(path, mapping).execution
    if str(path) == "-":
        try:
            data = _content(sys.stdin.buffer)
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", source="<stdin>") from None
        return loads(data, format, source="<stdin>")
    source = str(path)
    if format is None and Path(path).suffix in PROGRAMS:
        raise FormatError("this is a program, not a history", source=source, hint="porf explore explores programs")
    with _reading(path) as raw, whole(source):
        file, compressed = opened(raw)
        head = file.peek(4096)
        reader = FORMATS[_known(format) or _of_looks(head) or format_of_name(path) or sniff(head)].load()
        # Going back in a compressed file would mean to read it again.
        if hasattr(reader, "read_file") and file.seekable() and not (compressed and reader.__name__.endswith("npz")):
            return cast("Execution", reader.read_file(file, source))
        return cast("Execution", reader.read(_content(file), source))


def import_log(path: str | Path, mapping: Mapping | str | Path | None = None, skip_bad: int = 0) -> Imported:
    """Reads a log by a mapping or, without one, by its header; up to so many wrong lines are left out, and counted."""
    from porf.formats.logs.mapping import Mapping, read_mapping
    from porf.formats.logs.read import read_log

    if isinstance(mapping, str | os.PathLike):
        mapping = read_mapping(mapping)
    if not isinstance(mapping, Mapping | None):
        raise wrong_type("import_log", "a mapping, or its file", mapping)
    if str(path) == "-":
        with whole("<stdin>"):
            return read_log(opened(_again(sys.stdin.buffer))[0], "<stdin>", mapping, skip_bad)
    with _reading(path) as file:
        return read_log(opened(file)[0], str(path), mapping, skip_bad)


def guess_mapping(path: str | Path) -> str:
    """A mapping for a log, as a file in TOML, from its header and its first lines."""
    from porf.formats.logs.guess import guessed
    from porf.formats.logs.lines import HEAD
    from porf.formats.logs.toml import as_toml

    source = "<stdin>" if str(path) == "-" else str(path)
    with nullcontext(sys.stdin.buffer) if str(path) == "-" else _reading(path) as file, whole(source):
        head = opened(cast(BufferedReader, file))[0].read(HEAD)
    return as_toml(guessed(head, source, certain=False), source)


def _again(stream: BinaryIO) -> BufferedReader:
    """A stream that can be read twice: where it is none already, it is kept in memory."""
    if isinstance(stream, BufferedReader) and stream.seekable():
        return stream
    return BufferedReader(BytesIO(_content(stream)))


def _content(file: BinaryIO) -> bytes:
    """All of a file or a stream, as far as the memory goes: a stream does not say how long it is."""
    from porf import _core
    from porf.allowance import look

    if isinstance(file, BufferedReader) and file.seekable():
        _core.Allowance.claim(os.fstat(file.fileno()).st_size)
    blocks = []
    while block := file.read(_BLOCK):
        blocks.append(block)
        look()
    _core.Allowance.claim(len(blocks) * _BLOCK)  # once more, all together
    return b"".join(blocks)


def loads(
    data: str | bytes, format: str | None = "text", source: str = "<text>", *, mapping: Mapping | None = None
) -> Execution:
    """Reads a history from a string or bytes; `format=None` looks at the content. A mapping says how a log is
    to be read.

    >>> import porf
    >>> execution = porf.loads("T0 w x 1\\nT1 r x 1")
    >>> execution.threads, execution.locations
    (2, 1)
    """
    if not isinstance(data, str | bytes):
        raise wrong_type("loads", "a string or bytes", data)
    raw = data.encode(errors="surrogatepass") if isinstance(data, str) else data
    if mapping is not None:
        from porf.formats.logs.read import read_log

        return read_log(BytesIO(raw), source, mapping).execution
    return cast("Execution", FORMATS[_known(format) or sniff(raw[:4096])].load().read(raw, source))


def save(execution: Execution, path: str | Path, format: str | None = None) -> None:
    """Writes a history; the extension determines the format. `-` is standard output, as text by default.

    >>> import porf
    >>> porf.save(porf.loads('{"thread": "T0", "op": "w", "loc": "x", "value": 1}', "jsonl"), "/tmp/one-write.txt")
    >>> porf.load("/tmp/one-write.txt").describe(0)
    'w x 1'
    """
    from porf.execution import Execution

    if not isinstance(execution, Execution):
        raise wrong_type("save", "an Execution and a path", execution)
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("save", "a path to write to", path)
    kind = _target(path, format)
    if str(path) == "-":
        sys.stdout.buffer.write(dumps(execution, kind))
        sys.stdout.buffer.flush()
        return
    # What cannot be written is found out before the file is touched.
    write = _prepared(kind, execution)
    with _writing(path) as file:
        write(file)


def refuse_unwritable(path: str | Path) -> None:
    """Refuses, before a history is made, to write it where it cannot go: standard output is for something else."""
    if str(path) == "-":
        raise UsageError("standard output is for the report", hint="name a file")
    _target(path, None)
    if not Path(path).parent.is_dir():
        raise UsageError("cannot be written: no such directory", source=str(path), hint="create the directory first")


def _target(path: str | Path, format: str | None) -> str:
    plain = without_suffix(str(path)) == str(path)  # what is written is not compressed
    named = format_of_name(path, WRITTEN) if plain else None
    kind = _known(format, WRITTEN) or named or ("text" if str(path) == "-" else None)
    if kind is None:
        extensions = " ".join(extension for name in WRITTEN for extension in FORMATS[name].extensions)
        hint = f"use a name that ends in one of {extensions}, or give the format with --to"
        raise UsageError("the file name does not determine the format", source=str(path), hint=hint)
    return kind


def dumps(execution: Execution, format: str = "text") -> bytes:
    """The bytes of the file that `save` would write."""
    return cast(bytes, FORMATS[_known(format, WRITTEN) or "text"].load().write(execution))


def _prepared(kind: str, execution: Execution) -> Callable[[BinaryIO], object]:
    writer = FORMATS[kind].load()
    if hasattr(writer, "prepare"):
        return cast("Callable[[BinaryIO], object]", writer.prepare(execution))
    data = writer.write(execution)
    return lambda file: file.write(data)


def open_lines(path: str | Path) -> AbstractContextManager[Iterable[bytes]]:
    """The lines of a file as they come, for a stream; `-` is standard input."""
    if str(path) == "-":
        return nullcontext(sys.stdin.buffer)
    return _reading(path)


def write_text(path: str | Path | None, text: str) -> None:
    """Writes a picture or a report; no path or `-` is standard output."""
    if path is None or str(path) == "-":
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    with _writing(path) as file:
        file.write(text.encode())


def format_of_name(path: str | Path, among: Iterable[str] = READ) -> str | None:
    """The format that a file's name determines, if it does."""
    suffix = Path(without_suffix(str(path))).suffix.lower()
    return next((name for name in among if suffix in FORMATS[name].extensions), None)


def _of_looks(head: bytes) -> str | None:
    """The format of content that cannot be mistaken for another."""
    looks = (b":invoke", b'"invoke"', b":process")
    if not any(word in head for word in looks):
        return None
    known = (name for name in READ if FORMATS[name].looks)
    return next((name for name in known if FORMATS[name].load().LOOKS.match(head.removeprefix(_BOM))), None)


def sniff(head: bytes) -> str:
    """The format of content whose name does not determine it."""
    if found := _of_looks(head):
        return found
    text = head.removeprefix(_BOM).lstrip()
    for name in READ:
        begins = FORMATS[name].begins
        if begins and (head if FORMATS[name].binary else text).startswith(begins):
            return name
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(b"#")), b"")
    if first and _EVENT.match(first) is None:
        from porf.formats.logs.guess import looks_like_a_log

        return "log" if looks_like_a_log(head) else "text"
    return "text"


def _known(format: str | None, formats: Iterable[str] = READ) -> str | None:
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
        hint = "check its permissions" if isinstance(error, PermissionError) else "is it a file?"
        raise FormatError(f"cannot be read: {error.strerror or error}", source=source, hint=hint) from None


@contextmanager
def _writing(path: str | Path) -> Iterator[BufferedWriter]:
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        hint = "create the directory first" if isinstance(error, FileNotFoundError) else "choose another place"
        raise UsageError(f"cannot be written: {error.strerror or error}", source=str(path), hint=hint) from None


def _path(path: str | Path) -> Path:
    if "\0" in str(path):
        raise OSError("a name cannot contain a zero byte")
    return Path(path)
