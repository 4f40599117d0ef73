"""Every operator and base name against the naive evaluator; recursion, functions, flags, shortest cycles."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from porf._core import Check
from porf.errors import ModelError, UsageError
from porf.evidence.data import Edge
from porf.execution import UNKNOWN, Execution
from porf.language import evaluate, parse_model
from porf.language import relation as r
from porf.language.parse import grammar
from porf.language.shapes import SHAPES, Shape
from tests.checking.small_executions import execution, random_execution
from tests.language.naive_relations import Naive, random_relation, text_of


def random_order(rng: random.Random, g: Execution) -> set[tuple[int, int]]:
    """A partial modification order: some pairs of a random total one."""
    pairs = set()
    for x in range(g.locations):
        line = [e for e in range(len(g)) if g.loc[e] == x and g.writes(e)]
        rng.shuffle(line)
        pairs |= {(a, b) for a, b in itertools.pairwise(line) if rng.random() < 0.8}
    return pairs


@pytest.mark.parametrize("seed", range(8))
def test_expressions_mean_what_sets_of_pairs_say(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        expressions = [random_relation(rng, 3) for _ in range(6)]
        model = parse_model("\n".join(f"let r{k} = {text_of(e)}" for k, e in enumerate(expressions)))

        g = random_execution(rng, rng.choice((1, 5, 12)), 3, 2, (4, 4, 2, 2))
        mo = random_order(rng, g)
        naive, found = Naive(g, mo), evaluate(model, g, mo)
        for k, e in enumerate(expressions):
            assert found.relation(f"r{k}") == naive.relation(e), text_of(e)


def test_more_events_than_a_word_holds() -> None:
    rng = random.Random(1)
    g = random_execution(rng, 80, 4, 3, (4, 4, 1, 1))
    mo = random_order(rng, g)
    naive = Naive(g, mo)
    for e in (
        "po",
        "fr",
        ("\\", "ext", "loc"),
        (";", "rf", "po-loc"),
        ("~", "int"),
        ("*", "rf"),
        ("product", "F", "W"),
    ):
        assert evaluate(parse_model(f"let r = {text_of(e)}"), g, mo).relation("r") == naive.relation(e)


SB = execution([(0, 1, 0, 1, -1), (0, 0, 1, 1, -1), (1, 1, 1, 1, -1), (1, 0, 0, 1, -1)], 2, 2)
CHAIN = execution([(0, 1, 0, 1, -1), (1, 2, 0, 1, 0), (2, 2, 0, 1, 1), (3, 0, 0, 1, 2)], 4, 1)


def relation(text: str, g: Execution = SB, dialect: str = "cat") -> set[tuple[int, int]]:
    return evaluate(parse_model(text, dialect=dialect), g, []).relation("r")


def test_let_rec_is_the_least_fixpoint() -> None:
    assert relation("let rec r = rf | r;rf", CHAIN) == relation("let r = rf+", CHAIN)
    mutual = "let rec even = id | odd;rf and odd = even;rf  let r = odd"
    assert relation(mutual, CHAIN) == relation("let r = rf;(rf;rf)*", CHAIN)


def test_let_rec_of_sets() -> None:
    assert relation("let rec reached = IW | range([reached];rf)  let r = [reached]", CHAIN) == {(-1, -1)}
    grows = "let rec s = (W & range([_];po)) | range([s];rf)  let r = [s]"
    assert relation(grows, CHAIN) == {(0, 0), (1, 1), (2, 2), (3, 3)}


def test_a_recursion_that_never_settles_is_an_error() -> None:
    with pytest.raises(ModelError, match="never reaches a fixpoint"):
        relation("let rec r = po \\ r")


def test_functions_scopes_and_shadowing() -> None:
    assert relation("let f(a,b) = a;b  let r = f(po, rf^-1)") == relation("let r = po;rf^-1")
    assert relation("let f a = a^-1  let r = f po") == relation("let r = po^-1")
    assert relation("let x = po  let f(a) = a | x  let x = 0  let r = f(rf)") == relation("let r = rf | po")
    assert relation("let po = po & loc  let r = po") == relation("let r = po-loc")
    assert relation("let r = let x = po in let y = rf in x | y") == relation("let r = po | rf")
    assert relation("let r = try MFENCE-thing with rf") == relation("let r = rf")
    assert relation("let r = try po with rf") == relation("let r = po")


def test_flags_report_and_never_reject() -> None:
    model = parse_model("flag ~empty fr as reads-old  flag empty fr as quiet  undefined_unless empty po as po")
    found = evaluate(model, SB, [])
    assert found.violated == []
    assert found.flags == ["reads-old", "po"]
    assert all(axiom.flagged for axiom in model.axioms)


def test_violated_axioms_in_file_order_with_readable_names() -> None:
    model = parse_model("acyclic (po | rf | fr)\n~empty 0 as never\nirreflexive po\nempty (po ;\n rf^-1)")
    assert evaluate(model, SB, []).violated == ["acyclic po | rf | fr", "never", "empty po ; rf^-1"]
    assert evaluate(model, SB, []).cycle("never") == ()
    with pytest.raises(UsageError, match="did you mean 'never'"):
        evaluate(model, SB, []).cycle("nevr")


def test_the_shortest_cycle_is_told_in_base_edges() -> None:
    both = "let hb = (po | rf)+  let eco = (rf | mo | fr)+  irreflexive hb;hb;hb;eco;hb;eco as deep"
    assert evaluate(parse_model("acyclic po-loc | fre | po as sb"), SB, []).cycle("sb") == (
        Edge(0, "po", 1),
        Edge(1, "fr", 2),
        Edge(2, "po", 3),
        Edge(3, "fr", 0),
    )
    longer = execution(
        [(0, 1, 0, 1, -1), (0, 1, 0, 1, -1), (0, 1, 1, 1, -1), (0, 0, 0, 1, -1), *[(1, 0, 1, 1, 2)] * 2], 2, 2
    )
    found = evaluate(parse_model("irreflexive po+;po;fr as old"), longer, [(0, 1)])
    assert len(found.cycle("old")) == 3
    assert parse_model(both).axioms[0].restrictable


def cheapest(e: Any, naive: Naive) -> dict[tuple[int, int], int]:
    """For each pair of an expression the fewest base edges that make it."""
    if isinstance(e, str):
        return {pair: int(e != "id") for pair in naive.relation(e)}
    if e[0] == "[]":
        return dict.fromkeys(naive.relation(e), 0)
    left = cheapest(e[1], naive)
    if e[0] == "^-1":
        return {(b, a): cost for (a, b), cost in left.items()}
    if e[0] == "|":
        right = cheapest(e[2], naive)
        return {pair: min(left.get(pair, 99), right.get(pair, 99)) for pair in left | right}
    right = left if e[0] == "+" else cheapest(e[2], naive)
    out = dict(left) if e[0] == "+" else {}
    while True:
        found = dict(out)
        for (a, b), first in (out if e[0] == "+" else left).items():
            for (c, d), second in right.items():
                if b == c and first + second < found.get((a, d), 99):
                    found[a, d] = first + second
        if e[0] != "+" or found == out:
            return found
        out = found


@pytest.mark.parametrize("seed", range(6))
def test_no_cycle_is_shorter_than_the_one_shown(seed: int) -> None:
    rng = random.Random(seed)
    shown = 0

    def step(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.2:
            return rng.choice(("po", "rf", "mo", "fr", "po", "data", (";", ("[]", "W"), "po")))
        operator = rng.choice(("|", ";", "+", "^-1"))
        return (operator, *(step(depth - 1) for _ in range(2 if operator in "|;" else 1)))

    for _ in range(60):
        e = step(3)
        g = random_execution(rng, 7, 3, 2)
        mo = random_order(rng, g)
        found = evaluate(parse_model(f"irreflexive {text_of(e)} as c"), g, mo)
        costs = cheapest(e, Naive(g, mo))
        loops = [cost for (a, b), cost in costs.items() if a == b]
        assert bool(loops) == bool(found.violated)
        if loops and min(loops) > 0:
            cycle = found.cycle("c")
            assert len(cycle) == min(loops)
            assert all(a.target == b.source for a, b in itertools.pairwise((*cycle, cycle[0])))
            shown += 1
    assert shown


def test_built_in_relations_can_be_asked_for() -> None:
    found = evaluate(parse_model("acyclic po"), SB, [])
    assert found.relation("fr") == {(1, 2), (3, 0)}
    assert found.relation("IW") == {(-1, -1), (-2, -2)}
    with pytest.raises(ModelError, match="did you mean 'fre'"):
        found.relation("free")


def test_walking_rf_backwards_and_pairs_that_need_not_close() -> None:
    two = execution([(0, 2, 0, 1, -1), (1, 2, 0, 1, -1)], 2, 1)
    model = parse_model("empty ([U]; rf^-1; rf; [U]) \\ id as shared")
    cycle = evaluate(model, two, []).cycle("shared")
    assert cycle == (Edge(0, "rf^-1", -1), Edge(-1, "rf", 1))


def test_cycles_through_recursion_and_intersections() -> None:
    model = parse_model("acyclic (po & (po;id)) | (loc & fr & _*W) as c")
    assert [edge.relation for edge in evaluate(model, SB, []).cycle("c")] == ["po", "fr", "po", "fr"]
    model = parse_model("let rec walk = (po | fr) | walk;(po | fr)  irreflexive walk as c")
    assert [edge.relation for edge in evaluate(model, SB, []).cycle("c")] == ["po", "fr", "po", "fr"]


def test_an_unknown_writer_has_no_edge() -> None:
    g = execution([(0, 0, 0, 1, UNKNOWN), (0, 0, 0, 1, -1)], 1, 1)
    assert relation("let r = rf", g) == {(-1, 1)}


def test_two_events_split_an_update() -> None:
    text = "(* Events: two *)\nlet r = ([R];rmw;[W]) & po  let s = [U]  acyclic po | rf | mo | fr as sc"
    model = parse_model(text)
    assert model.view == "two"
    found = evaluate(model, CHAIN, [(0, 1), (1, 2)])
    assert found.relation("r") == {(1, 1), (2, 2)}
    assert found.violated == []
    assert evaluate(model, CHAIN, [(2, 1)]).violated == ["sc"]
    assert evaluate(model, CHAIN, [(2, 1)]).cycle("sc")


def split_updates(g: Execution) -> tuple[Execution, list[int]]:
    """Every update as two rows, and the old row of each new one."""
    old = [e for e in range(len(g)) for _ in range(2 if g.op[e] == 2 else 1)]
    first = {e: old.index(e) for e in set(old)}
    last = {e: len(old) - 1 - old[::-1].index(e) for e in set(old)}
    rows = []
    for row, e in enumerate(old):
        op = int(g.op[e]) if g.op[e] != 2 else int(row != first[e])
        rf = int(g.rf[e])
        rows.append((int(g.thread[e]), op, int(g.loc[e]), 1, -1 if op == 1 or rf < 0 else last[rf]))
    dependencies = {}
    for kind, (sources, targets) in g.dependencies.items():
        pairs = [(first[int(a)], last[int(b)]) for a, b in zip(sources, targets, strict=True)]
        if kind != "data":  # data feeds what is written, the others both halves
            pairs += [(first[int(a)], first[int(b)]) for a, b in zip(sources, targets, strict=True)]
        dependencies[kind] = pairs
    return execution(rows, g.threads, g.locations, dependencies), old


@pytest.mark.parametrize("seed", range(4))
def test_two_events_are_two_rows(seed: int) -> None:
    rng = random.Random(seed)
    names = ["po", "rf", "mo", "fr", "loc", "int", "ext", "addr", "data", "ctrl", "R", "W", "F", "M"]
    text = "\n".join(f"let r{k} = {name} " for k, name in enumerate(names)) + "let s = [R];po;[W];mo;rf^-1;addr*"
    for _ in range(15):
        g = random_execution(rng, 7, 3, 2, (2, 2, 4, 1))
        apart, old = split_updates(g)
        mo = random_order(rng, g)
        last = {e: row for row, e in enumerate(old)}
        two = evaluate(parse_model("(* Events: two *)" + text), g, mo)
        one = evaluate(parse_model(text), apart, [(last[a], last[b]) for a, b in mo])
        for name in [*(f"r{k}" for k in range(len(names))), "s"]:
            merged = {(a if a < 0 else old[a], b if b < 0 else old[b]) for a, b in one.relation(name)}
            assert two.relation(name) == merged, name


@pytest.mark.parametrize(
    ("text", "monotone"),
    [
        ("acyclic po | rf | mo", True),
        ("acyclic po \\ (W*R)", True),
        ("acyclic po \\ (po;[F];po)", False),
        ("empty mo \\ (mo;mo)", False),
        ("empty ~loc & po", True),
        ("~empty po", False),
        ("irreflexive ~(mo;rf)", False),
    ],
)
def test_monotone_axioms(text: str, monotone: bool) -> None:
    model = parse_model(text)
    assert model.axioms[0].monotone is monotone
    assert model.monotone is monotone


def test_what_a_cycle_does_not_show_makes_it_unrestrictable() -> None:
    assert not parse_model("empty (po;rf) & (mo;rf)").axioms[0].restrictable
    assert not parse_model("empty [domain(rf;po)];po").axioms[0].restrictable
    assert parse_model("empty (po;rf) & loc & po").axioms[0].restrictable


# each(S, f)


def test_each_is_the_union_over_the_events_of_a_set() -> None:
    assert relation("let f(o) = [o];po  let r = each(_, f)") == relation("let r = po")
    assert relation("let f(o) = [o];po  let r = each(R, f)") == relation("let r = [R];po")
    assert relation("let f(o) = o  let r = [each(W, f)]") == relation("let r = [W]")
    assert relation("let f(o) = po  let r = each(F, f)") == set()
    assert relation("let f(o) = 0  let r = each(_, f)") == set()
    # Neither of these says the same as its body for all events at once.
    assert relation("let f(o) = (_ \\ o)*(_ \\ o)  let r = each(W, f)") == relation("let r = _*_")
    assert relation("let g(o) = let f(p) = o*p in each(R, f)  let r = each(W, g)") == relation("let r = W*R")


def test_a_recursion_for_each_event_and_each_in_a_recursion() -> None:
    inside = "let f(o) = let rec v = [o];rf | v;rf in v  let r = each(_, f)"
    assert relation(inside, CHAIN) == relation("let r = rf+", CHAIN)
    around = "let f(o) = [o];rf  let rec r = each(_, f) | r;each(_, f)"
    assert relation(around, CHAIN) == relation("let r = rf+", CHAIN)
    through = "let rec r = rf | (let f(o) = r;[o];r in each(_, f))"
    assert relation(through, CHAIN) == relation("let r = rf+", CHAIN)


@pytest.mark.parametrize("seed", range(6))
def test_the_cycle_through_each_is_as_short_as_without_it(seed: int) -> None:
    """The same relation said for one middle event at a time, nested and in a recursion, costs the same edges."""
    rng = random.Random(seed)
    plain = "let hb = (po | rf)+  irreflexive fr; hb; hb as c  acyclic po | rf | fr; po as d"
    each = """
    let before(o) = (let rec v = (po | rf);[o] | (po | rf);v in v)
    let middle(o) = before(o); (let rec v = [o];(po | rf) | v;(po | rf) in v)
    let twice(o) = fr; middle(o)
    irreflexive each(_, twice) as c
    let inner(o) = let pair(p) = [o];(po | rf | fr; po);[p] in each(_, pair)
    let rec walk = each(_, inner) | (let f(o) = walk;[o];each(_, inner) in each(_, f))
    irreflexive walk as d
    """
    one, other = parse_model(plain), parse_model(each)
    shown = 0
    for _ in range(25):
        g = random_execution(rng, 7, 3, 2)
        mo = random_order(rng, g)
        first, second = evaluate(one, g, mo), evaluate(other, g, mo)
        assert first.violated == second.violated
        for name in first.violated:
            cycle = second.cycle(name)
            assert len(cycle) == len(first.cycle(name))
            assert all(a.target == b.source for a, b in itertools.pairwise((*cycle, cycle[0])))
            shown += 1
    assert shown


@pytest.mark.parametrize(
    ("body", "over", "monotone", "restrictable"),
    [
        ("[o];po;rf", "_", True, True),
        ("po;[o];rf", "_", True, True),
        ("po;rf", "_", True, True),
        ("let rec v = po | v;[o];v in v", "_", True, True),
        ("po;rf", "R", True, False),  # nothing shows that there is a read
        ("po \\ (o*_)", "_", True, False),  # nothing shows the event that is left out
        ("[_ \\ o];po", "_", True, False),
        ("[~o];po", "_", True, False),
        ("po;[domain(rf;[o])]", "_", True, False),
        ("po;[o]", "domain(po)", True, False),
        ("po;[o]", "W \\ domain(po)", False, False),
        ("po \\ (po;[o];po)", "_", False, False),
    ],
)
def test_what_each_keeps_of_its_body(body: str, over: str, monotone: bool, restrictable: bool) -> None:
    axiom = parse_model(f"let f(o) = {body}  empty each({over}, f)").axioms[0]
    assert (axiom.monotone, axiom.restrictable) == (monotone, restrictable)


@pytest.mark.parametrize("text", ["each(mo, f)", "each(_, po)", "each(_, g)", "each(_, f(R))", "each(f)", "each(_, h)"])
def test_each_wants_a_set_and_a_function_of_one_argument(text: str) -> None:
    with pytest.raises(ModelError, match=r"write each\(S, f\)"):
        parse_model(f"let f(o) = [o]  let g(a, b) = a;b\nempty {text}")


def test_each_is_a_name_of_cat_that_may_be_taken() -> None:
    assert relation("let each(a, b) = a;b  let r = each(po, rf^-1)") == relation("let r = po;rf^-1")
    with pytest.raises(ModelError):
        parse_model("let f(o) = [o];po\nacyclic each(R, f)", dialect="kat")


def test_a_new_shape_of_axioms_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grammars, evaluation and evidence take it from the table."""
    two_steps = Shape("transitive", Check.EMPTY, lambda node: r.Difference(r.Sequence((node, node)), node))
    monkeypatch.setitem(SHAPES, "transitive", two_steps)
    grammar.cache_clear()
    try:
        model = parse_model("transitive po as whole\ntransitive po & ~(po;po)\ntransitive rf | rf^-1")
        three = execution([(0, 1, 0, 1, -1), (0, 1, 1, 1, -1), (0, 0, 0, 1, 0)], 1, 2)
        found = evaluate(model, three, [])
        assert found.violated == ["transitive po & ~(po;po)", "transitive rf | rf^-1"]
        assert [edge.relation for edge in found.cycle("transitive rf | rf^-1")] == ["rf", "rf^-1"]
        assert parse_model("transitive po", dialect="kat").axioms[0].name == "transitive po"
    finally:
        grammar.cache_clear()
