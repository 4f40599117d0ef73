"""Compressed files, read as what they hold: gzip, bzip2, xz, and zstd where a library for it is there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, BinaryIO, cast

from porf.errors import FormatError

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_BUFFER = 1 << 20


def _zstd(file: BinaryIO) -> Any:
    try:
        return import_module("compression.zstd").ZstdFile(file)
    except ImportError:
        pass
    try:
        return import_module("zstandard").ZstdDecompressor().stream_reader(file, read_across_frames=True)
    except ImportError:
        message = "this is compressed with zstd, which this Python does not read"
        raise FormatError(message, hint="pip install zstandard, or zstd -d -c FILE | porf … -") from None


_BEGINS: tuple[tuple[bytes, Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"\x28\xb5\x2f\xfd", _zstd),
)
_DAMAGE: tuple[type[BaseException], ...] = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, ValueError)


def opened(file: io.BufferedReader) -> tuple[io.BufferedReader, bool]:
    """The file, or what is in it, and whether it was compressed."""
    head = file.peek(8)[:8]
    for begins, opener in _BEGINS:
        if head.startswith(begins):
            return io.BufferedReader(cast(Any, opener(file)), _BUFFER), True
    return file, False


@contextmanager
def whole(source: str) -> Iterator[None]:
    """What is wrong with a compressed file while it is read, as an error that people see."""
    try:
        yield
    except FormatError as error:
        error.source = error.source or source
        raise
    except _DAMAGE as error:
        raise _damaged(source, error) from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise _damaged(source, error) from None
    except Exception as error:  # the libraries for zstd have errors of their own
        if not type(error).__name__.startswith("Zstd"):
            raise
        raise _damaged(source, error) from None


def _damaged(source: str, error: BaseException) -> FormatError:
    cut = isinstance(error, EOFError)
    message = "the compressed file is cut" if cut else "the compressed file is damaged"
    return FormatError(message, source=source, hint=f"copy it again ({str(error)[:100]})")


def without_suffix(name: str) -> str:
    """The name of what is in a compressed file."""
    suffix = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(suffix)]
