"""The arrays inside an npz file: never more than the file holds, and each of the type it must have."""

import math
import zipfile
from collections import Counter
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from porf import _core
from porf._core import NAMED
from porf.allowance import look
from porf.errors import FormatError, nearest
from porf.execution import DEPENDENCIES, Int32
from porf.formats.names import unpack
from porf.formats.rules import RULE, is_name

Array = npt.NDArray[Any]

COLUMNS: dict[str, type[np.integer[Any]]] = {
    "thread": np.int32,
    "op": np.uint8,
    "loc": np.int32,
    "order": np.uint8,
    "rf": np.int32,
}
_BLOCK = 1 << 22  # bytes read at a time
VALUES = ("read_value", "written_value")
_NAMES = ("thread_names", "loc_names", "id_names", "tag_names")
STYLES = ("read_style", "written_style", "init_style")
TIMES = ("start", "end")
NOTES = ("note_row", "note_key", "note_text")
PACKED = ("value_names", "note_keys", "note_texts")
_BESIDE = (*PACKED, *(f"{name}_ends" for name in PACKED), *STYLES, *TIMES, "time_decimals", *NOTES)
KNOWN = (*COLUMNS, *VALUES, *_NAMES, "id_rows", "init_value", "tag", *DEPENDENCIES, *_BESIDE)
_REMAKE = "write it again with numpy.savez, as numbers or unicode strings"


