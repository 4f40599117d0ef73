"""The hunt counts, stops and tells; violations come from a model that forbids what every machine does."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf import UsageError
from porf.stress import Hunt, Plan, Tally

SMALL = Plan(ops=40, locations=2, mix=(1.0, 1.0, 0.0, 0.0))
NO_READS = '"no reads"\nempty rf as nobody-reads\n'  # every round of SMALL breaks it
PATIENT = '"all"\nacyclic po as time\n'  # nothing breaks it


@pytest.fixture
def models(tmp_path: Path) -> tuple[str, str]:
    paths = (tmp_path / "no-reads.cat", tmp_path / "all.cat")
    for path, text in zip(paths, (NO_READS, PATIENT), strict=True):
        path.write_text(text)
    return str(paths[0]), str(paths[1])


def test_a_violated_model_is_checked_no_more(models: tuple[str, str]) -> None:
    hunt = Hunt(SMALL, models, rounds=3)
    told: list[object] = []
    hunt.run(told.append)
    broken, whole = hunt.tallies
    assert (broken.rounds, broken.operations, broken.violations, broken.first_round) == (1, 40, 1, 1)
    assert (whole.rounds, whole.operations, whole.violations, whole.first) == (3, 120, 0, None)
    assert told == [broken]
    assert broken.first is not None
    broken.first.verify()
    assert broken.headline() == "no-reads: violated in round 1, after 40 operations"
    assert whole.headline() == "all: no violation in 120 operations"
    assert (hunt.done, hunt.operations) == (3, 120)


def test_a_hunt_ends_when_every_model_is_violated(models: tuple[str, str]) -> None:
    hunt = Hunt(SMALL, models[:1], rounds=50)
    hunt.run()
    assert (hunt.done, hunt.rounds.done) == (1, 1)


def test_count_goes_on(models: tuple[str, str]) -> None:
    hunt = Hunt(SMALL, models[:1], rounds=4, count=True)
    told: list[object] = []
    hunt.run(told.append)
    assert hunt.tallies[0].violations == 4
    assert len(told) == 1
    assert hunt.tallies[0].headline() == (
        "no-reads: violated in round 1, after 40 operations; in 4 of 4 rounds, 160 operations"
    )


def test_what_is_undecided_is_not_counted_as_fine() -> None:
    hunt = Hunt(Plan(ops=2000), ["pso"], rounds=1, patience=1e-6)
    hunt.run()
    tally = hunt.tallies[0]
    assert (tally.rounds, tally.operations, tally.undecided) == (0, 0, 1)
    assert tally.headline().startswith("pso: no violation in 0 operations; undecided in 1 round: ")


def test_time_ends_a_hunt() -> None:
    seen: list[int] = []
    hunt = Hunt(SMALL, ["relaxed"], seconds=0.05)
    hunt.run(progress=lambda so_far: seen.append(so_far.operations))
    assert seen == list(range(40, 40 * len(seen) + 1, 40))
    assert hunt.tallies[0].rounds == len(seen) >= 1
    assert hunt.seconds > 0


def test_after_an_interruption_only_what_was_checked_counts(models: tuple[str, str]) -> None:
    def interrupt(hunt: Hunt) -> None:
        if hunt.done == 3:
            raise KeyboardInterrupt

    hunt = Hunt(SMALL, models, rounds=10)
    with pytest.raises(KeyboardInterrupt):
        hunt.run(progress=interrupt)
    assert (hunt.done, hunt.operations) == (3, 120)
    assert [tally.rounds for tally in hunt.tallies] == [1, 3]
    assert hunt.seconds > 0


@pytest.mark.parametrize("limits", [{"rounds": 0}, {"seconds": 0.0}, {"seconds": float("nan")}])
def test_a_limit_must_be_positive(limits: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="not positive"):
        Hunt(SMALL, **limits)  # type: ignore[arg-type]


def test_rc20_takes_no_fences() -> None:
    with pytest.raises(UsageError, match="rc20 has no sc fence"):
        Hunt(Plan(), ["rc20"])
    hunt = Hunt(SMALL, ["rc20"], rounds=1)
    hunt.run()
    assert hunt.tallies[0].rounds == 1


def test_a_tally_starts_empty() -> None:
    model = Hunt(SMALL, ["sc"]).tallies[0].model
    assert Tally(model).headline() == "sc: no violation in 0 operations"
