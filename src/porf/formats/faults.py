"""The words for what is wrong with a history: the core gives a code and a place, this table has the words."""

from collections.abc import Callable, Iterable
from itertools import islice

from porf._core import Fault as Fault
from porf._core import FaultCode as FaultCode
from porf.architectures import words
from porf.errors import FormatError, nearest
from porf.execution import DEPENDENCIES, ORDER_NAMES
from porf.formats.rules import ANY, TIME_RANGE, TIME_RULE, VALUE_RANGE, VALUE_RULE
from porf.record import Record

_LONGEST_SHOWN = 1 << 20  # a longer line is not carried around in an error
_ORDERS = "the orders are " + " ".join(ORDER_NAMES)
_SHAPE = "an event is written `T0 w x 1 rel id=a`: thread, operation, location, value, order, keys"

# code: (message, hint); {token} is the text at the place.
PARSE: dict[FaultCode, tuple[str, str | None]] = {
    FaultCode.CONTROL_CHARACTER: ("a control character in the text", "a history is a text file; is this one binary?"),
    FaultCode.NOT_UTF8: ("this byte is not UTF-8", "save the file as UTF-8"),
    FaultCode.TOO_MANY_EVENTS: ("more than 2147483647 events", None),
    FaultCode.BAD_THREAD: ("'{token}' is not a thread name", "a name has no '='. " + _SHAPE),
    FaultCode.BAD_LOCATION: ("'{token}' is not a location name", "a name has no '=', and is not '*'. " + _SHAPE),
    FaultCode.MISSING_OP: ("the operation is missing", _SHAPE),
    FaultCode.UNKNOWN_OP: (
        "unknown operation '{token}'",
        "the operations are r (read), w (write), u (update), f (fence)",
    ),
    FaultCode.MISSING_LOCATION: ("the location is missing", _SHAPE),
    FaultCode.MISSING_VALUE: ("the value is missing", "write `_` for a value that was not recorded"),
    FaultCode.VALUE_EXPECTED: ("a value is expected before '{token}'", "write `_` for a value that was not recorded"),
    FaultCode.BAD_VALUE: (
        "'{token}' is not a value",
        f"{VALUE_RULE}; what begins like a number must be one",
    ),
    FaultCode.LARGE_VALUE: ("the value {token} is out of range", VALUE_RANGE),
    FaultCode.BAD_TIME: ("'{token}' is not a time", TIME_RULE),
    FaultCode.LARGE_TIME: ("the time {token} is out of range", TIME_RANGE),
    FaultCode.MISSING_ARROW: ("an update needs two values, not '{token}'", "write READ->WRITTEN, such as 0->1"),
    FaultCode.HALF_ARROW: ("an update needs a value on both sides of ->", "write READ->WRITTEN, such as 0->1"),
    FaultCode.EXTRA_ARROW: ("only an update has two values", "an update is written `T0 u x 0->1`"),
    FaultCode.UNKNOWN_ORDER: ("unknown order '{token}'", f"{_ORDERS}; or write what an architecture calls it"),
    FaultCode.SECOND_ORDER: ("a second order '{token}'", "an event has one order, right after its value"),
    FaultCode.LATE_ORDER: ("the order '{token}' comes after the keys", "the order goes right after the value"),
    FaultCode.EXTRA_FIELD: ("'{token}' is one field too many", "after the order come only keys such as id=a"),
    FaultCode.UNKNOWN_KEY: (
        "unknown key '{token}'",
        "the keys are id= rf= addr= data= ctrl= lxsx= time= src= note:NAME=",
    ),
    FaultCode.REPEATED_KEY: (
        "the key of '{token}' was already given",
        "separate several dependencies by commas: data=a,b",
    ),
    FaultCode.EMPTY_KEY: ("'{token}' has no value", "write it after the '=', or leave the key out"),
    FaultCode.EMPTY_ITEM: ("an id is missing in this list", "separate ids by single commas: data=a,b"),
    FaultCode.BAD_ID: ("'{token}' is not an id", "an id has no ',' and no '=', and is not '?'"),
    FaultCode.ID_INIT: ("no event may be called 'init'", "'init' is the initial write; choose another id"),
    FaultCode.DUPLICATE_ID: ("the id '{token}' is already taken", "each id names one event"),
    FaultCode.RF_WITHOUT_READ: ("only a read or an update reads from a write", "remove {token}"),
    FaultCode.MISSING_INIT_LOCATION: ("init names no location", "write `init x 7`"),
    FaultCode.MISSING_INIT_VALUE: ("init gives no value", "write `init x 7`"),
    FaultCode.UNRECORDED_INIT: ("the initial value is missing", "write `_` if nobody knows"),
    FaultCode.DUPLICATE_INIT: ("'{token}' already has an initial value", "keep one init line per location"),
    FaultCode.EXTRA_IN_INIT: ("'{token}' is one field too many", "write `init x 7`"),
}