class Arrays:
    """The arrays of one zip, each read once and turned into the type it must have."""

    def __init__(self, file: BinaryIO, source: str) -> None:
        self.source = source
        try:
            self.zip = zipfile.ZipFile(file)
            stored = [name.removesuffix(".npy") for name in self.zip.namelist()]
        except MemoryError:
            raise
        except Exception as error:  # whatever zipfile and the decoders come upon in damaged bytes
            hint = f"numpy.savez makes such files ({str(error)[:200] or 'it cannot be opened'})"
            raise self.error("this is not an npz file, or it is damaged", hint) from None
        self.present = set(stored)
        for name in stored:
            if name not in KNOWN:
                hint = nearest(name, KNOWN) or "the arrays are " + " ".join(KNOWN)
                raise self.error(f"unknown array '{name[:60]}'", hint)
        missing = [name for name in COLUMNS if name not in self.present]
        if missing not in ([], ["rf"]):
            hint = "the columns are " + " ".join(COLUMNS)
            raise self.error(f"missing column{'s'[: len(missing) > 1]}: {', '.join(missing)}", hint)

    def has_any(self, *names: str) -> bool:
        return bool(self.present & set(names))

    def error(self, message: str, hint: str | None) -> FormatError:
        return FormatError(message, source=self.source, hint=hint)

    def array(self, name: str, dimensions: int = 1) -> Array:
        try:
            array = read_array(self.zip, f"{name}.npy")
        except MemoryError:
            raise
        except Exception as error:  # likewise, and numpy
            raise self.error(f"the array '{name}' cannot be read: {str(error)[:200]}", _REMAKE) from None
        if array.ndim != dimensions:
            hint = "a column is one row of numbers" if dimensions == 1 else "it must be (2, m): sources, then targets"
            raise self.error(f"{name} has {array.ndim} dimensions instead of {dimensions}", hint)
        return np.ascontiguousarray(array)

    def integers(self, name: str, dtype: type[np.integer[Any]], dimensions: int = 1) -> Array:
        array = self.array(name, dimensions)
        if array.dtype == dtype:
            return array
        if array.dtype.kind not in "iu":
            raise self.error(f"{name} is of type {array.dtype}", f"it must be {np.dtype(dtype)}")
        limits, flat = np.iinfo(dtype), array.reshape(-1)
        wrong = np.flatnonzero((flat < limits.min) | (flat > limits.max))
        if len(wrong):
            at = int(wrong[0])
            raise self.error(
                f"{name}[{at}] = {flat[at]} does not fit {limits.dtype}", f"{limits.min} to {limits.max} fit"
            )
        _core.Allowance.claim(flat.size * np.dtype(dtype).itemsize)
        return array.astype(dtype)

    def values(self, name: str, large: dict[int, int]) -> Array:
        """A column of values: int64, or uint64 whose entries above that get numbers of `large` and stand for names."""
        array = self.array(name) if name in self.present else np.empty(0, np.int64)
        if array.dtype != np.uint64:
            return self.integers(name, np.int64) if name in self.present else array
        beyond = np.flatnonzero(array > np.uint64(2**63 - 1))
        out = array.astype(np.int64)
        for number in np.unique(array[beyond]).tolist():
            large.setdefault(number, len(large))
        numbers = np.array(sorted(large), np.uint64)
        codes = np.array([NAMED + large[number] for number in sorted(large)], np.int64)
        if len(beyond):
            out[beyond] = codes[np.searchsorted(numbers, array[beyond])]
        return out

    def count(self, name: str, numbers: Int32) -> int:
        """How many threads or locations there are if no names are given."""
        highest, at = int(numbers.max()), int(numbers.argmax())
        if highest >= len(numbers):
            hint = f"number from 0 without gaps, or give {name}_names"
            raise self.error(f"{name}[{at}] = {highest} is out of range ({len(numbers)} events)", hint)
        return highest + 1

    def names(self, name: str) -> list[str]:
        names = self.strings(name)
        for at, one in enumerate(names):
            if not is_name(one) or (name == "thread_names" and one == "init"):
                raise self.error(f"{name}[{at}] = {one[:60]!r} is not a name", RULE)
        return names

    def packed(self, name: str) -> Sequence[str]:
        """Texts laid end to end in UTF-8, with their ends in an array beside."""
        if f"{name}_ends" not in self.present:
            raise self.error(f"{name} and {name}_ends go together", "give both or none")
        block, ends = self.integers(name, np.uint8).tobytes(), self.integers(f"{name}_ends", np.int64)
        borders = np.concatenate([np.zeros(1, np.int64), ends])
        if (np.diff(borders) <= 0).any() or borders[-1] != len(block):
            raise self.error(f"{name}_ends does not fit {name}", "it has where each text ends; none is empty")
        starts = np.frombuffer(block, np.uint8)[borders[:-1]]
        if not _core.is_utf8(block) or ((starts & 0xC0) == 0x80).any():
            raise self.error(f"{name} is not UTF-8", "texts are bytes in UTF-8, laid end to end")
        return unpack((block, borders))

    def strings(self, name: str) -> list[str]:
        array = self.array(name)
        if array.dtype.kind != "U":
            raise self.error(f"{name} is of type {array.dtype}", "names are an array of unicode strings")
        codes = array.astype(array.dtype.newbyteorder("=")).view(np.uint32)
        wrong = np.flatnonzero((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000)))
        if len(wrong):
            raise self.error(f"the array '{name}' cannot be read: {int(codes[wrong[0]]):#x} is no character", _REMAKE)
        names: list[str] = array.tolist()
        if len(set(names)) != len(names):
            twice = Counter(names).most_common(1)[0][0]
            raise self.error(f"{name} has {twice[:60]!r} twice", "names must be distinct")
        return names


def read_array(archive: zipfile.ZipFile, name: str) -> Array:
    """numpy's own reader believes the header's shape; this allocates only what the file holds."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as file:
        version = np.lib.format.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"unknown version {version}")
        old = version == (1, 0)
        shape, fortran, dtype = (
            np.lib.format.read_array_header_1_0(file) if old else np.lib.format.read_array_header_2_0(file)
        )
        count = math.prod(shape)
        if dtype.hasobject or dtype.itemsize == 0:
            raise ValueError("it contains neither numbers nor strings")
        if count * dtype.itemsize != size - file.tell():
            raise ValueError("its size is not the one in its header")
        _core.Allowance.claim(count * dtype.itemsize)
        flat = np.empty(count, dtype)
        raw = flat.view(np.uint8)
        for begin in range(0, len(raw), _BLOCK):
            look()
            block = file.read(min(_BLOCK, len(raw) - begin))
            raw[begin : begin + len(block)] = np.frombuffer(block, np.uint8)
            if len(block) < min(_BLOCK, len(raw) - begin):
                raise EOFError("it ends too early")
    return flat.reshape(shape[::-1]).T if fortran else flat.reshape(shape)
