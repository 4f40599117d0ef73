"""Zips of columns whose bytes are whole and whose contents are anything: numbers, types, shapes, names, headers."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

TYPES = (
    *("i1", "i2", "<i4", ">i4", "i8", "u1", "u4", "u8", "f4", "f8", "f2", "c16", "?", "S3", "S0", "U0", "U5", ">U2"),
    *("V4", "M8[s]", "m8", "O", "i4,i4", "(2,)i4", "longdouble"),
)
NUMBERS = (0, 1, -1, 2, 3, 5, 255, -128, 2**31 - 1, -(2**31), 2**32, 2**63 - 1, -(2**63), 2**64 - 1, 10**6, 2 * 10**9)
SHAPES = ("()", "(0,)", "(1,)", "(-1,)", "(2, 2)", "(4294967296,)", "(0, 9223372036854775807)", "(2,", "(True,)", "4")
HEADERS = (
    "{'descr': %s, 'fortran_order': %s, 'shape': %s, }",
    "{'descr': %s, 'fortran_order': %s, 'shape': %s, 'more': 1}",
    "{'descr': [('a', %s)], 'fortran_order': %s, 'shape': %s, }",
    "[%s, %s, %s]",
)
NAMES = ("", " ", "a b", "init", "\0", "\ud800", "\U0010ffff", "x" * 5000, "a=b", "#", "T0", "x\n", "\x1b[2J", "é")
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def npz(data: bytes, draw: random.Random) -> bytes:
    """Another history, or none, made of the columns of one."""
    with np.load(io.BytesIO(data)) as loaded:
        arrays: dict[str, Array] = dict(loaded)
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        name = draw.choice(sorted(arrays))
        arrays[name] = _changed(arrays[name], draw)
    if draw.random() < 0.2:
        del arrays[draw.choice(sorted(arrays))]
    if draw.random() < 0.3:
        name = draw.choice(
            ("thread_names", "loc_names", "id_names", "id_rows", "addr", "data", "ctrl", "init_value", "x")
        )
        arrays[name] = _another(draw)
    return _zipped(arrays, draw)


def _changed(array: Array, draw: random.Random) -> Array:
    way = draw.random()
    if way < 0.5 and array.size and array.dtype.kind in "iu":
        wide = array.astype(object)
        for _ in range(draw.choice((1, 1, 2, 9))):
            wide.flat[draw.randrange(array.size)] = draw.choice(NUMBERS)
        try:
            return wide.astype(array.dtype) if draw.random() < 0.7 else np.array(wide.tolist())
        except (OverflowError, ValueError):
            return np.array(wide.tolist())
    if way < 0.6:
        return array[: draw.randrange(len(array) + 1)]
    if way < 0.7:
        return np.concatenate([array, array], axis=-1)
    if way < 0.8:
        return array.reshape(draw.choice(((1, -1), (-1, 1), (-1,), (1, 1, -1))))
    if way < 0.9:
        try:
            return array.astype(np.dtype(draw.choice(TYPES)))
        except (TypeError, ValueError, SyntaxError):
            return np.asfortranarray(array)
    return array[::-1]


def _another(draw: random.Random) -> Array:
    size = draw.choice((0, 1, 2, 3, 8))
    if draw.random() < 0.5:
        return np.array([draw.choice(NAMES) for _ in range(size)], np.str_)
    if draw.random() < 0.5:
        return np.array(
            [[draw.choice(NUMBERS[:8]) for _ in range(size)] for _ in range(draw.choice((1, 2, 3)))], np.int64
        )
    return np.array([draw.choice(NUMBERS[:13]) for _ in range(size)], np.int64)


def _zipped(arrays: dict[str, Array], draw: random.Random) -> bytes:
    out = io.BytesIO()
    forged = draw.choice(sorted(arrays)) if draw.random() < 0.4 and arrays else None
    with zipfile.ZipFile(out, "w", draw.choice(COMPRESSIONS)) as archive:
        for name, array in arrays.items():
            part = io.BytesIO()
            np.save(part, array)
            data = part.getvalue()
            archive.writestr(f"{name}.npy", _forged(data, array, draw) if name == forged else data)
            if draw.random() < 0.01:
                archive.writestr(draw.choice((f"{name}.npy", name, "../x.npy", "thread.npy/", "")) or "a", b"x")
    whole = bytearray(out.getvalue())
    for _ in range(draw.choice((0, 0, 0, 1, 3))):
        whole[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
    return bytes(whole)


def _forged(data: bytes, array: Array, draw: random.Random) -> bytes:
    """A part of the zip with another header, or other bytes behind the right one."""
    body = data[10 + struct.unpack("<H", data[8:10])[0] :]
    way = draw.random()
    if way < 0.3 and body:
        changed = bytearray(data)
        for _ in range(draw.choice((1, 4))):
            changed[-draw.randrange(len(body)) - 1] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, 0xD8))
        return bytes(changed)
    kind = repr(draw.choice(TYPES)) if draw.random() < 0.5 else repr(array.dtype.str)
    shape = draw.choice(SHAPES) if draw.random() < 0.6 else repr(array.shape)
    text = draw.choice(HEADERS[:1] * 5 + HEADERS) % (kind, draw.choice(("False", "True", "0")), shape)
    if way > 0.95:
        text = draw.choice(("(" * 300, "{" * 9, "9" * 6000, "", "\0"))
    header = text.encode() + b"\n"
    version = draw.choice((b"\x01\x00",) * 6 + (b"\x02\x00", b"\x03\x00", b"\x09\x00"))
    size = struct.pack("<H" if version == b"\x01\x00" else "<I", len(header))
    return b"\x93NUMPY" + version + size + header + body
