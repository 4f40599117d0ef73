"""Damage for texts and bytes: a few changes of the kinds that find what a reader does not expect."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

NUMBERS = (
    *("0", "-0", "1", "-1", "2", "7", "255", "256", "-129", "65536", "2147483647", "2147483648", "-2147483649"),
    *("4294967296", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616"),
    *("99999999999999999999999999", "9" * 5000, "0x10", "1e400", "nan", "-inf", "1.5", "1_000", "٣"),
)
ODD = (
    *("\0", "\x1b[2J", "\x85", "\u202e", "\u2028", "\ufeff", "é", "𝄞", "\r", "\t", " " * 300, "%s%n", "\\", '"', "'"),
    *(
        "",
        ",",
        ";",
        ":",
        "=",
        "|",
        "&",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "#",
        "//",
        "/*",
        "*)",
        "..",
        "/dev/null",
    ),
)
BRACKETS = ("(", "[", "{", "~", "-", "(-", "((", "!", "*", "let x = ", "if (x) { ", '{"a":', "a;", "x|", "f(")
MANY = (3, 40, 1500, 20_000)


def damaged(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    """The data after one change, or a few; `others` are files of the same kind, whose parts may come in. Half of the
    time the changes are light: what is left may well mean something."""
    if draw.random() < 0.5:
        for _ in range(draw.choice((1, 1, 2, 3))):
            data = draw.choice(LIGHT)(data, draw, [data])
        return data
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        data = draw.choice(CHANGES)(data, draw, others)
    return data


def _span(data: bytes, draw: random.Random, most: int = 40) -> tuple[int, int]:
    begin = draw.randint(0, len(data))
    return begin, min(len(data), begin + draw.randint(0, most))


def flip_a_bit(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    if not data:
        return b"\xff"
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]


def insert_bytes(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.randbytes(draw.choice((1, 2, 8))) + data[at:]


def remove(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    begin, end = _span(data, draw, draw.choice((1, 8, 200)))
    return data[:begin] + data[end:]


def truncate(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    return data[: draw.randint(0, len(data))]


def repeat(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    begin, end = _span(data, draw)
    return data[:end] + data[begin:end] * draw.choice(MANY[:3]) + data[end:]


def splice(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    other = draw.choice(others)
    begin, end = _span(other, draw, 400)
    at, until = _span(data, draw)
    return data[:at] + other[begin:end] + data[until:]


def nest(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(BRACKETS).encode() * draw.choice(MANY) + data[at:]


def put_something_odd(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(ODD).encode() + data[at:]


def change_a_number(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    return _replace_one(rb"-?\b\d+", data, draw, lambda: draw.choice(NUMBERS).encode())


def change_a_word(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    words = re.findall(rb"[\w.]+|[^\w\s]+", draw.choice(others)[:20_000]) or [b"x"]
    return _replace_one(rb"[\w.]+|[^\w\s]+", data, draw, lambda: draw.choice(words))


def _replace_one(pattern: bytes, data: bytes, draw: random.Random, new: Callable[[], bytes]) -> bytes:
    found = list(re.finditer(pattern, data))
    if not found:
        return data + new()
    one = draw.choice(found)
    return data[: one.start()] + new() + data[one.end() :]


def move_a_line(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(draw.randrange(len(lines))) if draw.random() < 0.5 else draw.choice(lines)
    lines.insert(draw.randint(0, len(lines)), line)
    return b"\n".join(lines)


def remove_a_line(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    del lines[draw.randrange(len(lines))]
    return b"\n".join(lines)


CHANGES = (
    *(flip_a_bit, insert_bytes, remove, truncate, repeat, splice, nest, put_something_odd),
    *(change_a_number, change_a_number, change_a_word, change_a_word, change_a_word, move_a_line, remove_a_line),
)
LIGHT = (change_a_number, change_a_word, change_a_word, move_a_line, remove_a_line)
