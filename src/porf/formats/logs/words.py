"""The words that logs use: what operations and memory orders are called in them, and what their columns are."""

from porf import _core
from porf.architectures import words
from porf.errors import UsageError, nearest
from porf.execution import OP_LETTERS, ORDER_NAMES, Op

# What a column may be of an event, by the words of a mapping.
ROLES = {
    "thread": _core.LogRole.THREAD,
    "op": _core.LogRole.OP,
    "location": _core.LogRole.LOCATION,
    "value": _core.LogRole.VALUE,
    "read": _core.LogRole.READ,
    "write": _core.LogRole.WRITTEN,
    "order": _core.LogRole.ORDER,
    "time": _core.LogRole.TIME,
    "start": _core.LogRole.START,
    "end": _core.LogRole.END,
    "id": _core.LogRole.ID,
    "rf": _core.LogRole.RF,
    "success": _core.LogRole.SUCCESS,
    "addr": _core.LogRole.ADDR,
    "data": _core.LogRole.DATA,
    "ctrl": _core.LogRole.CTRL,
    "lxsx": _core.LogRole.LXSX,
}
LIKE = {"loc": "location", "written": "write", "source": "src", "operation": "op"}  # other words for them

# Words for operations, in small letters; a mapping may say others, and other meanings of these.
OPS = {
    **dict.fromkeys(("r", "read", "rd", "load", "ld", "l", "get"), "r"),
    **dict.fromkeys(("w", "write", "wr", "store", "st", "s", "set", "put"), "w"),
    **dict.fromkeys(("u", "update", "rmw", "cas", "cmpxchg", "xchg", "exchange", "swap", "amo", "atomic"), "u"),
    **dict.fromkeys(("f", "fence", "barrier", "mb"), "f"),
    "mfence": "f:mfence",
    "init": "init",
}
_C_ORDERS = {
    "na": ("nonatomic", "non_atomic", "plain"),
    "rlx": ("relaxed", "monotonic"),
    "acq": ("acquire", "consume"),
    "rel": ("release",),
    "acq_rel": ("acqrel", "ar"),
    "sc": ("seq_cst", "seqcst", "seq-cst"),
}
ORDERS = {
    spelled: order
    for order, others in _C_ORDERS.items()
    for word in (order, *others)
    for spelled in (word, f"memory_order_{word}", f"std::memory_order_{word}", f"memory_order::{word}")
}
LEFT_OUT = "-"  # what such a word stands for is no event
_INITIAL = "init"
_WORDS = {"read": "r", "write": "w", "update": "u", "fence": "f"}

# What people call columns, in small letters and without what is between them.
COLUMN_NAMES = {
    "thread": ("thread", "tid", "threadid", "threadname", "core", "coreid", "cpu", "cpuid", "hart", "hartid", "proc",
               "processor", "process", "client", "worker", "t"),
    "op": ("op", "operation", "kind", "type", "action", "access", "event", "cmd", "command", "opcode", "insn"),
    "location": ("location", "loc", "addr", "address", "variable", "var", "key", "register", "object", "paddr",
                 "vaddr"),
    "value": ("value", "val", "v"),
    "read": ("read", "readvalue", "rvalue", "old", "oldvalue", "observed", "valueread", "loaded"),
    "write": ("write", "written", "writevalue", "wvalue", "new", "newvalue", "valuewritten", "stored"),
    "order": ("order", "memoryorder", "mo", "memorder", "ordering"),
    "time": ("time", "timestamp", "ts", "tick", "ticks", "cycle", "cycles", "asctime", "clock", "datetime"),
    "start": ("start", "begin", "starttime", "begintime", "starts", "began", "invoked", "invoke", "tstart"),
    "end": ("end", "endtime", "finish", "finished", "ends", "ended", "completed", "returned", "tend"),
    "src": ("source", "src", "file", "pc", "where", "lineno", "callsite"),
    "id": ("id", "eventid"),
    "rf": ("rf", "readsfrom"),
    "success": ("success", "succeeded", "ok"),
}  # fmt: skip


def op_word(word: str, said: str) -> _core.LogWord:
    """What a word for an operation stands for: `r`, `w:rel`, `f:mfence`, `-`."""
    op, _, more = said.strip().partition(":")
    op = _WORDS.get(op, op)
    if op == LEFT_OUT and not more:
        return _core.LogWord(word.lower(), _core.LEFT_OUT, -1, "")
    if op == _INITIAL and not more:
        return _core.LogWord(word.lower(), _core.INITIAL_VALUE, -1, "")
    if len(op) != 1 or op not in OP_LETTERS:
        hint = f"{word}=r, w, u (update), f (fence), init (an initial value), or - for what is no event; {word}=r:acq"
        raise UsageError(f"'{said}' is no operation", hint=hint)
    number = OP_LETTERS.index(op)
    if not more:
        return _core.LogWord(word.lower(), number, -1, "")
    order, tags = _order(more, fence=number == Op.FENCE)
    return _core.LogWord(word.lower(), number, order, tags)


def order_word(word: str, said: str) -> _core.LogWord:
    """What a word for a memory order stands for."""
    fence = all(part in words(True) for part in said.split()) and bool(said.split())
    order, tags = _order(said, fence=fence)
    return _core.LogWord(word.lower(), 0, order, tags)


def _order(said: str, fence: bool) -> tuple[int, str]:
    said = said.strip()
    if said in ORDER_NAMES:
        return ORDER_NAMES.index(said), ""
    known = words(fence)
    tags = said.split()
    if tags and all(tag in known for tag in tags) and not (fence and len(tags) > 1):
        return -1, " ".join(tags)
    hint = nearest(said, (*ORDER_NAMES, *known)) or "the orders are " + " ".join(ORDER_NAMES)
    raise UsageError(f"'{said}' is no memory order, and no word of an architecture", hint=hint)
