"""The search against naive means: it misses no execution, and what it finds is a difference, and small."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest

import porf
from porf.checking.budget import Budget
from porf.comparison.branch import find_decoration
from porf.comparison.minimize import without
from porf.comparison.polarity import polarity
from porf.comparison.separate import separate, separates
from porf.comparison.shapes import SHAPES, shape, skeleton_of
from porf.comparison.skeletons import Skeleton, skeletons
from porf.comparison.small import Columns, Small, allowed, from_execution
from porf.comparison.vocabulary import Lens, Question, distinct_orders
from porf.execution import Op, Order
from porf.language.model_file import parse_model
from porf.models import MODELS
from tests.checking.brute_force import satisfiable, small_executions
from tests.checking.small_executions import random_execution

LENSES = {name: Lens.of(model) for name, model in MODELS.items()}


def canonical(s: Skeleton) -> tuple[object, ...]:
    """The least of all namings of threads and locations."""
    threads = [[row for row, t in enumerate(s.thread) if t == thread] for thread in range(max(s.thread) + 1)]
    best: tuple[object, ...] | None = None
    for order in itertools.permutations(threads):
        rows = [row for thread in order for row in thread]
        at = {row: new for new, row in enumerate(rows)} | {-1: -1}
        numbers: dict[int, int] = {-1: -1}
        loc = tuple(numbers.setdefault(s.loc[row], len(numbers) - 1) for row in rows)
        key = (
            tuple(len(thread) for thread in order),
            tuple(s.op[row] for row in rows),
            loc,
            tuple(at[s.rf[row]] for row in rows),
        )
        best = key if best is None or key < best else best
    assert best is not None
    return best


@pytest.mark.parametrize("events", [1, 2, 3])
def test_every_small_execution_is_there_once_or_twice(events: int) -> None:
    expected = {
        canonical(from_execution(g).skeleton)
        for g in small_executions(events, events, events, (1,))
        if all(g.rf[e] != e for e in range(events))
    }
    found = Counter(canonical(s) for s in skeletons(events, (0, 1, 2, 3)))
    assert set(found) == expected
    assert sum(found.values()) < 1.5 * len(expected)  # few come twice, up to names


@pytest.mark.parametrize("name", MODELS)
def test_small_executions_are_decided_as_the_axioms_say(name: str) -> None:
    rng = random.Random(5)
    lens = LENSES[name]
    for _ in range(150):
        g = random_execution(
            rng, rng.randint(1, 5), 3, 2, (4, 4, 2 * (2 in lens.operations), 1 * (3 in lens.operations))
        )
        assert allowed(lens, from_execution(g)) == satisfiable(g, lens.file)


def naive(allows: str, forbids: str, events: int) -> bool:
    """Every execution of so many events, in every decoration that the models could tell apart."""
    a, b = LENSES[allows], LENSES[forbids]
    operations = sorted(a.operations & b.operations)
    sets = a.order_sets | b.order_sets
    for skeleton in skeletons(events, operations):
        rows = range(events)
        pairs = [(x, y) for x, y in itertools.combinations(rows, 2) if skeleton.thread[x] == skeleton.thread[y]]
        pairs = (
            [(x, y) for x, y in pairs if skeleton.op[x] in (0, 2) and skeleton.op[y] != 3] if a.kinds or b.kinds else []
        )
        refused = a.refuses_sc or b.refuses_sc
        for orders in itertools.product(*(distinct_orders(op, sets, refused) for op in skeleton.op)):
            for size in range(len(pairs) + 1):
                for chosen in itertools.combinations(pairs, size):
                    small = Small(skeleton, (orders, tuple(("addr", x, y) for x, y in chosen)))
                    if allowed(a, small) and not allowed(b, small):
                        return True
    return False


@pytest.mark.parametrize(
    ("allows", "forbids"), list(itertools.permutations(("rmo", "rc20", "tso", "wra", "relaxed"), 2))
)
def test_nothing_of_three_events_is_missed(allows: str, forbids: str) -> None:
    question = Question(LENSES[allows], LENSES[forbids])
    answer = separate([question], most_events=3)[question]
    smallest = next((n for n in (1, 2, 3) if naive(allows, forbids, n)), None)
    found = None if answer.found is None else len(answer.found)
    if smallest is None:
        assert found is None or found > 3  # by a shape
        assert answer.complete == 3
    else:
        assert found == smallest and answer.smallest


def test_what_is_found_is_a_difference_and_no_event_can_go() -> None:
    names = ("sc", "tso", "pso", "rmo", "ra", "wra", "rc20", "ccm", "cm")
    questions = [Question(LENSES[a], LENSES[b]) for a, b in itertools.permutations(names, 2)]
    found = 0
    for question, answer in separate(questions, most_events=3).items():
        if answer.found is None:
            continue
        found += 1
        g = answer.found.execution()
        assert porf.check(g, question.allows.name, verify=True).consistent
        assert porf.check(g, question.forbids.name, verify=True).inconsistent
        for row in range(len(answer.found)):
            assert not any(separates(question, less) for less in without(answer.found, row))
    assert found > 30


def test_a_spent_budget_is_told() -> None:
    question = Question(LENSES["sc"], LENSES["tso"])
    answer = separate([question], most_events=6, budget=Budget(seconds=0.5))[question]
    assert answer.cut and answer.found is None and 0 < answer.complete < 6


def test_only_what_both_interpret_is_tried() -> None:
    question = Question(LENSES["wra"], LENSES["cc"])
    assert question.operations == (Op.READ, Op.WRITE)
    assert question.left_out == ("updates", "fences")


def test_orders_are_tried_where_a_model_looks_at_them() -> None:
    assert Question(LENSES["sc"], LENSES["ra"]).orders[Op.READ] == (Order.RLX,)
    assert Question(LENSES["rc20"], LENSES["ra"]).orders[Op.WRITE] == (Order.RLX,)  # at its weakest
    assert Question(LENSES["ra"], LENSES["rc20"]).orders[Op.WRITE] == (Order.REL,)  # at its strongest
    assert set(Question(LENSES["rc20"], LENSES["rc20"]).orders[Op.FENCE]) == {Order.ACQ, Order.REL, Order.ACQ_REL}


def test_a_model_that_is_not_monotone_in_orders_is_tried_in_all() -> None:
    odd = parse_model('"odd"\nempty [W] \\ ([REL] | [IW]) as released', "odd")
    lens = Lens("odd", odd, frozenset(range(4)))
    assert not lens.grows
    question = Question(LENSES["sc"], lens)
    answer = separate([question], most_events=1)[question]
    assert answer.found is not None and answer.found.decoration[0] != (Order.REL,)
    back = Question(lens, Lens("none", parse_model('"none"\nempty [W] \\ [IW] as none', "none"), frozenset(range(4))))
    answer = separate([back], most_events=1)[back]
    assert answer.found is not None and answer.found.decoration[0] == (Order.REL,)


def test_signs_of_names() -> None:
    model = parse_model('"m"\nlet a = po \\ (rf; [geACQ])\nacyclic a | mo as x\n~empty fr as y\nflag empty data', "m")
    used = polarity(model)
    assert used.relations == {"po": {1}, "rf": {-1}, "mo": {1}, "fr": {-1}}
    assert used.sets == {"geACQ": {-1}}


def test_signs_in_a_recursion() -> None:
    used = polarity(parse_model('"m"\nlet rec r = po | (r; rf)\nacyclic mo \\ r as x', "m"))
    assert used.relations == {"po": {-1}, "rf": {-1}, "mo": {1}}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_executions_with_their_names(name: str) -> None:
    s = shape(name)
    assert skeleton_of(SHAPES[name]) == s
    assert Small(s, ((1,) * len(s.op), ())).execution().threads == SHAPES[name].count("|") + 1


def all_decorations(question: Question, skeleton: Skeleton) -> int:
    pairs = [len(choices) for choices in question.dependency_choices(skeleton)]
    return math.prod([*pairs, *(len(question.orders[op]) for op in skeleton.op)])


@pytest.mark.parametrize(("allows", "forbids"), [("rc11", "c11"), ("c11", "imm"), ("imm", "arm8"), ("arm8", "power")])
def test_branch_and_bound_finds_a_decoration_where_there_is_one(allows: str, forbids: str) -> None:
    """Against trying all of them."""
    rng = random.Random(4)
    question = Question(LENSES[allows], LENSES[forbids])
    assert question.allows.grows and question.forbids.grows
    sample = [*skeletons(3, (0, 1, 2, 3)), *rng.sample(list(skeletons(4, (0, 1))), 150)]
    sample += [shape(name) for name in ("SB", "MP", "LB", "CoRR", "WRC")]
    answers: Counter[bool] = Counter()
    for skeleton in rng.sample(sample, 250) + sample[-5:]:
        if all_decorations(question, skeleton) > 800:
            continue
        columns = Columns(skeleton)
        found = find_decoration(question, skeleton, columns, lambda: False)
        expected = any(separates(question, Small(skeleton, d)) for d in question.decorations(skeleton))
        assert (found is not None) == expected
        assert found is None or separates(question, Small(skeleton, found))
        answers[expected] += 1
    assert answers[False] > 20
