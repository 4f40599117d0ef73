"""Every kernel against the axioms of its model file over all modification orders; every verdict's evidence verifies."""

from __future__ import annotations

import itertools
import random

import pytest

from porf.checking import check
from porf.execution import Execution
from porf.formats import loads
from porf.models import MODELS
from tests.checking.brute_force import hard_execution, satisfiable, small_executions
from tests.seeds import seeds

KERNELS = ("relaxed", "rc20", "ra", "wra", "sra", "sc", "tso", "pso", "rmo")
SELF_READER = """
T1 w y 2
T0 u y 6->4
T2 w y 5
T1 u y 5->6
T1 u y 2->8
"""


def agree(g: Execution, names: tuple[str, ...] = KERNELS) -> list[str]:
    """Checks a kernel's answer and evidence against brute force; the models that g satisfies."""
    satisfied = []
    for name in names:
        verdict = check(g, name, algorithm="kernel", verify=True)
        expected = satisfiable(g, MODELS[name].file)
        shown = (name, g.thread.tolist(), g.op.tolist(), g.loc.tolist(), g.order.tolist(), g.rf.tolist())
        assert verdict.answer == ("consistent" if expected else "inconsistent"), shown
        if expected:
            satisfied.append(name)
    return satisfied


@pytest.mark.parametrize("seed", seeds(6, 16))
def test_random_executions(seed: int) -> None:
    rng = random.Random(seed)
    seen: set[tuple[str, ...]] = set()
    for _ in range(1300):
        seen.add(tuple(agree(hard_execution(rng))))
    assert {(), ("wra",), KERNELS} <= seen  # the models are told apart


@pytest.mark.parametrize("name", ["relaxed", "rc20", "ra", "sra"])
def test_no_update_is_from_read_before_itself(name: str) -> None:
    """Tunç et al. 2023, Fig. 2: fr leaves out the identity, so mo by an update's own write starts at the update."""
    proof = check(loads(SELF_READER), name, algorithm="kernel", verify=True).proof
    assert proof is not None
    assert all(edge.source != edge.target for edge in proof.cycle)
    assert [edge.relation for edge in proof.cycle] == ["mo", "po"]


def sample(step: int, events: int, locations: int, orders: tuple[int, ...]) -> None:
    everything = small_executions(events, min(events, 3), locations, orders)
    for g in itertools.islice(everything, 0, None, step):
        agree(g)


def test_every_execution_of_up_to_three_events_on_one_location() -> None:
    for events in (1, 2, 3):
        sample(1, events, 1, (1,))


def test_a_sample_of_four_events_on_two_locations() -> None:
    sample(997, 4, 2, (4,))


@pytest.mark.full
@pytest.mark.parametrize("events", [1, 2, 3, 4])
def test_every_execution_of_up_to_four_events_on_two_locations(events: int) -> None:
    everything = small_executions(events, events, 2, (4,))
    for g in everything:
        agree(g)


@pytest.mark.full
def test_every_mix_of_orders_on_three_events() -> None:
    for g in small_executions(3, 3, 2, (1, 2, 3, 4)):
        agree(g, ("rc20",))