_NEAR = {
    FaultCode.UNKNOWN_OP: {"read": "r", "write": "w", "update": "u", "fence": "f"},
    FaultCode.UNKNOWN_ORDER: {
        "relaxed": "rlx",
        "acquire": "acq",
        "release": "rel",
        "seq_cst": "sc",
        "acqrel": "acq_rel",
        "nonatomic": "na",
    },
}

_DEPENDENCY = {
    FaultCode.DEPENDENCY_UNKNOWN: "no event is called '{token}'",
    FaultCode.DEPENDENCY_ON_ITSELF: "an event cannot depend on itself",
    FaultCode.DEPENDENCY_ACROSS_THREADS: "'{token}' belongs to another thread",
    FaultCode.DEPENDENCY_ON_LATER: "'{token}' comes later in the thread",
    FaultCode.NOT_EXCLUSIVES: "lxsx goes from a load to the store that depends on it; '{token}' and this are not such",
}
_ABOUT_THE_VALUE = (
    FaultCode.RF_VALUE,
    FaultCode.RF_MISSING,
    FaultCode.VALUE_UNWRITTEN,
    FaultCode.VALUE_AMBIGUOUS,
    FaultCode.STREAM_UNWRITTEN,
    FaultCode.START_TWICE,
)


_ABOUT_THE_TIME = (FaultCode.TIME_ENDS_EARLY, FaultCode.TIME_RUNS_BACKWARDS)


class Place(Record):
    """Where in the input: what an error shows."""

    line: int
    column: int = 1
    width: int = 1
    text: str | None = None
    token: str = ""


def place_in_line(raw: bytes, number: int, begin: int, width: int) -> Place:
    """The place of some bytes of a line, in characters."""
    raw = raw.rstrip(b"\r\n")
    column = len(raw[:begin].decode(errors="replace")) + 1
    token = raw[begin : begin + width].decode(errors="replace")
    shown = raw.decode(errors="replace") if len(raw) <= _LONGEST_SHOWN else None
    return Place(number, column, max(1, len(token)), shown, token if len(token) <= 60 else token[:59] + "…")


def place_in_data(data: bytes, offset: int, width: int) -> Place:
    """The place of some bytes of a whole file."""
    begin = data.rfind(b"\n", 0, offset) + 1
    end = data.find(b"\n", offset)
    line = data[begin : len(data) if end < 0 else end]
    return place_in_line(line, data.count(b"\n", 0, begin) + 1, offset - begin, width)


def error_at(source: str, place: Place, message: str, hint: str | None) -> FormatError:
    return FormatError(
        message, source=source, line=place.line, column=place.column, text=place.text, width=place.width, hint=hint
    )


def parse_error(source: str, fault: Fault, place: Place, first_line: int | None = None) -> FormatError:
    """The error for a fault of the text parser; `first_line` is where a duplicate first occurred."""
    code = fault.code
    message, hint = PARSE[code]
    if code in _NEAR and place.token.lower() in _NEAR[code]:
        hint = f"did you mean '{_NEAR[code][place.token.lower()]}'? {hint}"
    elif code == FaultCode.UNKNOWN_ORDER:
        hint = nearest(place.token, ORDER_NAMES) or nearest(place.token, words(True) + words(False)) or hint
    elif code == FaultCode.UNKNOWN_KEY:
        hint = nearest(place.token, ("id", "rf", *DEPENDENCIES, "time", "src", "note:")) or hint
    elif code == FaultCode.DUPLICATE_ID and first_line is not None:
        hint = f"line {first_line} has it; {hint}"
    hint = hint.format(token=place.token) if hint and "{token}" in hint else hint
    return error_at(source, place, message.format(token=place.token), hint)


