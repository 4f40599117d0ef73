"""From LLVM's text, in which variables are pinned to memory, to those that are used within their lives and bounds only.

These are free for registers. The others stay in memory, where exploration notices such a use; so do those whose
address is stored or passed on, because their uses are not known yet.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from porf.programs.c.library.names import PIN
from porf.programs.c.spans import ALLOCA, LIFE, NAME, STORED, Spans

_PINNED = re.compile(rf"call void @{re.escape(PIN)}(\d+)\(ptr(?: \w+)* ({NAME})\)")
_USED = re.compile(rf"({NAME})")
_LABEL = re.compile(r'(?:"([^"]*)"|([-\w$.]+)):')
_ACCESS = re.compile(rf"  (?:store|fence|{NAME} = (?:load|atomicrmw|cmpxchg|icmp)) ")
_TARGET = re.compile(rf"label ({NAME})")

Ops = list[tuple[str, str]]  # "start", "end", "use" or "kept", and a variable


def free_pins(text: str) -> set[int]:
    """The numbers of the pins of variables whose uses are all known, and are within their lives and bounds."""
    found: set[int] = set()
    held: set[int] = set()
    lines = text.split("\n")
    spans = Spans(lines)
    at = 0
    while at < len(lines):
        if lines[at].startswith("!"):  # no code comes after these
            break
        if lines[at].startswith("define "):
            start = at
            at = lines.index("}", at)
            body = lines[start + 1 : at]
            pinned = _pins(body)
            late = _late(body, _sizes(body, pinned, spans), spans) if pinned else ()
            for name, numbers in pinned.items():
                (held if name in late else found).update(numbers)
        at += 1
    return found - held


def _pins(body: list[str]) -> dict[str, set[int]]:
    """Variable -> the numbers of its pins."""
    found: dict[str, set[int]] = {}
    for line in body:
        if PIN in line and (pin := _PINNED.search(line)):
            found.setdefault(pin[2], set()).add(int(pin[1]))
    return found


def _sizes(body: list[str], pinned: Collection[str], spans: Spans) -> dict[str, int]:
    """Variable -> bytes."""
    found = (ALLOCA.match(line) for line in body if " = alloca " in line)
    return {alloca[1]: spans.size(alloca[2]) for alloca in found if alloca and alloca[1] in pinned}


def _late(body: list[str], sizes: Mapping[str, int], spans: Spans) -> set[str]:
    """The variables of which a use can be reached from the end of their lives, without a new beginning; or is not
    known, because the address is kept somewhere."""
    blocks, targets = _blocks(body, sizes, spans)
    ended: dict[str, set[str]] = {name: set() for name in blocks}
    found: set[str] = set()
    waiting = list(blocks)
    while waiting:
        name = waiting.pop()
        now = set(ended[name])
        for what, variable in blocks[name]:
            if what == "end":
                now.add(variable)
            elif what == "start":
                now.discard(variable)
            elif what == "kept" or variable in now:
                found.add(variable)
        for target in targets[name]:
            if target in ended and not now <= ended[target]:
                ended[target] |= now
                waiting.append(target)
    return found


def _blocks(body: list[str], sizes: Mapping[str, int], spans: Spans) -> tuple[dict[str, Ops], dict[str, list[str]]]:
    name = "%0"
    blocks: dict[str, Ops] = {name: []}
    targets: dict[str, list[str]] = {name: []}
    uses = _Uses(sizes, spans)
    for line in body:
        if line[:1] != " ":
            if label := _LABEL.match(line):
                name = f'%"{label[1]}"' if label[1] is not None else f"%{label[2]}"
                blocks[name], targets[name] = [], []
        elif "label %" in line:
            targets[name] += _TARGET.findall(line)
            blocks[name] += uses.of(line)
        elif "ptr " in line and not line.startswith("    #") and PIN not in line and " = alloca " not in line:
            blocks[name] += uses.of(line)
    return blocks, targets


class _Uses:
    """What lines do to variables, whose sizes are given; addresses within one are noted as its own."""

    def __init__(self, sizes: Mapping[str, int], spans: Spans) -> None:
        self._sizes = sizes
        self._spans = spans
        self._at: dict[str, tuple[str, int | None]] = {name: (name, 0) for name in sizes}  # register -> variable, byte

    def of(self, line: str) -> Iterator[tuple[str, str]]:
        if ".lifetime." in line:
            if (mark := LIFE.search(line)) and mark[2] in self._at:
                yield mark[1], self._at[mark[2]][0]
            return
        for name in self._at:
            if name in line:
                break
        else:
            return
        names = _USED.findall(line)
        for index, name in enumerate(names):
            if name not in self._at:
                continue
            variable, at = self._at[name]
            if " = getelementptr " in line:
                moved = self._spans.moved(line)
                at = at + moved if at is not None and moved is not None else None
                self._at[names[0]] = (variable, at)
                inside = at is None or 0 <= at <= self._sizes[variable]
                yield ("use" if inside else "kept"), variable
            elif _ACCESS.match(line) or "@llvm.mem" in line:
                outside = at is not None and at + self._spans.width(line) > self._sizes[variable]
                stored = index == 0 and STORED.match(line)
                yield ("kept" if stored or outside else "use"), variable
            else:
                yield "kept", variable
