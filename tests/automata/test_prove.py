"""Statements: what holds, what fails with which counterexample, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import porf
from porf.automata.prove import Judgement, prove_text
from porf.checking.budget import Budget
from porf.errors import ModelError


def verdicts(text: str) -> list[str]:
    return [result.verdict for result in prove_text(text)]


def only(text: str) -> Judgement:
    (result,) = prove_text(text)
    return result


@pytest.mark.parametrize(
    "statement",
    [
        "rf <= po | rfe",
        "[R;W] = 0",
        "[R;ACQ];[R;RLX] = 0",
        "(rf | mo | fr)+ = rf | (mo | fr);rf?",
        "rmw <= po-loc",
        "rf;rf^-1;mo <= mo",
        "rf^-1;mo <= fr",
        "rf & any <= rf",
        "po & ([W];any;[R]) = [W];po;[R]",
        "po;rf & id <= rot (po-loc;rf)",
        "po & id <= rot (po;po)",
        "rf \\ rfi <= rfe",
        "rot (po;rf) & id <= rot (rf;po)",
        "mo <= moe | moi",
    ],
)
def test_holds(statement: str) -> None:
    assert verdicts(f"assert {statement}") == ["holds"]


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("ctrl <= po-loc", "[R] ; ctrl ; [W]"),
        ("[W];po;[R] <= rf", "[W] ; po ; [R]"),
        ("rf^-1;rf <= id", "[R] ; rf^-1 ; [W] ; rf ; [R]"),
        ("po <= po;po", None),
        ("fr;rf <= mo", "[R] ; fr ; [W] ; rf ; [R]"),
        ("(po | rf)+ & id <= rot (po | rf)", None),
    ],
)
def test_fails_with_an_execution(statement: str, word: str | None) -> None:
    result = only(f"assert {statement}")
    assert result.verdict == "fails"
    assert result.counterexample is not None
    assert result.counterexample.history is not None
    assert len(porf.loads(result.counterexample.history)) > 0
    assert word is None or result.counterexample.word == word


def test_what_no_program_has_is_said_so() -> None:
    result = only("assert po & id <= 0")
    assert result.verdict == "fails"
    assert result.counterexample is not None
    assert not result.counterexample.real
    assert "program order has a cycle" in result.counterexample.note


def test_a_fence_that_is_inserted_is_there_but_orders_nothing_by_itself() -> None:
    scheme = "assume [W];po;[R] <= [W];po;[F];po;[R]\n"
    assert verdicts(scheme + "assert [W];po;[R] <= 0") == ["fails"]
    assert verdicts(scheme + "assert [W];po;[R] <= po;[F];po") == ["holds"]
    assert verdicts(scheme + "assert [W];po;[R] <= po;[F;SC];po") == ["fails"]
    weak = "let tso = [R];po | po;[W] | rfe | mo | fr\n"
    assert verdicts(scheme + weak + "assert [W];po;[R] <= tso+") == ["fails"]
    strong = "let tso = [R];po | po;[W] | po;[F] | [F];po | rfe | mo | fr\n"
    assert verdicts(scheme + strong + "assert [W];po;[R] <= tso+") == ["holds"]


def test_schemes_chain() -> None:
    text = """relation a relation b
    assume [R];po;[W] <= [R];po;[F];po;[W]
    assume [R];po;[F] <= [R];po;[F;SC];po;[F]
    assert [R];po;[W] <= po;[F;SC];po;[F];po
    assert [R];po;[W] <= po;[F;SC];po;[F;SC];po;[F];po
    assert [R];po;[W] <= po;[F;RLX];po
    """
    first, second, third = prove_text(text)
    assert (first.verdict, second.verdict) == ("holds", "holds")
    # Every fence wants another one before it, so that no finite graph shows that this is false.
    assert third.verdict == "unknown"
    assert "without end" in third.why


def test_an_equality_is_used_both_ways() -> None:
    declared = "relation a relation b relation c\n"
    assert verdicts(declared + "assume a = b;c assert b;c <= a assert a <= b;c") == ["holds", "holds"]
    assert verdicts(declared + "assume b;c <= a assert b;c <= a assert a <= b;c") == ["holds", "fails"]


def test_the_order_of_assumptions_does_not_matter() -> None:
    facts = ["assume b <= a", "assume a;a <= a", "assume c <= b", "assume c;b = 0"]
    declared, asked = "relation a relation b relation c\n", "\nassert c;a;c <= a assert c;b <= 0 assert b;c <= b"
    expected = ["holds", "holds", "fails"]
    assert verdicts(declared + "\n".join(facts) + asked) == expected
    assert verdicts(declared + "\n".join(reversed(facts)) + asked) == expected


def test_totality_needs_a_step_that_is_no_loop() -> None:
    """Prop. 3.12 of the Kater paper would prove the first: s may be a loop at a lone event."""
    text = "relation r relation s assume total r "
    assert verdicts(text + "assert s & id <= rot (r;s)") == ["fails"]
    assert verdicts(text + "assert s;r & id <= rot (r;s)") == ["holds"]
    assert verdicts(text + "assert s;s;r & id <= rot (r;s)") == ["holds"]
    assert verdicts("relation r relation s assert s;s;r & id <= rot (r;s)") == ["fails"]


def test_cycles_are_compared_by_their_steps() -> None:
    """An empty path on the right is no cycle, as in Kater."""
    assert verdicts("assert po;rf & id <= (po;rf)?") == ["holds"]
    assert verdicts("assert po;rf & id <= mo?") == ["fails"]


def test_nothing_on_the_left_is_noted() -> None:
    assert "the left side is always empty" in only("predicate P disjoint P # R assert [P];fr <= po").note
    assert only("assert rf <= rf").note == ""


def test_recursion() -> None:
    text = "let rec r = s;[SC] and s = t;po | s;po and t = r?;[SC]\nassert r = [SC];po;[SC]"
    assert verdicts(text) == ["holds"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("assert pp <= po", "unknown name 'pp'", "did you mean 'po'?"),
        ("assume rff <= po", "unknown name 'rff'", "did you mean 'rf'?"),
        ("export acyclic ecco", "unknown name 'ecco'", "declare it"),
        ("assert rf & po <= po", "`&` of these relations is not a regular operation", "P & Q of predicates"),
        ("assert (po & id);rf <= po", "`&` inside `;` is not a regular operation", "outermost"),
        ("assert (rot po)+ <= po", "`rot` inside `+` is not a regular operation", "outermost"),
        ("let rec x = po;x\nassert x <= po", "'x' is not the first factor of a `;`", "first factor"),
        ("let rec x = po | (x;rf)*\nassert x <= po", "'x' occurs under `*` or `+`", "first factor"),
        ("predicate x\nlet x = po", "'x' is declared already", "another name"),
        ("disjoint R # po", "'po' is a relation", "predicates only"),
        ("assume total R", "`total` is for a primitive relation", "relation"),
        ("assume po <= rf;(mo | fr)", "does not say which of several paths", "one path"),
        ("assume [W];po <= [W];po;[F]", "it says what every such step leads to", "scheme"),
        ("assume rf;po <= mo;rf", "this assumption cannot be used", "shapes"),
        ('include "nowhere.kat"', "cannot find the included file", "beside this file"),
        ("assert po <=", "", ""),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError) as caught:
        prove_text(text)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert caught.value.line is not None and caught.value.column is not None


def test_an_assumption_that_follows_is_no_error() -> None:
    assert verdicts("relation a assume a;a <= a+ assert a;a <= a") == ["fails"]
    assert verdicts("assume rf;fr;mo <= mo | po assert rf;fr <= mo") == ["holds"]


def test_includes_may_have_any_ending_and_not_themselves(tmp_path: Path) -> None:
    (tmp_path / "one.inc").write_text("let x = po\n")
    (tmp_path / "one.kat").write_text('include "one.inc"\nassert one::x <= po\n')
    assert [result.verdict for result in porf.prove(tmp_path / "one.kat")] == ["holds"]
    (tmp_path / "loop.kat").write_text('include "loop.kat"\n')
    with pytest.raises(ModelError, match="includes itself"):
        porf.prove(tmp_path / "loop.kat")


def test_a_budget_that_ends_is_unknown() -> None:
    declared = "".join(f"predicate P{k}\n" for k in range(16))
    tests = " | ".join(f"[P{k}]" for k in range(16))
    (result,) = prove_text(f"{declared}assert ({tests});po <= po;({tests})", budget=Budget(seconds=0.001))
    assert result.verdict == "unknown"
    assert result.why


@pytest.mark.parametrize("operator", [";", "|", "| rf ;"])
def test_what_doubles_in_writing_is_read_once(operator: str) -> None:
    """Forty doublings are forty nodes; only automata know every path, and say that there are too many."""
    lines = "".join(f"let a{k + 1} = a{k} {operator} a{k}\n" for k in range(40))
    (result,) = prove_text(f"let a0 = po\n{lines}assert a40 <= po", budget=Budget(seconds=5))
    assert result.verdict == "holds" or "more than" in result.why


def test_an_error_is_shown_where_the_name_is_used() -> None:
    with pytest.raises(ModelError) as caught:
        prove_text("let x = po & id\nlet y = rf\nassert y;x <= po")
    assert (caught.value.line, caught.value.column) == (3, 10)
    assert "`&` inside `;`" in caught.value.message