class Resolution(Record):
    """What the words about an unresolved reference need to know of the file it stands in."""

    source: str
    place: Callable[[int, str, int], Place]  # row, field ("value", "rf", "addr", …), item
    line_of: Callable[[int], int]
    ids: Iterable[str]
    say_rf: str  # how this format says where a read reads from
    say_init: str

    def error(self, fault: Fault) -> FormatError:
        if fault.code in _DEPENDENCY:
            return self._dependency(fault.code, fault.where, fault.width, fault.first, DEPENDENCIES[fault.second])
        field = "value" if fault.code in _ABOUT_THE_VALUE else "time" if fault.code in _ABOUT_THE_TIME else "rf"
        place = self.place(fault.where, field, 0)
        message, hint = self._words(fault.code, place.token, fault.width, fault.first, fault.second)
        return error_at(self.source, place, message, hint)

    def _words(self, code: FaultCode, token: str, count: int, a: int, b: int) -> tuple[str, str | None]:
        say_which = f"write {self.say_rf} to say which write is read"
        match code:
            case FaultCode.RF_UNKNOWN:
                return f"no event is called '{token}'", self._near(token) or f"give the write an {self.say_id}"
            case FaultCode.RF_NOT_A_WRITE:
                return (f"'{token}' (line {self.line_of(a)}) does not write", "a read reads from a write or an update")
            case FaultCode.RF_OTHER_LOCATION:
                said = f"'{token}' (line {self.line_of(a)}) writes another location"
                return said, "a read reads from a write to its own location"
            case FaultCode.RF_VALUE:
                where = f"line {self.line_of(a)} writes" if a >= 0 else "its location starts with"
                return f"this reads {token}, but {where} another value", "correct the value or the writer"
            case FaultCode.STREAM_UNKNOWN:
                hint = "in a stream a write comes before its readers"
                return f"no event so far is called '{token}'", self._near(token) or hint
            case FaultCode.STREAM_UNWRITTEN:
                hint = "in a stream a write comes before its readers"
                return f"nothing has written {token} to this location yet", hint
            case FaultCode.TIME_ENDS_EARLY:
                return "this ends before it starts", "a time is START..END, by one clock"
            case FaultCode.TIME_RUNS_BACKWARDS:
                hint = "the events of a thread stand in program order, and each starts no earlier than those before it"
                return f"time runs backwards: line {self.line_of(a)} of this thread starts later", hint
            case FaultCode.RF_MISSING:
                hint = f"the value was not recorded: {say_which}, or {self.say_rf.replace('ID', ANY)} if nobody knows"
                return "nothing says what is read here", hint
            case FaultCode.START_TWICE:
                hint = f"line {self.line_of(a)} shows that it started with another: nobody wrote what that reads"
                return f"this location cannot have started with {token}", hint
            case FaultCode.VALUE_UNWRITTEN:
                hint = f"a location starts with 0 unless {self.say_init}"
                return f"nothing writes {token} to this location", hint
        first = "the initial value" if a < 0 else f"line {self.line_of(a)}"  # only a stream asks which
        more = f" and {count - 2} more" if count > 2 else ""
        message = f"the value {token} does not say which of {count} writes is read"
        return message, f"{first} and line {self.line_of(b)}{more} write it: {say_which}"

    def _near(self, name: str) -> str | None:
        # Comparing with a million ids would take minutes: only those that begin alike can be near then.
        alike = (known for known in self.ids if known[:1] == name[:1] and abs(len(known) - len(name)) <= 2)
        return nearest(name, islice(alike, 2000))

    @property
    def say_id(self) -> str:
        return self.say_rf.replace("rf", "id")

    def _dependency(self, code: FaultCode, row: int, item: int, source_row: int, kind: str) -> FormatError:
        place = self.place(row, kind, item)
        message = _DEPENDENCY[code].format(token=place.token)
        hint: str | None = "dependencies name earlier events of the same thread"
        if code == FaultCode.DEPENDENCY_UNKNOWN:
            hint = self._near(place.token) or hint
        elif source_row >= 0 and source_row != row:
            hint = f"it is on line {self.line_of(source_row)}; {hint}"
        return error_at(self.source, place, message, hint)
