"""Replay tokens: a bug and the choices that lead to its execution, as a short word. What makes words is imported when
there is a bug."""

from porf._core import BugKind, BugReport
from porf.errors import UsageError
from porf.programs.form import Program
from porf.programs.lower import instruction
from porf.record import Record

_CHECKED = 2


class Target(Record):
    """What a token stands for: the kind of the bug, where in the source it is, and the path there."""

    kind: BugKind
    line: int
    column: int
    path: list[int]


def target_of(program: Program, report: BugReport) -> Target:
    place = instruction(program, report.pc)[1].place if report.kind is not BugKind.CONDITION else None
    return Target(report.kind, place.line if place else 0, place.column if place else 0, report.path)


def encode(head: str, target: Target) -> str:
    """The token. Its head identifies the program and the model, so that it is not replayed on another."""
    numbers = bytearray()
    for number in (target.kind.value, target.line, target.column, *target.path):
        while number > 127:
            numbers.append(number & 127 | 128)
            number >>= 7
        numbers.append(number)
    numbers += _check(head, numbers)
    import base64

    return f"{head}-{base64.urlsafe_b64encode(bytes(numbers)).decode().rstrip('=')}"


def decode(head: str, token: str, what: str) -> Target:
    """What a token stands for, if it belongs to this program and model, which messages call `what`."""
    start, _, body = token.partition("-")
    if start != head:
        raise foreign(token, what)
    import base64

    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise damaged(token) from None
    if data[-_CHECKED:] != _check(head, data[:-_CHECKED]):
        raise damaged(token)
    try:
        kind, line, column, *path = _numbers(data[:-_CHECKED])
        return Target(BugKind(kind), line, column, path)
    except ValueError:
        raise damaged(token) from None


def _numbers(data: bytes) -> list[int]:
    """Those that `encode` wrote; a ValueError if one of them does not fit the core's numbers."""
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if number >= 2**31 or shift > 35:
            raise ValueError("this number is too large")
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers


def _check(head: str, data: bytes | bytearray) -> bytes:
    """Bytes at the end that tell whether the others are as they were."""
    import hashlib

    return hashlib.sha256(head.encode() + data).digest()[:_CHECKED]


def foreign(token: str, what: str) -> UsageError:
    hint = "a token works only with the program, model and options it was printed for"
    return UsageError(f"the token '{token}' does not belong to {what}", hint=hint)


def damaged(token: str) -> UsageError:
    return UsageError(f"the token '{token}' is damaged", hint="copy all of it, as it was printed")


def gone(token: str) -> UsageError:
    hint = "has it changed? Without --replay, the program is explored anew"
    return UsageError(f"the token '{token}' is of a bug that the program does not have on its path", hint=hint)
