"""What an annotation says: `// porf: model=rc11,sc expect=unsafe:data-race unroll=3 -DN=2`, alone in its line. Each is
one exploration for each of its models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from porf.errors import LARGEST, LONGEST, FormatError, UsageError, nearest
from porf.exploration import DEFAULT_MODEL
from porf.record import Record

# A comment alone in its line, in C, C++, Python and litmus tests; what closes it is not part of it.
_COMMENT = re.compile(r"^\s*(?://+|#+|/\*+|\(\*+)\s*porf:(?P<said>.*?)(?:\*+[/)]\s*)?$")
_NUMBERS = {"unroll": LARGEST, "limit": LARGEST, "seconds": LONGEST, "executions": LARGEST}
_FLAGS = ("liveness", "leaks", "no-spurious", "sandbox")
_TEXTS = ("model", "expect", "program", "with", "nondet", "volatile", "allow")
KEYS = (*_TEXTS, *_NUMBERS, *_FLAGS)
OBSERVATIONS = ("always", "sometimes", "never")


class Annotation(Record):
    file: str
    line: int
    models: tuple[str, ...] = (DEFAULT_MODEL,)
    expect: str = "safe"  # or unsafe, unsafe:KIND, undecided; of a litmus test also always, sometimes, never
    executions: int | None = None
    program: str = ""  # of a Python file with several
    parts: tuple[str, ...] = ()  # other sources of the program
    macros: tuple[str, ...] = ()  # NAME=VALUE
    nondet: tuple[int, int] | None = None
    volatile: str | None = None
    allow: tuple[str, ...] = ()
    unroll: int | None = None
    limit: int | None = None
    seconds: float | None = None
    flags: frozenset[str] = frozenset()


def annotations_of(file: str) -> list[Annotation]:
    """Those of a file, which may have none."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []  # nothing that porf could explore
    except OSError as error:
        raise UsageError(error.strerror or str(error), source=file) from None
    if "porf:" not in text:
        return []
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.match(line)
        if comment is not None:
            found.append(_Reader(file, number, line, comment.start("said"), comment.end("said")).read())
    return found


class _Reader:
    """Reads the words of one annotation, and knows where each stands."""

    def __init__(self, file: str, number: int, line: str, start: int, end: int) -> None:
        self._file, self._number, self._line = file, number, line
        self._words = list(re.compile(r"\S+").finditer(line, start, end))
        self._after = end

    def read(self) -> Annotation:
        known: dict[str, object] = {}
        macros: list[str] = []
        flags: set[str] = set()
        words: Iterator[re.Match[str]] = iter(self._words)
        for word in words:
            text, at = word[0], word.start()
            if text.startswith("-D"):
                macros.append(self._macro(text, at, words))
                continue
            key, equals, value = text.partition("=")
            if key not in KEYS:
                self._fail(f"unknown key '{key}'", at, len(key), nearest(key, KEYS) or f"one of {', '.join(KEYS)}, -D")
            if key in known or key in flags:
                self._fail(f"'{key}' is there twice", at, len(key), "write another annotation in a line of its own")
            if key in _FLAGS:
                if equals:
                    self._fail(f"'{key}' takes no value", at, len(text), f"write {key} alone")
                flags.add(key)
                continue
            if not value:
                self._fail(f"'{key}' needs a value", at, len(text), f"{key}=…")
            known[key] = self._value(key, value, at + len(key) + 1)
        names = {"model": "models", "with": "parts"}
        given = {names.get(key, key): value for key, value in known.items()}
        return Annotation(self._file, self._number, macros=tuple(macros), flags=frozenset(flags), **given)  # type: ignore[arg-type]

    def _macro(self, text: str, at: int, words: Iterator[re.Match[str]]) -> str:
        if text != "-D":
            return text[2:]
        following = next(words, None)
        if following is None:
            self._fail("-D needs a name", at, 2, "-DN=2")
        return following[0]

    def _value(self, key: str, value: str, at: int) -> object:
        if key in _NUMBERS:
            return self._number_of(key, value, at)
        match key:
            case "model" | "allow" | "with":
                return tuple(self._checked(key, item, start) for item, start in _items(value, at))
            case "expect":
                return self._expected(value, at)
            case "nondet":
                return self._range(value, at)
            case "program" if not self._file.endswith(".py"):
                self._fail("only a Python file has programs with names", at, len(value), "leave out program=")
            case "volatile" if value not in ("plain", "relaxed"):
                self._fail(f"'{value}' is no kind of volatile access", at, len(value), "plain or relaxed")
        return value

    def _checked(self, key: str, item: str, at: int) -> str:
        """A model is known by its name, or a file; sources lie beside the one that names them."""
        if key == "model":
            from porf.errors import PorfError
            from porf.models import find_model

            try:
                find_model(item)
            except PorfError as error:
                self._fail(error.message, at, len(item), error.hint or "porf models lists the built-in models")
        if key == "with":
            path = Path(self._file).parent / item
            if not path.is_file():
                self._fail(f"there is no file '{item}' beside this one", at, len(item), "with=queue.c,util.c")
            return str(path)
        return item

    def _number_of(self, key: str, value: str, at: int) -> float:
        try:
            number = float(value) if key == "seconds" else int(value)
        except ValueError:
            number = -1
        least = 0 if key == "executions" else 1e-9
        if not least <= number <= _NUMBERS[key]:
            self._fail(f"'{value}' is no number for {key}", at, len(value), f"{key}=3")
        return number

    def _range(self, value: str, at: int) -> tuple[int, int]:
        low, dots, high = value.partition("..")
        try:
            found = int(low, 0), int(high if dots else low, 0)
        except ValueError:
            found = (1, 0)
        if found[0] > found[1] or max(map(abs, found)) >> 63:
            self._fail(f"'{value}' is no range of numbers", at, len(value), "nondet=0..3")
        return found

    def _expected(self, value: str, at: int) -> str:
        from porf.exploration.findings import kinds

        verdict, colon, kind = value.partition(":")
        verdicts = ("safe", "unsafe", "undecided", *OBSERVATIONS)
        if verdict not in verdicts:
            hint = nearest(verdict, verdicts) or f"one of {', '.join(verdicts)}, or unsafe:KIND"
            self._fail(f"'{verdict}' is nothing to expect", at, len(verdict), hint)
        if colon and verdict != "unsafe":
            self._fail(f"'{verdict}' has no kind of bug", at, len(value), "unsafe:data-race")
        if colon and kind not in kinds():
            hint = nearest(kind, kinds()) or f"one of {', '.join(kinds())}"
            self._fail(f"'{kind}' is no kind of bug", at + len(verdict) + 1, max(1, len(kind)), hint)
        return value

    def _fail(self, message: str, at: int, width: int, hint: str) -> NoReturn:
        raise FormatError(
            message, source=self._file, line=self._number, column=at + 1, text=self._line, width=width, hint=hint
        )


def _items(value: str, at: int) -> Iterator[tuple[str, int]]:
    for item in value.split(","):
        if item:
            yield item, at
        at += len(item) + 1
