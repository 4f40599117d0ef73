"""Random tests on this machine's own cores: what do its reads see, and which models allow it?"""

from porf.stress.hunt import Hunt, Tally
from porf.stress.plan import Plan, parse_mix
from porf.stress.rounds import Rounds, usable_cores

__all__ = ["Hunt", "Plan", "Rounds", "Tally", "parse_mix", "usable_cores"]
