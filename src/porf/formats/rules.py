"""The rules for names: of threads, of locations, and of events."""

import re
from functools import lru_cache

_FORBIDDEN = "[\x00-\x20#=\x7f\ud800-\udfff]"
RULE = "a name is not empty and has no blanks, no control characters, no '#' and no '='"
VALUE_RULE = 'values are whole numbers, decimal or 0x…, words, "…" for other words, or `_` for not recorded'
VALUE_RANGE = "numbers lie between -2^63 and 2^64-1"
TIME_RULE = "a time is START..END, START.. or one number: integers or decimals"
TIME_RANGE = "all times of a file, with its finest fractions, must fit 64 bits"
ID_RULE = "an id is a name without ','; 'init' is the initial write, and '?' a write that is not known"
REST = "*"  # where an initial value is said: the locations of which nothing else is said
ANY = "?"  # in the place of a writer's id: nobody knows


@lru_cache(maxsize=1 << 14)
def is_name(name: str) -> bool:
    return name.isidentifier() or (re.search(_FORBIDDEN, name) is None and name != "")


def is_id(name: str) -> bool:
    return re.search(_FORBIDDEN, name) is None and "," not in name and name not in ("", "init", ANY)


def is_location(name: str) -> bool:
    return is_name(name) and name != REST


def is_note(key: str) -> bool:
    """Whether a key says a note: what porf keeps and shows, and does not look at."""
    return key == "src" or (key.startswith("note:") and len(key) > len("note:"))
