"""Replay tokens: a bug and the choices that lead to its execution, as a short word."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

from porf._core import BugKind
from porf.errors import UsageError
from porf.programs.form import Program
from porf.record import Record

_CHECKED = 2


class Target(Record):
    """What a token stands for: the kind of the bug, its instruction, and the path there."""

    kind: BugKind
    pc: int
    path: list[int]


def encode(head: str, target: Target) -> str:
    """The token. Its head identifies the program and the model, so that it is not replayed on another."""
    numbers = bytearray()
    for number in (target.kind.value, target.pc, *target.path):
        while number > 127:
            numbers.append(number & 127 | 128)
            number >>= 7
        numbers.append(number)
    numbers += _check(head, numbers)
    return f"{head}-{base64.urlsafe_b64encode(bytes(numbers)).decode().rstrip('=')}"


def decode(head: str, token: str, what: str) -> Target:
    """What a token stands for, if it belongs to this program and model, which messages call `what`."""
    start, _, body = token.partition("-")
    if start != head:
        raise foreign(token, what)
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise damaged(token) from None
    if data[-_CHECKED:] != _check(head, data[:-_CHECKED]):
        raise damaged(token)
    numbers, number, shift = [], 0, 0
    for byte in data[:-_CHECKED]:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    try:
        kind, pc, *path = numbers
        return Target(BugKind(kind), pc, path)
    except ValueError:
        raise damaged(token) from None


def _check(head: str, data: bytes | bytearray) -> bytes:
    """Bytes at the end that tell whether the others are as they were."""
    return hashlib.sha256(head.encode() + data).digest()[:_CHECKED]


def foreign(token: str, what: str) -> UsageError:
    hint = "a token works only with the program, model and options it was printed for"
    return UsageError(f"the token '{token}' does not belong to {what}", hint=hint)


def damaged(token: str) -> UsageError:
    return UsageError(f"the token '{token}' is damaged", hint="copy all of it, as it was printed")


def digest(program: Program, model: str, options: Mapping[str, Any]) -> str:
    """What an exploration depends on, as a word; names of files and places in them do not matter."""
    code = [
        ([[int(v) for k, v in vars(i).items() if k != "place"] for i in t.code], t.pool, t.registers, t.argument_lists)
        for t in program.templates
    ]
    objects = [(o.name, o.size, o.cells) for o in program.objects]
    known = (code, objects, program.starts, program.watched, model, sorted(options.items()))
    return hashlib.sha256(repr(known).encode()).hexdigest()
