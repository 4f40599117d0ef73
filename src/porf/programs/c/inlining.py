"""From LLVM's text to the names of the functions to inline: those that are not recursive, within limits of size."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from porf.programs.c.library import is_atomic
from porf.programs.c.library.names import PIN
from porf.programs.c.text.tokens import plain
from porf.record import Record, field

APART = "porf_apart_"  # in the names of library functions that are called at many places and seldom run
LARGE = 300  # instructions: a function of more is copied to one caller, not to several
LIMIT = 200_000  # instructions of the whole program, after inlining

_NAME = r'@"[^"]*"|@[-\w$.]+'
_HEAD = re.compile(rf"define [^@]*({_NAME})\(.*")
_CALL = re.compile(rf"\b(?:call|invoke)\b[^@]* ({_NAME})\(")


class Definition(Record, frozen=False):
    size: int = 0
    variadic: bool = False
    calls: list[str] = field(default_factory=list)  # one entry for each call


def definitions(text: str) -> dict[str, Definition]:
    """The functions that a module defines, and which functions they call by name."""
    found: dict[str, Definition] = {}
    current: Definition | None = None
    for line in text.split("\n"):
        if line.startswith("define "):
            head = _HEAD.match(line)
            current = Definition(variadic="..." in line)
            if head is not None:
                found[plain(head[1])] = current
        elif line == "}":
            current = None
        elif current is not None and line.startswith("  ") and line[2] not in " ]":
            current.size += 1
            if "@" in line and (call := _CALL.search(line)):
                current.calls.append(plain(call[1]))
    return found


def inlinable(known: Mapping[str, Definition], roots: Collection[str]) -> list[str]:
    """Names of functions, each of which may be inlined wherever it is called."""
    components = _components(known)
    kept = {name for part in components if len(part) > 1 or part[0] in known[part[0]].calls for name in part}
    kept |= {name for name, found in known.items() if _stays(name, found, roots)}
    order = [name for part in components for name in part]
    calls = Counter(called for found in known.values() for called in found.calls)
    shared = {name for name, number in calls.items() if number > 1}
    most = LIMIT
    while True:
        chosen, whole = _choose(known, order, kept, shared, most)
        if whole <= LIMIT or not chosen:
            return chosen
        most //= 4


def _stays(name: str, found: Definition, roots: Collection[str]) -> bool:
    return name in roots or found.variadic or is_atomic(name) or APART in name or name.startswith(PIN)


def _choose(
    known: Mapping[str, Definition], order: Sequence[str], kept: Collection[str], shared: Collection[str], most: int
) -> tuple[list[str], int]:
    """The functions that have at most so many instructions after inlining, and the size of the whole program then.

    Each copy of a large function would have to be read and translated again, which costs more than calling it does.
    """
    sizes: dict[str, int] = {}
    whole = 0
    for name in order:
        size = known[name].size + sum(sizes.get(called, 0) for called in known[name].calls)
        if name in kept or size > (min(most, LARGE) if name in shared else most):
            whole += size
        else:
            sizes[name] = size
    return list(sizes), whole


def _components(known: Mapping[str, Definition]) -> list[list[str]]:
    """Sets of mutually recursive functions, callees before callers: Tarjan's algorithm, without recursion."""
    found: list[list[str]] = []
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []
    inside: set[str] = set()

    def enter(name: str) -> tuple[str, Iterator[str]]:
        index[name] = low[name] = len(index)
        waiting.append(name)
        inside.add(name)
        return name, iter([called for called in known[name].calls if called in known])

    for start in known:
        path = [enter(start)] if start not in index else []
        while path:
            name, left = path[-1]
            called = next(left, None)
            if called is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == index[name]:
                    part = waiting[waiting.index(name) :]
                    del waiting[-len(part) :]
                    inside.difference_update(part)
                    found.append(part)
            elif called not in index:
                path.append(enter(called))
            elif called in inside:
                low[name] = min(low[name], index[called])
    return found
