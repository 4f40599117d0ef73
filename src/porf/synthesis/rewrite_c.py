"""Other orders in the text of C, C++ and litmus tests in C: in calls of <stdatomic.h>, of std::atomic and of compilers'
builtins, and where variables are just used, with no order said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from porf._core import Order
from porf.programs.form import Opcode
from porf.programs.sites import WORDS, Site, Strength

Span = tuple[int, int, str]
_NAME = re.compile(r"(?:(?:std|porf)\s*::\s*)?([A-Za-z_]\w*)\s*\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ORDER = re.compile(r"(.*?)(memory_order_|memory_order::|__ATOMIC_)(\w+)$", re.DOTALL)
# What is between two parts of code, and has no meaning.
_SKIP = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_FETCH = r"fetch_(?:add|sub|and|or|xor|nand|min|max)"
# What a call is called -> how many arguments are no orders; then, how many may be.
_CALLS: Sequence[tuple[str, int, int]] = (
    (r"(?:__c11_)?atomic_load(?:_explicit)?", 1, 1),
    (r"(?:__c11_)?atomic_store(?:_explicit)?", 2, 1),
    (rf"(?:__c11_)?atomic_(?:exchange|{_FETCH})(?:_explicit)?", 2, 1),
    (r"(?:__c11_)?atomic_compare_exchange_(?:weak|strong)(?:_explicit)?", 3, 2),
    (r"atomic_flag_(?:test_and_set|clear|test)(?:_explicit)?", 1, 1),
    (r"(?:__c11_)?atomic_thread_fence|__atomic_thread_fence", 0, 1),
    (r"__atomic_(?:load_n|test_and_set|clear)", 1, 1),
    (rf"__atomic_(?:load|store_n|store|exchange_n|{_FETCH}|(?:add|sub|and|or|xor|nand)_fetch)", 2, 1),
    (r"__atomic_exchange", 3, 1),
    (r"__atomic_compare_exchange(?:_n)?", 4, 2),
)
_MEMBERS: Sequence[tuple[str, int, int]] = (
    (r"load|test_and_set|clear|test", 0, 1),
    (rf"store|exchange|{_FETCH}", 1, 1),
    (r"compare_exchange_(?:weak|strong)", 2, 2),
)
_UPDATED = {"++": ("fetch_add", "1"), "--": ("fetch_sub", "1")}
_COMBINED = {"+=": "fetch_add", "-=": "fetch_sub", "&=": "fetch_and", "|=": "fetch_or", "^=": "fetch_xor"}


class Rewriter:
    """Of one file."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._is_cpp = not name.endswith((".c", ".h", ".litmus")) or "std::atomic" in text
        self._plain = _SKIP.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)  # of the same length

    def edits(self, at: int, site: Site, strength: Strength) -> list[Span] | None:
        """What changes the access, or the fence, that stands there; nothing if it cannot be found."""
        if site.opcode is Opcode.FENCE and strength.order is Order.NA:
            return self._without(at)
        found = _NAME.match(self._plain, at)
        if found is None:
            return self._used(at, site, strength)
        base = found[1]
        is_member = self._before(at).endswith((".", "->"))
        for pattern, values, orders in _MEMBERS if is_member else _CALLS:
            if re.fullmatch(pattern, base):
                return self._in_call(found, values, orders, strength, is_member)
        return None

    def finish(self) -> list[Span]:
        return []

    def _before(self, at: int) -> str:
        return self._plain[:at].rstrip()

    def _in_call(
        self, found: re.Match[str], values: int, orders: int, strength: Strength, is_member: bool
    ) -> list[Span] | None:
        spans, end = self._arguments(found.end())
        if end < 0 or not values <= len(spans) <= values + orders:
            return None
        given = spans[values:]
        wanted = [strength.order] if orders == 1 else [strength.order, strength.failure]
        style = self._style(found[1], [self._text[a:b] for a, b in given])
        words = [style + _spelled(order, style) for order in wanted]
        edits: list[Span] = []
        for (start, stop), word in zip(given, words, strict=False):
            if self._text[start:stop].strip() != word:
                lead = len(self._text[start:stop]) - len(self._text[start:stop].lstrip())
                edits.append((start + lead, start + len(self._text[start:stop].rstrip()), word))
        rest = words[len(given) :]
        if rest:
            if not is_member and not given and not found[1].startswith("__atomic"):
                if found[1].endswith("_explicit"):
                    return None
                edits.append((found.end(1), found.end(1), "_explicit"))
            comma = ", " if spans else ""
            edits.append((end, end, comma + ", ".join(rest)))
        return edits

    def _arguments(self, start: int) -> tuple[list[tuple[int, int]], int]:
        """Where the arguments of a call are, and its closing bracket: -1 if there is none."""
        depth, begun = 0, start
        spans: list[tuple[int, int]] = []
        for at in range(start, len(self._plain)):
            letter = self._plain[at]
            if letter in "([{":
                depth += 1
            elif letter in ")]}" and depth:
                depth -= 1
            elif letter == ")":
                if spans or self._plain[begun:at].strip():
                    spans.append((begun, at))
                return spans, at
            elif letter == "," and not depth:
                spans.append((begun, at))
                begun = at + 1
            elif letter == ";":
                break
        return [], -1

    def _style(self, base: str, given: Sequence[str]) -> str:
        for text in given:
            known = _ORDER.match(text.strip())
            if known is not None and _WORD.fullmatch(known[2].replace("::", "")):
                return known[1] + known[2]
        if base.startswith("__atomic"):
            return "__ATOMIC_"
        return "std::memory_order_" if self._is_cpp else "memory_order_"

    def _used(self, at: int, site: Site, strength: Strength) -> list[Span] | None:
        """An atomic variable that is read, assigned or counted as a plain one would be."""
        order = self._style("", ()) + WORDS[strength.order]
        if site.opcode is Opcode.LOAD:
            word = _WORD.match(self._plain, at)
            if word is None or self._before(at).endswith((".", "->")):
                return None
            after = self._plain[word.end() :].lstrip()
            if after.startswith(("[", ".", "->", "(", "=")) and not after.startswith("=="):
                return None
            return [(at, word.end(), self._call("load", word[0], [order]))]
        word = _WORD.match(self._plain, at)
        if word is not None:  # C++ says where the variable is, C where the operator is
            at = word.end() + len(self._plain[word.end() :]) - len(self._plain[word.end() :].lstrip())
        for sign in (*_COMBINED, *_UPDATED, "="):
            if self._plain.startswith(sign, at):
                return self._assigned(at, sign, site, order)
        return None

    def _assigned(self, at: int, sign: str, site: Site, order: str) -> list[Span] | None:
        """A statement of its own: `x = 1;`, `x += 1;`, `x++;`."""
        line = re.search(r"(?:^|[;{})])\s*([A-Za-z_]\w*)\s*$", self._plain[:at])
        end = self._plain.find(";", at)
        if line is None or end < 0 or (site.opcode is Opcode.STORE) != (sign == "="):
            return None
        value = self._text[at + len(sign) : end].strip()
        if self._plain[at + len(sign) : end].count("(") != self._plain[at + len(sign) : end].count(")"):
            return None
        if sign in _UPDATED:
            name, one = _UPDATED[sign]
            return None if value else [(line.start(1), end, self._call(name, line[1], [one, order]))]
        name = "store" if sign == "=" else _COMBINED[sign]
        return [(line.start(1), end, self._call(name, line[1], [value, order]))]

    def _call(self, name: str, variable: str, arguments: Sequence[str]) -> str:
        if self._is_cpp:
            return f"{variable}.{name}({', '.join(arguments)})"
        return f"atomic_{name}_explicit({', '.join([f'&{variable}', *arguments])})"

    def _without(self, at: int) -> list[Span] | None:
        """Takes a fence away: its line if it stands there alone."""
        found = _NAME.match(self._plain, at)
        if found is None or not found[1].endswith("thread_fence"):
            return None
        _, close = self._arguments(found.end())
        end = close + 1
        while end < len(self._plain) and self._plain[end] in " \t\r\n":
            end += 1
        if close < 0 or self._plain[end : end + 1] != ";":
            return None
        end += 1
        if not self._before(at).endswith((";", "{", "}")):
            return [(at, end, ";")]  # what an if, a loop or a label is for
        first = self._text.rfind("\n", 0, at) + 1
        last = self._text.find("\n", end)
        last = len(self._text) if last < 0 else last + 1
        if not self._text[first:at].strip() and not self._text[end:last].strip():
            return [(first, last, "")]
        while self._text[end : end + 1] == " ":
            end += 1
        return [(at, end, "")]


def _spelled(order: Order, style: str) -> str:
    word = WORDS[order]
    return word.upper() if style.endswith("__ATOMIC_") else word
