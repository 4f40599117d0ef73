"""Tests on this machine's own cores: what do their reads see, and which models allow it?"""

from porf.stress.hunt import Hunt, Tally
from porf.stress.plan import Plan, parse_mix
from porf.stress.rounds import Rounds, usable_cores
from porf.stress.seen import Seen, stress_test

__all__ = ["Hunt", "Plan", "Rounds", "Seen", "Tally", "parse_mix", "stress_test", "usable_cores"]
