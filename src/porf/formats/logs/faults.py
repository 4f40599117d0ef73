"""The words for what is wrong with a line of a log, and what to do about it."""

from __future__ import annotations

from porf._core import Fault, FaultCode
from porf.architectures import words
from porf.errors import nearest
from porf.execution import ORDER_NAMES
from porf.formats.faults import PARSE
from porf.formats.logs.mapping import Mapping
from porf.formats.logs.words import OPS, ORDERS

_SKIP = "--skip-bad N leaves out up to N such lines"
_OPS = "say what it stands for: --ops {token}=r (or w, u, f; - for what is no event)"

# code: (message, hint); {token} is the text at the place.
LINES: dict[FaultCode, tuple[str, str]] = {
    FaultCode.LOG_CUT: ("the line is cut: it ends too early", f"was the file cut off? {_SKIP}"),
    FaultCode.LOG_EXTRA: (
        "'{token}' is one column too many",
        f'texts with a separator in them stand in "quotes"; {_SKIP}',
    ),
    FaultCode.LOG_QUOTE: (
        "the quotes do not close before the end of the column",
        f'" in quotes is written ""; {_SKIP}',
    ),
    FaultCode.LOG_OBJECT: ("this is not one JSON object", f'a line holds one object, such as {{"thread": 0}}; {_SKIP}'),
    FaultCode.LOG_NOTHING_FITS: (
        "no template fits this line from here on",
        "--others leaves out lines that no template fits",
    ),
    FaultCode.LOG_THREAD: ("the thread is missing", _SKIP),
    FaultCode.LOG_OP: ("the operation is missing", _SKIP),
    FaultCode.LOG_LOCATION: ("the location is missing", f"only fences have none; {_SKIP}"),
    FaultCode.LOG_UNKNOWN_OP: ("unknown operation '{token}'", _OPS),
    FaultCode.LOG_UNKNOWN_ORDER: ("unknown order '{token}'", "say what it stands for: --orders {token}=acq"),
    FaultCode.LOG_UNKNOWN_RESULT: ("'{token}' does not say whether the update succeeded", "true or false, 1 or 0"),
    FaultCode.LOG_ONE_VALUE: (
        "an update reads one value and writes another; '{token}' is one",
        "columns for both: --columns read=…,write=…; or write 0->1",
    ),
    FaultCode.LOG_START: ("this ends, but it does not say when it starts", _SKIP),
    FaultCode.REPEATED_KEY: ("a key is given twice", "keep one of them"),
    FaultCode.BAD_VALUE: (
        "'{token}' is not a value",
        "--values hex takes numbers without 0x, --values words takes texts as they are",
    ),
    FaultCode.LARGE_VALUE: (
        "the value {token} is out of range",
        "numbers lie between -2^63 and 2^64-1; --values words takes them as they are",
    ),
    FaultCode.BAD_TIME: ("'{token}' is not a time", "a number, START..END, or a date such as 2024-05-01 12:30:00.25"),
    FaultCode.TIME_ENDS_EARLY: ("this ends before it starts", f"times are of one clock; {_SKIP}"),
    FaultCode.TIME_RUNS_BACKWARDS: (
        "time runs backwards",
        f"the lines of a thread stand in program order (--sort puts them in the order of their times); {_SKIP}",
    ),
}


def words_for(fault: Fault, token: str, mapping: Mapping, first: bool) -> tuple[str, str | None]:
    """The message and the hint; `first`: it is the first line that is read."""
    message, hint = LINES.get(fault.code) or PARSE[fault.code]
    code = fault.code
    if code == FaultCode.LOG_UNKNOWN_OP:
        near = nearest(token.lower(), [*mapping.ops, *OPS])
        hint = f"{near} {hint}" if near else str(hint)
        if first and mapping.header is not True:
            hint = f"if the first line names the columns: --header. {hint}"
    elif code == FaultCode.LOG_UNKNOWN_ORDER:
        hint = nearest(token.lower(), [*ORDERS, *ORDER_NAMES]) or nearest(token, words(True) + words(False)) or hint
    elif code == FaultCode.TIME_RUNS_BACKWARDS:
        message = f"time runs backwards: line {fault.first} of this thread starts later"
    elif code == FaultCode.DUPLICATE_ID:
        hint = f"line {fault.first} has it; {hint}"
    word = token or "WORD"
    return message.format(token=token), hint and (hint.replace("{token}", word) if "{token}" in hint else hint)
