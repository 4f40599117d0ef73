"""What holds of a model: no verdict is contradicted by a small execution, and the papers' examples come out."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import porf
from porf.comparison.forward import only_forward
from porf.comparison.properties import Finding, check_properties
from porf.comparison.skeletons import skeletons
from porf.comparison.small import Small, allowed, from_execution
from porf.comparison.transformations import extensions, prefixes, splits, weakenings
from porf.comparison.vocabulary import Lens, Question
from porf.execution import Execution
from porf.language.model_file import parse_model
from porf.models import MODELS
from tests.checking.small_executions import random_execution

NEAR = {
    "prefix-closed": prefixes,
    "extensible": extensions,
    "monotone under thread merging": splits,
    "monotone under stronger orders": weakenings,
}
_FOUND: dict[str, dict[str, Finding]] = {}

LARGE = {"c11", "imm", "arm8", "power"}  # to search their executions of three events takes seconds


def findings(name: str) -> dict[str, Finding]:
    if name not in _FOUND:
        events = 2 if name in LARGE else 3  # so few that the search comes to its end, however busy the machine is
        _FOUND[name] = {f.name: f for f in check_properties(name, seconds=60, events=events)}
    return _FOUND[name]


def sample(lens: Lens) -> Iterator[Small]:
    """Every execution of two events, and random ones of more."""
    question = Question(lens, lens)
    for events in (1, 2):
        for skeleton in skeletons(events, sorted(lens.operations)):
            for decoration in question.decorations(skeleton):
                yield Small(skeleton, decoration)
    rng = random.Random(38)
    weights = (4, 4, 2 * (2 in lens.operations), 1 * (3 in lens.operations))
    for _ in range(250):
        yield from_execution(random_execution(rng, rng.randint(3, 5), 3, 2, weights))


@pytest.mark.parametrize("name", MODELS)
def test_no_small_execution_contradicts_what_holds(name: str) -> None:
    lens = Lens.of(MODELS[name])
    near = {key: NEAR[key] for key in NEAR if findings(name)[key].holds}
    tried = 0
    for small in sample(lens):
        if not allowed(lens, small):
            continue
        for key, neighbours in near.items():
            for others in neighbours(small, lens):
                tried += 1
                assert any(allowed(lens, other) for other in others), (key, small, others)
    assert tried > 100


def cyclic(g: Execution, union: str) -> bool:
    model = parse_model(f'"m"\nacyclic {union} as m', "m")
    return not allowed(Lens("m", model, frozenset(range(4))), from_execution(g))


@pytest.mark.parametrize("name", MODELS)
def test_no_thin_air_is_not_contradicted(name: str) -> None:
    found, lens = findings(name), Lens.of(MODELS[name])
    for small in sample(lens):
        if allowed(lens, small):
            g = small.execution()
            assert not (found["no thin air"].holds and cyclic(g, "addr | data | ctrl | rf"))
            if "ppo" not in lens.file.relations:
                assert not (found["(ppo | rf)-acyclic"].holds and cyclic(g, "po | rf"))


@pytest.mark.parametrize("name", MODELS)
def test_what_fails_fails_on_the_executions_that_are_shown(name: str) -> None:
    for key, finding in findings(name).items():
        if finding.holds is False:
            assert finding.allowed is not None
            assert porf.check(finding.allowed, name, verify=True).consistent, key
            for execution in finding.forbidden:
                assert porf.check(execution, name, verify=True).inconsistent, key
            assert finding.forbidden or key in ("no thin air", "(ppo | rf)-acyclic")


def verdicts(key: str) -> dict[str, str]:
    return {name: findings(name)[key].verdict for name in MODELS}


def test_seed_003_thread_merging() -> None:
    """Section 3.8: it holds of SC, and not of TSO."""
    found = verdicts("monotone under thread merging")
    assert {name for name, verdict in found.items() if verdict == "fails"} >= {"tso", "pso", "rmo", "wccm"}
    assert {name for name in MODELS if found[name] == "holds"} >= {"sc", "rc11", "ra", "rc20", "cc"}


def test_all_are_prefix_closed_and_monotone_in_orders() -> None:
    assert {name for name, verdict in verdicts("prefix-closed").items() if verdict != "holds"} <= {"c11"}
    # Under x86 a fence without an order, the start of a thread, drains the store buffer; a relaxed one does not.
    other = {name for name, verdict in verdicts("monotone under stronger orders").items() if verdict != "holds"}
    assert other <= {"x86"}


def test_thin_air() -> None:
    found = verdicts("no thin air")
    assert found["sc"] == found["ra"] == found["cc"] == "holds"
    assert found["rmo"] == "fails"  # it does not look at control dependencies
    assert found["wccm"] == "fails"  # as published, a read may take a later write of its own thread


ODD = {
    "prefix-closed": "~empty rf | [W] as some-write",
    "extensible": "empty [F] as no-fence",
    "monotone under thread merging": "empty rfe as own-writes",
    "monotone under stronger orders": "empty [W] & [RLX] as no-relaxed-write",
}


@pytest.mark.parametrize("key", ODD)
def test_a_model_that_lacks_the_property(key: str, tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "odd.cat"  # type: ignore[operator]
    path.write_text(f'"odd"\n{ODD[key]}\n')
    found = {f.name: f for f in check_properties(path, seconds=10, events=2)}
    assert found[key].holds is False
    assert found[key].allowed is not None and found[key].forbidden


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("acyclic po | rf | mo | fr", True),
        ("irreflexive (fr; rf?; po)", True),
        ("acyclic (po \\ (W * R)) | rfe", True),
        ("irreflexive [F]", False),
        ("irreflexive po?", False),
        ("empty rf; po", False),
        ("empty rmw & (fr; mo)", True),
        ("empty (fre; moe) & rmw", True),
        ("empty rmw & (fr; mo?)", False),
        ("empty rmw & (rf^-1; mo)", False),
        ("empty po & (fr; mo)", False),
        ("acyclic rf^-1; po", False),
        ("acyclic po & loc", True),
        ("acyclic loc; po", False),
        ("acyclic [domain(rf)]; po", False),
        ("acyclic po \\ (rf; rf^-1)", False),
    ],
)
def test_forward_relations(text: str, expected: bool) -> None:
    assert only_forward(parse_model(f'"m"\n{text} as m', "m")) == expected
