"""The rules for names: of threads, of locations, and of events."""

import re
from functools import lru_cache

_FORBIDDEN = "[\x00-\x20#=\x7f\ud800-\udfff]"
RULE = "a name is not empty and has no blanks, no control characters, no '#' and no '='"
ID_RULE = "an id is a name without ','; 'init' is taken by the initial write"


@lru_cache(maxsize=1 << 14)
def is_name(name: str) -> bool:
    return name.isidentifier() or (re.search(_FORBIDDEN, name) is None and name != "")


def is_id(name: str) -> bool:
    return re.search(_FORBIDDEN, name) is None and "," not in name and name not in ("", "init")
