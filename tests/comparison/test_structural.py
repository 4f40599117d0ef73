"""Implications by shape alone: what is said to be within something else is so on every execution that was tried."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from porf.comparison.compare import compare
from porf.comparison.hierarchy import stored
from porf.comparison.structural import Argument, TooLongError, implied
from porf.comparison.terms import term_of
from porf.language import evaluate, parse_model
from porf.language.model_file import ModelFile
from porf.models import MODELS, find_model
from tests.checking.small_executions import modification_orders, random_execution

_LEAVES = ("po", "rf", "mo", "fr", "[W]", "[R]", "[geACQ]", "[SC]", "loc", "id", "rf^-1", "data", "0", "(W * R)")
_OPERATORS = ("{a} | {b}", "{a}; {b}", "{a}; {b}; {c}", "{a} & {b}", "{a} \\ {b}", "{a}+", "{a}?", "{a}*", "{a}^-1")


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(_LEAVES)
    a, b, c = (expression(rng, depth - 1) for _ in range(3))
    return f"({rng.choice(_OPERATORS).format(a=a, b=b, c=c)})"


def larger(rng: random.Random, text: str) -> str:
    """Often larger than the text, sometimes not: a part of a union, a closure, or another expression."""
    other = expression(rng, 1)
    return rng.choice(
        (f"({text} | {other})", f"({text})+", f"({other} | {text})+", f"({text})?", f"({text}; {other}?)")
    )


def pair_of(left: str, right: str) -> ModelFile:
    return parse_model(f'"m"\nempty {left} as left\nempty {right} as right\nlet a = {left}\nlet b = {right}', "m")


def test_what_is_within_is_within_on_random_executions() -> None:
    rng = random.Random(11)
    executions = [random_execution(rng, 6, 2, 2) for _ in range(25)]
    orders = [next(iter(modification_orders(g))) for g in executions]
    said = 0
    for _ in range(1500):
        text = expression(rng, 2)
        model = pair_of(*(text, larger(rng, text)) if rng.random() < 0.6 else (text, expression(rng, 2)))
        left, right = (term_of(axiom.node) for axiom in model.axioms)
        if not Argument().within(left, right):
            continue
        said += 1
        for g, order in zip(executions, orders, strict=True):
            mo = [pair for line in order for pair in itertools.pairwise(line)]
            found = evaluate(model, g, mo)
            assert found.relation("a") <= found.relation("b"), [axiom.text for axiom in model.axioms]
    assert said > 300


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("po", "(po | rf)+"),
        ("po; rf; po", "(po | rf)+"),
        ("po?; rf", "(po | rf)+"),
        ("[W]; po", "po"),
        ("[SC]; po", "[geACQ]; po"),
        ("(po | rf)+ & loc", "(po | rf | mo)+ & loc"),
        ("po \\ (W * R)", "po"),
        ("po \\ ((R | W) * R)", "po \\ (W * R)"),
        ("rf^-1; (po & loc)", "rf^-1; [W]; po"),
        ("po", "each(_, f)"),
        ("po+", "po*"),
    ],
)
def test_plain_inclusions(left: str, right: str) -> None:
    text = f'"m"\nlet f(o) = po | [o]\nempty {left} as left\nempty {right} as right'
    model = parse_model(text, "m")
    a, b = (term_of(axiom.node) for axiom in model.axioms)
    assert Argument().within(a, b)
    assert not Argument().within(b, a)


def test_the_steps_of_a_long_sequence_are_divided_once() -> None:
    """Not in all ways in which a chain can be divided, at every depth."""
    path = "; ".join(["(po | rf)+"] * 30)
    axioms = (f"irreflexive fr; {path} as no", f"irreflexive {path} as yes", "empty (po | rf | mo)+ as all")
    model = parse_model("\n".join(['"m"', *axioms]), "m")
    no, yes, everything = (term_of(axiom.node) for axiom in model.axioms)
    argument = Argument(500)
    assert not argument.within(no, everything)
    assert argument.within(yes, everything)
    with pytest.raises(TooLongError):
        Argument(20).within(no, everything)


def test_no_separated_pair_is_implied_and_the_usual_ones_are() -> None:
    found = set()
    for pair, entry in stored().entries.items():
        if implied(*(MODELS[name] for name in pair)) is not None:
            assert entry.included, pair
            found.add(pair)
    expected = {("sc", "tso"), ("sra", "ra"), ("ra", "rc20"), ("rc20", "relaxed"), ("ccv", "cc"), ("cm", "cc")}
    expected |= {("wra", "cc"), ("cc", "wra"), ("ccm", "cm"), ("ccm", "ccv"), ("ccm", "wccm")}
    expected |= {("sc", "ccm"), ("sra", "ccv"), ("ra", "cc")}  # since mo is total
    assert expected <= found


@pytest.mark.parametrize(
    ("strong", "weak", "holds"),
    [
        # What reads say of the order of writes, coherence says of mo.
        ("acyclic po | rf | mo | fr", "acyclic po | ((([W]; po & loc; rf^-1) \\ id))", True),
        # Without coherence of reads nothing says that it agrees with mo.
        ("acyclic po | rf | mo", "acyclic po | ((([W]; po & loc; rf^-1) \\ id))", False),
        # Another location: mo does not order them.
        ("acyclic po | rf | mo | fr", "acyclic po | ((([W]; po; rf^-1) \\ id))", False),
    ],
)
def test_a_relation_between_writes_of_one_location_is_within_mo(
    strong: str, weak: str, holds: bool, tmp_path: Path
) -> None:
    header = "(* Interprets: reads, writes *)\n"
    models = []
    for name, text in (("strong", strong), ("weak", weak)):
        (tmp_path / f"{name}.cat").write_text(f"{header}{text} as a\n")
        models.append(find_model(tmp_path / f"{name}.cat"))
    assert (implied(*models) is not None) == holds
    if holds:
        found = compare(*models, events=4)
        assert found.forth.holds and found.forth.counterexample is None
