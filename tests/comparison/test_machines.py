"""Models of machines compared: by cycles in the words of both, each verdict that of the machine's own model."""

from __future__ import annotations

import pytest

import porf
from porf.cli import main
from porf.comparison.compare import Comparison, compare
from porf.errors import UsageError
from porf.exploration import explore
from porf.programs.litmus import read_litmus


def check_tests(found: Comparison) -> None:
    """Each test that is shown is allowed by one model and forbidden by the other, by exploration."""
    for difference in found.counterexamples:
        weak, strong = difference.allowed.model.name, difference.forbidden.model.name
        tests = difference.tests
        for text, model, seen in ((tests[0], weak, "Sometimes"), (tests[-1], strong, "Never")):
            observation = explore(read_litmus(text), model).observation
            assert observation is not None
            assert observation.observation == seen, (text, model)


@pytest.mark.parametrize("machine", ["x86tso", "aarch64", "ppc", "riscv"])
def test_machines_are_weaker_than_sc(machine: str) -> None:
    found = compare(machine, "sc", events=4)
    assert found.relation == "weaker"
    assert not found.taken
    check_tests(found)
    assert compare("sc", machine, events=4).exit_code == 0


def test_two_machines_in_the_words_of_both() -> None:
    found = compare("riscv", "aarch64", events=4)
    assert found.forth.holds is False
    assert found.back.holds is None  # no cycle says otherwise, and nothing proves it
    assert found.back.complete == 4
    assert "DMB.SY" in found.taken[0] and "Fence.rw.rw" in found.taken[0]
    check_tests(found)
    (difference,) = found.counterexamples
    assert difference.counterpart is not None
    assert porf.check(difference.execution, "riscv").consistent
    assert porf.check(difference.counterpart, "aarch64").inconsistent
    report = found.report()
    assert report.index("RISCV R+") < report.index("AArch64 R+")


@pytest.mark.parametrize(
    ("machine", "in_c"), [("x86tso", "tso"), ("x86tso", "x86"), ("aarch64", "arm8"), ("ppc", "power")]
)
def test_machines_and_their_models_by_the_orders_of_c_agree(machine: str, in_c: str) -> None:
    found = compare(machine, in_c, events=4)
    assert found.relation == "unknown"
    assert (found.forth.complete, found.back.complete) == (4, 4)
    assert "no critical cycle of up to 4 events says otherwise" in found.report()
    assert found.exit_code == 3


def test_a_machine_and_itself() -> None:
    assert compare("aarch64", "aarch64").relation == "equal"


def test_the_time_bounds_what_is_said() -> None:
    found = compare("aarch64", "arm8", seconds=0.2, events=12)
    assert found.forth.complete < 6
    assert found.relation == "unknown"


@pytest.mark.parametrize("pair", [("lkmm", "sc"), ("aarch64", "arm")])
def test_machines_without_cycles_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=f"{'lkmm' if 'lkmm' in pair else 'arm'} cannot be compared"):
        compare(*pair)


def test_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "x86tso", "riscv", "--events", "4", "--json"]) == 3
    assert '"taken": ["MFence and Fence.rw.rw"]' in capsys.readouterr().out
    assert main(["compare", "x86tso", "riscv", "--events", "4", "--to", "c"]) == 2
    assert "in their own words" in capsys.readouterr().err
