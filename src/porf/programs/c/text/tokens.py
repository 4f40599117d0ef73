"""The words of LLVM's text, and a cursor over those of one statement."""

import re

from porf.errors import ProgramError

# Names may be quoted; strings have no quotes inside, for these are written \22.
_TOKEN = re.compile(
    r"""c?"[^"]*"|[%@$]"[^"]*"|[%@$][-\w$.]+|!"[^"]*"|!\w*|\#\d+|[-+]?\d[\w.]*(?:[+-]\d+)?|[A-Za-z_][\w.]*|\.\.\.|\S"""
)
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}

END = ""  # what follows the last word, any number of times


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class TextError(ProgramError):
    """The text contains something that this parser does not know."""


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def unescape(text: str) -> str:
    """What is between the quotes, with each \\XX replaced by its byte."""
    if "\\" not in text:
        return text
    return unescape_bytes(text).decode("utf-8", "replace")


def unescape_bytes(text: str) -> bytes:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text.replace("\\\\", "\\5C")).encode("latin-1", "replace")


def plain(name: str) -> str:
    """The name of `%name`, `@name` or `@"name"`."""
    return unescape(name[2:-1]) if name[1:2] == '"' else name[1:]


class Cursor:
    """The words of a statement, one after the other."""

    __slots__ = ("at", "words")

    def __init__(self, words: list[str]) -> None:
        self.words = words
        words.append(END)
        self.at = 0

    @property
    def here(self) -> str:
        return self.words[self.at]

    @property
    def following(self) -> str:
        return self.words[self.at + 1] if self.at + 1 < len(self.words) else END

    def next(self) -> str:
        word = self.words[self.at]
        if word == END:
            raise TextError("unsupported: a statement that ends too early")
        self.at += 1
        return word

    def take(self, word: str) -> bool:
        """Skips the word if it is here, and says whether it was."""
        if self.words[self.at] != word:
            return False
        self.at += 1
        return True

    def take_any(self, words: frozenset[str]) -> str:
        """Skips all of these words that are here, and returns the last one, or nothing."""
        last = ""
        while self.words[self.at] in words:
            last = self.words[self.at]
            self.at += 1
        return last

    def expect(self, word: str) -> None:
        found = self.next()
        if found != word:
            raise TextError(f"unsupported: '{found}' where '{word}' was expected")

    def number(self) -> int:
        word = self.next()
        try:
            return int(word)
        except ValueError:
            raise TextError(f"unsupported: '{word}' where a number was expected") from None

    def skip_group(self) -> str:
        """Skips a bracket and everything up to its partner; returns that text."""
        start = self.at
        waiting = [_CLOSING[self.next()]]
        while waiting:
            word = self.next()
            if word == waiting[-1]:
                waiting.pop()
            elif word in _CLOSING:
                waiting.append(_CLOSING[word])
        return " ".join(self.words[start : self.at])
