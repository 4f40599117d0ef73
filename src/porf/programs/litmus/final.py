"""What comes after the threads: `locations`, `filter`, and the final condition. What they mention is watched."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from porf.errors import nearest
from porf.programs.litmus.condition import All, Atom, Condition, Not, Some, Truth
from porf.programs.litmus.dialects import Thread
from porf.programs.litmus.initial import Address, Initial
from porf.programs.litmus.kinds import Type
from porf.programs.litmus.memory import Memory
from porf.programs.litmus.tokens import Token

Quantifier = Literal["exists", "~exists", "forall"]
_HINT = r"conditions are exists, ~exists or forall, and 0:r0=1, [x]=2, ~ /\ \/ and parentheses"
_DIGITS = re.compile(r"\d+")


class Watched(NamedTuple):
    """Something of the final state: a register of a thread, or (thread is None) a place in memory."""

    label: str
    type: Type
    thread: int | None
    where: int  # a register, or a pointer

    def rank(self) -> tuple[bool, int, str]:
        """Registers come before memory, and r2 before r10."""
        name = _DIGITS.sub(lambda digits: digits[0].zfill(20), self.label)
        return self.thread is None, self.thread or 0, name


class Final(Initial):
    """Reads the last part of a test, whose threads are compiled."""

    memory: Memory
    threads: Sequence[Thread]
    watched: dict[str, Watched]
    shown: set[str]  # the labels that states are shown with: all but those that only `filter` mentions
    filter: Condition | None
    quantifier: Quantifier | None
    condition: Condition
    condition_text: str

    def final(self, memory: Memory, threads: Sequence[Thread]) -> None:
        self.memory, self.threads, self.watched, self.shown = memory, threads, {}, set()
        self.filter, self.quantifier, self.condition, self.condition_text = None, None, Truth(True), ""
        while self.token.kind != "end":
            if self.quantifier is not None and self.accept(";"):
                continue
            if self.quantifier is not None:
                self.unexpected("the end of the file", "a test has one final condition, at its end")
            if self.accept("locations"):
                self._locations()
                self.shown |= self.watched.keys()
            elif self.accept("filter"):
                before = set(self.watched)
                self.filter = self._any()
                self.shown |= before
            else:
                self._condition()

    def _condition(self) -> None:
        first = self.token
        negated = first.text in ("~", "not")
        if negated:
            self.advance()
        if self.token.text not in ("exists", "forall") or (negated and self.token.text == "forall"):
            self.unexpected("exists, ~exists or forall", _HINT)
        word = self.advance().text
        self.quantifier = "forall" if word == "forall" else "~exists" if negated else "exists"
        known, self.watched = self.watched, {}
        self.condition = self._any()
        self.shown |= self.watched.keys()
        self.watched = known | self.watched
        last = self.tokens[self.index - 1]
        self.condition_text = " ".join(self.source.text[first.at : last.at + len(last.text)].split())

    def _locations(self) -> None:
        self.expect("[", "after locations")
        while not self.accept("]"):
            if self.accept(";"):
                continue
            self._reference("write locations [0:r0; x; y;]")
            if self.token.text not in (";", "]"):
                self.unexpected("';' or ']'", "write locations [0:r0; x; y;]")

    def _any(self) -> Condition:
        """Implications, which associate to the right."""
        left = self._or()
        if self.accept("=>"):
            return Some((Not(left), self._any()))
        return left

    def _or(self) -> Condition:
        parts = [self._and()]
        while self.token.text in ("\\/", "||"):
            self.advance()
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _and(self) -> Condition:
        parts = [self._not()]
        while self.token.text in ("/\\", "&&"):
            self.advance()
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _not(self) -> Condition:
        if self.token.text in ("~", "not", "!"):
            self.advance()
            return Not(self._not())
        if self.accept("("):
            inner = self._any()
            self.expect(")", "to close the parenthesis", _HINT)
            return inner
        if self.token.text in ("true", "false"):
            return Truth(self.advance().text == "true")
        return self._atom()

    def _atom(self) -> Condition:
        left = self._reference(_HINT)
        if self.token.text not in ("=", "==", "!="):
            self.unexpected(f"'=' or '!=' after {left.label}", _HINT)
        equal = self.advance().text != "!="
        if self.token.text == "[" or (self.token.kind == "number" and self.peek().text == ":"):
            return Atom(left.label, equal, self._reference(_HINT).label)
        value = self.value()
        number = self.memory.address(value) if isinstance(value, Address) else left.type.wrap(value)
        return Atom(left.label, equal, number)

    def _reference(self, hint: str) -> Watched:
        """0:r0, x, [x], a[1] or [a[1]]: it is watched from now on."""
        token = self.token
        if token.kind == "number" and self.peek().text == ":":
            return self._register()
        bracket = self.accept("[")
        name = self.name("a register or a location", hint)
        index: int | None = None
        if self.accept("["):
            if self.token.kind != "number":
                self.unexpected("the index of an element")
            index = self.number().value
            self.expect("]", "after the index")
        if bracket:
            self.expect("]", "after the location")
        return self._place(name, index)

    def _place(self, name: Token, index: int | None) -> Watched:
        location = self.memory.locations.get(name.text)
        if location is None:
            owners = [f"{n}:{name.text}" for n, t in enumerate(self.threads) if name.text in t.variables]
            hint = f"did you mean the register {owners[0]}?" if owners else nearest(name.text, self.memory.locations)
            self.fail(name, f"there is no location '{name.text}'", hint)
        if location.type.kind == "mutex":
            self.fail(name, f"'{name.text}' is a mutex, and has no value")
        if location.count is not None and index is None:
            self.fail(name, f"'{name.text}' is an array", f"name an element of it: {name.text}[0]")
        if location.count is None and index is not None:
            self.fail(name, f"'{name.text}' is not an array", "declare it in the initial state: { int a[4]; }")
        pointer = self.memory.address(Address(name.at, name.text, index or 0))
        return self._watch(Watched(location.label(index or 0), location.type, None, pointer))

    def _register(self) -> Watched:
        token = self.token
        number = self.number().value
        if number >= len(self.threads):
            last = len(self.threads) - 1
            hint = f"the threads are P0 to P{last}" if last else "the only thread is P0"
            self.fail(token, f"there is no thread {number}", hint)
        self.advance()
        thread = self.threads[number]
        name = self.name("the name of a register")
        variable = thread.variables.get(name.text)
        if variable is None:
            known = list(thread.variables)
            hint = f"its registers are {', '.join(known)}" if known else "it has none"
            if name.text in (p.name for p in thread.pointers):
                hint = f"for the value of the shared location, write [{name.text}]"
            elif len(known) > 8:
                hint = nearest(name.text, known) or f"its registers are {', '.join(known[:8])}, …"
            self.fail(name, f"P{number} has no register '{name.text}'", hint)
        return self._watch(Watched(f"{number}:{name.text}", variable.type, number, variable.register))

    def _watch(self, found: Watched) -> Watched:
        return self.watched.setdefault(found.label, found)
