"""From text to syntax tree: comments are blanked, Lark reads the rest, its complaints become messages.

Lark is imported by the first call, not by this module: listing models must not pay for it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf.language.shapes import SHAPES
from porf.language.syntax import Place, Source, Tree

if TYPE_CHECKING:
    from lark import Lark

_UNSUPPORTED_WORDS = {
    "match": "match",
    "fun": "anonymous functions (fun)",
    "debug": "debug",
    "when": "let rec … when",
    "subset": "comparisons (subset)",
}
_UNSUPPORTED_SIGNS = {"++": "adding an element (++)", "->": "->"}
_UNSUPPORTED = re.compile(
    r"(?<![\w.\-'])(?P<word>" + "|".join(_UNSUPPORTED_WORDS) + r")(?![\w.\-'])"
    r"|(?P<sign>\+\+|->)"
)
_CAT_SKIP = re.compile(r'"[^"\n]*"|\(\*|//[^\n]*|#[^\n]*')
_KAT_SKIP = re.compile(r'"[^"\n]*"|//[^\n]*')
_BLOCK = re.compile(r"\(\*|\*\)")


def parse(source: Source) -> Tree:
    """The tree of one file; raises ModelError if the text is not a model of its dialect."""
    text = _blank_comments(source)
    if source.dialect == "cat":
        _refuse_unsupported(source, text)
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError

    from porf.language.tree_builder import Builder

    builder = Builder(source)
    try:
        tree = grammar(source.dialect).parse(text)
        return builder.build(tree)
    except UnexpectedToken as error:
        raise _unexpected_token(source, error) from None
    except UnexpectedCharacters as error:
        raise _unexpected_character(source, error) from None
    except VisitError as error:  # pragma: no cover - the builder raises ModelError itself
        raise error.orig_exc from None


@cache
def grammar(dialect: str) -> Lark:
    from lark import Lark

    path = Path(__file__).with_name(f"{dialect}.lark")
    text = path.read_text(encoding="utf-8").replace("SHAPES", "|".join(SHAPES))
    return Lark(text, parser="lalr", lexer="basic", maybe_placeholders=False, source_path=str(path))


def _blanks(text: str) -> str:
    return "".join(char if char == "\n" else " " for char in text)


def _blank_comments(source: Source) -> str:
    """The text with every comment turned into blanks, so that all positions stay."""
    skip = _CAT_SKIP if source.dialect == "cat" else _KAT_SKIP
    text, out, at = source.text, [], 0
    while match := skip.search(text, at):
        out.append(text[at : match.start()])
        end = match.end()
        if match.group().startswith('"'):
            out.append(match.group())
        else:
            if match.group() == "(*":
                end = _block_end(source, match.start())
            out.append(_blanks(text[match.start() : end]))
        at = end
    out.append(text[at:])
    return "".join(out)


def _block_end(source: Source, start: int) -> int:
    depth = 0
    for match in _BLOCK.finditer(source.text, start):
        depth += 1 if match.group() == "(*" else -1
        if depth == 0:
            return match.end()
    Place(source, start, start + 2).fail("this comment is never closed", "comments end with `*)` and nest")


def _refuse_unsupported(source: Source, text: str) -> None:
    bare = re.sub(r'"[^"\n]*"', lambda match: " " * len(match.group()), text)
    match = _UNSUPPORTED.search(bare)
    if match is None:
        return
    place = Place(source, match.start(), match.end())
    if match.group("sign"):
        place.fail(f"{_UNSUPPORTED_SIGNS[match.group()]} is not supported")
    place.fail(
        f"'{match.group()}' is not supported: {_UNSUPPORTED_WORDS[match.group()]}",
        "relations can be combined with let, let rec, functions and the operators",
    )


_OPERANDS = {"NAME", "ZERO", "LPAR", "LSQB", "UNIVERSE", "LBRACE", "BEGIN", "COMPLEMENT", "ROT"}
_OPERATORS = {"UNION", "INTERSECTION", "DIFFERENCE", "SEQUENCE", "STAR", "PLUS", "OPTIONAL", "INVERSE", "SYMMETRIC"}
_STATEMENTS = {
    "LET",
    "CHECK",
    "INCLUDE",
    "SHOW",
    "UNSHOW",
    "FLAG",
    "NOT_TEST",
    "UNDEFINED_UNLESS",
    "ASSERT",
    "CALL",
    "PROCEDURE",
    "FORALL",
    "ENUM",
    "DECLARE",
    "DISJOINT",
    "VIEW",
    "SAVE",
    "CLAIM",
    "EXPORT",
    "CONSTRAINT_CHECK",
    "COHERENCE",
    "REPORT",
    "RECOVERY",
}
_SHAPES = " or ".join([", ".join(list(SHAPES)[:-1]), list(SHAPES)[-1]])
_SIGNS = {
    "RPAR": "')'",
    "RSQB": "']'",
    "RBRACE": "'}'",
    "LPAR": "'('",
    "EQUAL": "'='",
    "AT_MOST": "'<='",
    "COMMA": "','",
    "STRING": 'a "string"',
    "IN": "'in'",
    "WITH": "'with'",
    "END": "'end'",
    "AS": "'as'",
    "AND": "'and'",
    "NAME": "a name",
    "CHECK": _SHAPES,
    "TOTAL": "'total'",
    "COLON": "':'",
    "GENMC": "'genmc'",
}


def _expected(accepts: set[str]) -> str:
    """What could stand here, in words; the closing sign of an open bracket first."""
    words = [
        _SIGNS[sign] for sign in ("RPAR", "RSQB", "RBRACE", "EQUAL", "AT_MOST", "IN", "WITH", "END") if sign in accepts
    ]
    if {"ZERO", "LSQB"} <= accepts:
        words.append("an expression")
    elif "NAME" in accepts:
        words.append("a name")
    if "UNION" in accepts:
        words.append("an operator")
    if {"LET", "INCLUDE"} <= accepts:
        words.append("a new statement")
    elif accepts & _STATEMENTS and "CHECK" in accepts:
        words.append(_SHAPES)
    if "STRING" in accepts and "LET" not in accepts:
        words.append('a "string"')
    if not words:
        words = [_SIGNS.get(name, name.lower()) for name in sorted(accepts - _OPERATORS - _OPERANDS)][:3]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _unexpected_token(source: Source, error: Any) -> Exception:
    accepts = set(error.accepts or error.expected)
    expected = _expected(accepts)
    hint = f"expected {expected}" if expected else None
    if error.token.type == "$END":
        end = len(source.text.rstrip())
        return Place(source, max(0, end - 1), end).error("the model ends in the middle of a statement", hint)
    start = error.token.start_pos
    place = Place(source, start, start + len(error.token))
    if error.token.type == "NAME" and "UNION" in accepts:
        hint = f"an operator such as `;` or `|` is missing before '{error.token}'"
    return place.error(f"unexpected '{error.token}'", hint)


def _unexpected_character(source: Source, error: Any) -> Exception:
    at = error.pos_in_stream
    char = source.text[at]
    place = Place(source, at, at + 1)
    hints = {
        '"': "a string must end on its line",
        "^": "the inverse is written r^-1" + (", the symmetric closure r^=" if source.dialect == "kat" else ""),
        "~": "kat has no complement; write `id \\\\ P` for the events outside P",
        "#": "kat comments start with `//`",
        "!": "the complement is written `~`",
        "∪": "the union is written `|`",
        "∩": "the intersection is written `&`",
        "∘": "composition is written `;`",
    }
    shown = f"'{char}'" if char.isprintable() else f"character U+{ord(char):04X}"
    return place.error(f"unexpected {shown}", hints.get(char))
