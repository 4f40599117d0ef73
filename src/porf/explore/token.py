"""Replay tokens: the choices that lead to an execution, as a short word."""

from __future__ import annotations

import base64
import binascii
import hashlib

from porf.errors import UsageError
from porf.programs.form import Program


def encode(program: Program, model: str, path: list[int]) -> str:
    """The token of a path. Its head tells the program and the model, so that it is not replayed on another."""
    numbers = bytearray()
    for choice in path:
        while choice > 127:
            numbers.append(choice & 127 | 128)
            choice >>= 7
        numbers.append(choice)
    return f"{_head(program, model)}-{base64.urlsafe_b64encode(bytes(numbers)).decode().rstrip('=')}"


def decode(program: Program, model: str, token: str) -> list[int]:
    """The path of a token that was made for this program and model."""
    head, _, body = token.partition("-")
    if head != _head(program, model):
        raise UsageError(
            f"the token '{token}' is not one of {program.name} under {model}",
            hint="a token replays only on the program, the model and the options that it was printed for",
        )
    try:
        data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        raise UsageError(f"the token '{token}' is damaged", hint="copy it whole, as it was printed") from None
    path, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            path.append(number)
            number = shift = 0
    return path


def _head(program: Program, model: str) -> str:
    code = [[(*map(str, vars(i).values()),) for i in t.code] for t in program.templates]
    return hashlib.sha256(repr((code, program.objects, program.starts, model)).encode()).hexdigest()[:6]
