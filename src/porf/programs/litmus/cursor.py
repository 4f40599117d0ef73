"""A place in the tokens, and the small steps from it that all parsers share; types and numbers are read here."""

from dataclasses import dataclass
from typing import NoReturn

from porf.errors import nearest
from porf.programs.litmus.kinds import (
    INT,
    LONG,
    NAMED,
    QUALIFIERS,
    STRUCTURES,
    TYPE_NAMES,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSUPPORTED,
    WORDS,
    Type,
    atomic,
    combined,
    pointer_to,
    wide,
)
from porf.programs.litmus.source import Source
from porf.programs.litmus.tokens import Token

TYPES_READ = (
    "types are int, long, unsigned, …, intN_t, bool, atomic_int and similar types, _Atomic(T), pointers, mutexes"
)


@dataclass(slots=True)
class Number:
    """An integer constant; `at` is its offset in the text."""

    at: int
    value: int
    type: Type


class Cursor:
    """Reads tokens one after the other; `token` is the next."""

    def __init__(self, source: Source, tokens: list[Token], index: int = 0, kernel: bool = False) -> None:
        self.source = source
        self.tokens = tokens
        self.kernel = kernel  # a test of the Linux kernel: all numbers are as wide as pointers, and may be some
        self.go_to(index)

    def go_to(self, index: int) -> None:
        self.index = index
        self.token = self.tokens[index]

    def advance(self) -> Token:
        """Takes the next token."""
        token = self.token
        if token.kind != "end":
            self.index += 1
            self.token = self.tokens[self.index]
        return token

    def peek(self, distance: int = 1) -> Token:
        """The token after the next one, or further on."""
        return self.tokens[min(self.index + distance, len(self.tokens) - 1)]

    def accept(self, text: str) -> Token | None:
        """Takes the next token if it is this one."""
        return self.advance() if self.token.text == text else None

    def expect(self, text: str, where: str, hint: str | None = None) -> Token:
        """Takes the next token, which must be this one."""
        if self.token.text != text:
            self.unexpected(f"'{text}' {where}", hint)
        return self.advance()

    def name(self, what: str, hint: str | None = None) -> Token:
        """Takes the next token, which must be a name that is not one of C's types."""
        if self.token.kind != "name" or self.token.text in TYPE_NAMES:
            self.unexpected(what, hint)
        return self.advance()

    def unexpected(self, wanted: str, hint: str | None = None) -> NoReturn:
        found = f"found '{self.token.text}'" if self.token.kind != "end" else "the file ends here"
        self.fail(self.token, f"expected {wanted}, but {found}", hint)

    def fail(self, token: Token, message: str, hint: str | None = None) -> NoReturn:
        self.source.fail(token.at, message, hint, max(1, len(token.text)))

    def at_type(self, token: Token | None = None) -> bool:
        return (token or self.token).text in TYPE_NAMES

    def base_type(self) -> Type:
        """Qualifiers and the name of a type, in any order, without stars."""
        first = self.token
        words: list[str] = []
        named: Type | None = None
        is_atomic = False
        while self.token.kind == "name" and self.token.text in TYPE_NAMES:
            token = self.advance()
            if token.text == "struct" and self.token.text in STRUCTURES:
                named = STRUCTURES[self.advance().text]
                continue
            if token.text in UNSUPPORTED:
                self.fail(token, f"{UNSUPPORTED[token.text]} are not supported", TYPES_READ)
            if token.text == "_Atomic":
                is_atomic = True
                if self.accept("("):
                    named = self.any_type()
                    self.expect(")", "after the type in _Atomic(…)")
            elif token.text in WORDS:
                words.append(token.text)
            elif token.text not in QUALIFIERS:
                named = NAMED[token.text]
        if named is None:
            found = combined(words) if words else None
            if found is None:
                if words:
                    self.fail(first, f"'{' '.join(words)}' is not a type", TYPES_READ)
                known = nearest(self.token.text, TYPE_NAMES) if self.token.kind == "name" else None
                self.unexpected("a type", known or TYPES_READ)
            named = found
        elif words:
            self.fail(first, f"'{' '.join(words)}' does not combine with {named.name}", TYPES_READ)
        if self.kernel and named.kind == "integer":
            named = wide(named)
        return atomic(named) if is_atomic else named

    def stars(self, base: Type) -> Type:
        """The stars after a type, each a pointer to what is before it."""
        while self.accept("*"):
            base = pointer_to(base)
            while self.token.text in QUALIFIERS:
                if self.advance().text == "_Atomic":
                    base = atomic(base)
        return base

    def any_type(self) -> Type:
        return self.stars(self.base_type())

    def number(self) -> Number:
        """An integer constant, of the type that C gives it."""
        token = self.advance()
        digits = token.text.rstrip("uUlL")
        suffix = token.text[len(digits) :].lower()
        if len(digits) > 66:  # more would be slow to read
            self.fail(token, "this number has more than 64 bits")
        try:
            value = int(digits, 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10)
        except ValueError:
            self.fail(token, "this is not an octal number", "a number that begins with 0 has the digits 0 to 7")
        if value >= 2**64:
            self.fail(token, "this number has more than 64 bits")
        small = "l" not in suffix
        if "u" in suffix:
            return Number(token.at, value, UNSIGNED if small and value < 2**32 else UNSIGNED_LONG)
        if small and value < 2**31:
            return Number(token.at, value, INT)
        if small and digits[0] == "0" and value < 2**32:
            return Number(token.at, value, UNSIGNED)
        return Number(token.at, value, LONG if value < 2**63 else UNSIGNED_LONG)
