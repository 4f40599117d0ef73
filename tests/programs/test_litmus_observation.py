"""Conditions, and what is said of final states: Ok or No, witnesses, the observation, herd's text, JSON."""

from __future__ import annotations

import pickle

import pytest

from porf.programs.litmus import Observation, observe, read_litmus

SB = r"""C SB
{}
P0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); }
P1 (atomic_int* x, atomic_int* y) { atomic_store(y, 1); int r0 = atomic_load(x); }
"""
STATES: dict[tuple[int, ...], int] = {(0, 1): 2, (1, 0): 1, (1, 1): 4}


def seen(final: str, states: dict[tuple[int, ...], int]) -> Observation:
    return observe(read_litmus(SB + final), states)


@pytest.mark.parametrize(
    ("final", "observation", "ok", "failed"),
    [
        (r"exists (0:r0=0 /\ 1:r0=0)", "Never", False, False),
        (r"exists (0:r0=1 /\ 1:r0=1)", "Sometimes", True, False),
        (r"exists (0:r0=1 \/ 1:r0=1)", "Always", True, False),
        (r"~exists (0:r0=0 /\ 1:r0=0)", "Never", True, False),
        (r"~exists (0:r0=1 /\ 1:r0=1)", "Sometimes", False, True),
        (r"not exists (0:r0=1 \/ 1:r0=1)", "Always", False, True),
        (r"forall (0:r0=0 /\ 1:r0=0)", "Never", False, True),
        (r"forall (0:r0=1 /\ 1:r0=1)", "Sometimes", False, True),
        (r"forall (0:r0=1 \/ 1:r0=1)", "Always", True, False),
    ],
)
def test_quantifiers(final: str, observation: str, ok: bool, failed: bool) -> None:
    found = seen(final, STATES)
    assert (found.observation, found.ok, found.failed) == (observation, ok, failed)
    assert found.positive + found.negative == 7


def test_nothing_seen() -> None:
    found = seen("exists (0:r0=0 /\\ 1:r0=0)", {})
    assert (found.observation, found.ok, found.failed) == ("Never", False, False)
    assert not seen("forall (0:r0=0 /\\ 1:r0=0)", {}).failed


@pytest.mark.parametrize(
    ("proposition", "positive"),
    [
        ("0:r0=1", 5),
        ("0:r0==1", 5),
        ("0:r0!=1", 2),
        ("~0:r0=1", 2),
        ("not (0:r0=1)", 2),
        ("!(0:r0=1)", 2),
        (r"0:r0=0 \/ 1:r0=0 /\ 0:r0=0", 2),
        (r"(0:r0=0 \/ 1:r0=0) /\ 0:r0=1", 1),
        (r"~0:r0=0 /\ 1:r0=1", 4),
        ("0:r0=1 => 1:r0=1", 6),
        ("0:r0=1:r0", 4),
        ("0:r0=0x1", 5),
        ("0:r0=-1", 0),
        ("true", 7),
        ("false", 0),
        (r"true /\ ~false /\ 1:r0=0", 1),
    ],
)
def test_propositions(proposition: str, positive: int) -> None:
    assert seen(f"locations [0:r0; 1:r0]\nexists {proposition}", STATES).positive == positive
    assert seen(f"locations [0:r0; 1:r0]\nexists ({proposition})", STATES).positive == positive


def test_a_number_is_one_of_the_register_s_type() -> None:
    test = read_litmus("C U\n{}\nP0 (unsigned* x) { unsigned r = -1; }\nexists (0:r=-1 /\\ [x]=[x])")
    assert observe(test, {(2**32 - 1, 0): 1}).positive == 1


def test_text() -> None:
    assert seen("exists (0:r0=1\n  /\\ 1:r0=1)", STATES).text() == (
        "Test SB Allowed\nStates 3\n0:r0=0; 1:r0=1;\n0:r0=1; 1:r0=0;\n0:r0=1; 1:r0=1;\nOk\nWitnesses\n"
        "Positive: 4 Negative: 3\nCondition exists (0:r0=1 /\\ 1:r0=1)\nObservation SB Sometimes 4 3"
    )
    # For ~exists, herd's witnesses are the executions that bear it out.
    assert seen("~exists ([x]=2 /\\ 1:r0=1)", {(1, 2): 3, (0, 1): 1}).text() == (
        "Test SB Forbidden\nStates 2\n1:r0=0; [x]=1;\n1:r0=1; [x]=2;\nNo\nWitnesses\n"
        "Positive: 1 Negative: 3\nCondition ~exists ([x]=2 /\\ 1:r0=1)\nObservation SB Sometimes 3 1"
    )
    assert seen("forall x=1", {(1,): 1}).text().startswith("Test SB Required\nStates 1\n[x]=1;\nOk\n")


def test_record() -> None:
    assert seen("exists (0:r0=1 /\\ [x]=1)", {(1, 1): 1, (0, 1): 5}).record() == {
        "observation": "Sometimes",
        "states": [{"0:r0": 0, "x": 1}, {"0:r0": 1, "x": 1}],
    }


def test_no_condition() -> None:
    test = read_litmus(SB + "locations [x;]")
    assert test.quantifier is None
    found = observe(test, {(1,): 2})
    assert (found.observation, found.failed) == ("Always", False)
    assert found.text().startswith("Test SB Required\nStates 1\n[x]=1;\nOk\nWitnesses\n")
    assert "\nCondition forall (true)\nObservation SB Always " in found.text()
    assert observe(read_litmus(SB), {(): 3}).positive == 3


def test_filter_drops_executions_and_is_not_shown() -> None:
    final = "locations [y]\nfilter (0:r0=1)\nexists (1:r0=1)"
    found = seen(final, {(0, 1, 1): 1, (1, 0, 1): 2, (1, 1, 1): 3})
    assert (found.positive, found.negative) == (3, 2)
    assert found.record()["states"] == [{"1:r0": 0, "y": 1}, {"1:r0": 1, "y": 1}]


def test_locations_are_shown_but_do_not_count() -> None:
    found = seen("locations [y; 1:r0]\nexists 0:r0=1", {(1, 0, 1): 2, (1, 1, 1): 3, (0, 1, 1): 1})
    assert (found.positive, found.negative, len(found.states)) == (5, 1, 3)


def test_tests_can_be_sent_to_other_processes() -> None:
    test = read_litmus(SB + "exists (0:r0=1 /\\ 1:r0=1)")
    assert observe(pickle.loads(pickle.dumps(test)), STATES).text() == observe(test, STATES).text()
