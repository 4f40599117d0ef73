"""Formulas in DIMACS form, as SAT solvers read them: `p cnf 3 2`, then clauses of numbers, each ended by 0."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from porf.errors import FormatError
from porf.record import Record

_LARGEST = 10**6
_HEADER = "the first line of a formula is p cnf VARIABLES CLAUSES"


class Formula(Record):
    """Clauses over variables 1 to `variables`; a literal is a variable, or minus one."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]


class _Token(Record):
    text: str
    line: int  # from 1
    column: int
    whole: str  # the line


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.tokens = self._split(text)
        self.last: _Token | None = None

    def _split(self, text: str) -> Iterator[_Token]:
        for number, whole in enumerate(text.split("\n"), 1):
            if whole.startswith("c") and whole[1:2] in ("", " ", "\t", "\r"):
                continue
            if whole.startswith("%"):  # some collections end their files so
                return
            for found in re.finditer(r"\S+", whole):
                yield _Token(found.group(), number, found.start() + 1, whole.rstrip("\r"))

    def next(self) -> _Token | None:
        token = next(self.tokens, None)
        self.last = token or self.last
        return token

    def number(self, what: str, token: _Token | None) -> int:
        if token is None:
            self.fail(f"{what} is missing", self.last, _HEADER, after=True)
        if not re.fullmatch(r"-?[0-9]{1,12}", token.text):
            self.fail(f"'{token.text[:60]}' is not a number", token, "a clause is numbers, ended by 0: 1 -2 3 0")
        return int(token.text)

    def fail(self, message: str, token: _Token | None, hint: str, *, after: bool = False) -> NoReturn:
        if token is None:
            raise FormatError(message, source=self.source, hint=hint)
        column, width = token.column, len(token.text)
        if after:
            column, width = column + width, 1
        raise FormatError(
            message, source=self.source, line=token.line, column=column, text=token.whole, width=width, hint=hint
        )


def read_formula(path: str | Path) -> Formula:
    source = str(path)
    try:
        text = Path(path).read_bytes().decode(errors="replace")
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source=source) from None
    return parse_formula(text, source)


def parse_formula(text: str, source: str = "<formula>") -> Formula:
    reader = _Reader(text, source)
    variables, count, header = _header(reader)
    clauses: list[tuple[int, ...]] = []
    clause: list[int] = []
    while (token := reader.next()) is not None:
        literal = reader.number("a literal", token)
        if abs(literal) > variables:
            reader.fail(f"there is no variable {abs(literal)}", token, f"the header declares {variables}")
        if literal == 0:
            clauses.append(tuple(clause))
            clause = []
            if len(clauses) > count:
                reader.fail(f"more than {count} clauses", token, "the header says how many there are")
        else:
            clause.append(literal)
    if clause:
        reader.fail("the last clause is not ended", reader.last, "a clause ends with 0", after=True)
    if len(clauses) < count:
        reader.fail(f"{len(clauses)} clauses, and the header says {count}", header, "each clause ends with 0")
    return Formula(variables, tuple(clauses))


def _header(reader: _Reader) -> tuple[int, int, _Token | None]:
    for word in ("p", "cnf"):
        token = reader.next()
        if token is None or token.text != word:
            reader.fail(f"'{word}' is missing", token or reader.last, _HEADER)
    numbers = []
    for what in ("the number of variables", "the number of clauses"):
        token = reader.next()
        number = reader.number(what, token)
        if not 0 <= number <= _LARGEST:
            reader.fail(f"{what} is {number}", token, f"it is between 0 and {_LARGEST}")
        numbers.append(number)
    return numbers[0], numbers[1], reader.last
