"""The two grammars: where they agree, where they bind differently, and how they refuse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porf.errors import ModelError
from porf.language import load_model_file, parse_model, read_header
from porf.language import syntax as s
from porf.language.model_file import BUNDLED
from porf.language.parse import parse

SIGNS = {"union": "|", "intersection": "&", "difference": "\\", "sequence": ";", "product": "x"}


def shape(node: s.Expression) -> str:
    """The tree with every bracket."""
    match node:
        case s.Binary():
            return f"({shape(node.left)}{SIGNS[node.operator]}{shape(node.right)})"
        case s.Unary():
            return f"{node.operator}({shape(node.operand)})"
        case s.Name():
            return node.name
        case s.Apply():
            return f"{node.function}<{','.join(map(shape, node.arguments))}>"
        case s.Empty():
            return "0"
        case s.Universe():
            return "_"
    return type(node).__name__


def tree(expression: str, dialect: str) -> str:
    statement = parse(s.Source("t", f"let r = {expression}", dialect)).statements[0]
    assert isinstance(statement, s.Define)
    return shape(statement.bindings[0].body)


@pytest.mark.parametrize(
    ("text", "cat", "kat"),
    [
        ("a;b & c", "(a;(b&c))", "((a;b)&c)"),
        ("a | b;c", "(a|(b;c))", "(a|(b;c))"),
        ("a \\ b & c", "(a\\(b&c))", "((a\\b)&c)"),
        ("a & b \\ c", "((a&b)\\c)", "((a&b)\\c)"),
        ("a;b \\ c", "(a;(b\\c))", "((a;b)\\c)"),
        ("a;b;c", "(a;(b;c))", "((a;b);c)"),
        ("a\\b\\c", "((a\\b)\\c)", "((a\\b)\\c)"),
        ("a|b|c", "(a|(b|c))", "((a|b)|c)"),
        ("a;b+", "(a;plus(b))", "(a;plus(b))"),
        ("a+?^-1", "inverse(optional(plus(a)))", "inverse(optional(plus(a)))"),
        ("[A];b*", "(test(A);star(b))", "(test(A);star(b))"),
        ("0 | (a)", "(0|a)", "(0|a)"),
    ],
)
def test_binding_strength(text: str, cat: str, kat: str) -> None:
    assert tree(text, "cat") == cat
    assert tree(text, "kat") == kat


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A*B", "(AxB)"),
        ("a* | b", "(star(a)|b)"),
        ("r & A*B", "(r&(AxB))"),
        ("_*B", "(_xB)"),
        ("f(a,b);c", "(f<a,b>;c)"),
        ("f a | b", "(f<a>|b)"),
        ("range r+", "plus(range<r>)"),
        ("~a & b", "(complement(a)&b)"),
        ("{}", "0"),
        ("po-loc | DMB.SY | ii'", "(po-loc|(DMB.SY|ii'))"),
        ("begin a | b end ; c", "((a|b);c)"),
    ],
)
def test_cat_only(text: str, expected: str) -> None:
    assert tree(text, "cat") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("r^=", "symmetric(r)"), ("rot a;b", "(rotations(a);b)"), ("m::a;[]", "(m::a;id)"), ("a-1", "a-1")],
)
def test_kat_only(text: str, expected: str) -> None:
    assert tree(text, "kat") == expected


def test_kat_statements_become_axioms_or_claims() -> None:
    text = """// a kat file
    let hb = [R|W];(po | rf)+
    view v = hb
    assume po;po <= po
    assume total mo
    assert hb = hb+
    acyclic po | rf
    export acyclic hb unless po <= rf (genmc: "x")
    export coherence v
    export mo & id <= 0
    export warning W unless po = 0
    empty rf & id
    disjoint R # W
    save[x] w = hb
    check hb <=&id po
    """
    model = parse_model(text, "m", "kat")
    assert [axiom.name for axiom in model.axioms] == [
        "acyclic po | rf",
        "acyclic hb",
        "coherence",
        "empty mo & id",
        "empty rf & id",
    ]
    claims = [node for node in parse(s.Source("m", text, "kat")).statements if isinstance(node, s.Claim)]
    assert [claim.kind for claim in claims] == ["assume", "assume", "assert", "assert"]


def test_kat_names_of_included_files_are_qualified(tmp_path: Path) -> None:
    (tmp_path / "base.kat").write_text("let hb = po | rf\nlet twice = hb;hb\n")
    (tmp_path / "top.kat").write_text('include "base.kat"\nlet hb = po\nacyclic base::twice | hb\n')
    model = load_model_file(tmp_path / "top.kat")
    assert set(model.relations) == {"base::hb", "base::twice", "hb"}


ERRORS = [
    ("let a = (po", 1, 11, "ends in the middle", "expected ')'"),
    ("let a = po ) rf", 1, 12, "unexpected ')'", "new statement"),
    ("let = po", 1, 5, "unexpected '='", "a name"),
    ("acyclic", 1, 7, "ends in the middle", "an expression"),
    ("let a = po rf", 1, 9, "'po' is not a function", "missing"),
    ("let a = po ; ; rf", 1, 14, "unexpected ';'", "an expression"),
    ("let hb = pp | rf", 1, 10, "unknown name 'pp'", "did you mean 'po'"),
    ("let hb = po\nacyclic hbb", 2, 9, "unknown name 'hbb'", "did you mean 'hb'"),
    ("acyclic [po]", 1, 10, "po is a relation; `[..]` needs a set", "without brackets"),
    ("acyclic W;po", 1, 9, "W is a set; `;` joins relations", "[W]"),
    ("acyclic po | W", 1, 14, "W is a set", "[W]"),
    ("acyclic W", 1, 9, "W is a set; `acyclic` tests a relation", "[W]"),
    ("let a = W+", 1, 9, "`+` needs a relation", "[W]"),
    ("let a = po*rf", 1, 9, "needs two sets", "closure"),
    ("let f(a,b) = a\nlet c = f(po)", 2, 9, "takes 2 arguments, not 1", "f(a, b)"),
    ("let a = fencerel(po)", 1, 18, "needs a set", "F"),
    ("let f(a) = a\nacyclic f", 2, 9, "is a function", "apply it"),
    ("let rec f(x) = f(x)", 1, 9, "recursive functions", ""),
    ("with rf from generate(x)", 1, 1, "(with … from)", ""),
    ("let a = match x with end", 1, 9, "'match' is not supported", ""),
    ("enum E = 'A || 'Bee", 1, 1, "the orders of C have no events with the tag 'Bee", ""),
    ("let a = x ++ y", 1, 11, "(++) is not supported", ""),
    ("let a = tag2events('x)", 1, 20, "unexpected ''x'", ""),
    ("(* open", 1, 1, "never closed", "*)"),
    ("let a = po ∪ rf", 1, 12, "unexpected '∪'", "`|`"),
    ("let a = po^2", 1, 11, "unexpected '^'", "r^-1"),
    ('include "nowhere.cat"', 1, 9, "cannot find", "bundled"),
    (f'include "{"long" * 100}.cat"', 1, 9, "cannot find", "bundled"),
]


@pytest.mark.parametrize(("text", "line", "column", "message", "hint"), ERRORS)
def test_errors_point_and_help(text: str, line: int, column: int, message: str, hint: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert message in error.message
    assert hint in (error.hint or "")
    assert error.text == text.splitlines()[line - 1]
    assert "^" in str(error)


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text('include "b.cat"\nacyclic x as ax\n')
    (tmp_path / "b.cat").write_text('include "cos.cat"\nlet x = po | rf\n')
    assert [axiom.name for axiom in load_model_file(tmp_path / "a.cat").axioms] == ["ax"]
    (tmp_path / "bundled.cat").write_text('include "ra.cat"\nempty rmw as no-updates')
    assert [axiom.name for axiom in load_model_file(tmp_path / "bundled.cat").axioms][-2:] == [
        "atomicity",
        "no-updates",
    ]
    (tmp_path / "b.cat").write_text('include "a.cat"\n')
    with pytest.raises(ModelError, match="includes itself"):
        load_model_file(tmp_path / "a.cat")


def test_an_error_inside_an_include_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text('\n\ninclude "b.cat"\n')
    (tmp_path / "b.cat").write_text("let x = pox")
    with pytest.raises(ModelError) as caught:
        load_model_file(tmp_path / "a.cat")
    assert caught.value.source == str(tmp_path / "b.cat")


def test_files_that_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "d.cat").mkdir()
    (tmp_path / "latin.cat").write_bytes(b"(* caf\xe9 *)")
    (tmp_path / "bad.cat").write_text("(* Events: three *)")
    (tmp_path / "locks.cat").write_text("(* Interprets: reads, locks *)")
    for name, message in [
        ("d.cat", "directory"),
        ("latin.cat", "not UTF-8"),
        ("none.cat", "no such"),
        ("x.txt", ".cat or .kat"),
        ("bad.cat", "Events: three"),
        ("locks.cat", "Interprets: locks"),
    ]:
        with pytest.raises(ModelError, match=message):
            load_model_file(tmp_path / name)


@pytest.mark.parametrize("text", ["let a = " + "(" * 5000 + "po" + ")" * 5000, "let a = " + "~" * 5000 + "po"])
def test_deep_nesting_is_refused_or_read(text: str) -> None:
    try:
        parse_model(text)
    except ModelError as error:
        assert "nested too deeply" in str(error)


def test_functions_that_double_are_refused() -> None:
    levels = "".join(f"let f{k + 1}(x) = f{k}(x;po) | f{k}(x;rf)\n" for k in range(40))
    with pytest.raises(ModelError, match="without end"):
        parse_model(f"let f0(x) = x\n{levels}acyclic f40(po)")


@pytest.mark.parametrize("operator", ["|", "&", "\\", ";"])
def test_what_doubles_in_writing_is_shared(operator: str) -> None:
    """Forty levels would be 10^12 nodes if equal parts were not one."""
    names = "".join(f"let a{k + 1} = a{k} {operator} a{k}\n" for k in range(40))
    functions = "".join(f"let f{k + 1}(x) = f{k}(x) {operator} f{k}(x)\n" for k in range(40))
    model = parse_model(f"let a0 = po\n{names}let f0(x) = x\n{functions}acyclic a40\nacyclic f40(po)")
    assert len(model.compiled.code) == 41
    assert model.axioms[0].node is model.axioms[1].node


def test_a_long_union_is_no_problem() -> None:
    assert parse_model("acyclic " + " | ".join(["po", "rf"] * 200)).axioms


@given(st.text(alphabet="()[]{}|&;\\^-1+*?~_0 \n\"'.,=#/abpoRW", max_size=60))
@settings(max_examples=300, deadline=None)
def test_noise_is_a_model_or_a_model_error(text: str) -> None:
    for dialect in ("cat", "kat"):
        try:
            parse_model(text, dialect=dialect)
        except ModelError as error:
            assert "Unexpected" not in str(error) and "lark" not in str(error).lower()


WORDS = [
    "let",
    "rec",
    "and",
    "in",
    "acyclic",
    "irreflexive",
    "empty",
    "as",
    "flag",
    "show",
    "include",
    "po",
    "rf",
    "mo",
    "W",
    "R",
    "hb",
    "f",
    "(",
    ")",
    "[",
    "]",
    "|",
    ";",
    "&",
    "\\",
    "+",
    "*",
    "?",
    "^-1",
    "~",
    "=",
    ",",
    "0",
    "_",
    "try",
    "with",
]


@given(st.lists(st.sampled_from(WORDS), max_size=25), st.sampled_from(("cat", "kat")))
@settings(max_examples=500, deadline=None)
def test_shuffled_words_are_a_model_or_a_model_error(words: list[str], dialect: str) -> None:
    try:
        parse_model(" ".join(words), dialect=dialect)
    except ModelError as error:
        str(error)


@pytest.mark.parametrize("name", ["sc", "tso", "pso", "rmo", "ra", "sra", "wra", "rc20", "relaxed"])
def test_bundled_models_say_where_they_come_from(name: str) -> None:
    model = load_model_file(BUNDLED / f"{name}.cat")
    header = read_header(BUNDLED / f"{name}.cat")
    assert model.title == header.title and model.source == header.source
    assert header.source and ("Fig. 2" in header.source or "Section 4.2" in header.source)
    assert model.view == "one"
    assert all(axiom.monotone and axiom.restrictable for axiom in model.axioms)


def test_headers_in_both_dialects(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text('C "From herd"\n(* Source: somewhere\n   Events: two *)\nlet x = po')
    (tmp_path / "b.kat").write_text(
        "// Title: From Kater\n// Source: elsewhere, Fig. 1\nlet x = po\n// Title: not this"
    )
    cat, kat = read_header(tmp_path / "a.cat"), read_header(tmp_path / "b.kat")
    assert (cat.title, cat.source, cat.view) == ("From herd", "somewhere", "two")
    assert (kat.title, kat.source, kat.view) == ("From Kater", "elsewhere, Fig. 1", "one")


def test_headers_do_not_import_the_parser() -> None:
    code = "import sys, porf.language as l; l.read_header(sys.argv[1]); print('lark' in sys.modules)"
    path = str(BUNDLED / "sc.cat")
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
