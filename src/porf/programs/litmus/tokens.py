"""From text to tokens: C's and those of final conditions, without comments; the header comes before them."""

import re
from collections.abc import Callable, Collection
from typing import NamedTuple, NoReturn

from porf.programs.litmus.source import Source

_TOKEN = re.compile(
    r"""(?P<blank>[\s\ufeff]+|//[^\n]*)
      | (?P<comment>/\*|\(\*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![\w.]))
      | (?P<sign><<=|>>=|/\\|\\/|=>|\+\+|--|->|&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
      | (?P<string>"[^"\n]*")""",
    re.VERBOSE | re.ASCII,
)
_PARENTHESIS = re.compile(r"[()]")
_COMMENT = re.compile(r"/\*|\(\*")
_NESTED = re.compile(r"\(\*|\*\)")
_FIRST_LINE = re.compile(r"(?P<dialect>[A-Za-z]\w*)[ \t]+(?P<name>[^\s{]+)")
_INFORMATION = re.compile(r'"[^"]*"|[A-Za-z][\w.-]*[ \t]*=[^\n]*')


class Token(NamedTuple):
    kind: str  # name, number, sign, string, code (a table of columns), end
    text: str
    at: int


def header(source: Source, dialects: Collection[str]) -> tuple[str, str, int]:
    """The dialect and the name of the test, and where its initial state begins."""
    at = _skip(source, 0)
    first = _FIRST_LINE.match(source.text, at)
    if first is None:
        source.fail(at, "a litmus test begins with its dialect and its name", "for example: C MP+rel+acq")
    if first["dialect"] not in dialects:
        known = ", ".join(dialects)
        hint = "translate it to C: `C NAME`, then { } and P0 (atomic_int* x) { … }"
        message = f"this is a litmus test for {first['dialect']}; only {known} are read"
        source.fail(at, message, hint, len(first["dialect"]))
    at = _skip(source, first.end())
    while not source.text.startswith("{", at):
        line = _INFORMATION.match(source.text, at)
        if line is None:
            hint = 'only comments, a "title" and Key=value lines may come between the name and {; an empty state is {}'
            source.fail(min(at, len(source.text)), "the initial state { … } is missing", hint)
        at = _skip(source, line.end())
    return first["dialect"], first["name"], at


def tokens(source: Source, at: int, columns: Callable[[str, int], int] | None = None) -> list[Token]:
    """All tokens from this offset on; the last is of kind `end`. Code that is a table of columns is one token: what is
    between the initial state and where `columns` says that the table ends."""
    out: list[Token] = []
    text, match = source.text, _TOKEN.match
    depth = groups = 0  # of braces: those of the first group are the initial state, those of others are code
    while at < len(text):
        found = match(text, at)
        kind = found.lastgroup if found is not None else None
        if found is None or kind is None:
            _unknown(source, at)
        end = found.end()
        if kind == "comment":
            if text[at] == "(" and depth and groups > 1 and not _commented(text, end):
                out.append(Token("sign", "(", at))
                end = at + 1
            else:
                end = _comment_end(source, at)
        elif kind != "blank":
            word = text[at:end]
            if word == "{":
                groups += depth == 0
                depth += 1
            elif word == "}":
                depth -= 1
            out.append(Token(kind, word, at))
            if word == "}" and depth == 0 and groups == 1 and columns is not None:
                at, end = end, columns(text, end)
                out.append(Token("code", uncommented(source, at, end), at))
        at = end
    out.append(Token("end", "", out[-1].at + len(out[-1].text)))
    return out


def _commented(text: str, after: int) -> bool:
    """In code, `(*` opens a comment if the parenthesis that closes it has a star; else it is C, as in `(*x)++`."""
    depth = 1
    for found in _PARENTHESIS.finditer(text, after):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return text[found.start() - 1] == "*" and found.start() > after
    return False


def uncommented(source: Source, at: int, end: int) -> str:
    """This part of the text, with blanks for its comments."""
    text, after = source.text[at:end], 0
    while begin := _COMMENT.search(text, after):
        after = min(_comment_end(source, at + begin.start()) - at, len(text))
        text = text[: begin.start()] + re.sub(r"\S", " ", text[begin.start() : after]) + text[after:]
    return text


def _comment_end(source: Source, at: int) -> int:
    """Where the comment that begins here ends; those of herd's own kind nest."""
    if source.text.startswith("/*", at):
        end = source.text.find("*/", at + 2)
        if end < 0:
            source.fail(at, "this comment is never closed", "close it with */", 2)
        return end + 2
    depth, after = 0, at
    while found := _NESTED.search(source.text, after):
        depth += 1 if found[0] == "(*" else -1
        after = found.end()
        if depth == 0:
            return after
    source.fail(at, "this comment is never closed", "close it with *)", 2)


def _skip(source: Source, at: int) -> int:
    """The first offset from here on that is neither blank nor in a comment."""
    while (found := _TOKEN.match(source.text, at)) and found.lastgroup in ("blank", "comment"):
        at = found.end() if found.lastgroup == "blank" else _comment_end(source, at)
    return at


def _unknown(source: Source, at: int) -> NoReturn:
    char = source.text[at]
    if char == "#":
        source.fail(at, "a litmus test has no preprocessor", "write out what the directive stands for")
    if char == '"':
        source.fail(at, "this string is never closed", 'close it with "')
    if char.isdigit():
        source.fail(at, "this number cannot be read", "integers are written 12, 0xff or 7UL; there are no floats")
    if char == "'":
        source.fail(at, "characters are not supported", "write the number of the character")
    source.fail(at, f"'{char}' means nothing in a litmus test")
