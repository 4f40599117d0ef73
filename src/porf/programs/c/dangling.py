"""From LLVM's text, in which variables are pinned to memory, to those that are not used after their lives.

These are free for registers. The others stay in memory, where exploration notices such a use; so do those whose
address is stored or passed on, because their uses are not known yet.
"""

import re
from collections.abc import Iterator

from porf.programs.c.library.names import PIN

_NAME = r'%(?:"[^"]*"|[-\w$.]+)'
_PINNED = re.compile(rf"call void @{re.escape(PIN)}(\d+)\(ptr(?: \w+)* ({_NAME})\)")
_LIFE = re.compile(rf"@llvm\.lifetime\.(start|end)\.p0\((?:i64 (?:immarg )?-?\d+, )?ptr (?:\w+ )?({_NAME})\)")
_USED = re.compile(rf"({_NAME})")
_LABEL = re.compile(r'(?:"([^"]*)"|([-\w$.]+)):')
_ACCESS = re.compile(rf"  (?:store|fence|{_NAME} = (?:load|atomicrmw|cmpxchg|icmp)) ")
_STORED = re.compile(r"  store (?:\w+ )*ptr %")
_TARGET = re.compile(rf"label ({_NAME})")

Ops = list[tuple[str, str]]  # "start", "end", "use" or "kept", and a variable


def free_pins(text: str) -> set[int]:
    """The numbers of the pins of variables whose uses are all known, and are within their lives."""
    found: set[int] = set()
    held: set[int] = set()
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if lines[at].startswith("define "):
            start = at
            while lines[at] != "}":
                at += 1
            body = lines[start + 1 : at]
            pinned = _pins(body)
            late = _late(body, set(pinned)) if pinned else ()
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


def _late(body: list[str], pinned: set[str]) -> set[str]:
    """The variables of which a use can be reached from the end of their lives, without a new beginning; or is not
    known, because the address is kept somewhere."""
    blocks, targets = _blocks(body, pinned)
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


def _blocks(body: list[str], pinned: set[str]) -> tuple[dict[str, Ops], dict[str, list[str]]]:
    name = "%0"
    blocks: dict[str, Ops] = {name: []}
    targets: dict[str, list[str]] = {name: []}
    of = {each: each for each in pinned}
    for line in body:
        if line[:1] not in ("", " ") and (label := _LABEL.match(line)):
            name = f'%"{label[1]}"' if label[1] is not None else f"%{label[2]}"
            blocks[name], targets[name] = [], []
        elif line.startswith("    #") or PIN in line or " = alloca " in line:
            continue
        else:
            targets[name] += _TARGET.findall(line)
            blocks[name] += _ops(line, of)
    return blocks, targets


def _ops(line: str, of: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What a line does to pinned variables; an address within one is noted as its own."""
    if ".lifetime." in line:
        if (mark := _LIFE.search(line)) and mark[2] in of:
            yield mark[1], of[mark[2]]
        return
    names = _USED.findall(line)
    for index, name in enumerate(names):
        if name not in of:
            continue
        if " = getelementptr " in line:
            of[names[0]] = of[name]
        elif _ACCESS.match(line) or "@llvm.mem" in line:
            yield ("kept" if index == 0 and _STORED.match(line) else "use"), of[name]
        else:
            yield "kept", of[name]
